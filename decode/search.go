package decode

import "github.com/gamedissect/gamedissect/decode/wire"

// A search looks for the next message of a stream. It looks for the first position with two consecutive plausible
// messages, because a single plausible message may be a coincidence. It examines every byte once, and remembers
// positions at which the two messages are not complete yet.
type search struct {
	start      int64 // position of the stream's first byte; decreases when earlier bytes arrive
	looked     int64 // all positions before this one were examined
	passed     int   // number of bytes that the splitter examined, reduced by worth (see below) for each skipped position
	count      int
	boundaries [maxBoundaries]boundary // positions that more bytes may confirm
}

// A boundary is a position at which a message may begin.
type boundary struct {
	at      int64 // its position in the stream
	next    int64 // position after the complete messages
	whole   int   // number of complete messages
	begun   bool  // an incomplete message of known size follows
	message wire.Progress
}

const (
	maxBoundaries = 8
	maxAhead      = 64 << 10 // maximum number of bytes in which the messages at a boundary must be complete
	inRow         = 2        // number of consecutive messages that a search needs

	// A search skips positions while search.passed exceeds maxPassed. Each skipped position reduces search.passed by
	// worth. This bounds the work for hostile bytes that look like a message at each position.
	maxPassed = 16 << 10
	worth     = 16

	// remembered is the minimum number of kept bytes for which a stream's search is stored. In a flood of connections,
	// each stream keeps fewer bytes, so the searches take no memory.
	remembered = 64
)

func (x *search) begin(start int64) { x.start, x.looked, x.passed, x.count = start, 0, 0, 0 }

// next examines b, the next bytes of a stream; at is the position of b[0]. It returns a boundary if it finds one. kept
// is the position of the first byte that must be kept, because no message begins before it. ended means that there are
// no bytes after b.
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
			x.looked += int64(min(max(seeker.Seek(rest), 0), len(rest))) // Seek may return a wrong offset
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

// try reports whether there are two messages at the boundary c, which must be x.boundaries[x.count]. If more bytes may
// complete them, try keeps the boundary by incrementing x.count.
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

// follow reads complete messages from b; most is their maximum number. It reports whether more messages may follow, and
// how many bytes the splitter examined.
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
