package bzflag17

import (
	"bytes"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// probeStream recognises a connection by its hello, by the port that a hello announced, or by two consecutive messages.
func probeStream(p *wire.Probe) wire.Verdict {
	if v := isHello(p.Payload); v != wire.No && p.PortDirection() != wire.ToServer {
		return wire.Verdict{Confidence: v, Direction: wire.FromServer}
	}
	return framing.ProbeStream(p)
}

// isHello reports how likely it is that data is the hello of 1.07. data contains the first bytes that a server sent on
// a connection. The result is Sure if data begins with Version. It is Maybe if data is the beginning of Version, or the
// hello of another release.
func isHello(data []byte) wire.Confidence {
	n := min(len(data), len(Version))
	switch {
	case string(data[:n]) == Version:
		return wire.Sure
	case n > 0 && strings.HasPrefix(Version, string(data[:n])), bytes.HasPrefix(data, []byte(bzflag.Magic)):
		return wire.Maybe
	}
	return wire.No
}

// pingRequest is the beginning of a client's ping. Two bytes with the TTL follow.
var pingRequest = []byte{0, 2, 4, 4}

// probe recognises datagrams of the UDP link, pings, and updates between players. A datagram with an update contains
// only this message.
func probe(p *wire.Probe) wire.Verdict {
	data, size := p.Payload, len(p.Payload)+p.Missing
	if v := probeLink(data, p.Missing); v > wire.No {
		return wire.Verdict{Confidence: v}
	}
	if len(data) < headerSize {
		return wire.Verdict{}
	}
	h := bzflag.PeekHeader(data)
	length, code := int(h.Length), h.Code
	switch code {
	case CodePingReply, CodePingRequest, CodePingOldRequest:
		return probePing(p, code, length, size)
	case CodePlayerUpdate, CodeGMUpdate:
		if size != headerSize+length || !framing.LengthFits(wire.PeerToPeer, data) {
			return wire.Verdict{}
		}
		if p.Dst.Port() == BroadcastPort && p.Dst.Addr().IsMulticast() {
			return wire.Verdict{Confidence: wire.Sure, Direction: wire.PeerToPeer}
		}
		return wire.Verdict{Confidence: wire.Likely, Direction: wire.PeerToPeer}
	}
	return wire.Verdict{}
}

// probePing recognises pings. Later versions of the game send the same request to the broadcast port, always with a TTL
// of zero. probePing leaves these to the packages of the later versions.
func probePing(p *wire.Probe, code Code, length, size int) wire.Verdict {
	data := p.Payload
	likely := wire.Verdict{Confidence: wire.Likely, Direction: wire.ToServer}
	switch {
	case code == CodePingReply && size == pingReplySize && bytes.HasPrefix(data[headerSize:], []byte(Version)):
		return wire.Verdict{Confidence: wire.Sure, Direction: wire.FromServer}
	case code == CodePingRequest && bytes.HasPrefix(data, pingRequest) && size == headerSize+2:
		if p.Dst.Port() == ServerPort || len(data) == size && (data[4] != 0 || data[5] != 0) {
			return likely
		}
	case code == CodePingOldRequest && length <= 2 && size <= headerSize+2 && p.Dst.Port() == ServerPort:
		return likely
	}
	return wire.Verdict{}
}
