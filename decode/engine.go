package decode

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/internal/tcp"
)

// An Engine turns frames into messages. It must not be used concurrently.
type Engine struct {
	options       Options
	memory        memory
	decoder       decoder
	recogniser    recogniser
	conversations *conversations
	fragments     ip.Defragmenter
	streams       streams
	newest        tcp.Origin // the frame that came last
	now           int64      // the newest time of a packet
	frames        int64      // so far, with skipped ones
	closed        bool

	// Scratch. Functions of the Options and interfaces take these by address, so local variables would be allocated for
	// each frame.
	packet   ip.Packet
	inner    ip.Packet // of a tunnel
	segment  tcp.Segment
	datagram wire.Datagram
	place    wire.Place
	info     PacketInfo
}

// New makes an engine.
func New(o Options) *Engine {
	e := &Engine{options: o, memory: newMemory(&o)}
	e.conversations = newConversations(e.memory.decoding)
	protocols := newProtocols(o.Protocols, e.memory.decoding)
	e.recogniser = newRecogniser(&o, protocols, e.conversations, &e.memory)
	d := newDispatcher(&e.options, protocols, e.memory.tracking)
	e.decoder = decoder{options: &e.options, protocols: protocols, dispatcher: d, sink: d, others: e.recogniser.others}
	if o.Parallel && o.Raw == nil && o.Packet == nil && o.Partial == nil && o.Lost == nil {
		e.decoder.pipeline = newPipeline(d, len(protocols))
		e.decoder.sink = e.decoder.pipeline
	}
	e.streams.decoder, e.streams.recogniser, e.streams.conversations = &e.decoder, &e.recogniser, e.conversations
	e.streams.Memory, e.streams.History = e.memory.streams, e.memory.history
	e.fragments.Memory = e.memory.fragments
	e.conversations.evicted = e.forgotten
	e.fragments.Lost, e.fragments.Dropped = e.fragmentLost, e.decoder.others.dropped
	reportForgotten(e.memory.decoding, e.Find, e.here)
	reportForgotten(e.memory.held, e.Find, e.here)
	return e
}

// here is the place of the current frame.
func (e *Engine) here() wire.Place {
	return wire.Place{Frame: e.newest.Frame, File: e.newest.File, Time: e.newest.Time, Conversation: NoConversation}
}

// Frame takes the next frame. It calls the functions of the Options before it returns; with Options.Parallel they are
// called later.
func (e *Engine) Frame(f *Frame) {
	e.begin(f)
	counters := &e.decoder.counters
	counters.Packets++
	counters.Bytes += int64(max(f.Length, len(f.Data))) // some writers leave the wire length 0
	if f.Length > len(f.Data) {
		counters.Truncated++
	}
	e.decoder.others.begin(f, &e.newest)
	outcome := ip.Find(f.Link, f.Data, f.Length, &e.packet)
	rest := e.packet.Rest()
	e.found(outcome, f)
	for !rest.Empty() {
		outcome = rest.Find(&e.packet)
		rest = e.packet.Rest()
		e.found(outcome, f)
	}
}

// Skip takes a frame of the capture that another engine is given: it moves the time on, and does nothing else. So
// engines that share a capture find the same as one engine that is given all of it, if each conversation and those that
// depend on it go to one engine.
func (e *Engine) Skip(f *Frame) { e.begin(f) }

// begin begins the next frame of the capture.
func (e *Engine) begin(f *Frame) {
	e.decoder.pass()
	e.frames++
	e.newest = tcp.Origin{Serial: e.frames, Frame: f.Number, File: f.File, Time: f.Time}
	e.memory.turn(e.streams.Bytes() + e.fragments.Bytes())
	e.expire(e.newest)
}

// found takes the packet found in a frame, or the outcome without one.
func (e *Engine) found(outcome ip.Outcome, f *Frame) {
	e.decoder.others.beginPacket()
	switch outcome {
	case ip.Found:
		e.ip(&e.packet)
		return
	case ip.UnknownLink:
		e.decoder.counters.noteLink(f)
	case ip.TooDeep:
		e.tooDeep()
	}
	e.decoder.others.other(e.packet.Kind, 0)
}

// Time moves the time on when no frame comes: streams and fragments stop waiting, and findings about silence fall due.
// Older frames may still follow.
func (e *Engine) Time(now int64) {
	if now <= e.now || e.frames == 0 {
		return
	}
	e.decoder.pass()
	o := e.newest
	o.Time = now
	e.expire(o)
}

// expire moves the time on to that of a packet, and gives up what has waited too long.
func (e *Engine) expire(o tcp.Origin) {
	e.fragments.Expire(o.Time)
	e.conversations.expire(o.Time)
	// A packet may be older than those before it; time does not go back.
	if o.Time > e.now || e.frames <= 1 {
		e.now = o.Time
		e.decoder.sink.tick(tick{o.Time, e.memory.decoding.Used()})
	}
	e.streams.Begin(o)
}

