// Command bench measures gamedissect on generated captures: whole processes, one after the
// other, against a loop that does nothing but read packets. `make bench` runs it.
//
// What may not enter: judgements of single functions (those are Go benchmarks beside the
// code), and any limit that fails a build: figures of one machine mean nothing on another.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"

	"github.com/spf13/pflag"
)

const (
	exitDone    = 0
	exitTrouble = 2
)

const usage = `bench measures gamedissect on generated captures.

Every row of the table is a whole process. Rows take turns, round after round, so that a
disturbance of the machine meets all of them. Compare ratios, not seconds: only they mean
something on another machine.

Usage:
  go run ./cmd/bench [flags]

Examples:
  go run ./cmd/bench                          all rows, 200 MB
  go run ./cmd/bench --size 1GB --rounds 9    longer, and less noisy
  go run ./cmd/bench --only 'tree|json'       the bare loop and two rows
  go run ./cmd/bench --generate --dir /tmp/x  only the captures, for other tools

Flags:
`

// options are what the command line asks for.
type options struct {
	size     size
	rounds   int
	dir      string
	only     string
	input    string
	generate bool
	bareLoop string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(exitTrouble)
	}
	os.Exit(exitDone)
}

// run does what the arguments ask for.
func run(ctx context.Context, args []string, out, progress io.Writer) error {
	o, err := parse(args, out)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return nil
	case err != nil:
		return err
	case o.bareLoop != "":
		return bareLoop(o.bareLoop, out)
	}
	chosen, err := chooseRows(o.only)
	if err != nil {
		return err
	}
	wanted, err := chooseInputs(o.input)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return fmt.Errorf("the folder for the captures cannot be made: %w", err)
	}
	store := store{dir: o.dir, size: int64(o.size), progress: progress}
	if o.generate {
		for _, in := range wanted {
			c, err := store.get(ctx, in)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%s: %s, %s packets\n", c.file, size(c.Bytes), thousands(c.Packets))
		}
		return nil
	}
	return o.bench(ctx, &store, wanted, chosen, out, progress)
}

// bench measures the rows on each input and prints a table for it.
func (o *options) bench(ctx context.Context, store *store, wanted []input, chosen []row, out, progress io.Writer) error {
	p, err := buildPrograms(ctx, o.dir, progress)
	if err != nil {
		return err
	}
	for _, in := range wanted {
		c, err := store.get(ctx, in)
		if err != nil {
			return err
		}
		fit := rowsFor(chosen, in)
		measured, err := measure(ctx, fit, p, c.file, o.rounds, progress)
		if err != nil {
			return err
		}
		if err := report(out, c, fit, measured); err != nil {
			return err
		}
	}
	return nil
}

// parse reads the arguments.
func parse(args []string, out io.Writer) (*options, error) {
	o := &options{size: 200e6}
	f := pflag.NewFlagSet("bench", pflag.ContinueOnError)
	f.SortFlags = false
	f.Usage = func() { fmt.Fprint(out, usage+f.FlagUsages()) }
	f.Var(&o.size, "size", "`SIZE` of each generated capture, such as 50MB or 1GB")
	f.IntVar(&o.rounds, "rounds", 5, "run every row `N` times, after one round that is not timed")
	f.StringVar(&o.dir, "dir", "", "`FOLDER` of the captures, kept for the next run (default: gamedissect-bench in the user's cache)")
	f.StringVar(&o.only, "only", "", "run only rows whose name matches `REGEX`, and the bare loop")
	f.StringVar(&o.input, "input", "", "run only on the capture `NAME`")
	f.BoolVar(&o.generate, "generate", false, "generate the captures and stop")
	f.StringVar(&o.bareLoop, "bare-loop", "", "be the bare loop on this file")
	if err := f.MarkHidden("bare-loop"); err != nil {
		return nil, err
	}
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	return o, o.check(f.Args())
}

// check finds what makes no sense, and fills in what has no fixed default.
func (o *options) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("%q: no argument belongs here (see --help)", rest[0])
	case o.rounds < 1:
		return fmt.Errorf("--rounds %d: at least one round is needed", o.rounds)
	case o.dir != "":
		return nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return fmt.Errorf("no folder for the captures is known, give one with --dir: %w", err)
	}
	o.dir = filepath.Join(cache, "gamedissect-bench")
	return nil
}

// chooseRows gives the rows that a regular expression leaves: the yardstick is always there.
func chooseRows(only string) ([]row, error) {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return nil, fmt.Errorf("--only %s is no regular expression: %w", only, err)
	}
	chosen := rows[:1:1]
	for _, r := range rows[1:] {
		if pattern.MatchString(r.name) {
			chosen = append(chosen, r)
		}
	}
	if len(chosen) == 1 && !pattern.MatchString(rows[0].name) {
		return nil, fmt.Errorf("--only %s matches none of the rows: %s", only, names(rows, func(r row) string { return r.name }))
	}
	return chosen, nil
}

// chooseInputs gives the input with the name, or all of them.
func chooseInputs(name string) ([]input, error) {
	if name == "" {
		return inputs, nil
	}
	for _, in := range inputs {
		if in.name == name {
			return []input{in}, nil
		}
	}
	return nil, fmt.Errorf("--input %s is none of: %s", name, names(inputs, func(in input) string { return in.name }))
}
