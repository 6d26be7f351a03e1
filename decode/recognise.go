package decode

import (
	"bytes"
	"net/netip"
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/internal/tcp"
)

// A recogniser finds out which protocol conversations speak, and remembers who speaks it.
type recogniser struct {
	protocols protocolList
	decodeAs  []DecodeAs
	table     *conversations
	servers   *servers
	waiting   *bounded.LRU[uint32, waiting] // by the places of conversations
	earlier   []wire.Datagram               // see earlierOf
	others    *others
}

// waiting is the datagrams held of a conversation.
type waiting struct {
	datagrams []held
	bytes     int
}

// held is a datagram that looked like a protocol's without being proof of it. It becomes a
// message when a later one is.
type held struct {
	wire.Place
	protocol  *protocol
	direction wire.Direction
	from      end
	payload   []byte
	missing   int
	carriers  int
}

// newRecogniser makes a recogniser. What it holds back has a budget of its own: nearly all of it is in vain.
func newRecogniser(o *Options, p protocolList, t *conversations, m *memory) recogniser {
	x := newOthers(o.Others, m.decoding)
	return recogniser{
		others: x, protocols: p, decodeAs: o.DecodeAs, table: t,
		servers: newServers(m.decoding),
		waiting: bounded.NewLRU(m.held, bounded.Kind{Name: "first datagrams of conversations not recognised yet"},
			bounded.Values[uint32, waiting]{
				Held:    func(w *waiting) int { return w.bytes },
				Dropped: func(place uint32, _ *waiting) { x.foreign(place) },
			}),
	}
}

const (
	maxMisses   = 16  // datagrams after which a conversation counts as foreign
	maxHeld     = 8   // datagrams kept of a conversation that may be a protocol's
	maxHeldSize = 512 // bytes of such a datagram
)

// recognise finds the protocol of a conversation by its next datagram, which a packet completed that came in so
// many frames, and leaves it nil if none takes it. It reports whether a later one may show that this one is ours. Ports
// decide together with the content, never alone: the same ports carry other games, and clients of anything may be given
// one of them.
func (r *recogniser) recognise(c *conversation, from end, d *wire.Datagram, o *tcp.Origin, carriers int) bool {
	if p, dir := r.forced(wire.UDP, d.Src, d.Dst); p != nil {
		r.settle(c, p, from, dir)
		return false
	}
	if c.misses >= maxMisses {
		return false
	}
	var maybe held
	known, before := r.known(d), r.waiting.Peek(c.place)
	for _, p := range r.protocols {
		probe := p.probe(p.UDP, d, known)
		probe.Earlier = r.earlierOf(before, p)
		v := p.Probe(&probe)
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
	c.misses++
	switch {
	case c.misses == maxMisses:
		r.waiting.Delete(c.place)
		r.others.foreign(c.place)
	case maybe.protocol != nil:
		maybe.Place = wire.Place{
			Frame: o.Frame, File: o.File, Time: o.Time,
			Conversation: int(c.number), Lane: c.lane(from), Src: d.Src, Dst: d.Dst,
		}
		maybe.from, maybe.missing, maybe.carriers = from, d.Missing, carriers
		return r.hold(c, maybe, d.Payload)
	}
	return false
}

// forced gives the protocol that the options force on the ports of what one endpoint sends another.
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

// byType finds the engine's protocol of a value of wire.Protocol.
func (r *recogniser) byType(w *wire.Protocol) *protocol {
	for _, p := range r.protocols {
		if p.Protocol == w {
			return p
		}
	}
	return nil
}

// settle says which protocol a conversation speaks.
func (r *recogniser) settle(c *conversation, p *protocol, from end, way wire.Direction) {
	p.settle(c)
	c.setServer(from, way)
	r.noteServer(c)
	r.table.noteHosts(c)
}

// hold keeps a copy of a datagram until it is clear whose it is. It reports whether there is room for it.
func (r *recogniser) hold(c *conversation, h held, payload []byte) bool {
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

// earlierOf gives what is held of a conversation, nil if nothing is, because it may be a protocol's. It is valid until
// the next call.
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

// release gives what was held of a conversation.
func (r *recogniser) release(c *conversation) (all []held) {
	if w := r.waiting.Peek(c.place); w != nil {
		all = w.datagrams
		r.waiting.Delete(c.place)
	}
	return all
}

// noteServer remembers the server of a conversation that is ours, and both ends where nobody
// knows who is the server.
func (r *recogniser) noteServer(c *conversation) {
	if c.server != endB {
		r.servers.note(serverKey{c.hosts.a, c.portA}, c.protocol)
	}
	if c.server != endA {
		r.servers.note(serverKey{c.hosts.b, c.portB}, c.protocol)
	}
}

// known gives the protocols that the source and the destination of a datagram are known to speak, nil for none.
func (r *recogniser) known(d *wire.Datagram) (speak [2]*protocol) {
	for i, a := range [...]netip.AddrPort{d.Src, d.Dst} {
		speak[i] = r.protocols.named(r.servers.speaks(makeServerKey(a)))
	}
	return speak
}

// byPort gives the protocol that has one of the ports.
func (r *recogniser) byPort(a, b uint16) *protocol {
	for _, p := range r.protocols {
		if slices.Contains(p.UDP, a) || slices.Contains(p.UDP, b) {
			return p
		}
	}
	return nil
}

// probe is what a protocol with these ports is asked about a datagram, or the beginning of a stream, between ends that
// are known to speak something.
func (p *protocol) probe(ports []uint16, d *wire.Datagram, known [2]*protocol) wire.Probe {
	return wire.Probe{Datagram: d,
		ToPort: slices.Contains(ports, d.Dst.Port()), FromPort: slices.Contains(ports, d.Src.Port()),
		ToExpected: p.expects(d.Dst), FromExpected: p.expects(d.Src),
		Known: known[0] == p || known[1] == p}
}

// recogniseStream finds the protocol of a connection by the beginning of what one endpoint sends another. One
// that is likely is taken if no other is, or if its server is known; what several may be waits for more. p is nil
// as long as it is not clear; what the verdict says then is how likely it still is.
func (r *recogniser) recogniseStream(src, dst netip.AddrPort, b []byte) (p *protocol, v wire.Verdict) {
	d := &wire.Datagram{Src: src, Dst: dst, Payload: b}
	speak, known := r.known(d), false
	for _, candidate := range r.protocols {
		if candidate.ProbeStream == nil {
			continue
		}
		probe := candidate.probe(candidate.TCP, d, speak)
		found := candidate.ProbeStream(&probe)
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
