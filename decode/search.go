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
	passed     int   // bytes that the splitter passed for candidates, less those that it may
	tried      candidate
	candidates []candidate // that may be beyond doubt when more has come
}

// A candidate is a place where messages may begin. Places are counted from the first of the bytes that are kept.
type candidate struct {
	at      int
	next    int // place of the message behind those that are whole
	whole   int // messages
	message wire.Progress
}

const (
	maxCandidates = 8
	maxAhead      = 64 << 10 // what may follow a candidate until the messages have to be whole

	// A splitter may pass these bytes for all candidates of a search together, and for each place that is looked at so
	// many more. When it passes more, somebody writes what looks like the beginning of a message wherever one looks,
	// and as many places are left out as it takes.
	maxPassed = 16 << 10
	worth     = 16
)

// next looks at more of a stream. skip is how far the place is, or how much can be given up for
// certain. With ended nothing follows.
func (x *search) next(splitter wire.Splitter, way wire.Direction, b []byte, ended bool) (skip int, found bool) {
	old := x.candidates
	x.candidates = old[:0]
	for _, x.tried = range old {
		if x.try(splitter, way, b, ended) {
			return x.tried.at, true
		}
	}
	for ; x.looked < len(b) && len(x.candidates) < maxCandidates; x.looked++ {
		if x.passed > maxPassed {
			x.passed -= worth
			continue
		}
		x.tried = candidate{at: x.looked, next: x.looked}
		if x.try(splitter, way, b, ended) {
			return x.looked, true
		}
	}
	skip = x.looked
	if len(x.candidates) > 0 {
		skip = x.candidates[0].at
	}
	x.looked -= skip
	for i := range x.candidates {
		c := &x.candidates[i]
		c.at, c.next = c.at-skip, c.next-skip
	}
	return skip, false
}

// try reports whether two messages stand at a candidate, and remembers it if they may.
func (x *search) try(splitter wire.Splitter, way wire.Direction, b []byte, ended bool) bool {
	c := &x.tried
	for c.next < len(b) {
		rest := b[c.next:]
		before := c.message.Passed
		size := c.message.Plausible(splitter, way, rest)
		x.passed += min(c.message.Passed, len(rest)) - min(before, len(rest))
		switch {
		case size < 0:
			return false
		case size == wire.NeedMore || size > len(rest):
			x.remember(len(b), ended)
			return false
		}
		c.message = wire.Progress{}
		c.next += size
		if c.whole++; c.whole == 2 {
			return true
		}
	}
	x.remember(len(b), ended)
	return false
}

// remember remembers the candidate that was tried with so many bytes, if there may be more.
func (x *search) remember(size int, ended bool) {
	if !ended && size-x.tried.at <= maxAhead {
		x.candidates = append(x.candidates, x.tried)
	}
}

// resume gives the search in a stream, a new one if none has begun.
func (d *side) resume(s *tcp.Stream) *search {
	if d.search == nil || d.search.start != s.Start() {
		d.search = &search{start: s.Start()}
	}
	return d.search
}
