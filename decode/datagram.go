package decode

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// join adds a fragment to its datagram and reports whether the datagram is whole; then p holds it.
func (e *Engine) join(p *ip.Packet, info *PacketInfo) bool {
	if info.Joined != nil {
		p.Payload = bytes.Clone(p.Payload) // Add may write to the buffer it lies in
		info.Joined = nil                  // it lies there as well
	}
	e.conversations.meetFragments()
	tunnels := p.Tunnels
	var whole bool
	e.fragments.File = e.newest.File
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
	place := &e.place
	*place = wire.Place{
		Frame: e.newest.Frame, File: e.newest.File, Time: e.newest.Time,
		Conversation: int(c.number), Lane: c.lane(from), Src: d.Src, Dst: d.Dst,
	}
	unique := fingerprintOf(d.Payload, p.ID, e.newest.Time, e.frame.Data)
	place.Repeated = e.conversations.repeated(c, from, &unique)
	known, waits := c.protocol != 0, false
	if !known {
		waits = e.recogniser.recognise(c, from, d, place, p.Carriers)
	}
	if (waits || c.protocol != 0) && !place.Repeated {
		e.conversations.remember(c, from, &unique)
	}
	switch {
	case c.protocol == 0:
		c.pend(len(d.Payload))
		e.decoder.others.conversation(p, c, waits)
		return false
	case !known:
		e.decoder.decodeHeld(c, e.recogniser.release(c))
		e.decoder.skipPending(c)
	}
	if p.Carriers > 1 {
		e.conversations.noteHosts(c) // fragments without ports may follow
	}
	e.streams.checkBeside(&c.hosts)
	speaks := e.recogniser.protocols.of(c)
	d.Lane = place.Lane
	if len(d.Payload) == 0 && d.Missing > 0 {
		place.Protocol = speaks.Protocol
		text := "0 of " + strconv.Itoa(d.Missing) + " bytes were captured"
		e.decoder.out.finding(&wire.TrafficFinding{Place: *place, Rule: RuleTruncated, Text: text})
	}
	e.decoder.raw(place, c.direction(from), d.Payload)
	e.decoder.decodeDatagram(c, from, d, place)
	info.Protocol = speaks.Protocol
	return true
}

// fragmentLost reports a datagram with a missing fragment, if it is likely a game's: by its ports, or by its hosts if
// the fragment with the ports is missing.
func (e *Engine) fragmentLost(l ip.LostDatagram) {
	if l.Protocol != ip.ProtocolUDP {
		return
	}
	place := wire.Place{Frame: l.LastFrame, File: l.File, Time: l.Time, Conversation: NoConversation}
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
	if l.Missing < 0 && len(l.Head) >= 6 { // the last fragment is missing, the length in UDP's header is not
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
	e.decoder.skip(LackFragment, l.Present)
	e.decoder.out.lost(p, &place)
	e.decoder.out.finding(&wire.TrafficFinding{Place: place, Rule: RuleFragmentLost, Text: text})
}
