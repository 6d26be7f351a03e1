package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ways are the ways in which the program runs.
var ways = [][]string{{"-q"}, {"-T", "line"}, {"-T", "json"}, {"-T", "tree"}, {"-q", "--stats", "-"}}

// A row is a row of a table, with the process that it measures.
type row struct {
	name    string
	command []string
	env     string // environment variable and its value, or ""
}

// A sample is one run of a process.
type sample struct {
	seconds, processor float64 // processor: user plus system time
	peak               int64   // peak memory in bytes; 0 if unknown
}

// measure prints a table for each input. The first row only reads the packets. Ratios to this row are comparable
// between machines; seconds are not.
func measure(ctx context.Context, o *options, names []string) error {
	return o.withInputs(ctx, names, func(in *input, p *programs, file string, packets, bytes int64) error {
		rows := []row{{name: "read only", command: []string{p.self, "read", file}}}
		for _, way := range ways {
			command := append([]string{p.gamedissect, "-r", file}, way...)
			rows = append(rows, row{name: strings.Join(way, " "), command: command})
		}
		return o.print(ctx, in, rows, packets, bytes)
	})
}

// print prints the table of an input. The rows run in turn, so disturbances of the machine affect all of them.
func (o *options) print(ctx context.Context, in *input, rows []row, packets, bytes int64) error {
	samples := make([][]sample, len(rows))
	for round := range o.rounds + 1 {
		for i := range rows {
			s, err := rows[i].run(ctx, nil)
			if err != nil {
				return err
			}
			if round > 0 { // the first round only loads the file into memory
				samples[i] = append(samples[i], s)
			}
		}
	}
	const head = "\n%s: %s\n%d cores, %s %s/%s, %.1f MB in %d packets, %d rounds\n\n%s"
	_, err := fmt.Fprintf(o.out, head, in.name, in.about,
		runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH, float64(bytes)/1e6, packets, o.rounds,
		table(rows, samples, packets))
	return err
}

// table has one row per command. Rates are from the fastest round, and seconds are medians. A ratio is the median over
// all rounds of the ratio to the first row.
func table(rows []row, samples [][]sample, packets int64) []byte {
	const line = "%-25s %12v %9v %9v %9v %9v %9v\n"
	b := fmt.Appendf(nil, line, "row", "packets/s", "seconds", "ratio", "proc. s", "ratio", "peak MB")
	for i, list := range samples {
		var passed, processor, ratio, processorRatio []float64
		peak := int64(0)
		for j, s := range list {
			passed, processor = append(passed, s.seconds), append(processor, s.processor)
			ratio = append(ratio, s.seconds/samples[0][j].seconds)
			processorRatio = append(processorRatio, s.processor/samples[0][j].processor)
			peak = max(peak, s.peak)
		}
		b = fmt.Appendf(b, line, rows[i].name, strconv.FormatFloat(float64(packets)/slices.Min(passed), 'f', 0, 64),
			decimals(median(passed), 3), decimals(median(ratio), 2), decimals(median(processor), 3),
			decimals(median(processorRatio), 2), megabytes(peak))
	}
	return b
}

// median returns the middle value, or the mean of the two middle ones.
func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

func decimals(f float64, n int) string { return strconv.FormatFloat(f, 'f', n, 64) }

func megabytes(n int64) string { return decimals(float64(n)/1e6, 1) }

// run runs the process and writes its output to out. If out is nil, the output goes to the null device.
func (r *row) run(ctx context.Context, out io.Writer) (s sample, err error) {
	var trouble bytes.Buffer
	c := exec.CommandContext(ctx, r.command[0], r.command[1:]...)
	c.Stdout, c.Stderr = out, &trouble
	if r.env != "" {
		c.Env = append(c.Environ(), r.env)
	}
	start := time.Now()
	err = c.Run()
	s.seconds = time.Since(start).Seconds()
	if err != nil {
		return s, fmt.Errorf("%s: %w: %s", strings.Join(r.command, " "), err, bytes.TrimSpace(trouble.Bytes()))
	}
	s.processor = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	s.peak = peakMemory(c.ProcessState)
	return s, nil
}

// programs contains this program and a gamedissect that was built for this run.
type programs struct{ self, gamedissect, dir string }

// build builds gamedissect in a temporary folder, which the caller must remove.
func (o *options) build(ctx context.Context) (p *programs, err error) {
	p = new(programs)
	if p.self, err = os.Executable(); err != nil {
		return nil, err
	}
	if p.dir, err = os.MkdirTemp("", "bench-"); err != nil {
		return nil, err
	}
	p.gamedissect = filepath.Join(p.dir, "gamedissect.exe")
	build := exec.CommandContext(ctx, "go", "-C", o.root, "build", "-o", p.gamedissect, "./cmd/gamedissect")
	if text, err := build.CombinedOutput(); err != nil {
		return nil, errors.Join(fmt.Errorf("go build: %w: %s", err, bytes.TrimSpace(text)), os.RemoveAll(p.dir))
	}
	return p, nil
}

// withInputs makes one input after another and calls do for each. It starts a separate process to make the input,
// because on Linux the peak memory of a child is at least that of its parent.
func (o *options) withInputs(
	ctx context.Context, names []string, do func(in *input, p *programs, file string, packets, bytes int64) error,
) error {
	chosen, err := chooseInputs(names...)
	if err != nil {
		return err
	}
	p, err := o.build(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(p.dir) }() // error ignored: only the result counts
	for i := range chosen {
		in := &chosen[i]
		file := filepath.Join(p.dir, in.name)
		o.log.Print(in.name)
		size := strconv.FormatInt(o.size/1e6, 10)
		c := exec.CommandContext(ctx, p.self, "make", in.name, file, "--root", o.root, "--size", size)
		c.Stderr = os.Stderr
		text, err := c.Output()
		if err != nil {
			return fmt.Errorf("%s cannot be made: %w", in.name, err)
		}
		var packets, bytes int64
		if _, err := fmt.Sscan(string(text), &packets, &bytes); err != nil {
			return err
		}
		if err := errors.Join(do(in, p, file, packets, bytes), os.Remove(file)); err != nil {
			return err
		}
	}
	return nil
}

// readOnly reads each packet of a file with gopacket's reader, and does nothing with it.
func readOnly(_ context.Context, _ *options, args []string) error {
	return eachPacket(args[0], func([]byte) {})
}

// profile runs all rows once on some inputs and merges their CPU profiles.
func profile(ctx context.Context, o *options, args []string) error {
	dir, err := os.MkdirTemp("", "bench-profile-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // error ignored: only the result counts
	names := []string{"games-66", "games17-50", "clients-750", "archive-1608"}
	join := []string{"tool", "pprof", "-proto", "-output", args[0]}
	err = o.withInputs(ctx, names, func(_ *input, p *programs, file string, _, _ int64) error {
		for _, way := range ways {
			part := filepath.Join(dir, strconv.Itoa(len(join)))
			join = append(join, part)
			r := row{command: append([]string{p.gamedissect, "-r", file, "--cpuprofile", part}, way...)}
			if _, err := r.run(ctx, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	text, err := exec.CommandContext(ctx, "go", join...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("go tool pprof: %w: %s", err, bytes.TrimSpace(text))
	}
	return cmp.Or(err, ctx.Err())
}
