package decode

import (
	"bytes"
	"net/netip"
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// A recogniser recognises the protocols of conversations, and remembers the servers of each protocol.
type recogniser struct {
	protocols     protocolList
	decodeAs      []DecodeAs
	conversations *conversations
	servers       *servers
	waiting       *bounded.LRU[uint32, waiting] // by place of the conversation
	earlier       []wire.Datagram               // see earlierOf
	others        *others
	asked         wire.Probe // see probe
}

// waiting contains the held datagrams of a conversation.
type waiting struct {
	datagrams []heldDatagram
	bytes     int
}

// heldDatagram is a datagram that may belong to a protocol. It is decoded if a later datagram identifies the protocol.
type heldDatagram struct {
	wire.Place
	protocol  *protocol
	direction wire.Direction
	from      end
	payload   []byte
	missing   int
	carriers  int
}

// newRecogniser makes a recogniser. Held datagrams have their own budget, because nearly all of them turn out not to
// belong to a game.
func newRecogniser(o *Options, p protocolList, t *conversations, m *memory) recogniser {
	x := newOthers(o, m.decoding)
	return recogniser{
		others: x, protocols: p, decodeAs: o.DecodeAs, conversations: t,
		servers: newServers(m.decoding),
		waiting: bounded.NewLRU(m.held, bounded.Kind{Name: "first datagrams of conversations not recognised yet"},
			bounded.Values[uint32, waiting]{
				Held:    func(w *waiting) int { return w.bytes },
				Dropped: func(place uint32, _ *waiting) { x.foreign(place) },
			}),
	}
}

const (
	maxMisses   = 16  // number of unrecognised datagrams after which a conversation counts as foreign
	maxHeld     = 8   // maximum number of held datagrams per conversation
	maxHeldSize = 512 // maximum size of a held datagram in bytes
)

// recognise looks for the protocol of a conversation in its next datagram. carriers is the number of frames in which
// the datagram came. If recognise finds the protocol, it sets the protocol in c. Otherwise it reports whether it holds
// the datagram. Ports count only together with the content, because other games and clients may use the same ports.
func (r *recogniser) recognise(c *conversation, from end, d *wire.Datagram, place *wire.Place, carriers int) bool {
	if p, dir := r.forced(wire.UDP, d.Src, d.Dst); p != nil {
		r.settle(c, p, from, dir)
		return false
	}
	if c.misses >= maxMisses {
		return false
	}
	var maybe heldDatagram
	known, before := r.known(d), r.waiting.Peek(c.place)
	for _, p := range r.protocols {
		if p.Probe == nil {
			continue
		}
		probe := r.probe(p, p.UDP, d, known)
		probe.Earlier = r.earlierOf(before, p)
		v := p.Probe(probe)
		dir := v.Direction
		if dir == wire.Unknown {
			dir = probe.PortDirection()
		}
		switch {
		case v.Confidence == wire.Sure, v.Confidence == wire.Likely && (probe.OnPort() || probe.Known):
			r.settle(c, p, from, dir)
			return false
		case v.Confidence > wire.No && maybe.protocol == nil:
			maybe.protocol, maybe.direction = p, dir
		}
	}
	if !place.Repeated {
		c.misses++
	}
	switch {
	case c.misses == maxMisses:
		r.waiting.Delete(c.place)
		r.others.foreign(c.place)
	case maybe.protocol != nil:
		maybe.Place, maybe.from, maybe.missing, maybe.carriers = *place, from, d.Missing, carriers
		return r.hold(c, maybe, d.Payload)
	}
	return false
}

// forced returns the protocol that Options.DecodeAs assigns to a port, and the direction of packets from src.
func (r *recogniser) forced(t wire.Transport, src, dst netip.AddrPort) (*protocol, wire.Direction) {
	for i := range r.decodeAs {
		as := &r.decodeAs[i]
		if as.Transport != t {
			continue
		}
		switch as.Port {
		case dst.Port():
			return r.byType(as.Protocol), wire.ToServer
		case src.Port():
			return r.byType(as.Protocol), wire.FromServer
		}
	}
	return nil, wire.Unknown
}

// byType returns the engine's protocol for a wire.Protocol.
func (r *recogniser) byType(w *wire.Protocol) *protocol {
	for _, p := range r.protocols {
		if p.Protocol == w {
			return p
		}
	}
	return nil
}

func (r *recogniser) settle(c *conversation, p *protocol, from end, way wire.Direction) {
	p.settle(c)
	c.setServer(from, way)
	r.noteServer(c)
	r.conversations.noteHosts(c)
}

// hold keeps a copy of a datagram until its protocol is recognised. It reports whether there was room.
func (r *recogniser) hold(c *conversation, h heldDatagram, payload []byte) bool {
	if len(payload) > maxHeldSize {
		return false
	}
	w := r.waiting.Make(c.place)
	if len(w.datagrams) >= maxHeld {
		return false
	}
	h.payload = bytes.Clone(payload)
	w.datagrams = append(w.datagrams, h)
	w.bytes += int(unsafe.Sizeof(h)) + cap(h.payload)
	return true
}

// earlierOf returns the held datagrams that may belong to a protocol. They are valid until the next call.
func (r *recogniser) earlierOf(w *waiting, p *protocol) []wire.Datagram {
	if w == nil {
		return nil
	}
	r.earlier = r.earlier[:0]
	for i := range w.datagrams {
		if h := &w.datagrams[i]; h.protocol == p {
			r.earlier = append(r.earlier, wire.Datagram{Src: h.Src, Dst: h.Dst, Payload: h.payload, Missing: h.missing})
		}
	}
	return r.earlier
}

func (r *recogniser) release(c *conversation) (all []heldDatagram) {
	if w := r.waiting.Peek(c.place); w != nil {
		all = w.datagrams
		r.waiting.Delete(c.place)
	}
	return all
}

// noteServer records the server of a recognised conversation, or both ends if the server is unknown.
func (r *recogniser) noteServer(c *conversation) {
	if c.server != endB {
		r.servers.note(c.a, c.protocol)
	}
	if c.server != endA {
		r.servers.note(c.b, c.protocol)
	}
}

// known returns the protocols that source and destination spoke before, or nil.
func (r *recogniser) known(d *wire.Datagram) (speak [2]*protocol) {
	for i, a := range [...]netip.AddrPort{d.Src, d.Dst} {
		speak[i] = r.protocols.named(r.servers.speaks(r.conversations.of(a)))
	}
	return speak
}

func (r *recogniser) byPort(a, b uint16) *protocol {
	for _, p := range r.protocols {
		if slices.Contains(p.UDP, a) || slices.Contains(p.UDP, b) {
			return p
		}
	}
	return nil
}

// probe makes the Probe of a datagram, or of the beginning of a stream, for a protocol with the given ports. known are
// the protocols that the ends spoke before. The result is valid until the next call.
func (r *recogniser) probe(p *protocol, ports []uint16, d *wire.Datagram, known [2]*protocol) *wire.Probe {
	r.asked = wire.Probe{Datagram: d,
		ToPort: slices.Contains(ports, d.Dst.Port()), FromPort: slices.Contains(ports, d.Src.Port()),
		ToExpected: p.expects(d.Dst), FromExpected: p.expects(d.Src),
		Known: known[0] == p || known[1] == p}
	return &r.asked
}

// recogniseStream looks for the protocol of a connection in the first bytes of a stream. It accepts a likely protocol
// if there is no other likely one, or if one of the ends spoke that protocol before. If p is nil, v contains the
// likelihood that more bytes will identify the protocol.
func (r *recogniser) recogniseStream(src, dst netip.AddrPort, b []byte) (p *protocol, v wire.Verdict) {
	d := &wire.Datagram{Src: src, Dst: dst, Payload: b}
	speak, known := r.known(d), false
	for _, candidate := range r.protocols {
		if candidate.ProbeStream == nil {
			continue
		}
		probe := r.probe(candidate, candidate.TCP, d, speak)
		found := candidate.ProbeStream(probe)
		switch {
		case found.Confidence > v.Confidence, found.Confidence == v.Confidence && probe.Known && !known:
			p, v, known = candidate, found, probe.Known
		case found.Confidence == v.Confidence && probe.Known == known:
			p = nil
		}
		if found.Confidence == wire.Sure {
			break
		}
	}
	if v.Confidence < wire.Likely {
		p = nil
	}
	return p, v
}
