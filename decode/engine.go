package decode

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// An Engine finds messages in frames. It must not be used concurrently.
type Engine struct {
	options       Options
	memory        memory
	decoder       decoder
	recogniser    recogniser
	conversations *conversations
	streams       streams
	datagrams     datagrams
	tunnels       tunnels
	newest        tcp.Origin // number, file and time of the current frame
	now           int64      // the latest packet time since the clock last jumped
	captureClock  captureClock
	frames        int64 // number of frames so far, including skipped ones
	closed        bool

	// Scratch variables. They are passed by address to functions in Options and methods of interfaces, so local
	// variables would be allocated for each frame.
	packet  ip.Packet
	segment tcp.Segment
	info    PacketInfo
}

// New makes an engine.
func New(o Options) *Engine {
	e := &Engine{options: o, memory: newMemory(&o)}
	e.conversations = newConversations(e.memory.decoding)
	protocols := newProtocols(o.Protocols, e.memory.decoding)
	e.recogniser = newRecogniser(&o, protocols, e.conversations, &e.memory)
	d := newDispatcher(&e.options, protocols, e.memory.tracking)
	e.decoder = decoder{options: &e.options, protocols: protocols, dispatcher: d, out: d, others: e.recogniser.others}
	if o.Parallel && o.Raw == nil && o.Packet == nil && o.Partial == nil && o.Lost == nil {
		e.decoder.pipeline = newPipeline(d, len(protocols))
		e.decoder.out = e.decoder.pipeline
	}
	e.streams.decoder, e.streams.recogniser = &e.decoder, &e.recogniser
	e.streams.Memory, e.streams.History = e.memory.streams, e.memory.history
	e.conversations.evicted = e.forgotten
	e.tunnels.recogniser, e.datagrams.streams = &e.recogniser, &e.streams
	e.datagrams.fragments = ip.Defragmenter{
		Memory: e.memory.fragments, Lost: e.datagrams.lost, Dropped: e.decoder.others.dropped,
	}
	reportForgotten(e.memory.decoding, e.Find, e.here)
	reportForgotten(e.memory.held, e.Find, e.here)
	return e
}

// here returns the place of the current frame.
func (e *Engine) here() wire.Place {
	return wire.Place{Frame: e.newest.Frame, File: e.newest.File, Time: e.newest.Time, Conversation: NoConversation}
}

