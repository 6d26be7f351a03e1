package decode

import (
	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// streams is what the connections of an engine share.
type streams struct {
	tcp.Assembler
	*decoder
	*recogniser
	ends       ends
	progress   wire.Progress // scratch, for a message that is looked at for the first time
	search     search        // scratch, for a stream of which little is kept
	candidates candidates    // scratch, likewise
	waiting    []*connection // with a stream that waits at a gap, see noteWaiting
}

// connection is the state of a TCP conversation. It receives what its two streams give.
//
// Each stream (see side) is in one of these states:
//
//	unknown --- recognised ---> in step --- bytes missing, or none of a message ---> lost
//	   |                           ^                                                  |
//	   | no protocol fits          +------ search finds two messages in a row --------+
//	   v                                                                              ^
//	foreign --- the other stream shows the protocol ----------------------------------+
//
// In step, begun holds the message that is not whole yet. Lost, search holds how far the search for messages got and
// gap what is to be reported. Besides, a stream is behind while it waits for missing bytes that the other one does not
// wait for.
type connection struct {
	tcp.Connection
	*conversation
	shared   *streams
	splitter wire.Splitter // nil: not recognised
	sides    [2]side       // by tcp.Stream.Side
	middle   *middle       // nil: the capture has the beginning of both streams, or the lack of it is reported
}

// A middle is the state of a connection that began before the capture, until the first message of each stream is found.
type middle struct {
	met    tcp.Origin  // the first packet of the stream
	stream *tcp.Stream // the first that began before the capture; nil: none
	sides  [2]opening  // by tcp.Stream.Side
	second bool        // the capture has an earlier connection of the same ports
}

// An opening is what stands in front of a stream's first message, if some of the stream's beginning is missing.
type opening struct {
	mid        bool        // it began before the capture
	past       bool        // its first bytes show no protocol
	skipped    int64       // bytes
	candidates *candidates // nil: nothing worth remembering
}

// A side is the state of a stream, see connection.
type side struct {
	lost    bool       // the next message is yet to be found
	speaks  speech     // foreign: it shows no protocol
	behind  bool       // it waits at a gap, and the tracker knows
	why     Reason     // why bytes are skipped while it is lost
	packets uint32     // that came before the protocol was recognised
	search  *search    // how far the search for messages got; nil: not begun
	gap     *gap       // to be reported; nil: none
	raw     *raw       // what Options.Raw was given; nil: nothing
	begun   *beginning // a message that is not whole; nil or Serial 0: none
}

// A beginning is the first part of a message that is not whole yet.
type beginning struct {
	tcp.Origin       // of its first bytes
	at         int64 // position of the message
	progress   wire.Progress
}

// A gap is a stretch of missing bytes with the bytes skipped around it, or only of skipped bytes.
type gap struct {
	packet  tcp.Origin
	offset  int64 // in the stream
	missing int64 // bytes
	skipped int64 // bytes
	cutOff  bool  // the snap length cut off all that is missing
	why     Reason
}

// raw is how many of the bytes that a stream keeps Options.Raw was given.
type raw struct {
	bytes int
	start int64 // of the stream; it falls when earlier bytes arrive
}

// begin notes a message that is not whole, and the packet in which it begins.
func (d *side) begin(o *tcp.Origin, at int64, p *wire.Progress) {
	if d.begun == nil {
		d.begun = new(beginning)
	}
	if d.begun.Serial == 0 {
		d.begun.Origin = *o
	}
	d.begun.at, d.begun.progress = at, *p
}

// beginning is the packet in which an unfinished message begins, nil if there is none.
func (d *side) beginning() *tcp.Origin {
	if d.begun == nil || d.begun.Serial == 0 {
		return nil
	}
	return &d.begun.Origin
}

// progress is how far the splitter got with the message at a position.
func (c *connection) progress(d *side, at int64) *wire.Progress {
	if d.begun != nil && d.begun.at == at {
		return &d.begun.progress
	}
	c.shared.progress = wire.Progress{}
	return &c.shared.progress
}

// protocol is what the connection speaks, nil if it is not recognised.
func (c *connection) protocol() *protocol { return c.shared.decoder.protocols.of(c.conversation) }

// noteLoss notes that messages may be missing, or are out of order, see wire.Place.
func (c *connection) noteLoss() { c.misses = 1 }

// opening returns the opening of a stream, a new one if there is none.
func (c *connection) opening(s *tcp.Stream) *opening {
	if c.middle == nil {
		c.middle = new(middle)
	}
	return &c.middle.sides[s.Side()]
}

func (c *connection) dropCandidates(s *tcp.Stream) {
	if c.middle != nil && c.opening(s).candidates != nil {
		o := c.opening(s)
		c.shared.conversations.budget.Spend(-candidateCost * len(o.candidates.list))
		o.candidates = nil
	}
}

func (c *connection) side(s *tcp.Stream) *side { return &c.sides[s.Side()] }

func sender(s *tcp.Stream) end { return endA + end(s.Side()) }

func (c *connection) way(s *tcp.Stream) wire.Direction { return c.direction(sender(s)) }

func (c *connection) place(s *tcp.Stream, o *tcp.Origin) (place wire.Place) {
	c.putPlace(&place, s, o)
	return place
}

// putPlace fills a place, which is too large to be copied for each message.
func (c *connection) putPlace(p *wire.Place, s *tcp.Stream, o *tcp.Origin) {
	p.Frame, p.File, p.Time = o.Frame, o.File, o.Time
	p.Transport, p.Conversation = wire.TCP, int(c.number)
	p.Lane = c.lane(sender(s))
	p.Lossy, p.Repeated = c.misses > 0 || !c.Whole() || c.Stream(0).Lacks() || c.Stream(1).Lacks(), false
	p.Src, p.Dst = c.shared.ends.of(&c.endpoints, sender(s))
	p.Protocol = nil
	if speaks := c.protocol(); speaks != nil {
		p.Protocol = speaks.Protocol
	}
}
