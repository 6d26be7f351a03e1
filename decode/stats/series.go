package stats

import (
	"cmp"
	"math"
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// maxStates is how many texts are remembered of each thing that was measured.
const maxStates = 64

// Series is what was measured again and again.
type Series struct {
	What    string    `json:"-"`              // "ping", "map"
	Unit    string    `json:"unit,omitempty"` // "s": the numbers are nanoseconds; of several the first by name
	Numbers Histogram `json:"numbers"`
	Total   int64     `json:"total,omitempty"` // of what has no unit and is counted; saturates

	// States are the newest 64 texts, by time and then by rank and text. A text that holds already is not told again,
	// but those that were merged may repeat each other, see Changes.
	States  []State `json:"states,omitempty"`
	Longest int     `json:"longest,omitempty"` // bytes of the longest text there was
}

// State is a text that held from a time on.
type State struct {
	Time int64 `json:"ns"`
	Rank int   `json:"rank,omitempty"` // how many others were told before at the same time
	Text Text  `json:"text"`
}

func (n State) compare(o State) int {
	if n.Time != o.Time || n.Rank != o.Rank {
		return cmp.Or(cmp.Compare(n.Time, o.Time), cmp.Compare(n.Rank, o.Rank))
	}
	return cmp.Compare(n.Text.String(), o.Text.String())
}

// Changes gives the states without those that repeat the one before.
func (x *Series) Changes() []State {
	return slices.CompactFunc(slices.Clone(x.States), func(a, b State) bool { return a.Text == b.Text })
}

// About what things take in memory.
const (
	seriesCost = int(unsafe.Sizeof(Series{})) + 12 // and its place in the row
	bucketCost = 12                                // with the room for more
	stateCost  = int(unsafe.Sizeof(State{})) + 144 // and its text, but for the bytes
)

// cost is about what a series takes in memory. It never shrinks: see list.
func (x *Series) cost() int {
	return bucketCost*len(x.Numbers.Buckets) + len(x.States)*(stateCost+x.Longest)
}

// count counts what a tracker measured.
func (x *Series) count(v *wire.Value) {
	switch {
	case v.State:
		x.tell(v.Time, textOf(v.Text))
	case v.Unit == "":
		x.Total = addSaturating(x.Total, max(toInteger(v.Number), 0))
	default:
		number := v.Number
		if v.Unit == "s" {
			number *= 1e9
		}
		if x.Unit != v.Unit {
			x.Unit = first(x.Unit, v.Unit)
		}
		x.Numbers.Add(toInteger(number))
	}
}

// tell notes a text, unless it holds already.
func (x *Series) tell(at int64, text Text) {
	n := State{Time: at, Text: text}
	if len(x.States) > 0 {
		switch last := &x.States[len(x.States)-1]; {
		case last.Time <= at && last.Text == text:
			return
		case last.Time == at:
			n.Rank = last.Rank + 1
		}
	}
	x.addState(n)
}

// addState adds a state to those there are, if it is not among them.
func (x *Series) addState(n State) {
	x.Longest = max(x.Longest, len(n.Text.String()))
	at, known := slices.BinarySearchFunc(x.States, n, State.compare)
	switch {
	case known || at == 0 && len(x.States) == maxStates:
	case len(x.States) == maxStates:
		copy(x.States, x.States[1:at])
		x.States[at-1] = n
	default:
		x.States = slices.Insert(x.States, at, n)
	}
}

// merge adds what was measured elsewhere.
func (x *Series) merge(o *Series) {
	x.Unit = first(x.Unit, o.Unit)
	x.Numbers.merge(&o.Numbers)
	x.Total = addSaturating(x.Total, o.Total)
	for _, n := range o.States {
		x.addState(n)
	}
	x.Longest = max(x.Longest, o.Longest)
}

// toInteger rounds to the nearest int64. What is too large becomes the largest, what is too small or no number 0.
func toInteger(f float64) int64 {
	switch f = math.Round(f); {
	case !(f > math.MinInt64): // nor is NaN
		return 0
	case f >= math.MaxInt64:
		return math.MaxInt64
	}
	return int64(f)
}