// Frame handles the next frame. It calls the functions in Options before it returns, except with Options.Parallel: then
// other goroutines call them later.
func (e *Engine) Frame(f *Frame) {
	e.begin(f, true)
	counters := &e.decoder.counters
	counters.Packets++
	counters.Bytes += int64(max(f.Length, len(f.Data))) // some writers set the wire length to 0
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

// Skip advances the time to the time of a frame, without decoding the frame. This lets several engines share a capture:
// one engine decodes a frame, and the others skip it. Together they find what one engine would find, if conversations
// that depend on each other go to the same engine.
func (e *Engine) Skip(f *Frame) { e.begin(f, false) }

// begin begins the next frame. own means that this engine decodes the frame.
func (e *Engine) begin(f *Frame, own bool) {
	e.decoder.pass()
	e.frames++
	sameFile := f.File == e.newest.File
	if !sameFile {
		e.newest.File = f.File
	}
	e.newest.Serial, e.newest.Frame, e.newest.Time = e.frames, f.Number, f.Time
	before := e.captureClock.last
	if e.captureClock.jumps(f.Time) {
		e.jump()
		step := clock.Elapsed(before.When(), f.Time)
		if sameFile || step < 0 { // a file may begin long after the end of the previous one
			e.captureClock.notable++
			if own && e.captureClock.notable == 1 {
				e.reportJump(step)
			}
		}
	}
	e.memory.turn(e.streams.Bytes() + e.datagrams.fragments.Bytes())
	e.expire(&e.newest)
}

// jump sets the time to the time of the current packet, which may be earlier. After a jump, messages of any connection
// may be missing.
func (e *Engine) jump() {
	e.now = e.newest.Time
	for _, c := range e.conversations.connections[1:] {
		if c != nil {
			c.noteLoss()
		}
	}
	e.decoder.out.jump(tick{e.now, e.memory.decoding.Used()})
}

// reportJump reports the first jump in a capture.
func (e *Engine) reportJump(step int64) {
	text := fmt.Sprintf("no packet came for %s", time.Duration(step).Round(time.Millisecond))
	if step < 0 {
		text = fmt.Sprintf("this packet is %s older than one before it", time.Duration(-step).Round(time.Millisecond))
	}
	e.decoder.out.finding(&wire.TrafficFinding{Place: e.here(), Rule: RuleJump, Text: text})
}

// found handles the result of the search for a packet in a frame.
func (e *Engine) found(outcome ip.Outcome, f *Frame) {
	e.decoder.others.beginPacket()
	switch outcome {
	case ip.Found:
		e.info = PacketInfo{Conversation: NoConversation, Packet: &e.packet}
		e.ip(&e.packet, &e.info, f.Data)
		if e.options.Packet != nil {
			e.options.Packet(&e.info)
		}
		return
	case ip.UnknownLink:
		e.decoder.counters.noteLink(f)
	case ip.TooDeep:
		e.tooDeep()
	}
	e.decoder.others.other(e.packet.Kind, 0)
}

// tooDeep reports a packet inside more than ip.MaxTunnels tunnels.
func (e *Engine) tooDeep() {
	text := "the packet came through more than " + strconv.Itoa(ip.MaxTunnels) + " tunnels"
	e.decoder.out.finding(&wire.TrafficFinding{Place: e.here(), Rule: RuleNested, Text: text})
}

// Time advances the time when no frame comes. It drops fragments and gaps that have waited too long, and reports
// findings about silence. Later frames may have earlier times.
func (e *Engine) Time(now int64) {
	if now <= e.now || e.frames == 0 {
		return
	}
	e.decoder.pass()
	e.captureClock.last = clock.At(now)
	o := e.newest
	o.Time = now
	e.expire(&o)
}

// expire advances the time to the time of a packet. It drops fragments and gaps that have waited too long.
func (e *Engine) expire(o *tcp.Origin) {
	e.datagrams.fragments.Expire(o.Time)
	e.conversations.expire(o.Time)
	// Begin must precede the tick: the tick reports overdue answers, and Begin may deliver such an answer or report its
	// loss.
	e.streams.Begin(*o)
	// A packet may have an earlier time than the previous ones, but only a jump sets the time back.
	if o.Time > e.now || e.frames <= 1 {
		e.now = o.Time
		e.decoder.out.tick(tick{o.Time, e.memory.decoding.Used()})
	}
}

// Find delivers a finding from the caller, such as a finding about the capture file, after all earlier messages.
func (e *Engine) Find(f *wire.TrafficFinding) {
	e.decoder.pass()
	e.decoder.out.finding(f)
}

// Close ends the capture. It delivers the remaining messages and findings, and ends the goroutines that
// Options.Parallel started, so it must be called. Further calls do nothing.
func (e *Engine) Close() {
	if e.closed {
		return
	}
	e.closed = true
	e.datagrams.fragments.Flush()
	all := e.conversations
	for c := all.At(all.Stalest()); c != nil; c = all.At(all.Newer(c.place)) {
		e.closeConnection(c, tcp.CaptureEnded)
	}
	e.decoder.close()
}

// Counters returns the counts so far.
func (e *Engine) Counters() Counters {
	c := e.decoder.counters
	c.UnknownLinks = slices.Clone(c.UnknownLinks)
	c.Other = c.Packets - c.Recognised
	c.Forgotten = e.memory.Forgotten()
	return c
}

// Part returns a budget with one eighth of the engine's memory, for functions in Options that store data about
// messages. It must be called before the first frame. Each message begins a new turn of the budget, see bounded.Budget.
func (e *Engine) Part() *bounded.Budget {
	return e.memory.tracking.Part(e.memory.tracking.Limit() / partShare)
}

// Others returns the counts of the packets in Counters.Other, by kind, the most frequent kind first. It requires
// Options.Others. If there are too many kinds, the rarest are counted together and come last. Until Close, packets
// whose conversation may still be recognised are missing. After Close, the counts add up to Counters.Other.
func (e *Engine) Others() []OtherTraffic { return e.decoder.others.all() }

// Forgotten returns the same counts as Counters.Forgotten: what the engine has dropped so far because its memory was
// full. Any goroutine may call it.
func (e *Engine) Forgotten() []bounded.Forgotten { return e.memory.Forgotten() }

// ip handles an IP packet of a frame.
func (e *Engine) ip(p *ip.Packet, info *PacketInfo, frame []byte) {
	for {
		info.Tunnels = p.Tunnels
		if p.Fragment && !e.datagrams.join(p, info, &e.newest) {
			e.decoder.others.fragment(p, info.Datagram)
			return
		}
		tunnel, outcome := e.tunnels.open(p)
		if outcome == ip.TooDeep {
			e.tooDeep()
		}
		if outcome != ip.Found {
			break
		}
		e.decoder.others.opened(tunnel)
	}
	if p.Protocol == ip.ProtocolUDP && e.datagrams.udp(p, info, &e.newest, frame) ||
		p.Protocol == ip.ProtocolTCP && e.tcp(p, info) {
		e.decoder.counters.Recognised += int64(p.Carriers)
		return
	}
	if u, ok := p.Undelivered(); ok {
		e.undelivered(&u)
	}
	e.decoder.others.other(ip.KindOf(p), 0) // no effect if the packet was counted with its conversation
}

// tcp handles a TCP packet. It reports whether its conversation is recognised.
func (e *Engine) tcp(p *ip.Packet, info *PacketInfo) bool {
	s := &e.segment
	if !s.Parse(p.Payload, p.Missing) {
		return false
	}
	key, fromB := e.conversations.key(wire.TCP, netip.AddrPortFrom(p.Src, s.SrcPort), netip.AddrPortFrom(p.Dst, s.DstPort))
	c := e.conversations.find(&key)
	c.last = e.newest.Time
	connection := e.conversations.tcp(c)
	if connection == nil {
		connection = e.streams.connect(c)
	}
	from := endIf(fromB)
	side := int(from - endA)
	if len(s.Payload) > 0 && !connection.foreign() {
		s.Sum = sumOf(p)
	}
	e.closes(connection, from, s)
	if !connection.Add(&e.streams.Assembler, side, s) {
		connection = e.reconnect(c, connection, side, s)
	}
	if c.server == noEnd && s.Flags.Has(tcp.SYN) && !s.Ignored {
		way := wire.ToServer // the client opens a connection
		if s.Flags.Has(tcp.ACK) {
			way = wire.FromServer
		}
		c.setServer(from, way)
	}
	if !s.Ignored {
		e.signal(connection, from, s)
	}
	e.streams.noteWaiting(connection)
	if s.Flags&(tcp.FIN|tcp.RST) != 0 && connection.splitter != nil {
		connection.checkBehind() // messages before the end may be among the missing bytes
	}
	info.Transport, info.Conversation, info.Second, info.At = wire.TCP, int(c.number), fromB, s.At
	info.Damaged = s.Ignored && s.At > 0
	if c.protocol == 0 {
		connection.sides[side].packets += uint32(p.Carriers)
		e.decoder.others.conversation(p, c, true)
		return false
	}
	if s.Late {
		e.decoder.counters.OutOfOrder++
	}
	info.Protocol = e.recogniser.protocols.of(c).Protocol
	return true
}

// reconnect replaces a connection with a new one on the same ports, and passes a segment to the new one. If the segment
// answers a SYN that the old connection has kept, the new connection begins with that SYN.
func (e *Engine) reconnect(c *conversation, old *connection, side int, s *tcp.Segment) *connection {
	syn, by, strayed := e.streams.Stray(&old.Connection)
	strayed = strayed && (!s.Flags.Has(tcp.SYN) || by != side)
	e.closeConnection(c, tcp.Replaced)
	e.conversations.renew(c)
	connection := e.streams.connect(c)
	switch {
	case strayed:
		c.setServer(endA+end(by), wire.ToServer)
		connection.Add(&e.streams.Assembler, by, &syn)
		e.signal(connection, endA+end(by), &syn)
	case !s.Flags.Has(tcp.SYN):
		connection.middle = &middle{second: true}
	}
	connection.Add(&e.streams.Assembler, side, s)
	return connection
}

// sumOf verifies the checksum of a TCP packet.
func sumOf(p *ip.Packet) tcp.Sum {
	switch right, known := p.Checksum(); {
	case right:
		return tcp.Right
	case known:
		return tcp.Wrong
	}
	return tcp.Unchecked
}

// closeConnection ends the streams of a conversation, if it has any. Packets that still wait for the conversation to be
// recognised count as other traffic.
func (e *Engine) closeConnection(c *conversation, why tcp.Ending) {
	e.decoder.pass() // many connections may close in a row, each with findings
	if connection := e.conversations.tcp(c); connection != nil {
		connection.Close(&e.streams.Assembler, why)
		e.streams.noteWaiting(connection)
	}
	if p := e.decoder.protocols.of(c); p != nil && why != tcp.CaptureEnded {
		if s, ok := p.session.(wire.Closer); ok {
			a, b := e.conversations.path(&c.endpoints, endA)
			s.Closed(wire.Transport(c.transport), a, b)
		}
	}
	e.decoder.others.foreign(c.place)
}

// forgotten is called before a conversation is dropped.
func (e *Engine) forgotten(c *conversation) {
	e.closeConnection(c, tcp.Expired)
	e.recogniser.release(c)
}