// Find adds a finding of the caller, such as one about the capture file, behind the messages so far.
func (e *Engine) Find(f *wire.TrafficFinding) {
	e.decoder.pass()
	e.decoder.sink.finding(f)
}

// Emit has Options.Write called with the current message, after everything emitted before. Options.Message may call it,
// and must not use the message afterwards.
func (e *Engine) Emit(m *Message) { e.decoder.dispatcher.emit(m) }

// EmitFinding has Options.WriteFinding called with a finding, after everything emitted before. Options.Finding may call
// it.
func (e *Engine) EmitFinding(f *wire.TrafficFinding) { e.decoder.dispatcher.emitFinding(f) }

// Close ends the capture: what still waits for more becomes findings. It must be called: with Options.Parallel it ends
// goroutines. Further calls do nothing.
func (e *Engine) Close() {
	if e.closed {
		return
	}
	e.closed = true
	e.fragments.Flush()
	for c := e.conversations.at(e.conversations.oldest); c != nil; c = e.conversations.at(e.conversations.newer(c.place)) {
		e.closeConnection(c, tcp.CaptureEnded)
	}
	e.decoder.close()
}

// Counters gives what was counted so far.
func (e *Engine) Counters() Counters {
	c := e.decoder.counters
	c.UnknownLinks = slices.Clone(c.UnknownLinks)
	c.Other = c.Packets - c.Recognised
	c.Forgotten = e.memory.Forgotten()
	return c
}

// Part gives an eighth of the engine's memory to functions of the Options that remember messages. It must be called
// before the first frame. Each message begins a turn of the budget.
func (e *Engine) Part() *bounded.Budget {
	return e.memory.tracking.Part(e.memory.tracking.Limit() / partShare)
}

// Others gives what the packets are that Counters.Other counts, the most frequent first, if Options.Others is set.
// Kinds that are counted together come last. After Close no packet waits any more, and the sum is Counters.Other.
func (e *Engine) Others() []OtherTraffic { return e.decoder.others.all() }

// Forgotten gives what had to be forgotten so far for want of memory, as Counters does. Any goroutine may call it.
func (e *Engine) Forgotten() []bounded.Forgotten { return e.memory.Forgotten() }

// ip takes an IP packet.
func (e *Engine) ip(p *ip.Packet) {
	info := &e.info
	*info = PacketInfo{Conversation: NoConversation}
	if e.options.Packet != nil {
		defer e.options.Packet(info)
	}
	for {
		info.Tunnels = p.Tunnels
		if p.Fragment && !e.join(p, info) {
			e.decoder.others.fragment(p, info.Datagram)
			return
		}
		tunnel := p.Tunnel()
		if tunnel == ip.NoTunnel || !e.open(p) {
			break
		}
		e.decoder.others.opened(tunnel)
	}
	if p.Protocol == ip.ProtocolUDP && e.udp(p, info) || p.Protocol == ip.ProtocolTCP && e.tcp(p, info) {
		e.decoder.counters.Recognised += int64(p.Carriers)
		return
	}
	e.decoder.others.other(ip.KindOf(p), 0) // does nothing if the packet was counted with its conversation
}

// join adds a fragment to its datagram and reports whether the datagram is whole; then p holds it.
func (e *Engine) join(p *ip.Packet, info *PacketInfo) bool {
	if info.Joined != nil {
		p.Payload = bytes.Clone(p.Payload) // Add may write to the buffer it lies in
		info.Joined = nil                  // it lies there as well
	}
	tunnels := p.Tunnels
	var whole bool
	info.Datagram, whole = e.fragments.Add(p, e.newest.Frame, e.newest.Time, p)
	p.Tunnels = tunnels
	if whole {
		e.decoder.others.joined(info.Datagram)
		info.Joined, info.Missing, info.Before = p.Payload, p.Missing, p.Header
	}
	return whole
}

// udp takes a whole UDP packet and reports whether its conversation is recognised.
func (e *Engine) udp(p *ip.Packet, info *PacketInfo) bool {
	d := &e.datagram
	if !ReadDatagram(p, d) {
		return false
	}
	key, fromB := makeKey(wire.UDP, d.Src, d.Dst)
	c := e.conversations.find(&key)
	c.last = e.newest.Time
	from := endIf(fromB)
	info.Transport, info.Conversation, info.Second = wire.UDP, int(c.number), fromB
	if c.protocol == 0 {
		waits := e.recogniser.recognise(c, from, d, &e.newest, p.Carriers)
		if c.protocol == 0 {
			c.pend(len(d.Payload))
			e.decoder.others.conversation(p, c, waits)
			return false
		}
		e.decoder.decodeHeld(c, e.recogniser.release(c))
		e.decoder.skipPending(c)
	}
	if p.Carriers > 1 {
		e.conversations.noteHosts(c) // fragments without ports may follow
	}
	speaks := e.recogniser.protocols.of(c)
	place := &e.place
	*place = wire.Place{
		Frame: e.newest.Frame, File: e.newest.File, Time: e.newest.Time,
		Conversation: int(c.number), Lane: c.lane(from), Src: d.Src, Dst: d.Dst,
	}
	d.Lane = place.Lane
	if len(d.Payload) == 0 && d.Missing > 0 {
		place.Protocol = speaks.Protocol
		text := "0 of " + strconv.Itoa(d.Missing) + " bytes were captured"
		e.decoder.sink.finding(&wire.TrafficFinding{Place: *place, Rule: RuleTruncated, Text: text})
	}
	e.decoder.raw(place, c.direction(from), d.Payload)
	e.decoder.decodeDatagram(c, from, d, place)
	info.Protocol = speaks.Protocol
	return true
}

