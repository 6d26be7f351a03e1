package decode

import (
	"encoding/binary"
	"net/netip"
	"slices"
	"strconv"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Options say what an Engine looks for and where it delivers.
type Options struct {
	Protocols []*wire.Protocol
	Dialect   wire.Dialect
	DecodeAs  []DecodeAs

	Message func(*Message)             // called for each message; may be nil
	Finding func(*wire.TrafficFinding) // called for each finding that no message carries; may be nil
	Value   func(*wire.Value)          // called for each value that a tracker measures; may be nil

	// Raw is called with the bytes that one side of a conversation sends, in order: of each
	// datagram, and of a TCP stream whatever is new. They are valid during the call. May be nil.
	Raw func(wire.Place, wire.Direction, []byte)

	// MaskSecrets makes messages show asterisks for passwords and tokens: in their data, their
	// layer and their tree. Findings and values are as without.
	MaskSecrets bool

	// What follows is for those who change captures; each may be nil. Packet is called at the end
	// of each frame that has an IP packet; Partial for the beginning of a message that never became
	// whole; Lost with the number, as PacketInfo has it, of a datagram of ours of which a fragment is
	// missing.
	Packet  func(*PacketInfo)
	Partial func(*Message)
	Lost    func(datagram int64)

	// Ahead lets frames be decoded while those before are still judged. Message, Finding and Value are
	// called in a goroutine of the Engine then, or by Close, but one after the other; what they are told
	// is the same. They must return: who ends the goroutine makes the next frame panic. It is for
	// captures that are read, not for live ones: what there is to tell waits until more has come. It has
	// no effect together with Raw, Packet, Partial or Lost.
	Ahead bool
}

// Counters tell what an Engine has seen.
type Counters struct {
	Packets      int64
	Bytes        int64 // on the wire
	Messages     int64
	Recognised   int64         // packets that carried a datagram of our protocols, or a fragment of one
	Other        int64         // the rest; fragments as long as their datagram is not whole
	Truncated    int64         // packets of which the capture has only the beginning
	UnknownLinks []UnknownLink // link types that are not known, in the order they came
}

// UnknownLink counts the packets of a link type that is not known.
type UnknownLink struct {
	Type    uint16 // as registered by tcpdump.org
	File    string
	First   int // number of the first one in the file
	Packets int64
}

// An Engine turns frames into messages. It is not for several goroutines at once.
type Engine struct {
	options   Options
	protocols []*protocol
	judge     *judge
	ahead     *ahead // nil: the judge is told at once
	to        hearer // one of these two
	flows     *flows
	fragments defragmenter
	streams   assembler
	segment   segment
	hosts     map[[2]netip.Addr]*protocol // who talks, for fragments without ports
	servers   map[netip.AddrPort]*protocol

	packet     packet // of the frame at hand
	whole      packet // joined from fragments
	place      wire.Place
	now        int64      // the newest time of a packet
	here       wire.Place // of the messages at hand
	ends       ends
	arrived    wire.Datagram // here, not on the stack, because interfaces take their address
	rest       wire.Datagram // of a datagram being cut
	at         int64         // where the message at hand begins: see Message.At
	carriage   PacketInfo
	carriers   int                       // frames that brought the datagram at hand: several if it came in fragments
	holders    [maxHolders]*conversation // a ring of those with held datagrams
	nextHolder int
	counters   Counters
	closed     bool
}

// New makes an engine.
func New(o Options) *Engine {
	e := &Engine{options: o, hosts: make(map[[2]netip.Addr]*protocol), servers: make(map[netip.AddrPort]*protocol)}
	for _, w := range o.Protocols {
		p := &protocol{Protocol: w, layer: w.New(), index: len(e.protocols)}
		_, p.holds = p.layer.(wire.Holder)
		if w.NewSession != nil {
			p.session = w.NewSession()
		}
		e.protocols = append(e.protocols, p)
	}
	e.judge = newJudge(&e.options, e.protocols)
	e.to = e.judge
	if o.Ahead && o.Raw == nil && o.Packet == nil && o.Partial == nil && o.Lost == nil {
		e.ahead = newAhead(e.judge)
		e.to = e.ahead
	}
	e.flows = newFlows()
	e.flows.evicted = e.evict
	e.fragments.lost = e.fragmentLost
	e.streams.to = e
	return e
}

// Frame takes the next frame. Messages and findings come out through the functions of the
// options before it returns, or later with Options.Ahead.
func (e *Engine) Frame(f *Frame) {
	if e.ahead != nil {
		e.ahead.pass()
	}
	e.counters.Packets++
	e.counters.Bytes += int64(max(f.Length, len(f.Data))) // some writers leave the wire length 0
	if f.Length > len(f.Data) {
		e.counters.Truncated++
	}
	e.place = wire.Place{Frame: f.Number, File: f.File, Time: f.Time}
	e.fragments.expire(f.Time)
	e.flows.expire(f.Time)
	e.tick(f.Time)
	e.streams.begin(origin{serial: e.counters.Packets, frame: f.Number, file: f.File, time: f.Time})
	switch findPacket(f.Link, f.Data, f.Length, &e.packet) {
	case found:
		e.ip(&e.packet)
	case unknownLink:
		e.noteLink(f)
	}
}

// Time tells how late it is when no frame comes: what waits may be late, and findings about silence are
// due. Frames that are older may still follow.
func (e *Engine) Time(now int64) {
	if now <= e.now || e.counters.Packets == 0 {
		return
	}
	if e.ahead != nil {
		e.ahead.pass()
	}
	e.fragments.expire(now)
	e.flows.expire(now)
	e.tick(now)
	e.streams.begin(origin{serial: e.counters.Packets, frame: e.place.Frame, file: e.place.File, time: now})
}

// Close tells that no frame follows: what waits for more becomes findings. It has to be called, once: with
// Options.Ahead it ends a goroutine.
func (e *Engine) Close() {
	if e.closed {
		return
	}
	e.closed = true
	e.fragments.flush()
	for c := e.flows.oldest; c != nil; c = c.prev {
		e.closeConnection(c, captureEnded)
	}
	if e.ahead != nil {
		e.ahead.close()
		e.ahead, e.to = nil, e.judge // of what the caller still finds
	}
	e.judge.close()
}

// tick moves the clock on. Packets may be older than those before them; time does not go back.
func (e *Engine) tick(now int64) {
	if now > e.now || e.counters.Packets <= 1 {
		e.now = now
		e.to.tick(now)
	}
}

// Counters tell what was seen so far.
func (e *Engine) Counters() Counters {
	c := e.counters
	c.UnknownLinks = slices.Clone(c.UnknownLinks)
	c.Other = c.Packets - c.Recognised
	return c
}

const maxLinks = 16 // unknown link types that are remembered

func (e *Engine) noteLink(f *Frame) {
	for i := range e.counters.UnknownLinks {
		if l := &e.counters.UnknownLinks[i]; l.Type == f.Link && l.File == f.File {
			l.Packets++
			return
		}
	}
	if len(e.counters.UnknownLinks) < maxLinks {
		e.counters.UnknownLinks = append(e.counters.UnknownLinks, UnknownLink{Type: f.Link, File: f.File, First: f.Number, Packets: 1})
	}
}

const (
	protocolTCP = 6
	protocolUDP = 17
)

func (e *Engine) ip(p *packet) {
	e.carriers = 1
	e.carriage = PacketInfo{Conversation: NoConversation}
	if e.options.Packet != nil {
		defer e.options.Packet(&e.carriage)
	}
	if p.fragment {
		whole := e.fragments.add(p, e.place.Frame, e.place.Time, &e.whole)
		e.carriage.Datagram = e.fragments.number
		if !whole {
			return
		}
		p = &e.whole
		e.carriers = p.carriers
		e.carriage.join(p)
	}
	if p.protocol == protocolUDP && e.udp(p) || p.protocol == protocolTCP && e.tcp(p) {
		e.counters.Recognised += int64(e.carriers)
	}
}

const udpHeader = 8

// udp takes a whole UDP packet and reports whether it was one of ours.
func (e *Engine) udp(p *packet) bool {
	if len(p.payload) < udpHeader {
		return false
	}
	d := &e.arrived
	*d = wire.Datagram{
		Src: netip.AddrPortFrom(p.src, binary.BigEndian.Uint16(p.payload)),
		Dst: netip.AddrPortFrom(p.dst, binary.BigEndian.Uint16(p.payload[2:])),
	}
	d.Payload, d.Missing = udpPayload(p)
	key, fromB := makeKey(wire.UDP, d.Src, d.Dst)
	c := e.flows.find(key)
	c.last = e.place.Time
	from := endIf(fromB)
	e.carriage.Transport, e.carriage.Conversation, e.carriage.Second = wire.UDP, c.number, fromB
	if c.protocol == nil {
		e.recognise(c, from, d)
		if c.protocol == nil {
			return false
		}
	}
	place := &e.here
	*place = e.place
	place.Conversation, place.Src, place.Dst = c.number, d.Src, d.Dst
	if len(d.Payload) == 0 && d.Missing > 0 {
		place.Protocol = c.protocol.Protocol
		e.to.find(&wire.TrafficFinding{Place: *place, Rule: RuleTruncated, Text: "0 of " + strconv.Itoa(d.Missing) + " bytes were captured"})
	}
	e.raw(place, c.direction(from), d.Payload)
	e.datagram(c, from, d)
	e.carriage.Protocol = c.protocol.Protocol
	return true
}

// udpPayload gives what a UDP packet carries, and how much of its end was not captured. The length
// field counts the header. Zero stands for a jumbogram or an unfinished checksum offload; a length
// beyond the IP packet is not believed.
func udpPayload(p *packet) (payload []byte, missing int) {
	have := len(p.payload) + p.missing
	if n := int(binary.BigEndian.Uint16(p.payload[4:])); n >= udpHeader && n < have {
		return p.payload[udpHeader:min(n, len(p.payload))], max(0, n-len(p.payload))
	}
	return p.payload[udpHeader:], p.missing
}

func (e *Engine) raw(p *wire.Place, way wire.Direction, b []byte) {
	if e.options.Raw != nil {
		e.options.Raw(*p, way, b)
	}
}

// datagram cuts a datagram of a known conversation into messages. Where they are is known.
func (e *Engine) datagram(c *conversation, from end, d *wire.Datagram) {
	e.here.Protocol = c.protocol.Protocol
	if c.protocol.Unwrap == nil {
		e.at = 0
		e.messages(c, from, d, d.Payload, d.Missing)
		return
	}
	for at := 0; at < len(d.Payload); {
		part, missing, next := c.protocol.Unwrap(d, at)
		e.at = int64(next - len(part))
		e.messages(c, from, d, part, missing)
		at = max(next, at+1)
	}
}

// messages decodes the messages in a part of a datagram.
func (e *Engine) messages(c *conversation, from end, d *wire.Datagram, part []byte, missing int) {
	rest := &e.rest
	*rest = wire.Datagram{Src: d.Src, Dst: d.Dst, Payload: e.own(part), Missing: missing}
	ipv6 := d.Src.Addr().Is6() && !d.Src.Addr().Is4In6()
	for len(rest.Payload) > 0 {
		l := e.layer(c.protocol)
		base := l.Core()
		base.Context = wire.Context{Direction: c.direction(from), Dialect: e.options.Dialect, Missing: rest.Missing, IPv6: ipv6}
		e.decode(c, from, rest, l)
		if len(base.Contents) == 0 {
			return
		}
		e.at += int64(len(base.Contents))
		rest.Payload = base.Payload
		if e.ahead != nil && e.ahead.crowded() {
			rest.Payload = e.own(rest.Payload)
		}
	}
}

// layer gives the layer for the next message of a protocol.
func (e *Engine) layer(p *protocol) wire.Layer {
	if e.ahead == nil {
		return p.layer
	}
	return e.ahead.layer(p)
}

// own gives the bytes of the next messages as they are to be decoded.
func (e *Engine) own(b []byte) []byte {
	if e.ahead == nil {
		return b
	}
	e.ahead.pass()
	return e.ahead.own(b)
}

// decode decodes one message, whose place is known, in its context and tells of it. If nobody knows
// yet who the server is, what the message shows of it counts from the next one on.
func (e *Engine) decode(c *conversation, from end, d *wire.Datagram, l wire.Layer) {
	p := c.protocol
	if p.session != nil {
		p.session.Before(l, d)
	}
	// The error is in the layer as well, see Base.Fault; what was read before it counts.
	_ = l.DecodeFromBytes(d.Payload, gopacket.NilDecodeFeedback)
	if c.server == noEnd && l.Core().Fault() == nil {
		c.setServer(from, l.Core().Direction)
	}
	if p.session != nil {
		p.session.After(l, d)
	}
	e.counters.Messages++
	e.to.decoded(p, l, &e.here, e.at)
}

// Find adds a finding of the caller's own, about the capture for example, behind what was decoded.
func (e *Engine) Find(f *wire.TrafficFinding) {
	if e.ahead != nil {
		e.ahead.pass()
	}
	e.to.find(f)
}
