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
	"github.com/gamedissect/gamedissect/internal/report"
)

// MemoryOptions are the options that limit the program's memory.
type MemoryOptions struct {
	Megabytes int64
	Shared    int64 // part of Megabytes for the kernel's packet buffers
}

// Limits of --memory, and how much memory some of its parts need.
const (
	defaultMemory = 120     // MB
	minMemory     = 4       // MB
	maxMemory     = 1 << 20 // MB
	Megabyte      = 1_000_000

	programMemory = 22 // MB for the program itself
	minLimited    = 83 // MB; with a lower limit the collector would run all the time
	programText   = 31 // MB that the runtime does not count: pages of the executable file
)

// Flags adds the flag --memory.
func (o *MemoryOptions) Flags(c *cobra.Command) {
	c.Flags().Int64Var(&o.Megabytes, "memory", cmp.Or(o.Megabytes, defaultMemory),
		"use at most about `MB` megabytes; beyond that, drop the state that was idle longest and report it")
	option.CompleteWith(c, "memory", "64", "120", "256", "1024", "4096")
}

// Apply checks the options and sets the garbage collector's limits.
func (o *MemoryOptions) Apply() error {
	if o.Megabytes < minMemory || o.Megabytes > maxMemory {
		return fmt.Errorf("--memory %d: choose %d to %d MB", o.Megabytes, minMemory, maxMemory)
	}
	limitGarbage(o.garbage())
	limitMemory((max(o.Megabytes-o.Shared, minLimited) - programText) * Megabyte)
	return nil
}

// garbage returns how many bytes of garbage may accumulate.
func (o *MemoryOptions) garbage() int64 {
	return min(max(o.Megabytes*Megabyte/5, 4*Megabyte), maxGarbage)
}

// Remembered returns how many bytes of state may be kept. It is nine sixteenths of the free memory. Fragmentation and
// texts that belong to the state take the rest. With more state, the collector would run all the time.
func (o *MemoryOptions) Remembered() int64 { return max(o.free()/16*9, o.Megabytes*Megabyte/8) }

// free returns how many bytes the program and its garbage leave.
func (o *MemoryOptions) free() int64 {
	return (o.Megabytes-o.Shared-programMemory)*Megabyte - o.garbage()
}

// Engine returns the engine's share of Remembered.
func (o *MemoryOptions) Engine() int { return int(min(o.Remembered()/4*3, math.MaxInt)) }

// Alone returns the engine's memory if there are no statistics by server or player. Then its state contains few texts
// and may take three quarters of the free memory.
func (o *MemoryOptions) Alone() int { return int(min(max(o.free()/4*3, o.Remembered()), math.MaxInt)) }

// Statistics returns the share of Remembered for statistics.
func (o *MemoryOptions) Statistics() int { return int(min(o.Remembered()/4, math.MaxInt)) }

// Expectations returns how many bytes of memory the check command may use: half of the engine's share.
func (o *MemoryOptions) Expectations() int { return o.Engine() / 2 }

// Notice returns a function for Run.Forgotten that writes to w what the engine dropped. It is for runs that print no
// totals.
func (o *MemoryOptions) Notice(w io.Writer) func([]bounded.Forgotten) error {
	return func(list []bounded.Forgotten) error {
		term.Complain(w, o.ForgottenError(list, "results that depend on them are missing"))
		return nil
	}
}

// Trouble returns a function for Run.Forgotten that returns an error if the engine dropped anything. wrong says what
// may be wrong as a result.
func (o *MemoryOptions) Trouble(wrong string) func([]bounded.Forgotten) error {
	return func(list []bounded.Forgotten) error { return o.ForgottenError(list, wrong) }
}

// ForgottenError returns an error that says what the engine dropped, according to list, and what may be wrong as a
// result.
func (o *MemoryOptions) ForgottenError(list []bounded.Forgotten, wrong string) error {
	var names []string
	list = slices.SortedStableFunc(slices.Values(list), func(a, b bounded.Forgotten) int {
		return cmp.Compare(b.Count, a.Count)
	})
	for _, f := range list[:min(len(list), 2)] {
		names = append(names, fmt.Sprintf("%s (%s)", f.Name, report.FormatCount(f.Count)))
	}
	all := strings.Join(names, " and ")
	if len(list) > 2 {
		all = strings.Join(names, ", ") + " and others"
	}
	return fmt.Errorf("forgotten for lack of memory: %s; %s; raise --memory above %d", all, wrong, o.Megabytes)
}
