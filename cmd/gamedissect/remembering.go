package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// memoryOptions say how much memory the program may take, about.
type memoryOptions struct {
	megabytes int64
	shared    int64 // MB of these that the kernel keeps packets in
}

const (
	defaultMemory = 120     // MB
	leastMemory   = 4       // MB; what the program itself takes comes on top of so little
	mostMemory    = 1 << 20 // MB
	megabyte      = 1_000_000

	programMemory = 22 // MB that the program itself takes
	leastLimited  = 83 // MB; of less the collector would run all the time
	programText   = 31 // MB that the collector of memory does not know of: pages of the program's file
)

func (o *memoryOptions) flags(c *cobra.Command) {
	c.Flags().Int64Var(&o.megabytes, "memory", cmp.Or(o.megabytes, defaultMemory),
		"take at most some `MB` of memory; then what was idle longest is forgotten, and the totals tell")
	completeWith(c, "memory", "64", "120", "256", "1024", "4096")
}

// apply finds what makes no sense, and tells the collector of memory how much garbage there may be.
func (o *memoryOptions) apply() error {
	if o.megabytes < leastMemory || o.megabytes > mostMemory {
		return fmt.Errorf("--memory %d: %d to %d MB can be used", o.megabytes, leastMemory, mostMemory)
	}
	limitGarbage(o.garbage())
	limitMemory((max(o.megabytes-o.shared, leastLimited) - programText) * megabyte)
	return nil
}

// garbage is how much garbage there may be, in bytes.
func (o *memoryOptions) garbage() int64 {
	return min(max(o.megabytes*megabyte/5, 4*megabyte), mostGarbage)
}

// remembered is how much of the traffic may be remembered, in bytes: what the program and the garbage leave. A part of
// that is lost between what is kept.
func (o *memoryOptions) remembered() int64 {
	left := (o.megabytes-o.shared-programMemory)*megabyte - o.garbage()
	return max(left/4*3, o.megabytes*megabyte/8)
}

// engine is an engine's share, in bytes.
func (o *memoryOptions) engine() int { return int(min(o.remembered()/5*4, math.MaxInt)) }

// statistics is the share of what is counted, in bytes.
func (o *memoryOptions) statistics() int { return int(min(o.remembered()/5, math.MaxInt)) }

// check is the share of what is held against expectations, in bytes: half of an engine's.
func (o *memoryOptions) check() int { return o.engine() / 2 }

// mostForgotten gives what had to be forgotten, what there was most of first.
func mostForgotten(list []bounded.Forgotten) []bounded.Forgotten {
	return slices.SortedStableFunc(slices.Values(list), func(a, b bounded.Forgotten) int {
		return cmp.Compare(b.Count, a.Count)
	})
}

// notice gives what says that something had to be forgotten, where no totals do.
func (o *memoryOptions) notice(w io.Writer) func([]bounded.Forgotten) error {
	return func(list []bounded.Forgotten) error {
		complain(w, o.lack(list, "what follows from them is not shown"))
		return nil
	}
}

// trouble gives what makes an error of that, where a result may be wrong for it.
func (o *memoryOptions) trouble(wrong string) func([]bounded.Forgotten) error {
	return func(list []bounded.Forgotten) error { return o.lack(list, wrong) }
}

// lack is the error that something had to be forgotten.
func (o *memoryOptions) lack(list []bounded.Forgotten, wrong string) error {
	var names []string
	for _, f := range mostForgotten(list)[:min(len(list), 2)] {
		names = append(names, fmt.Sprintf("%s (%s)", f.Name, thousands(f.Count)))
	}
	all := strings.Join(names, " and ")
	if len(list) > 2 {
		all = strings.Join(names, ", ") + " and others"
	}
	return fmt.Errorf("forgotten for want of memory: %s; %s; give more than --memory %d", all, wrong, o.megabytes)
}
