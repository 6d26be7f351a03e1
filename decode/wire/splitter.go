package wire

// Results of a Splitter that are not sizes.
const (
	NeedMore  = 0  // more bytes are needed to know the size
	NoMessage = -1 // no message begins here: bytes are lost, or this is another protocol
)

// A Splitter cuts the two directions of a connection into messages. Each connection has its own, so it may remember
// earlier messages.
//
// A message comes in any number of segments, and the splitter is called again as they come. Its data begin after the
// bytes that Progress.Passed counts, so it does not read these again. A splitter that finds the size in the first few
// bytes leaves Progress alone. Callers use a splitter through the methods of Progress.
type Splitter interface {
	// Next returns the size of a message, counted from its first byte. The size may exceed the data; Next is then
	// called again with that many bytes, and may ask for more. ended reports that nothing follows the data.
	Next(way Direction, data []byte, ended bool, p *Progress) int

	// Plausible is Next at a place after lost bytes. It returns a size only if the data so far are certainly a message,
	// and otherwise NoMessage. It remembers nothing.
	Plausible(way Direction, data []byte, p *Progress) int

	// Lost reports that bytes of a direction are missing.
	Lost(way Direction)
}

// A Seeker is a Splitter that quickly skips data in which Plausible finds no message, such as other protocols' streams.
type Seeker interface {
	// Seek returns the first offset in data at which a message may begin, or at which more bytes are needed to decide.
	Seek(data []byte) int
}

// Progress is how far a Splitter got with the message at one place of a stream. At a new place it is the zero value. It
// serves either Next or Plausible.
type Progress struct {
	Passed int // bytes of the message that the splitter need not see again; may exceed the data
	State  int // for the splitter's own use
	Length int // for the splitter's own use

	size int // the last result
}

// Next returns the size of the message at the start of data, which may exceed it. It calls the splitter only if the
// splitter's result may change.
func (p *Progress) Next(s Splitter, way Direction, data []byte, ended bool) int {
	if !ended && p.waits(data) {
		return p.size
	}
	p.size = s.Next(way, p.rest(data), ended, p)
	return p.size
}

// Plausible is Next for Splitter.Plausible.
func (p *Progress) Plausible(s Splitter, way Direction, data []byte) int {
	if p.waits(data) {
		return p.size
	}
	p.size = s.Plausible(way, p.rest(data), p)
	return p.size
}

// rest returns the data that the splitter has not passed. A wrong splitter may have a negative Passed.
func (p *Progress) rest(data []byte) []byte { return data[min(max(p.Passed, 0), len(data)):] }

func (p *Progress) waits(data []byte) bool { return len(data) < max(p.size, p.Passed) }

// CountPlausible counts the whole messages at the start of data that Plausible accepts. broken reports that no message
// follows them, not even the beginning of one.
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
