package main

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/stats"
)

// memoryOptions say how much is remembered.
type memoryOptions struct {
	megabytes int64
}

// Bounds of --memory.
const (
	leastMemory = 4       // MB
	mostMemory  = 1 << 20 // MB
)

func (o *memoryOptions) flags(c *cobra.Command) {
	c.Flags().Int64Var(&o.megabytes, "memory", (decode.DefaultMemory+stats.DefaultMemory)>>20,
		"remember at most `MB` of the traffic; then what was idle longest is forgotten, and the totals tell")
	completeWith(c, "memory", "64", "256", "1024", "4096")
}

// check finds what makes no sense.
func (o *memoryOptions) check() error {
	if o.megabytes < leastMemory || o.megabytes > mostMemory {
		return fmt.Errorf("--memory %d: %d to %d MB can be used", o.megabytes, leastMemory, mostMemory)
	}
	return nil
}

// engine is an engine's share, in bytes.
func (o *memoryOptions) engine() int { return int(min(o.megabytes<<20/8*7, math.MaxInt)) }

// statistics is the share of what is counted, in bytes.
func (o *memoryOptions) statistics() int { return int(min(o.megabytes<<20/8, math.MaxInt)) }
