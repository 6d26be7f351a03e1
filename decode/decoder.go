package decode

import (
	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

type decoder struct {
	options    *Options
	protocols  protocolList
	dispatcher *dispatcher
	pipeline   *pipeline // nil without Options.Parallel
	out        stage     // the pipeline if there is one, otherwise the dispatcher
	counters   Counters
	others     *others // nil without Options.Others

	// Scratch variables. They are passed by address to methods of interfaces, so local variables would be allocated for
	// each message.
	place    wire.Place
	datagram wire.Datagram
}

// pass sends the pipeline's batch if it is full. Earlier messages then become invalid.
func (x *decoder) pass() {
	if x.pipeline != nil {
		x.pipeline.pass()
	}
}

// close waits until everything is delivered. After that, findings are delivered at once.
func (x *decoder) close() {
	if x.pipeline != nil {
		x.pipeline.close()
		x.pipeline, x.out = nil, x.dispatcher
	}
	x.dispatcher.close()
}

func (x *decoder) layer(p *protocol) wire.Layer {
	if x.pipeline == nil {
		return p.layer
	}
	return x.pipeline.batch.layer(p)
}

// own returns bytes that stay valid as long as the messages decoded from them: a copy of b in the batch, or b itself if
// there is no pipeline.
func (x *decoder) own(b []byte) []byte {
	if x.pipeline == nil {
		return b
	}
	x.pipeline.pass()
	return x.pipeline.batch.own(b)
}

func (x *decoder) raw(p *wire.Place, way wire.Direction, b []byte) {
	if x.options.Raw != nil {
		x.options.Raw(*p, way, b)
	}
}

// setContext sets the context of a message. missing is the number of bytes at its end that were not captured. The
// context is large, so setContext fills it in place.
func (x *decoder) setContext(k *wire.Context, c *conversation, from end, missing int, ipv6 bool, t wire.Transport) {
	*k = wire.Context{}
	k.Direction, k.Dialect, k.Missing, k.IPv6, k.Transport = c.direction(from), x.options.Dialect, missing, ipv6, t
}

// decodeHeld decodes the datagrams that were held until the protocol of their conversation was recognised. It skips
// datagrams that were held for another protocol.
func (x *decoder) decodeHeld(c *conversation, all []heldDatagram) {
	for i := range all {
		h := &all[i]
		ours := h.protocol == x.protocols.of(c)
		x.others.oneIsOurs(c.place, ours)
		if !ours {
			continue
		}
		if c.server == noEnd {
			c.setServer(h.from, h.direction)
		}
		x.counters.Recognised += int64(h.carriers)
		c.pend(-len(h.payload))
		d := wire.Datagram{Src: h.Src, Dst: h.Dst, Payload: h.payload, Missing: h.missing, Lane: h.Lane}
		x.decodeDatagram(c, h.from, &d, &h.Place)
	}
}

// decodeDatagram decodes the messages of a datagram. The protocol of the conversation must be known.
func (x *decoder) decodeDatagram(c *conversation, from end, d *wire.Datagram, place *wire.Place) {
	p := x.protocols.of(c)
	place.Protocol = p.Protocol
	rest, size, carried := &x.datagram, len(d.Payload), x.counters.Carried
	if p.Unwrap == nil {
		*rest = *d
		x.decodeMessages(c, from, rest, place, 0)
		x.skip(NoMessage, size-int(x.counters.Carried-carried))
		return
	}
	for at := 0; at < size; {
		part, missing, next := p.Unwrap(d, at)
		if len(part) > 0 {
			x.counters.Carried += int64(next - len(part) - at) // the bytes around the part also count
		}
		*rest = wire.Datagram{Src: d.Src, Dst: d.Dst, Payload: part, Missing: missing, Lane: d.Lane}
		x.decodeMessages(c, from, rest, place, int64(next-len(part)))
		at = max(next, at+1)
	}
	x.skip(NoMessage, size-int(x.counters.Carried-carried))
}

// decodeMessages decodes the messages in rest, which is a part of a datagram; at is the part's offset. It modifies
// rest.
func (x *decoder) decodeMessages(c *conversation, from end, rest *wire.Datagram, place *wire.Place, at int64) {
	rest.Payload = x.own(rest.Payload)
	p := x.protocols.of(c)
	ipv6 := rest.Src.Addr().Is6() && !rest.Src.Addr().Is4In6()
	for len(rest.Payload) > 0 {
		l := x.layer(p)
		core := l.Core()
		x.setContext(&core.Context, c, from, rest.Missing, ipv6, wire.UDP)
		x.decode(c, from, rest, l, place, at)
		if len(core.Contents) == 0 {
			return
		}
		at += int64(len(core.Contents))
		rest.Payload = core.Payload
		if x.pipeline != nil && x.pipeline.batch.full() {
			rest.Payload = x.own(rest.Payload)
		}
	}
}

// decode decodes the message at an offset of a datagram or a position of a stream, and passes it to the stage.
func (x *decoder) decode(c *conversation, from end, d *wire.Datagram, l wire.Layer, place *wire.Place, at int64) {
	p := x.protocols.of(c)
	if p.session != nil {
		d.Memo = &c.memo
		p.session.Before(l, d)
	}
	// The layer also stores the error, see wire.Base.Fault. Fields read before the error are used.
	_ = l.DecodeFromBytes(d.Payload, gopacket.NilDecodeFeedback)
	if c.server == noEnd && l.Core().Fault() == nil {
		c.setServer(from, l.Core().Direction)
	}
	if p.session != nil {
		p.session.After(l, d)
	}
	x.counters.Messages++
	x.counters.Carried += int64(len(l.Core().Contents))
	x.out.message(p, l, place, at)
}

// skip counts bytes outside messages.
func (x *decoder) skip(why Reason, n int) { x.counters.Skipped[why] += int64(n) }

// skipPending counts the pending bytes of a conversation that was just recognised as skipped bytes. It returns their
// number.
func (x *decoder) skipPending(c *conversation) int {
	n := int(c.pending)
	c.pending = 0
	x.skip(BeforeRecognised, n)
	return n
}
