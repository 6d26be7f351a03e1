// Command bench measures gamedissect on generated captures: whole processes that take turns,
// against a loop that does nothing but read packets. `make bench` runs it.
//
// What may not enter: measurements of single functions (those are Go benchmarks beside the
// code), and limits that fail a build: the figures of one machine mean nothing on another.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/pflag"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout, log.New(os.Stderr, "", 0))
	if ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
}

// run does what the arguments ask for.
func run(ctx context.Context, args []string, out io.Writer, progress *log.Logger) error {
	o, err := parse(args, out)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return nil
	case err != nil:
		return err
	case o.bareLoop != "":
		return bareLoop(o.bareLoop, out)
	case o.copies > 0:
		return multiplyFile(ctx, o.copies, o.read, o.write)
	}
	if o.fill != "" {
		return fill(ctx, o.fill, o.only, progress)
	}
	if o.equal > 0 {
		return checkCopies(ctx, o.equal, o.captures, out)
	}
	rows, err := chooseRows(o.only)
	if err != nil {
		return err
	}
	chosen, err := chooseInputs(o.input)
	if err != nil {
		return err
	}
	shelf := &store{dir: o.dir, size: o.size, captures: o.captures, progress: progress}
	if o.generate {
		return generate(ctx, shelf, chosen, out)
	}
	if o.soak > 0 {
		s := &soak{packets: o.soak, captures: o.captures, memory: o.memory}
		if o.engine {
			return s.engine(out)
		}
		p, err := findPrograms(ctx, shelf)
		if err != nil {
			return err
		}
		return s.program(ctx, p, out)
	}
	if o.mutants > 0 {
		p, err := findPrograms(ctx, shelf)
		if err != nil {
			return err
		}
		return testMutants(ctx, p.gamedissect, o.mutants, o.captures, out)
	}
	if o.profile != "" {
		return profile(ctx, shelf, chosen, rows, o.profile)
	}
	return bench(ctx, shelf, chosen, rows, o.rounds, out)
}

// generate makes the captures and tells where they are.
func generate(ctx context.Context, shelf *store, chosen []input, out io.Writer) error {
	for i := range chosen {
		g, err := shelf.get(ctx, &chosen[i])
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "%s  %s, %s packets\n", g.file, formatSize(g.Bytes), thousands(g.Packets)); err != nil {
			return err
		}
	}
	return nil
}

// bench measures the rows on each input and prints a table for each.
func bench(ctx context.Context, shelf *store, chosen []input, rows []row, rounds int, out io.Writer) error {
	p, err := findPrograms(ctx, shelf)
	if err != nil {
		return err
	}
	for i := range chosen {
		in := &chosen[i]
		if err := generateInProcess(ctx, p, shelf, in); err != nil {
			return err
		}
		g, err := shelf.get(ctx, in)
		if err != nil {
			return err
		}
		fit := rowsFor(rows, in.name)
		m := &meter{rows: fit, programs: p, file: g.file, rounds: rounds, progress: shelf.progress}
		if err := m.measure(ctx); err != nil {
			return err
		}
		if _, err := out.Write(appendReport(nil, g, fit, m.samples)); err != nil {
			return err
		}
	}
	return nil
}
