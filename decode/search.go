package decode

import (
	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A search looks for the place where a stream can be picked up: where two messages in a row are
// beyond doubt, since one alone may be chance. It looks at every byte once; places where the two
// are not whole yet it remembers, as many as it can.
type search struct {
	start      int64 // of the stream, which may turn out to begin earlier
	looked     int   // at so many of the bytes that are kept
	count      int
	candidates [maxCandidates]int
}

const (
	maxCandidates = 8
	maxAhead      = 64 << 10 // what may follow a candidate until the messages have to be whole
)

// next looks at more of a stream. skip is how far the place is, or how much can be given up for
// certain. With ended nothing follows.
func (x *search) next(splitter wire.Splitter, way wire.Direction, b []byte, ended bool) (skip int, found bool) {
	old := x.candidates
	n := x.count
	x.count = 0
	for _, at := range old[:n] {
		if x.try(splitter, way, b, at, ended) {
			return at, true
		}
	}
	for ; x.looked < len(b) && x.count < maxCandidates; x.looked++ {
		if x.try(splitter, way, b, x.looked, ended) {
			return x.looked, true
		}
	}
	skip = x.looked
	if x.count > 0 {
		skip = x.candidates[0]
	}
	x.looked -= skip
	for i := range x.candidates[:x.count] {
		x.candidates[i] -= skip
	}
	return skip, false
}

// try reports whether two messages stand at a place, and remembers it if they may.
func (x *search) try(splitter wire.Splitter, way wire.Direction, b []byte, at int, ended bool) bool {
	messages, broken := splitter.Plausible(way, b[at:])
	if messages < 2 && !broken && !ended && len(b)-at <= maxAhead {
		x.candidates[x.count] = at
		x.count++
	}
	return messages >= 2
}

// resume gives the search in a stream, a new one if none has begun.
func (d *side) resume(s *tcp.Stream) *search {
	if d.search == nil || d.search.start != s.Start() {
		d.search = &search{start: s.Start()}
	}
	return d.search
}
