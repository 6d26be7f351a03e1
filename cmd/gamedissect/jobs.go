package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/gamedissect/gamedissect/capture"
	packettime "github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/internal/split"
)

// mostJobs is how many engines share a capture at most.
const mostJobs = 64

// mostBack is how far the clock of captures that engines share may go back. Beyond that, what is forgotten as silent
// depends on who else is silent.
const mostBack = 10 * time.Minute

// checkJobs finds a number of engines that makes no sense.
func (o *inputOptions) checkJobs() error {
	if o.jobs < 1 || o.jobs > mostJobs {
		return fmt.Errorf("--jobs %d: choose from 1 to %d", o.jobs, mostJobs)
	}
	return nil
}

// errCrowded ends a run that several engines share where one of them has not enough memory: what is forgotten then is
// for one engine to choose.
var errCrowded = errors.New("an engine has to forget")

// A plan says which engine takes which component of a capture.
type plan struct {
	parts   *split.Parts
	workers []uint8 // by component; 0 is what is of none
}

// shareable reports whether several engines can read for a run: where nothing is asked that depends on what other
// engines have, but for the order of texts, and all files can be read twice.
func (d *dissection) shareable() bool {
	r := d.run
	counts := len(r.sinks) == 1 && len(r.ends) == 1 && len(r.events)+len(r.packets)+len(r.writers) == 0
	if d.input.jobs < 2 || !counts || d.write.name != "" || d.listen != "" || d.statistics.file != "" {
		return false
	}
	if r.gate.single || r.gate.display.asksOrder() || r.options.Others || d.write.until != (capture.Stop{}) {
		return false
	}
	if _, parted := r.text.(partedSink); r.text != nil && (!parted || d.out.eager || d.out.width > 0) {
		return false
	}
	return !slices.ContainsFunc(d.input.names, func(name string) bool {
		info, err := os.Stat(name)
		return name == "-" || err == nil && !info.Mode().IsRegular()
	})
}

// plan reads the files for the first time. It gives none where one engine is as good, and where the user interrupts.
func (d *dissection) plan(stop *interrupt) *plan {
	if !d.shareable() {
		return nil
	}
	files, _ := open(d.input.names, nil, stop) // who reads them for the second time tells what is wrong
	if len(files) == 0 {
		return nil
	}
	defer closeAll(files)
	if d.input.unpackAll {
		for _, f := range files {
			f.UnpackAll()
		}
	}
	s := newSurvey(d)
	from := &fileSource{Source: capture.Merge(files...), files: files}
	p := &pump{from: from, stop: stop, count: d.run.count, wanted: d.decode.packets.wanted(func(error) {})}
	p.failed = func(error) {}
	var newest packettime.Moment
	back := false
	_, err := p.each(func(packet *capture.Packet) error {
		if !newest.Known() || packet.Time > newest.When() {
			newest = packettime.At(packet.Time)
		}
		back = back || packettime.Elapsed(packet.Time, newest.When()) > int64(mostBack)
		s.take(packet)
		return nil
	})
	parts := s.parts()
	if err != nil || back || stop.flag.Load() {
		return nil
	}
	return newPlan(parts, min(d.input.jobs, mostWorkers(d.run.options.Memory)))
}

// workerMemory is the memory of each of several engines, together less than that of one: tables grow in steps, and one
// large table may take more than several small ones. So none of several has room where one has none.
func workerMemory(memory, workers int) int { return memory / workers / 4 * 3 }

// mostWorkers is how many engines memory is enough for. An engine takes a megabyte, be it given less.
func mostWorkers(memory int) int {
	const least = 2 << 20
	return workerMemory(memory, 1) / least
}

// newPlan gives each component to the engine that has least to do, the largest first. It gives none if there is only
// work for one.
func newPlan(parts *split.Parts, jobs int) *plan {
	packets := parts.Packets()
	jobs = min(jobs, mostJobs, parts.Count())
	if jobs < 2 {
		return nil
	}
	order := make([]int, len(packets))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(packets[b], packets[a]) })
	p := &plan{parts: parts, workers: make([]uint8, len(packets))}
	work := make([]int64, jobs)
	for _, component := range order {
		least := 0
		for worker := range work {
			if work[worker] < work[least] {
				least = worker
			}
		}
		p.workers[component] = uint8(least)
		work[least] += packets[component]
	}
	return p
}

// share dissects files with several engines, as run.over does with one.
func (d *dissection) share(p *plan, from source, stop *interrupt) error {
	r := d.run
	crew, err := newCrew(d, p)
	if err != nil {
		return err
	}
	pump := &pump{from: from, stop: stop, count: r.count, wanted: r.wanted, failed: crew.fail}
	trouble, err := pump.each(func(packet *capture.Packet) error {
		r.timeless.note(packet)
		r.clock.start(packet.Time)
		from.tick(false)
		return crew.take(packet)
	})
	c := crew.close()
	from.done()
	if err != nil || crew.crowded() { // err is errCrowded: nothing else ends a crew
		return errCrowded
	}
	err = errors.Join(trouble, r.timeless.trouble())
	if stop.flag.Load() {
		err = errors.Join(err, interruptedError(c.Packets))
	}
	return errors.Join(err, r.finish(c))
}

// renewText has the text begin again, of which what is written already is not written once more.
func (d *dissection) renewText() error {
	*d.run.clock = clock{form: d.run.clock.form}
	d.out.buf, d.out.told = d.out.buf[:0], d.out.wrote
	return d.text.add(d.run, d.out, d.run.gate.display.schema, d.input.names, d.terminal)
}

// readShared dissects files with several engines if that is of use. It reports whether that is done.
func (d *dissection) readShared(stop *interrupt) (done bool, err error) {
	p := d.plan(stop)
	if p == nil && d.shareable() && stop.flag.Load() {
		return true, errors.New("interrupted while the files were read for the first time, as --jobs does")
	}
	if p == nil {
		return false, nil
	}
	timeless := d.run.timeless
	err = d.input.withFiles(io.MultiReader(), stop, func(from *fileSource) error {
		from.showProgress(d.std.err, d.terminal, d.textless)
		return d.share(p, from, stop)
	})
	if errors.Is(err, errCrowded) {
		d.run.timeless = timeless
		return false, d.renewText()
	}
	return true, errors.Join(err, d.out.flush())
}
