package wire

// What a Splitter says when it cannot tell the size of a message.
const (
	NeedMore  = 0  // the size does not show yet
	NoMessage = -1 // no message begins here: bytes are lost, or this is something else
)

// A Splitter cuts the two directions of a connection into messages. There is one a connection,
// so it may remember what was said.
//
// A message comes in any number of segments, and the splitter is asked again as they come. Its data begin where
// Progress says that it got to, so what it has passed costs nothing more. One that tells the size by the first few
// bytes passes none and leaves Progress alone. Those who ask a splitter do it through Progress.
type Splitter interface {
	// Next gives the size of a message, counted from its first byte, which may be more than there is. It is
	// asked again when there is so much, and then may still need more. ended tells that nothing follows the data.
	Next(way Direction, data []byte, ended bool, p *Progress) int

	// Plausible is Next for a place where bytes before are lost: only a message that is beyond doubt, as far as
	// it is there, has a size. Where one cannot begin, or other things stand in it, there is no message. It
	// remembers nothing.
	Plausible(way Direction, data []byte, p *Progress) int

	// Lost tells that bytes of a direction are missing.
	Lost(way Direction)
}

// A Seeker is a Splitter that tells fast where no message is that is beyond doubt: streams of others are searched, too.
type Seeker interface {
	// Seek gives the first place in data where one may begin, or where it takes more bytes to tell.
	Seek(data []byte) int
}

// Progress is how far a Splitter got with the message at one place of a stream. At a new place it is the zero value.
// It serves Next or Plausible, not both.
type Progress struct {
	Passed int // bytes of the message that the splitter will not look at again; may be more than there are
	State  int // what they told it; the meaning is the splitter's own
	Length int // so is that of this

	size int // that was given last
}

// Next asks for the message at the start of data, whose size may be more than there is, but only if the answer can be
// a new one.
func (p *Progress) Next(s Splitter, way Direction, data []byte, ended bool) int {
	if !ended && p.waits(data) {
		return p.size
	}
	p.size = s.Next(way, data[min(p.Passed, len(data)):], ended, p)
	return p.size
}

// Plausible asks as Next does, but for a message that is beyond doubt.
func (p *Progress) Plausible(s Splitter, way Direction, data []byte) int {
	if p.waits(data) {
		return p.size
	}
	p.size = s.Plausible(way, data[min(p.Passed, len(data)):], p)
	return p.size
}

// waits reports whether nothing has come that a splitter wants to see.
func (p *Progress) waits(data []byte) bool { return len(data) < max(p.size, p.Passed) }

// CountPlausible counts the whole messages at the start of data that are beyond doubt. broken tells that something else
// follows them, not just the beginning of another one.
func CountPlausible(s Splitter, way Direction, data []byte) (messages int, broken bool) {
	for len(data) > 0 {
		var p Progress
		n := p.Plausible(s, way, data)
		if n <= 0 || n > len(data) {
			return messages, n < 0
		}
		messages++
		data = data[n:]
	}
	return messages, false
}
