package wire

// Results of a Splitter that are not sizes.
const (
	NeedMore  = 0  // more bytes are needed to determine the size
	NoMessage = -1 // no message begins here: bytes are lost, or the protocol is another one
)

// A Splitter cuts the two directions of a connection into messages. Each connection has its own Splitter, so a Splitter
// may store data from earlier messages.
//
// A message may arrive in any number of segments, and the Splitter is called again for each of them. The data of such a
// call begins after the bytes that Progress.Passed counts, so the Splitter does not read those bytes again. A Splitter
// that finds the size in the first few bytes does not use Progress. Callers must call a Splitter only through the
// methods of Progress.
type Splitter interface {
	// Next returns the size of a message, counted from its first byte. The size may exceed the data. In that case Next
	// is called again with that many bytes, and may then request more. ended reports that there are no bytes after the
	// data.
	Next(way Direction, data []byte, ended bool, p *Progress) int

	// Plausible is Next for a place where a message need not begin, such as after lost bytes. It returns a size only if
	// the data so far show that a message begins there. It must not change the Splitter.
	Plausible(way Direction, data []byte, p *Progress) int

	// Lost records that bytes of a direction are missing.
	Lost(way Direction)
}

// A Seeker is a Splitter that quickly skips data without plausible messages, such as streams of other protocols.
type Seeker interface {
	// Seek returns the first offset in data at which a message may begin, or at which more bytes are needed to decide.
	Seek(data []byte) int
}

// Progress is the state of a Splitter's work on the message at one place of a stream. A new place needs a zero
// Progress. A Progress is used either for Next or for Plausible, not for both.
type Progress struct {
	Passed int // number of bytes of the message that the Splitter need not see again; may exceed the data
	State  int // only for use by the Splitter
	Length int // only for use by the Splitter

	size int // the last result
}

// Next returns the size of the message at the start of data, which may exceed the data. It calls the Splitter only if
// the Splitter's result may have changed.
func (p *Progress) Next(s Splitter, way Direction, data []byte, ended bool) int {
	if !ended && p.waits(data) {
		return p.size
	}
	p.size = s.Next(way, p.rest(data), ended, p)
	return p.size
}

// Plausible is like Next, but calls Splitter.Plausible.
func (p *Progress) Plausible(s Splitter, way Direction, data []byte) int {
	if p.waits(data) {
		return p.size
	}
	p.size = s.Plausible(way, p.rest(data), p)
	return p.size
}

// rest returns the data that the Splitter has not passed. An incorrect Splitter may have set a negative Passed.
func (p *Progress) rest(data []byte) []byte { return data[min(max(p.Passed, 0), len(data)):] }

func (p *Progress) waits(data []byte) bool { return len(data) < max(p.size, p.Passed) }

// CountPlausible counts the complete messages at the start of data that Plausible accepts. broken reports that the
// bytes after them are not the beginning of a message.
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
