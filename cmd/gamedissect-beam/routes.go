package main

import (
	"fmt"

	"github.com/gamedissect/gamedissect/cmd/gamedissect-beam/split"
	"github.com/gamedissect/gamedissect/decode"
)

// A router finds the shard of a packet. It keeps the routes of only one sensor in memory, because routes may be large.
type router struct {
	sensor string
	whose  *split.Asker // nil: not open
	shards []int32
}

// open loads the routes of a sensor.
func (r *router) open(sensor string, routes func(string) func(*Routes) bool) error {
	if r.whose != nil && r.sensor == sensor {
		return nil
	}
	var to Routes
	if !routes(sensor)(&to) {
		return fmt.Errorf("sensor %q has no routes", sensor)
	}
	r.sensor, r.whose, r.shards = sensor, to.Components.Parts().Asker(), to.Shards
	return nil
}

// This method returns the shard of a packet, or -1 if the packet belongs to no component.
func (r *router) of(f *decode.Frame) int {
	component := r.whose.Of(f)
	if component == 0 {
		return -1
	}
	return int(r.shards[component])
}
