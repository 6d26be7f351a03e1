package main

import (
	"fmt"

	"github.com/gamedissect/gamedissect/cmd/gamedissect-beam/split"
	"github.com/gamedissect/gamedissect/decode"
)

// A router says which shard a packet is of. It keeps the routes of one sensor: those of many may be large.
type router struct {
	sensor string
	whose  *split.Asker // nil: none are there
	shards []int32
}

// open takes the routes of a sensor.
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

// of gives the shard of a packet, and -1 if it is of no component.
func (r *router) of(f *decode.Frame) int {
	component := r.whose.Of(f)
	if component == 0 {
		return -1
	}
	return int(r.shards[component])
}
