package split_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/print"
	"github.com/gamedissect/gamedissect/decode/split"
	"github.com/gamedissect/gamedissect/decode/stats"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers"
)

// A teller writes down what engines tell of each frame, and counts it.
type teller struct {
	told    [][]string // by frame; the last is what is told when the capture ends
	at      int
	stats   stats.Stats
	engine  *decode.Engine
	printer print.Printer
}

func newTeller(frames int) *teller {
	x := &teller{told: make([][]string, frames+1)}
	x.engine = decode.New(decode.Options{
		Protocols: layers.All(), Others: true, Message: x.message, Finding: x.finding, Value: x.value,
	})
	return x
}

func (x *teller) tell(p *wire.Place, kind, text string) {
	place := fmt.Sprintf("%s %s %d %d %v %v > %v ", kind, p.File, p.Frame, p.Time, p.Transport, p.Src, p.Dst)
	x.told[x.at] = append(x.told[x.at], place+text)
}

func (x *teller) message(m *decode.Message) {
	tree := x.printer.Append(nil, m.Tree(), m.Data, m.Findings)
	x.tell(&m.Place, "message", fmt.Sprint(m.Direction, m.Name, m.Code, m.Length, m.At, "\n", string(tree)))
	x.stats.Message(m)
}

func (x *teller) finding(f *wire.TrafficFinding) {
	x.tell(&f.Place, "finding", f.Rule.ID+" "+f.Text)
	x.stats.Finding(f)
}

func (x *teller) value(v *wire.Value) {
	x.tell(&v.Place, "value", fmt.Sprintln(v.Table, v.Server, v.Who, v.Whom, v.What, v.Number, v.Unit, v.State, v.Text,
		v.Answer, v.Event))
	if !v.Event {
		x.stats.Value(v)
	}
}

// run gives the engine those frames that are its own.
func (x *teller) run(frames []decode.Frame, mine func(i int) bool) {
	for i := range frames {
		if x.at = i; mine(i) {
			x.engine.Frame(&frames[i])
		} else {
			x.engine.Elsewhere(&frames[i])
		}
	}
	x.at = len(frames)
	x.engine.Close()
	c := x.engine.Counters()
	c.Others = x.engine.Others()
	x.stats.Count(c)
}

// statistics gives the counts as JSON. Numbers of conversations are those of an engine.
func (x *teller) statistics(t *testing.T) string {
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

// componentsOf gives the component of each frame, and how many there are.
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

// equal wants engines that share frames to tell the same as one. Component c is the engine's c%engines.
func equal(t *testing.T, frames []decode.Frame, of []int, engines int) {
	t.Helper()
	one := newTeller(len(frames))
	one.run(frames, func(int) bool { return true })
	all := newTeller(len(frames))
	for n := range engines {
		part := newTeller(len(frames))
		part.run(frames, func(i int) bool { return of[i]%engines == n })
		for i, told := range part.told {
			all.told[i] = append(all.told[i], told...)
		}
		all.stats.Merge(&part.stats)
	}
	differ := 0
	for i, want := range one.told {
		got := all.told[i]
		slices.Sort(want)
		slices.Sort(got)
		if slices.Equal(got, want) {
			continue
		}
		if differ++; differ <= 5 {
			missing := slices.DeleteFunc(slices.Clone(want), func(s string) bool { return slices.Contains(got, s) })
			more := slices.DeleteFunc(slices.Clone(got), func(s string) bool { return slices.Contains(want, s) })
			t.Errorf("frame %d of %d:\nmissing\n%s\nmore\n%s", i, len(frames), strings.Join(missing, "\n"),
				strings.Join(more, "\n"))
		}
	}
	if differ > 5 {
		t.Errorf("%d frames differ", differ)
	}
	if got, want := all.statistics(t), one.statistics(t); got != want {
		t.Errorf("the statistics differ: %s", firstDifference(got, want))
	}
}

// firstDifference gives the lines around where texts begin to differ.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	i := 0
	for i < min(len(a), len(b))-1 && a[i] == b[i] {
		i++
	}
	from := max(0, i-6)
	return strings.Join(a[from:min(i+2, len(a))], "\n") + "\nwant\n" + strings.Join(b[from:min(i+2, len(b))], "\n")
}

// TestEachCapture has an engine for each component of each capture, and one for the rest.
func TestEachCapture(t *testing.T) {
	for _, file := range captures(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			frames := framesOf(t, file)
			of, count := componentsOf(frames)
			equal(t, frames, of, count+1)
		})
	}
}

// TestArchive has captures go on at once between hosts of their own.
func TestArchive(t *testing.T) {
	files := captures(t)
	copies := 2
	if testing.Short() {
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
