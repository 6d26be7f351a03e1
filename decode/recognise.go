package decode

import (
	"bytes"
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A recogniser finds out which protocol conversations speak, and remembers who speaks it.
type recogniser struct {
	protocols  []*protocol
	decodeAs   []DecodeAs
	hosts      map[[2]netip.Addr]*protocol // who talks, for fragments without ports
	servers    map[netip.AddrPort]*protocol
	holders    [maxHolders]*conversation // a ring of those with held datagrams
	nextHolder int
}

const (
	maxMisses   = 16   // datagrams after which a conversation counts as foreign
	maxHeld     = 4    // datagrams kept of a conversation that may be a protocol's
	maxHeldSize = 512  // bytes of such a datagram
	maxHolders  = 1024 // conversations of which datagrams are kept, so 2 MiB at the most
)

// recognise finds the protocol of a conversation by its next datagram, which a packet completed that came in so
// many frames, and leaves it nil if none takes it. Ports decide together with the content, never alone: the same ports
// carry other games, and clients of anything may be given one of them.
func (r *recogniser) recognise(c *conversation, from end, d *wire.Datagram, o *tcp.Origin, carriers int) {
	if p, dir := r.forced(d); p != nil {
		r.settle(c, p, from, dir)
		return
	}
	if c.misses >= maxMisses {
		return
	}
	var maybe held
	for _, p := range r.protocols {
		probe := r.probe(p, p.UDP, d)
		v := p.Probe(&probe)
		dir := v.Direction
		if dir == wire.Unknown {
			dir = probe.PortDirection()
		}
		switch {
		case v.Confidence == wire.Sure, v.Confidence == wire.Likely && (probe.OnPort() || probe.Known):
			r.settle(c, p, from, dir)
			return
		case v.Confidence > wire.No && maybe.protocol == nil:
			maybe.protocol, maybe.direction = p, dir
		}
	}
	c.misses++
	switch {
	case c.misses == maxMisses:
		c.held = nil
	case maybe.protocol != nil:
		maybe.Place = wire.Place{Frame: o.Frame, File: o.File, Time: o.Time, Conversation: c.number, Lane: c.lane(from), Src: d.Src, Dst: d.Dst}
		maybe.from, maybe.missing, maybe.carriers = from, d.Missing, carriers
		r.hold(c, maybe, d.Payload)
	}
}

// forced gives the protocol that the options force on a datagram's ports.
func (r *recogniser) forced(d *wire.Datagram) (*protocol, wire.Direction) {
	for i := range r.decodeAs {
		as := &r.decodeAs[i]
		if as.Transport != wire.UDP {
			continue
		}
		switch as.Port {
		case d.Dst.Port():
			return r.byType(as.Protocol), wire.ToServer
		case d.Src.Port():
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
	c.protocol = p
	c.setServer(from, way)
	r.noteServer(c)
	r.noteHosts(c)
}

// hold keeps a copy of a datagram until it is clear whose it is. When too many conversations
// wait, the one that began to wait first has waited in vain.
func (r *recogniser) hold(c *conversation, h held, payload []byte) {
	if len(payload) > maxHeldSize || len(c.held) >= maxHeld {
		return
	}
	if len(c.held) == 0 {
		place := &r.holders[r.nextHolder%len(r.holders)]
		if *place != nil {
			(*place).held = nil
		}
		*place = c
		r.nextHolder++
	}
	h.payload = bytes.Clone(payload)
	c.held = append(c.held, h)
}

// maxServers bounds how many endpoints are remembered.
const maxServers = 4096

// noteServer remembers the server of a conversation that is ours, and both ends where nobody
// knows who is the server.
func (r *recogniser) noteServer(c *conversation) {
	if len(r.servers) >= maxServers {
		clear(r.servers)
	}
	if c.server != endB {
		r.servers[c.key.endA()] = c.protocol
	}
	if c.server != endA {
		r.servers[c.key.endB()] = c.protocol
	}
}

// maxHosts bounds how many pairs of hosts are remembered.
const maxHosts = 4096

// noteHosts remembers the hosts of a conversation that is ours.
func (r *recogniser) noteHosts(c *conversation) {
	if len(r.hosts) >= maxHosts {
		clear(r.hosts)
	}
	r.hosts[hostPair(c.key.endA().Addr(), c.key.endB().Addr())] = c.protocol
}

func hostPair(a, b netip.Addr) [2]netip.Addr {
	if b.Less(a) {
		a, b = b, a
	}
	return [2]netip.Addr{a, b}
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

// probe is what a protocol with these ports is asked about a datagram, or the beginning of a stream.
func (r *recogniser) probe(p *protocol, ports []uint16, d *wire.Datagram) wire.Probe {
	return wire.Probe{Datagram: d,
		ToPort: slices.Contains(ports, d.Dst.Port()), FromPort: slices.Contains(ports, d.Src.Port()),
		ToExpected: p.expects(d.Dst), FromExpected: p.expects(d.Src),
		Known: r.servers[d.Src] == p || r.servers[d.Dst] == p}
}

// recogniseStream finds the protocol of a connection by the beginning of what one endpoint sends another. One
// that is likely is taken if no other is, or if its server is known; what several may be waits for more. p is nil
// as long as it is not clear; what the verdict says then is how likely it still is.
func (r *recogniser) recogniseStream(src, dst netip.AddrPort, b []byte) (p *protocol, v wire.Verdict) {
	d := &wire.Datagram{Src: src, Dst: dst, Payload: b}
	known := false
	for _, candidate := range r.protocols {
		if candidate.ProbeStream == nil {
			continue
		}
		probe := r.probe(candidate, candidate.TCP, d)
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
