package stats

import (
	"cmp"
	"math"
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// MaxStates is the maximum number of texts in a series.
const MaxStates = 64

// Series contains the values of a subject under one name: numbers with a unit, counts, or texts.
type Series struct {
	What    string     // "ping", "map"
	Total   int64      // sum of values without a unit; saturates
	Numbers *Histogram // values with a unit; may be nil
	Texts   *Texts     // nil: no texts yet
}

// Texts are the texts of a series, see Series.States.
type Texts struct {
	States  []State
	Longest int // size of the longest text so far, in bytes
}

// Unit returns the unit of the numbers. If it is "s", they are nanoseconds. If values have several units, it is the
// first in alphabetical order.
func (x *Series) Unit() string {
	if x.Numbers == nil {
		return ""
	}
	return x.Numbers.unit
}

// States returns the newest texts, at most MaxStates, sorted by time, rank and text. It omits a text that equals the
// previous one, unless the two come from different Stats that were merged.
func (x *Series) States() []State {
	if x.Texts == nil {
		return nil
	}
	return x.Texts.States
}

// Text returns the newest text, or "".
func (x *Series) Text() string {
	if all := x.States(); len(all) > 0 {
		return all[len(all)-1].Text.String()
	}
	return ""
}

// longest returns the size in bytes of the longest text so far.
func (x *Series) longest() int {
	if x.Texts == nil {
		return 0
	}
	return x.Texts.Longest
}

// State is a text that is valid from a time on. An empty text ends the previous state; JSON omits it.
type State struct {
	Time int64 `json:"ns"`
	Rank int   `json:"rank,omitempty"` // number of earlier states with the same time
	Text Text  `json:"text,omitzero"`
}

func (n State) compare(o State) int {
	if n.Time != o.Time || n.Rank != o.Rank {
		return cmp.Or(cmp.Compare(n.Time, o.Time), cmp.Compare(n.Rank, o.Rank))
	}
	return cmp.Compare(n.Text.String(), o.Text.String())
}

// Approximate sizes in memory, with the spare capacity of slices.
const (
	seriesCost    = int(unsafe.Sizeof(Series{})) + 12 // including the pointer in Row.Series
	histogramCost = int(unsafe.Sizeof(Histogram{}))
	bucketCost    = 12
	textsCost     = int(unsafe.Sizeof(Texts{}))
	stateCost     = int(unsafe.Sizeof(State{}))*3/2 + 16 // without the bytes of the text
)

// cost returns the approximate memory of a series in bytes. It must never fall, because list depends on that.
func (x *Series) cost() int {
	n := 0
	if x.Texts != nil {
		n = textsCost + len(x.Texts.States)*(stateCost+x.Texts.Longest)
	}
	if x.Numbers != nil {
		n += histogramCost + bucketCost*len(x.Numbers.Buckets)
	}
	return n
}

// count counts a value measured by a tracker.
func (x *Series) count(v *wire.Value, known *texts) {
	switch {
	case v.State:
		x.setText(v.Time, v.Text, known)
	case v.Unit == "":
		x.Total = addSaturating(x.Total, max(toInteger(v.Number), 0))
	default:
		number := v.Number
		if v.Unit == "s" {
			number *= 1e9
		}
		x.numbers(v.Unit).Add(toInteger(number))
	}
}

// numbers returns the histogram for values with a unit.
func (x *Series) numbers(unit string) *Histogram {
	if x.Numbers == nil {
		x.Numbers = new(Histogram)
	}
	if x.Numbers.unit != unit {
		x.Numbers.unit = first(x.Numbers.unit, unit)
	}
	return x.Numbers
}

// setText adds a text that is valid from a time on, unless it is the current one.
func (x *Series) setText(at int64, what string, known *texts) {
	text := textOf(what)
	n := State{Time: at, Text: text}
	if states := x.States(); len(states) > 0 {
		switch last := &states[len(states)-1]; {
		case last.Time <= at && last.Text == text:
			return
		case last.Time == at:
			n.Rank = last.Rank + 1
		}
	}
	n.Text = known.intern(text)
	x.addState(n)
}

// addState adds a state unless the series already contains it.
func (x *Series) addState(n State) {
	if x.Texts == nil {
		x.Texts = new(Texts)
	}
	t := x.Texts
	t.Longest = max(t.Longest, len(n.Text.text))
	at, known := slices.BinarySearchFunc(t.States, n, State.compare)
	switch {
	case known || at == 0 && len(t.States) == MaxStates:
	case len(t.States) == MaxStates:
		copy(t.States, t.States[1:at])
		t.States[at-1] = n
	default:
		t.States = slices.Insert(t.States, at, n)
	}
}

// merge adds a series of other Stats.
func (x *Series) merge(o *Series) {
	if o.Numbers != nil {
		x.numbers(o.Numbers.unit).Merge(o.Numbers)
	}
	x.Total = addSaturating(x.Total, o.Total)
	for _, n := range o.States() {
		x.addState(n)
	}
	if x.Texts != nil {
		x.Texts.Longest = max(x.Texts.Longest, o.longest())
	}
}

// toInteger rounds to the nearest int64. Numbers above the range become the largest int64. The smallest int64, numbers
// below it, and NaN become 0.
func toInteger(f float64) int64 {
	switch f = math.Round(f); {
	case !(f > math.MinInt64): // also NaN
		return 0
	case f >= math.MaxInt64:
		return math.MaxInt64
	}
	return int64(f)
}