// tcp takes a TCP packet and reports whether its conversation is recognised.
func (e *Engine) tcp(p *ip.Packet, info *PacketInfo) bool {
	s := &e.segment
	if !s.Parse(p.Payload, p.Missing) {
		return false
	}
	key, fromB := makeKey(wire.TCP, netip.AddrPortFrom(p.Src, s.SrcPort), netip.AddrPortFrom(p.Dst, s.DstPort))
	c := e.conversations.find(&key)
	c.last = e.newest.Time
	connection := e.conversations.tcp(c)
	if connection == nil {
		connection = e.streams.connect(c)
	}
	from := endIf(fromB)
	side := int(from - endA)
	if !connection.Add(&e.streams.Assembler, side, s) {
		e.closeConnection(c, tcp.Replaced)
		e.conversations.renew(c)
		connection = e.streams.connect(c)
		connection.Add(&e.streams.Assembler, side, s)
	}
	if c.server == noEnd && s.Flags.Has(tcp.SYN) {
		way := wire.ToServer // the client opens a connection
		if s.Flags.Has(tcp.ACK) {
			way = wire.FromServer
		}
		c.setServer(from, way)
	}
	info.Transport, info.Conversation, info.Second, info.At = wire.TCP, int(c.number), fromB, s.At
	if c.protocol == 0 {
		connection.sides[side].packets += uint32(p.Carriers)
		e.decoder.others.conversation(p, c, true)
		return false
	}
	info.Protocol = e.recogniser.protocols.of(c).Protocol
	return true
}

// closeConnection ends the streams of a conversation, if it has some, and counts its waiting packets.
func (e *Engine) closeConnection(c *conversation, why tcp.Ending) {
	e.decoder.pass() // many may be closed in a row, each with findings
	if connection := e.conversations.tcp(c); connection != nil {
		connection.Close(&e.streams.Assembler, why)
	}
	e.decoder.others.foreign(c.place)
}

// forgotten is called before a conversation is forgotten.
func (e *Engine) forgotten(c *conversation) {
	e.closeConnection(c, tcp.Expired)
	e.recogniser.release(c)
}

// fragmentLost reports a datagram with a missing fragment, if it is likely a game's: by its ports, or by its hosts if
// the fragment with the ports is missing.
func (e *Engine) fragmentLost(l ip.LostDatagram) {
	if l.Protocol != ip.ProtocolUDP {
		return
	}
	place := wire.Place{Frame: l.LastFrame, File: e.newest.File, Time: l.Time, Conversation: NoConversation}
	place.Src, place.Dst = netip.AddrPortFrom(l.Src, 0), netip.AddrPortFrom(l.Dst, 0)
	var p *protocol
	if len(l.Head) >= 4 {
		place.Src = netip.AddrPortFrom(l.Src, binary.BigEndian.Uint16(l.Head))
		place.Dst = netip.AddrPortFrom(l.Dst, binary.BigEndian.Uint16(l.Head[2:]))
		key, _ := makeKey(wire.UDP, place.Src, place.Dst)
		if c := e.conversations.look(&key, e.conversations.hash(&key)); c != nil {
			p = e.recogniser.protocols.of(c)
			place.Conversation = int(c.number)
		} else {
			p = e.recogniser.byPort(place.Src.Port(), place.Dst.Port())
		}
	} else {
		pair := makePair(l.Src, l.Dst)
		if c := e.conversations.ofHosts(&pair); c != nil {
			p = e.recogniser.protocols.of(c)
		}
	}
	if p == nil {
		return
	}
	if e.options.Lost != nil {
		e.options.Lost(l.Number)
	}
	place.Protocol = p.Protocol
	missing := "an unknown number of bytes is missing"
	if l.Missing >= 0 {
		missing = strconv.Itoa(l.Missing) + " are missing"
	}
	text := fmt.Sprintf("datagram %d of %s: %d bytes came in frames %d to %d, %s",
		l.ID, l.Src, l.Present, l.FirstFrame, l.LastFrame, missing)
	if l.Crowded {
		text += ": too many others wait for fragments"
	}
	e.decoder.skip(LackFragment, l.Present)
	e.decoder.sink.finding(&wire.TrafficFinding{Place: place, Rule: RuleFragmentLost, Text: text})
}
