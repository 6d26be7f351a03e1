package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"time"
)

// A form is a way of having the program look at a capture.
type form struct {
	name string
	args func(file, scratch string) []string
}

// dissecting is the form of the program without a command.
func dissecting(name string, args ...string) form {
	return form{name, func(file, _ string) []string { return append(args, "-r", file) }}
}

// forms are all that the program can do with a capture.
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

// expectations is the file that mutants are held against: whatever comes may stand anywhere.
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

// slowest is how long a look at a mutant may take.
const slowest = 20 * time.Second

// worst is the worst that a form did.
type worst struct {
	runs, failed int // failed: exit code 2, as it must be for a file that is damaged
	memory       int64
	memoryOf     uint64
	time         time.Duration
	timeOf       uint64
}

// testMutants breeds so many mutants of the captures in a folder, gives each to every form of the program, and prints
// what each form needed at most. A crash is an error, and so is what does not end; the mutants are kept then.
func testMutants(ctx context.Context, program string, mutants int, dir string, out io.Writer) error {
	h, err := newHerd(dir)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return err
	}
	t := &mutantTest{herd: h, program: program, worst: make([]worst, len(forms))}
	err = t.run(ctx, mutants, scratch)
	about := fmt.Sprintf("%d mutants of %d captures in %s\n\n", t.done, len(h.names), dir)
	if _, failed := out.Write(append([]byte(about), t.report()...)); failed != nil {
		return failed
	}
	if err == nil {
		err = os.RemoveAll(scratch)
	}
	return err
}

// mutantTest is a run over mutants, by several workers.
type mutantTest struct {
	*herd
	program string
	sync.Mutex
	next, done uint64
	worst      []worst
}

func (t *mutantTest) run(ctx context.Context, mutants int, scratch string) error {
	workers := runtime.NumCPU()
	failed := make([]error, workers)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var group sync.WaitGroup
	for i := range workers {
		group.Go(func() {
			if failed[i] = t.work(ctx, uint64(mutants), filepath.Join(scratch, strconv.Itoa(i))); failed[i] != nil {
				stop()
			}
		})
	}
	group.Wait()
	return errors.Join(failed...)
}

// work takes mutant after mutant until there are no more.
func (t *mutantTest) work(ctx context.Context, mutants uint64, scratch string) error {
	if err := os.Mkdir(scratch, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(scratch, expectations), []byte(expected), 0o600); err != nil {
		return err
	}
	for {
		t.Lock()
		number := t.next
		t.next++
		t.Unlock()
		if number >= mutants {
			return nil
		}
		file := filepath.Join(scratch, "mutant.pcap")
		from, err := t.writeMutant(number, file)
		if err != nil {
			return err
		}
		for i := range forms {
			if err := t.look(ctx, i, number, file, scratch); err != nil {
				return fmt.Errorf("mutant %d of %s, %s, kept in %s: %w", number, from, forms[i].name, file, err)
			}
		}
		t.Lock()
		t.done++
		t.Unlock()
	}
}

// look gives a mutant to a form.
func (t *mutantTest) look(ctx context.Context, i int, number uint64, file, scratch string) error {
	ctx, stop := context.WithTimeout(ctx, slowest)
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
	used, _ := peakMemory(c.ProcessState) // on Linux no less than this program has itself
	t.Lock()
	defer t.Unlock()
	w := &t.worst[i]
	w.runs++
	if code == 2 {
		w.failed++
	}
	if used > w.memory {
		w.memory, w.memoryOf = used, number
	}
	if took > w.time {
		w.time, w.timeOf = took, number
	}
	return nil
}

// report is the table of all forms.
func (t *mutantTest) report() []byte {
	const line = "%-12v %8v %8v %9v %10v %9v %10v\n"
	b := fmt.Appendf(nil, line, "form", "runs", "exit 2", "peak MB", "of mutant", "longest s", "of mutant")
	for i, w := range t.worst {
		b = fmt.Appendf(b, line, forms[i].name, w.runs, w.failed, memory(w.memory), w.memoryOf,
			decimals(w.time.Seconds(), 2), w.timeOf)
	}
	return b
}
