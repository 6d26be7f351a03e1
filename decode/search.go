package decode

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/tcp"
)

// A search looks for the place where a stream can be picked up: where two messages in a row are
// beyond doubt, since one alone may be chance. It looks at every byte once; places where the two
// are not whole yet it remembers, as many as it can.
type search struct {
	start      int64 // of the stream, which may turn out to begin earlier
	looked     int64 // position up to which places were looked at
	passed     int   // bytes that the splitter passed for candidates, less those that it may
	count      int
	candidates [maxCandidates]candidate // that may be beyond doubt when more has come
}

// A candidate is a place where messages may begin.
type candidate struct {
	at      int64 // its position in the stream
	next    int64 // that of the message behind those that are whole
	whole   int   // messages
	begun   bool  // there is the beginning of another, and its size shows
	message wire.Progress
}

const (
	maxCandidates = 8
	maxAhead      = 64 << 10 // what may follow a candidate until the messages have to be whole
	inRow         = 2        // messages

	// A splitter may pass these bytes for all candidates of a search together, and for each place that is looked at so
	// many more. When it passes more, somebody writes what looks like the beginning of a message wherever one looks,
	// and as many places are left out as it takes.
	maxPassed = 16 << 10
	worth     = 16

	// remembered is how much a stream keeps before it is remembered how far the search in it got. What floods are made
	// of keeps less.
	remembered = 64
)

// next looks at more of a stream, which is there from a position on. It gives the place if it is found, and otherwise
// up to where all can be given up for certain. With ended nothing follows.
func (x *search) next(
	splitter wire.Splitter, way wire.Direction, b []byte, at int64, ended bool,
) (found *candidate, kept int64) {
	n := x.count
	x.count = 0
	for i := range n {
		c := &x.candidates[x.count]
		*c = x.candidates[i]
		if x.try(c, splitter, way, b, at, ended) {
			return c, c.at
		}
	}
	seeker, _ := splitter.(wire.Seeker)
	for x.looked = max(x.looked, at); x.looked < at+int64(len(b)) && x.count < maxCandidates; x.looked++ {
		if seeker != nil {
			rest := b[x.looked-at:]
			x.looked += int64(min(max(seeker.Seek(rest), 0), len(rest))) // a protocol may be anybody's
		}
		if x.passed > maxPassed {
			x.passed -= worth
			continue
		}
		c := &x.candidates[x.count]
		*c = candidate{at: x.looked, next: x.looked}
		if x.try(c, splitter, way, b, at, ended) {
			return c, c.at
		}
	}
	if x.count > 0 {
		return nil, x.candidates[0].at
	}
	return nil, x.looked
}

// try reports whether two messages stand at the place of the candidate behind those that are remembered, and remembers
// that one as well if they may.
func (x *search) try(c *candidate, splitter wire.Splitter, way wire.Direction, b []byte, at int64, ended bool) bool {
	alive, passed := c.follow(splitter, way, b, at, inRow)
	x.passed += passed
	if c.whole == inRow {
		return true
	}
	if alive && !ended && at+int64(len(b))-c.at <= maxAhead {
		x.count++
	}
	return false
}

// follow goes on from message to message, until there are so many or no more is there. It reports whether more may
// follow, and how many bytes the splitter passed.
func (c *candidate) follow(
	splitter wire.Splitter, way wire.Direction, b []byte, at int64, most int,
) (alive bool, passed int) {
	for c.next < at+int64(len(b)) && c.whole < most {
		rest := b[c.next-at:]
		before := c.message.Passed
		n := c.message.Plausible(splitter, way, rest)
		passed += min(c.message.Passed, len(rest)) - min(before, len(rest))
		if c.begun = n > len(rest); c.begun || n == wire.NeedMore {
			return true, passed
		}
		if n < 0 {
			return false, passed
		}
		c.message = wire.Progress{}
		c.next += int64(n)
		c.whole++
	}
	return true, passed
}

// search looks for the place where a stream can be picked up, see search.next.
func (c *connection) search(s *tcp.Stream, b []byte, at int64, ended bool) (found *candidate, kept int64) {
	d := c.side(s)
	x := d.search
	if x == nil || x.start != s.Start() {
		x = &c.shared.search
		x.start, x.looked, x.passed, x.count = s.Start(), 0, 0, 0
	}
	found, kept = x.next(c.splitter, c.way(s), b, at, ended)
	if x != d.search && found == nil && at+int64(len(b))-kept > remembered {
		d.search = new(search)
		*d.search = *x
	}
	return found, kept
}
