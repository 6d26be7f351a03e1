package decode

import (
	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// streams is the state that all connections of an engine share.
type streams struct {
	tcp.Assembler
	*decoder
	*recogniser
	// Scratch variables, for streams that do not store their own.
	progress   wire.Progress
	search     search
	candidates candidates

	waiting []*connection // connections with a stream that waits for missing bytes, see noteWaiting
}

// connection is the state of a TCP conversation. It receives the bytes of its two streams.
//
// Each stream (see side) is in one of these states:
//
//	unknown --- recognised ---> in step --- bytes missing, or no message begins ---> lost
//	   |                           ^                                                  |
//	   | no protocol fits          +------ search finds two messages in a row --------+
//	   v                                                                              ^
//	foreign --- the other stream shows the protocol ----------------------------------+
//
// While a stream is in step, begun is its incomplete message. While it is lost, search is the progress of the search
// for messages, and gap is the gap that will be reported. In any state, a stream is behind if it waits for
// missing bytes and the tracker was informed of this.
type connection struct {
	tcp.Connection
	*conversation
	shared   *streams
	splitter wire.Splitter // nil until the protocol is recognised
	sides    [2]side       // indexed by tcp.Stream.Side
	middle   *middle       // nil: no stream lacks its beginning, or this was already reported
}

// A middle is the state of a connection that began before the capture, until each stream's first message is found.
type middle struct {
	stream *tcp.Stream // the first stream that began before the capture; may be nil
	first  tcp.Origin  // first captured packet of that stream
	sides  [2]opening  // indexed by tcp.Stream.Side
	second bool        // the capture contains an earlier connection with the same ports
}

// An opening describes the bytes before a stream's first message, if part of the stream's beginning is missing.
type opening struct {
	mid        bool        // the stream began before the capture
	past       bool        // the stream's first captured bytes did not identify a protocol
	skipped    int64       // number of bytes skipped so far
	candidates *candidates // nil if none are stored
}

// A side is the state of a stream, see connection.
type side struct {
	lost    bool       // the next message must be found by a search
	speaks  speech     // protocol of a stream that does not belong to a game
	behind  bool       // the stream waits for missing bytes, and the tracker was informed
	why     Reason     // why bytes are skipped while the stream is lost
	packets uint32     // number of packets before the protocol was recognised
	search  *search    // progress of the search for messages; nil: not begun
	gap     *gap       // the gap to be reported; nil: none
	raw     *raw       // the bytes passed to Options.Raw; nil: no bytes
	begun   *beginning // the incomplete message; nil or Serial 0: none
}

// A beginning is the first part of a message that is not complete yet.
type beginning struct {
	tcp.Origin       // packet with its first byte
	at         int64 // position of the message
	progress   wire.Progress
}

// A gap is a part of a stream outside its messages: missing bytes and the bytes skipped around them, or only skipped
// bytes.
type gap struct {
	packet  tcp.Origin
	offset  int64 // position in the stream
	missing int64 // number of missing bytes
	skipped int64 // number of skipped bytes
	cutOff  bool  // the snap length cut off all of the missing bytes
	why     Reason
}

// raw records which of a stream's kept bytes Options.Raw has received.
type raw struct {
	bytes int
	start int64 // position of the stream's first byte; decreases when earlier bytes arrive
}

// begin records an incomplete message and the packet in which it begins.
func (d *side) begin(o *tcp.Origin, at int64, p *wire.Progress) {
	if d.begun == nil {
		d.begun = new(beginning)
	}
	if d.begun.Serial == 0 {
		d.begun.Origin = *o
	}
	d.begun.at, d.begun.progress = at, *p
}

// beginning returns the packet in which an incomplete message begins, or nil.
func (d *side) beginning() *tcp.Origin {
	if d.begun == nil || d.begun.Serial == 0 {
		return nil
	}
	return &d.begun.Origin
}

// progress returns the splitter's progress with the message at a position.
func (c *connection) progress(d *side, at int64) *wire.Progress {
	if d.begun != nil && d.begun.at == at {
		return &d.begun.progress
	}
	c.shared.progress = wire.Progress{}
	return &c.shared.progress
}

// protocol returns the connection's protocol, or nil until it is recognised.
func (c *connection) protocol() *protocol { return c.shared.decoder.protocols.of(c.conversation) }

// noteLoss records that messages may be missing or out of order, see wire.Place.
func (c *connection) noteLoss() { c.misses = 1 }

// opening returns the opening of a stream. If there is none, opening creates it.
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

// putPlace fills in a place. A place is too large to be returned for each message.
func (c *connection) putPlace(p *wire.Place, s *tcp.Stream, o *tcp.Origin) {
	p.Frame, p.File, p.Time = o.Frame, o.File, o.Time
	p.Transport, p.Conversation = wire.TCP, int(c.number)
	p.Lane = c.lane(sender(s))
	p.Lossy, p.Repeated = c.misses > 0 || !c.Whole() || c.Stream(0).Lacks() || c.Stream(1).Lacks(), false
	p.Src, p.Dst = c.shared.conversations.path(&c.endpoints, sender(s))
	p.Protocol = nil
	if speaks := c.protocol(); speaks != nil {
		p.Protocol = speaks.Protocol
	}
}

// foreign reports whether a connection is not recognised and neither side's first bytes belong to a game.
func (c *connection) foreign() bool {
	return c.conversation.protocol == 0 && c.sides[0].speaks != maybeGame && c.sides[1].speaks != maybeGame
}
