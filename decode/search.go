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
	candidates [maxCandidates]candidate
}

// A candidate is a place where messages may begin, counted from the first of the bytes that are kept.
type candidate struct {
	at      int
	next    int // place of the message behind those that are whole
	whole   int // messages
	message wire.Progress
}

const (
	maxCandidates = 8
	maxAhead      = 64 << 10 // what may follow a candidate until the messages have to be whole
)

// next looks at more of a stream. skip is how far the place is, or how much can be given up for
// certain. With ended nothing follows.
func (x *search) next(splitter wire.Splitter, way wire.Direction, b []byte, ended bool) (skip int, found bool) {
	n := x.count
	x.count = 0
	for _, c := range x.candidates[:n] {
		if x.try(splitter, way, b, &c, ended) {
			return c.at, true
		}
	}
	for ; x.looked < len(b) && x.count < maxCandidates; x.looked++ {
		if x.try(splitter, way, b, &candidate{at: x.looked, next: x.looked}, ended) {
			return x.looked, true
		}
	}
	skip = x.looked
	if x.count > 0 {
		skip = x.candidates[0].at
	}
	x.looked -= skip
	for i := range x.candidates[:x.count] {
		c := &x.candidates[i]
		c.at, c.next = c.at-skip, c.next-skip
	}
	return skip, false
}

// try reports whether two messages stand at a place, and remembers it if they may.
func (x *search) try(splitter wire.Splitter, way wire.Direction, b []byte, c *candidate, ended bool) bool {
	for c.next < len(b) {
		n := c.message.Plausible(splitter, way, b[c.next:])
		if n < 0 {
			return false
		}
		if n == wire.NeedMore || n > len(b)-c.next {
			break
		}
		c.message = wire.Progress{}
		c.next += n
		if c.whole++; c.whole == 2 {
			return true
		}
	}
	if !ended && len(b)-c.at <= maxAhead {
		x.candidates[x.count] = *c
		x.count++
	}
	return false
}

// resume gives the search in a stream, a new one if none has begun.
func (d *side) resume(s *tcp.Stream) *search {
	if d.search == nil || d.search.start != s.Start() {
		d.search = &search{start: s.Start()}
	}
	return d.search
}
