package decode

import "github.com/gamedissect/gamedissect/decode/wire"

// A search looks for the next message of a stream: the first position at which two plausible messages follow each
// other, since one alone may be chance. It examines every byte once, and remembers positions at which the two messages
// are not yet whole.
type search struct {
	start      int64 // of the stream; it falls when earlier bytes arrive
	looked     int64 // positions before this one were examined
	passed     int   // bytes that the splitter examined, minus its allowance
	count      int
	boundaries [maxBoundaries]boundary // may become certain with more bytes
}

// A boundary is a position at which a message may begin.
type boundary struct {
	at      int64 // its position in the stream
	next    int64 // position after the whole messages
	whole   int   // number of whole messages
	begun   bool  // another message follows: its size is known, but it is not whole
	message wire.Progress
}

const (
	maxBoundaries = 8
	maxAhead      = 64 << 10 // bytes within which the messages at a boundary must be whole
	inRow         = 2        // messages

	// A splitter may examine maxPassed bytes for all boundaries of a search together, and worth more for each position.
	// Hostile bytes that look like a message everywhere exceed that; then positions are skipped.
	maxPassed = 16 << 10
	worth     = 16

	// remembered is how many bytes a stream keeps before its search is stored. The streams of a flood keep fewer.
	remembered = 64
)

func (x *search) begin(start int64) { x.start, x.looked, x.passed, x.count = start, 0, 0, 0 }

// next examines more of a stream: b, which begins at position at. It returns the boundary if it finds one, and
// otherwise the position before which no message begins. ended means that no bytes follow.
func (x *search) next(
	splitter wire.Splitter, way wire.Direction, b []byte, at int64, ended bool,
) (found *boundary, kept int64) {
	n := x.count
	x.count = 0
	for i := range n {
		c := &x.boundaries[x.count]
		*c = x.boundaries[i]
		if x.try(c, splitter, way, b, at, ended) {
			return c, c.at
		}
	}
	seeker, _ := splitter.(wire.Seeker)
	for x.looked = max(x.looked, at); x.looked < at+int64(len(b)) && x.count < maxBoundaries; x.looked++ {
		if seeker != nil {
			rest := b[x.looked-at:]
			x.looked += int64(min(max(seeker.Seek(rest), 0), len(rest))) // the protocol may be a third party's
		}
		if x.passed > maxPassed {
			x.passed -= worth
			continue
		}
		c := &x.boundaries[x.count]
		*c = boundary{at: x.looked, next: x.looked}
		if x.try(c, splitter, way, b, at, ended) {
			return c, c.at
		}
	}
	if x.count > 0 {
		return nil, x.boundaries[0].at
	}
	return nil, x.looked
}

// try reports whether two messages are at a boundary. If more bytes may complete them, it keeps the boundary: c is
// x.boundaries[x.count].
func (x *search) try(c *boundary, splitter wire.Splitter, way wire.Direction, b []byte, at int64, ended bool) bool {
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

// follow reads whole messages until it has most of them or b ends. It reports whether more may follow, and how many
// bytes the splitter examined.
func (c *boundary) follow(
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
