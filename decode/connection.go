package decode

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/tcp"
)

// streams is what the connections of an engine share.
type streams struct {
	tcp.Assembler
	*decoder
	*recogniser
	conversations *conversations
	ends          ends
	progress      wire.Progress // with a message that is looked at for the first time
	search        search        // in a stream of which little is kept
	leads         leads         // of one
}

// connection is what a conversation over TCP has besides. It receives what its streams give.
type connection struct {
	tcp.Connection
	*conversation
	shared   *streams
	splitter wire.Splitter // nil: not recognised
	sides    [2]side       // by tcp.Stream.Side
	middle   *middle       // nil: what the streams begin with is in the capture, or what lacks of it was told
}

// A middle is what is known of a connection as long as it is not clear where the first messages of its streams are,
// since what stands before them is not in the capture.
type middle struct {
	met    tcp.Origin  // where a stream that began before the capture was met first
	stream *tcp.Stream // that stream; nil: there is none, or it was told
	sides  [2]opening  // by tcp.Stream.Side
}

// An opening is what a stream has in front of its first message, if its beginning or a part of it is missing.
type opening struct {
	mid     bool   // it began before the capture
	past    bool   // what stands first is nothing that is recognised
	skipped int64  // bytes
	leads   *leads // nil: nothing that is worth remembering
}

// A side is what is known of a stream.
type side struct {
	lost    bool       // where messages begin has to be found again
	foreign bool       // no protocol's, as far as it goes
	behind  bool       // it waits at a hole, and the tracker knows
	why     Reason     // of what is skipped while it is lost
	packets uint32     // that came before the protocol was recognised
	search  *search    // how far the search for messages got; nil: not begun
	gap     *gap       // not reported yet; nil: none
	raw     *raw       // what Options.Raw has; nil: nothing
	begun   *beginning // of a message that is not whole; nil or without a number: none
}

// A beginning is what is there of a message that is not whole.
type beginning struct {
	tcp.Origin       // of its first bytes
	at         int64 // its position
	progress   wire.Progress
}

// A gap is bytes that are missing, and those around it that were skipped; or only such.
type gap struct {
	packet  tcp.Origin
	offset  int64 // in the stream
	missing int64 // bytes
	skipped int64 // bytes
	why     Reason
}

// raw is how much of what a stream keeps Options.Raw has already.
type raw struct {
	bytes int
	start int64 // of the stream, which may turn out to begin earlier
}

// begin remembers a message that is not whole, and the packet in which it begins.
func (d *side) begin(o *tcp.Origin, at int64, p *wire.Progress) {
	if d.begun == nil {
		d.begun = new(beginning)
	}
	if d.begun.Serial == 0 {
		d.begun.Origin = *o
	}
	d.begun.at, d.begun.progress = at, *p
}

// beginning is that packet, nil if there is none.
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

// opening is what a stream has in front of its first message.
func (c *connection) opening(s *tcp.Stream) *opening {
	if c.middle == nil {
		c.middle = new(middle)
	}
	return &c.middle.sides[s.Side()]
}

// side is what is known of a stream.
func (c *connection) side(s *tcp.Stream) *side { return &c.sides[s.Side()] }

// sender is the end that sends a stream.
func sender(s *tcp.Stream) end { return endA + end(s.Side()) }

// way is the direction of what a stream says.
func (c *connection) way(s *tcp.Stream) wire.Direction { return c.direction(sender(s)) }

// place tells where a packet of a stream is in the traffic.
func (c *connection) place(s *tcp.Stream, o *tcp.Origin) (place wire.Place) {
	c.putPlace(&place, s, o)
	return place
}

// putPlace is place for one that is there: it is large.
func (c *connection) putPlace(p *wire.Place, s *tcp.Stream, o *tcp.Origin) {
	p.Frame, p.File, p.Time = o.Frame, o.File, o.Time
	p.Transport, p.Conversation = wire.TCP, int(c.number)
	p.Lane = c.lane(sender(s))
	p.Src, p.Dst = c.shared.ends.of(&c.endpoints, sender(s))
	p.Protocol = nil
	if speaks := c.protocol(); speaks != nil {
		p.Protocol = speaks.Protocol
	}
}
