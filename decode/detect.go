package decode

import (
	"bytes"
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// protocol is a protocol with what the engine needs to read its messages.
type protocol struct {
	*wire.Protocol
	layer   wire.Layer
	session wire.Session
	index   int  // among the engine's
	holds   bool // its layers may hold more than their message, see wire.Holder
	watch
}

// DecodeAs forces a protocol on the conversations of a port.
type DecodeAs struct {
	Transport wire.Transport
	Port      uint16
	Protocol  *wire.Protocol
}

const (
	maxMisses   = 16   // datagrams after which a conversation counts as foreign
	maxHeld     = 4    // datagrams kept of a conversation that may be ours
	maxHeldSize = 512  // bytes of such a datagram
	maxHolders  = 1024 // conversations of which datagrams are kept, so 2 MiB at the most
)

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

// recognise finds the protocol of a conversation by its next datagram and leaves it nil if
// none takes it. Ports decide together with the content, never alone: the same ports carry
// other games, and clients of anything may be given one of them.
func (e *Engine) recognise(c *conversation, from end, d *wire.Datagram) {
	if p, dir := e.forced(d); p != nil {
		e.settle(c, p, from, dir)
		return
	}
	if c.misses >= maxMisses {
		return
	}
	var maybe *protocol
	var maybeDir wire.Direction
	for _, p := range e.protocols {
		probe := wire.Probe{Datagram: d,
			ToPort:     slices.Contains(p.UDP, d.Dst.Port()),
			FromPort:   slices.Contains(p.UDP, d.Src.Port()),
			Known:      e.servers[d.Src] == p || e.servers[d.Dst] == p,
			ToExpected: p.expects(d.Dst), FromExpected: p.expects(d.Src)}
		v := p.Probe(&probe)
		dir := v.Direction
		if dir == wire.Unknown {
			dir = probe.PortDirection()
		}
		switch {
		case v.Confidence == wire.Sure, v.Confidence == wire.Likely && (probe.OnPort() || probe.Known):
			e.settle(c, p, from, dir)
			return
		case v.Confidence > wire.No && maybe == nil:
			maybe, maybeDir = p, dir
		}
	}
	c.misses++
	switch {
	case c.misses == maxMisses:
		c.held = nil
	case maybe != nil:
		e.hold(c, held{protocol: maybe, direction: maybeDir, from: from, missing: d.Missing}, d)
	}
}

func (e *Engine) forced(d *wire.Datagram) (*protocol, wire.Direction) {
	for i := range e.options.DecodeAs {
		as := &e.options.DecodeAs[i]
		if as.Transport != wire.UDP {
			continue
		}
		switch as.Port {
		case d.Dst.Port():
			return e.byType(as.Protocol), wire.ToServer
		case d.Src.Port():
			return e.byType(as.Protocol), wire.FromServer
		}
	}
	return nil, wire.Unknown
}

func (e *Engine) byType(w *wire.Protocol) *protocol {
	for _, p := range e.protocols {
		if p.Protocol == w {
			return p
		}
	}
	return nil
}

// settle says which protocol a conversation speaks, and gives what was held of it.
func (e *Engine) settle(c *conversation, p *protocol, from end, dir wire.Direction) {
	c.protocol = p
	c.setServer(from, dir)
	e.noteServer(c)
	e.noteHosts(c)
	waiting := c.held
	c.held = nil
	for i := range waiting {
		if h := &waiting[i]; h.protocol == p {
			if c.server == noEnd {
				c.setServer(h.from, h.direction)
			}
			e.counters.Recognised += int64(h.carriers)
			e.here = h.Place
			e.datagram(c, h.from, &wire.Datagram{Src: h.Src, Dst: h.Dst, Payload: h.payload, Missing: h.missing})
		}
	}
}

// hold keeps a copy of a datagram until it is clear whose it is. When too many conversations
// wait, the one that began to wait first has waited in vain.
func (e *Engine) hold(c *conversation, h held, d *wire.Datagram) {
	if len(d.Payload) > maxHeldSize || len(c.held) >= maxHeld {
		return
	}
	if len(c.held) == 0 {
		place := &e.holders[e.nextHolder%len(e.holders)]
		if *place != nil {
			(*place).held = nil
		}
		*place = c
		e.nextHolder++
	}
	h.Place = e.place
	h.Conversation, h.Src, h.Dst = c.number, d.Src, d.Dst
	h.payload, h.carriers = bytes.Clone(d.Payload), e.carriers
	c.held = append(c.held, h)
}

// maxServers bounds how many endpoints are remembered.
const maxServers = 4096

// noteServer remembers the server of a conversation that is ours, and both ends where nobody
// knows who is the server.
func (e *Engine) noteServer(c *conversation) {
	if len(e.servers) >= maxServers {
		clear(e.servers)
	}
	if c.server != endB {
		e.servers[c.key.endA()] = c.protocol
	}
	if c.server != endA {
		e.servers[c.key.endB()] = c.protocol
	}
}

// recogniseStream finds the protocol of a connection by the beginning of one of its streams. One
// that is likely is taken if no other is, or if its server is known; what several may be waits for
// more.
func (e *Engine) recogniseStream(c *conversation, s *stream, b []byte) wire.Confidence {
	src, dst := e.ends.of(c, s.from())
	var best wire.Verdict
	var whose *protocol
	known := false
	for _, p := range e.protocols {
		if p.ProbeStream == nil {
			continue
		}
		probe := wire.Probe{Datagram: &wire.Datagram{Src: src, Dst: dst, Payload: b},
			ToPort: slices.Contains(p.TCP, dst.Port()), FromPort: slices.Contains(p.TCP, src.Port()),
			ToExpected: p.expects(dst), FromExpected: p.expects(src), Known: e.servers[src] == p || e.servers[dst] == p}
		v := p.ProbeStream(&probe)
		switch {
		case v.Confidence > best.Confidence, v.Confidence == best.Confidence && probe.Known && !known:
			best, whose, known = v, p, probe.Known
		case v.Confidence == best.Confidence && probe.Known == known:
			whose = nil
		}
		if v.Confidence == wire.Sure {
			break
		}
	}
	if best.Confidence < wire.Likely || whose == nil {
		return best.Confidence
	}
	c.tcp.lost[s.index()] = false // the message it was recognised by begins here
	e.settleStream(c, s, whose, best.Direction)
	return wire.Sure
}

// expects reports whether the protocol has heard of a server.
func (p *protocol) expects(a netip.AddrPort) bool {
	x, ok := p.session.(wire.Expecter)
	return ok && x.Expects(a)
}

// settleStream says which protocol a connection speaks.
func (e *Engine) settleStream(c *conversation, s *stream, p *protocol, way wire.Direction) {
	c.protocol = p
	c.setServer(s.from(), way)
	c.tcp.splitter = p.NewSplitter()
	e.noteServer(c)
	e.counters.Recognised += c.tcp.packets
	if place := c.tcp.mid; place != nil {
		place.Protocol = p.Protocol
		e.to.find(&wire.TrafficFinding{Place: *place, Rule: RuleMidStream, Text: "the connection is older than the capture"})
		c.tcp.mid = nil
	}
}
