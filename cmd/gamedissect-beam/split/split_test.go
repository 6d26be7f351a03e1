package split_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/cmd/gamedissect-beam/split"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/print"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/stats"
	"github.com/gamedissect/gamedissect/layers"
)

var seed = maphash.MakeSeed()

const memory = 1 << 30 // enough to drop nothing

// A recorder records and counts an engine's results.
type recorder struct {
	results []string // messages, findings and values
	stats   stats.Stats
	engine  *decode.Engine
	printer print.Printer
}

func newRecorder() *recorder {
	x := &recorder{stats: stats.Stats{Memory: memory}}
	x.engine = decode.New(decode.Options{
		Protocols: layers.All(), Others: true, Memory: memory, Message: x.message, Finding: x.finding, Value: x.value,
	})
	return x
}

// record records a text about a place. It leaves out the conversation's number, because that depends on the engine.
func (x *recorder) record(p *wire.Place, text string) {
	if wiretest.Full() { // about a million texts
		text = fmt.Sprintf("%.40s ... %x", text, maphash.String(seed, text))
	}
	x.results = append(x.results, fmt.Sprintf("%s %d %d %v %v > %v %s", p.File, p.Frame, p.Time, p.Transport, p.Src, p.Dst, text))
}

func (x *recorder) message(m *decode.Message) {
	tree := x.printer.Append(nil, m.Tree(), m.Data, m.Findings)
	x.record(&m.Place, fmt.Sprint("message ", m.Direction, m.Name, m.Code, m.Length, m.At, "\n", string(tree)))
	x.stats.Message(m)
}

func (x *recorder) finding(f *wire.TrafficFinding) {
	x.record(&f.Place, "finding "+f.Rule.ID+" "+f.Text)
	x.stats.Finding(f)
}

func (x *recorder) value(v *wire.Value) {
	x.results = append(x.results, fmt.Sprintln(v.File, v.Frame, v.Time, v.Src, v.Dst, v.Table, v.Server, v.Who, v.Whom, v.What,
		v.Number, v.Unit, v.State, v.Text, v.Answer, v.Event))
	if !v.Event {
		x.stats.Value(v)
	}
}

// run passes the engine's own frames to the engine, and lets it skip the others.
func (x *recorder) run(frames []decode.Frame, mine func(i int) bool) {
	for i := range frames {
		if mine(i) {
			x.engine.Frame(&frames[i])
		} else {
			x.engine.Skip(&frames[i])
		}
	}
	x.engine.Close()
	c := x.engine.Counters()
	c.Others = x.engine.Others()
	x.stats.Count(c)
}

// statistics returns the counts as JSON, without the engine's conversation numbers.
func (x *recorder) statistics(t *testing.T) string {
	t.Helper()
	for _, c := range x.stats.Conversations {
		c.Stream = 0
	}
	var b bytes.Buffer
	if err := x.stats.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, b.Bytes(), "", " "); err != nil {
		t.Fatal(err)
	}
	return indented.String()
}

// componentsOf returns the component of each frame, and the number of components.
func componentsOf(frames []decode.Frame) (of []int, count int) {
	s := split.New(layers.All(), nil)
	for i := range frames {
		s.Frame(&frames[i])
	}
	parts := s.Parts()
	asker := parts.Asker()
	for i := range frames {
		of = append(of, asker.Of(&frames[i]))
	}
	return of, parts.Count()
}

// equal checks that engines that share frames have the same results as a single engine, in any order. Component c
// belongs to engine c%engines.
func equal(t *testing.T, frames []decode.Frame, of []int, engines int) {
	t.Helper()
	one := newRecorder()
	one.run(frames, func(int) bool { return true })
	all := &recorder{stats: stats.Stats{Memory: memory}}
	for n := range engines {
		part := newRecorder()
		part.run(frames, func(i int) bool { return of[i]%engines == n })
		all.results = append(all.results, part.results...)
		all.stats.Merge(&part.stats)
	}
	sameResults(t, all.results, one.results)
	if got, want := all.statistics(t), one.statistics(t); got != want {
		t.Errorf("the statistics differ: %s", firstDifference(got, want))
	}
}

// sameResults checks that two engines have the same results, in any order.
func sameResults(t *testing.T, got, want []string) {
	t.Helper()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%d results, want %d: %s", len(got), len(want),
			firstDifference(strings.Join(got, "\n"), strings.Join(want, "\n")))
	}
}

// firstDifference returns the lines around the first difference between two texts.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	i := 0
	for i < min(len(a), len(b))-1 && a[i] == b[i] {
		i++
	}
	from := max(0, i-6)
	return strings.Join(a[from:min(i+2, len(a))], "\n") + "\nwant\n" + strings.Join(b[from:min(i+2, len(b))], "\n")
}

// TestEachCapture uses one engine for each component of each capture, and one for the rest.
func TestEachCapture(t *testing.T) {
	for _, file := range captures(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			frames := framesOf(t, file)
			of, count := componentsOf(frames)
			equal(t, frames, of, count+1)
		})
	}
}

// TestArchive has captures that run at the same time, each between its own hosts. The full test has 1,608 of them, with
// a million messages.
func TestArchive(t *testing.T) {
	files := captures(t)
	copies := 2
	switch {
	case wiretest.Full():
		copies = 1608 / len(files)
	case testing.Short():
		files, copies = files[:20], 1
	}
	frames := archive(t, files, copies)
	for i := range frames {
		frames[i].File, frames[i].Number = "", i+1
	}
	of, count := componentsOf(frames)
	if count < len(files)*copies/2 {
		t.Errorf("%d captures have %d components", len(files)*copies, count)
	}
	equal(t, frames, of, min(count+1, 16))
}

// TestTogether makes many components reach deadlines at the same moment: packets are missing, the clock jumps, and the
// capture ends in the middle.
func TestTogether(t *testing.T) {
	files := captures(t)
	if testing.Short() {
		files = files[:30]
	}
	frames := archive(t, files, 2)
	moment := frames[0].Time
	kept := frames[:0]
	for i := range frames {
		f := frames[i]
		f.File, f.Number, f.Time = "", i+1, moment+int64(i)*1e6
		switch {
		case i%7 == 3:
			continue
		case i > len(frames)*2/3:
			f.Time += 4000e9 // longer than conversations are kept
		case i > len(frames)/3:
			f.Time += 20e9 // longer than gaps and fragments are kept
		}
		kept = append(kept, f)
	}
	kept = kept[:len(kept)*3/4]
	of, count := componentsOf(kept)
	equal(t, kept, of, min(count+1, 16))
}

// TestSensors has three sensors with the same addresses in their networks. Each sensor has its own splitter, so the
// traffic of one has no effect on another.
func TestSensors(t *testing.T) {
	files := captures(t)
	for sensor := range 3 {
		var seen []string
		for i, file := range files {
			if i%3 == sensor && (!testing.Short() || i < 30) {
				seen = append(seen, file)
			}
		}
		frames := archive(t, seen, 1) // all begin with the same address
		for i := range frames {
			frames[i].File, frames[i].Number = fmt.Sprint("sensor ", sensor), i+1
		}
		of, count := componentsOf(frames)
		if count < 3 {
			t.Errorf("sensor %d: %d components", sensor, count)
		}
		equal(t, frames, of, min(count+1, 8))
	}
}
