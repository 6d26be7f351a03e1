package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"time"
)

// A form is a way to run the program on a capture.
type form struct {
	name string
	args func(file, scratch string) []string
}

// dissecting returns a form that runs the program without a command.
func dissecting(name string, args ...string) form {
	return form{name, func(file, _ string) []string { return append(args, "-r", file) }}
}

// forms have all commands of the program that read a capture.
var forms = []form{
	dissecting("tree", "-T", "tree", "-V", "-x"),
	dissecting("line", "-T", "line"),
	dissecting("json", "-T", "json"),
	dissecting("csv", "-T", "csv", "-e", "frame.number", "-e", "frame.time", "-e", "ip.src", "-e", "communityid"),
	dissecting("statistics", "-q", "--stats", "-"),
	dissecting("filter", "-T", "line", "-Y", "frame.number > 1 and not tcp.port == 1 or response_time > 1"),
	{"write", func(file, scratch string) []string {
		return []string{"-q", "-r", file, "-w", filepath.Join(scratch, "written.pcapng")}
	}},
	{"follow", func(file, _ string) []string { return []string{"follow", "tcp,0", "--raw", "-", "-r", file} }},
	{"check", func(file, scratch string) []string {
		return []string{"check", "-r", file, filepath.Join(scratch, expectations)}
	}},
	{"record", func(file, _ string) []string { return []string{"record", "-r", file} }},
	{"anonymize", func(file, scratch string) []string {
		return []string{"anonymize", "-r", file, "-w", filepath.Join(scratch, "anonymized.pcapng"), "--key", "bench"}
	}},
	{"world", func(file, scratch string) []string {
		return []string{"world", "-r", file, "-o", filepath.Join(scratch, "worlds")}
	}},
}

// expectations is the name of the input file for the command check. expected is its content.
const expectations = "expectations.yaml"

const expected = `name: a list
protocol: tribes
sequence:
  - {expect: MasterQuery, optional: true, save: [key]}
  - {expect: MasterListReply, repeat: 0.., where: packet_total > 1}
---
name: a game
protocol: bzflag24
per: client
fulfilled: some
sequence:
  - any_order:
      - {expect: MsgMessage, repeat: 0..}
      - {expect: MsgAddPlayer, within: 1s}
  - {never: MsgKilled}
---
name: a game of old
protocol: bzflag17
sequence:
  - {expect: MsgEnter, id: entered}
  - {expect: MsgAccept, within: 1s of entered}
---
name: a heartbeat
protocol: iceball
sequence:
  - {expect: Announce, repeat: 1..3}
---
name: a query
protocol: bloodmasters
sequence:
  - one_of:
      - {expect: ServerInfoRequest}
      - {expect: ServerInfoReply}
`

// maxLook limits the time of a run on a mutant.
const maxLook = 20 * time.Second

// extremes are the largest memory and the longest time of a form, with the mutants that caused them.
type extremes struct {
	runs, failed int // failed counts exit code 2, which is allowed for damaged files
	memory       int64
	memoryOf     uint64
	time         time.Duration
	timeOf       uint64
}

// testMutants makes N mutants of the captures in a folder, runs every form of the program on each mutant, and prints a
// table of the extremes. If a run crashes or does not end, testMutants returns an error and keeps the mutant.
func testMutants(ctx context.Context, o *options, args []string) error {
	n, dir, err := o.numberAndFolder(args)
	if err != nil {
		return err
	}
	from, err := readCorpus(dir)
	if err != nil {
		return err
	}
	p, err := o.build(ctx)
	if err != nil {
		return err
	}
	t := &mutantTest{corpus: from, program: p.gamedissect, mutants: uint64(n), forms: make([]extremes, len(forms))}
	err = t.run(ctx, p.dir)
	_, _ = fmt.Fprintf(o.out, "%d mutants of %d captures in %s\n\n%s", n, len(from.names), dir, t.report())
	if err == nil {
		err = os.RemoveAll(p.dir)
	}
	return err
}

// mutantTest tests mutants with several workers.
type mutantTest struct {
	*corpus
	program string
	mutants uint64

	sync.Mutex
	next  uint64 // number of the next mutant
	forms []extremes
}

// run runs the workers and returns the first error.
func (t *mutantTest) run(ctx context.Context, scratch string) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var group sync.WaitGroup
	for i := range runtime.NumCPU() {
		group.Go(func() {
			if err := t.work(ctx, filepath.Join(scratch, strconv.Itoa(i))); err != nil {
				stop(err)
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}

// take returns the number of the next mutant.
func (t *mutantTest) take() (number uint64, ok bool) {
	t.Lock()
	defer t.Unlock()
	t.next++
	return t.next - 1, t.next <= t.mutants
}

// work tests one mutant after another until none is left.
func (t *mutantTest) work(ctx context.Context, scratch string) error {
	if err := os.Mkdir(scratch, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(scratch, expectations), []byte(expected), 0o600); err != nil {
		return err
	}
	file := filepath.Join(scratch, "mutant.pcap")
	for number, ok := t.take(); ok; number, ok = t.take() {
		mutant, from := t.mutant(number)
		if err := os.WriteFile(file, mutant, 0o600); err != nil {
			return err
		}
		for i := range forms {
			if err := t.look(ctx, i, number, file, scratch); err != nil {
				return fmt.Errorf("mutant %d of %s, %s, kept in %s: %w", number, from, forms[i].name, file, err)
			}
		}
	}
	return nil
}

// look runs a form on a mutant and records the memory and the time.
func (t *mutantTest) look(ctx context.Context, i int, number uint64, file, scratch string) error {
	ctx, stop := context.WithTimeout(ctx, maxLook)
	defer stop()
	var trouble bytes.Buffer
	c := exec.CommandContext(ctx, t.program, forms[i].args(file, scratch)...)
	c.Stderr = &trouble
	begun := time.Now()
	err := c.Run()
	took := time.Since(begun)
	code := c.ProcessState.ExitCode()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && code != 1 && code != 2, bytes.Contains(trouble.Bytes(), []byte("goroutine ")):
		return fmt.Errorf("%w: %s", err, bytes.TrimSpace(trouble.Bytes()))
	}
	used := peakMemory(c.ProcessState) // on Linux, this is at least the peak of this program
	t.Lock()
	defer t.Unlock()
	e := &t.forms[i]
	e.runs++
	if code == 2 {
		e.failed++
	}
	if used > e.memory {
		e.memory, e.memoryOf = used, number
	}
	if took > e.time {
		e.time, e.timeOf = took, number
	}
	return nil
}

// report returns the table of all forms.
func (t *mutantTest) report() []byte {
	const line = "%-12v %8v %8v %9v %10v %9v %10v\n"
	b := fmt.Appendf(nil, line, "form", "runs", "exit 2", "peak MB", "of mutant", "longest s", "of mutant")
	for i, e := range t.forms {
		b = fmt.Appendf(b, line, forms[i].name, e.runs, e.failed, megabytes(e.memory), e.memoryOf,
			decimals(e.time.Seconds(), 2), e.timeOf)
	}
	return b
}
