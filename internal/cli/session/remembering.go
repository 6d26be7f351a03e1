package session

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// MemoryOptions say how much memory the program may take, about.
type MemoryOptions struct {
	Megabytes int64
	Shared    int64 // MB of these that the kernel keeps packets in
}

const (
	DefaultMemory = 120     // MB
	leastMemory   = 4       // MB; what the program itself takes comes on top of so little
	MostMemory    = 1 << 20 // MB
	Megabyte      = 1_000_000

	ProgramMemory = 22 // MB that the program itself takes
	leastLimited  = 83 // MB; of less the collector would run all the time
	programText   = 31 // MB that the collector of memory does not know of: pages of the program's file
)

func (o *MemoryOptions) Flags(c *cobra.Command) {
	c.Flags().Int64Var(&o.Megabytes, "memory", cmp.Or(o.Megabytes, DefaultMemory),
		"take at most some `MB` of memory; then what was idle longest is forgotten, and the totals tell")
	option.CompleteWith(c, "memory", "64", "120", "256", "1024", "4096")
}

// Apply finds what makes no sense, and tells the collector of memory how much garbage there may be.
func (o *MemoryOptions) Apply() error {
	if o.Megabytes < leastMemory || o.Megabytes > MostMemory {
		return fmt.Errorf("--memory %d: %d to %d MB can be used", o.Megabytes, leastMemory, MostMemory)
	}
	limitGarbage(o.Garbage())
	limitMemory((max(o.Megabytes-o.Shared, leastLimited) - programText) * Megabyte)
	return nil
}

// Garbage is how much garbage there may be, in bytes.
func (o *MemoryOptions) Garbage() int64 {
	return min(max(o.Megabytes*Megabyte/5, 4*Megabyte), mostGarbage)
}

// Remembered is how much of the traffic may be remembered, in bytes: what the program and the garbage leave. A part of
// that is lost between what is kept.
func (o *MemoryOptions) Remembered() int64 {
	left := (o.Megabytes-o.Shared-ProgramMemory)*Megabyte - o.Garbage()
	return max(left/4*3, o.Megabytes*Megabyte/8)
}

// Engine is an engine's share, in bytes.
func (o *MemoryOptions) Engine() int { return int(min(o.Remembered()/5*4, math.MaxInt)) }

// Statistics is the share of what is counted, in bytes.
func (o *MemoryOptions) Statistics() int { return int(min(o.Remembered()/5, math.MaxInt)) }

// Check is the share of what is held against expectations, in bytes: half of an engine's.
func (o *MemoryOptions) Check() int { return o.Engine() / 2 }

// SortForgotten gives what had to be forgotten, what there was most of first.
func SortForgotten(list []bounded.Forgotten) []bounded.Forgotten {
	return slices.SortedStableFunc(slices.Values(list), func(a, b bounded.Forgotten) int {
		return cmp.Compare(b.Count, a.Count)
	})
}

// Notice gives what says that something had to be forgotten, where no totals do.
func (o *MemoryOptions) Notice(w io.Writer) func([]bounded.Forgotten) error {
	return func(list []bounded.Forgotten) error {
		term.Complain(w, o.Lack(list, "what follows from them is not shown"))
		return nil
	}
}

// Trouble gives what makes an error of that, where a result may be wrong for it.
func (o *MemoryOptions) Trouble(wrong string) func([]bounded.Forgotten) error {
	return func(list []bounded.Forgotten) error { return o.Lack(list, wrong) }
}

// Lack is the error that something had to be forgotten.
func (o *MemoryOptions) Lack(list []bounded.Forgotten, wrong string) error {
	var names []string
	for _, f := range SortForgotten(list)[:min(len(list), 2)] {
		names = append(names, fmt.Sprintf("%s (%s)", f.Name, term.Thousands(f.Count)))
	}
	all := strings.Join(names, " and ")
	if len(list) > 2 {
		all = strings.Join(names, ", ") + " and others"
	}
	return fmt.Errorf("forgotten for want of memory: %s; %s; give more than --memory %d", all, wrong, o.Megabytes)
}
