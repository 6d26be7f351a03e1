package decode

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// datagrams handles UDP packets and joins fragments. It shares the decoder, recogniser and conversations with streams.
type datagrams struct {
	*streams
	fragments ip.Defragmenter

	// Scratch variables, see Engine.
	datagram wire.Datagram
	place    wire.Place
}

// join adds a fragment to its datagram. It reports whether the datagram is now complete. If it is, join stores it in p.
func (x *datagrams) join(p *ip.Packet, info *PacketInfo, at *tcp.Origin) bool {
	if info.Joined != nil {
		p.Payload = bytes.Clone(p.Payload) // Add may write to the buffer that contains p.Payload
		info.Joined = nil                  // info.Joined is in the same buffer
	}
	x.conversations.meetFragments()
	tunnels := p.Tunnels
	var whole bool
	x.fragments.File = at.File
	info.Datagram, whole = x.fragments.Add(p, at.Frame, at.Time, p)
	p.Tunnels = tunnels
	if whole {
		x.decoder.others.joined(info.Datagram)
		info.Joined, info.Missing, info.Before = p.Payload, p.Missing, p.Header
	}
	return whole
}

// udp handles a complete UDP packet of a frame. It reports whether its conversation is recognised.
func (x *datagrams) udp(p *ip.Packet, info *PacketInfo, at *tcp.Origin, frame []byte) bool {
	d := &x.datagram
	if !ReadDatagram(p, d) {
		return false
	}
	key, fromB := x.conversations.key(wire.UDP, d.Src, d.Dst)
	c := x.conversations.find(&key)
	c.last = at.Time
	from := endIf(fromB)
	info.Transport, info.Conversation, info.Second = wire.UDP, int(c.number), fromB
	place := &x.place
	*place = wire.Place{
		Frame: at.Frame, File: at.File, Time: at.Time,
		Conversation: int(c.number), Lane: c.lane(from), Src: d.Src, Dst: d.Dst,
	}
	unique := fingerprintOf(d.Payload, p.ID, at.Time, frame)
	place.Repeated = x.conversations.repeated(c, from, &unique)
	if len(d.Payload)+d.Missing == 0 {
		x.empty(place)
	}
	known, waits := c.protocol != 0, false
	if !known {
		waits = x.recognise(c, from, d, place, p.Carriers)
	}
	if (waits || c.protocol != 0) && !place.Repeated {
		x.conversations.remember(c, from, &unique)
	}
	switch {
	case c.protocol == 0:
		c.pend(len(d.Payload))
		x.decoder.others.conversation(p, c, waits)
		return false
	case !known:
		x.decodeHeld(c, x.release(c))
		x.skipPending(c)
	}
	if p.Carriers > 1 {
		x.conversations.noteHosts(c) // the next packets may be fragments without ports
	}
	x.checkBeside(c)
	speaks := x.decoder.protocols.of(c)
	d.Lane = place.Lane
	if len(d.Payload) == 0 && d.Missing > 0 {
		place.Protocol = speaks.Protocol
		text := "0 of " + strconv.Itoa(d.Missing) + " bytes were captured"
		x.out.finding(&wire.TrafficFinding{Place: *place, Rule: RuleTruncated, Text: text})
	}
	x.raw(place, c.direction(from), d.Payload)
	x.decodeDatagram(c, from, d, place)
	info.Protocol = speaks.Protocol
	return true
}

// empty sends a signal if an empty datagram goes to a known server.
func (x *datagrams) empty(place *wire.Place) {
	if p := x.decoder.protocols.named(x.servers.speaks(x.conversations.of(place.Dst))); p != nil && !place.Repeated {
		about := *place
		about.Transport, about.Protocol = wire.UDP, p.Protocol
		x.out.signal(wire.NoBytes, p, &about)
	}
}

// lost reports a datagram that lacks a fragment, if the datagram probably belongs to a game. It judges by the ports, or
// by the hosts if the missing fragment contains the ports.
func (x *datagrams) lost(l ip.LostDatagram) {
	if l.Protocol != ip.ProtocolUDP {
		return
	}
	place := wire.Place{Frame: l.LastFrame, File: l.File, Time: l.Time, Conversation: NoConversation}
	place.Src, place.Dst = netip.AddrPortFrom(l.Src, 0), netip.AddrPortFrom(l.Dst, 0)
	var p *protocol
	if len(l.Head) >= 4 {
		place.Src = netip.AddrPortFrom(l.Src, binary.BigEndian.Uint16(l.Head))
		place.Dst = netip.AddrPortFrom(l.Dst, binary.BigEndian.Uint16(l.Head[2:]))
		key, _ := x.conversations.key(wire.UDP, place.Src, place.Dst)
		if c := x.conversations.look(&key, x.conversations.hash(&key)); c != nil {
			p = x.decoder.protocols.of(c)
			place.Conversation = int(c.number)
		} else {
			p = x.byPort(place.Src.Port(), place.Dst.Port())
		}
	} else {
		pair := x.conversations.pair(l.Src, l.Dst)
		if c := x.conversations.ofHosts(&pair); c != nil {
			p = x.decoder.protocols.of(c)
		}
	}
	if p == nil {
		return
	}
	if x.options.Lost != nil {
		x.options.Lost(l.Number)
	}
	place.Protocol = p.Protocol
	if l.Missing < 0 && len(l.Head) >= 6 { // the last fragment is missing, but the UDP header contains the length
		l.Missing = max(int(binary.BigEndian.Uint16(l.Head[4:]))-l.Present, -1)
	}
	missing := "an unknown number of bytes is missing"
	if l.Missing >= 0 {
		missing = strconv.Itoa(l.Missing) + " are missing"
	}
	frames := fmt.Sprintf("frame %d", l.LastFrame)
	if l.FirstFrame != l.LastFrame {
		frames = fmt.Sprintf("frames %d to %d", l.FirstFrame, l.LastFrame)
	}
	text := fmt.Sprintf("datagram of %s with the id %d: %d bytes came in %s, %s", l.Src, l.ID, l.Present, frames, missing)
	if l.Crowded {
		text += ": too many others wait for fragments"
	}
	x.skip(LackFragment, l.Present)
	x.out.lost(p, &place)
	x.out.finding(&wire.TrafficFinding{Place: place, Rule: RuleFragmentLost, Text: text})
}
