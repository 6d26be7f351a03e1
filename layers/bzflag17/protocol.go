package bzflag17

import (
	"bytes"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// Protocol is what the engine has to know. Streams are recognised with IsHello and Plausible and
// cut with Split; datagrams of the UDP link are opened with OpenUDPLink.
var Protocol = &wire.Protocol{
	Name:     "bzflag17",
	Title:    "BZFlag 1.07",
	Type:     LayerType,
	UDP:      []uint16{ServerPort, BroadcastPort},
	Messages: messages,
	New:      func() wire.Layer { return new(Layer) },
	Probe:    probe,
	NewSession: func() wire.Session {
		return &session{announced: make(map[netip.AddrPort]bool), downloads: bzflag.Downloads{Max: maxWorld}}
	},
	TCP:         []uint16{ServerPort},
	AnyPort:     true,
	Unwrap:      part,
	ProbeStream: probeStream,
	NewSplitter: func() wire.Splitter { return stream{} },
	NewTracker:  newTracker,
	Rules: append([]*wire.Rule{
		ruleLength, ruleTooLong, ruleCode, ruleDirection, ruleVersion, ruleWorld, ruleEnum, rulePadding, ruleASCII,
		ruleForward, ruleGrabStatus, ruleFlagType, ruleEndReason, ruleStatus, ruleNumber, ruleMotion, ruleActive, ruleTTL,
	}, trackerRules...),
	Private: private,
	Secret:  bzflag.FindSecret,
	Differences: []string{
		"MsgTeleport is drawn with the code and the lengths of MsgScore (sc); its real code is tp. `--dialect document` reads sc as MsgTeleport, and nothing then shows a MsgScore.",
		"MsgTeamUpdate is drawn with the code of MsgTimeLeft (to); its real code is tu. The length tells the two apart.",
		"MsgShotEnd's reason is 1 for a shot that hit a tank, and 0 for one whose explosion others draw; the document has it the other way round (`--dialect document`).",
		"`remaining` of MsgGetWorld counts the part it comes with; in the document what follows that part. Parts have 256 bytes, not up to 1018.",
		"MsgCaptureFlag names the team in whose base it happened; in the document the team that lost its flag.",
		"The client has to connect again before it closes the first connection; in the document's order real servers refuse it.",
		"1.07e announces one port to all clients, and makes player ids of its own: a player's own MsgAddPlayer has eight bytes more with the new one.",
		"A flag that is Coming has its place in `position`; launch and landing are not set.",
		"Messages that the document lacks: MsgAcquireRadio, MsgReleaseRadio, MsgAudio, MsgVideo, MsgQueryGame, MsgQueryPlayers, the pings, and those of 1.07e (id, wh, of, og, oh, oi, oj). MsgSetTTL comes from clients, and MsgAccept answers MsgNetworkRelay, as well.",
		"The length field of a ping reply counts its own header; all others do not.",
		"The document calls itself 107b, yet describes MsgLagPing, which no server before 1.07e sends.",
	},
}

// pingRequest is how the request of a client begins, behind it two bytes of TTL.
var pingRequest = []byte{0, 2, 4, 4}

// probe recognises datagrams: the UDP link, pings, and updates from player to player, which are
// bare messages as long as their header says.
func probe(p *wire.Probe) wire.Verdict {
	data, size := p.Payload, len(p.Payload)+p.Missing
	if v := isLink(data, p.Missing); v > wire.No {
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
		if size != headerSize+length || !framing.Exact(wire.PeerToPeer, data) {
			return wire.Verdict{}
		}
		if p.Dst.Port() == BroadcastPort && p.Dst.Addr().IsMulticast() {
			return wire.Verdict{Confidence: wire.Sure, Direction: wire.PeerToPeer}
		}
		return wire.Verdict{Confidence: wire.Likely, Direction: wire.PeerToPeer}
	}
	return wire.Verdict{}
}

// probePing judges pings. Later versions of the game send the same request to the broadcast port,
// always with a TTL of zero: those are left to them.
func probePing(p *wire.Probe, code Code, length, size int) wire.Verdict {
	data := p.Payload
	maybe := wire.Verdict{Confidence: wire.Likely, Direction: wire.ToServer}
	switch {
	case code == CodePingReply && size == pingReplySize && bytes.HasPrefix(data[headerSize:], []byte(Version)):
		return wire.Verdict{Confidence: wire.Sure, Direction: wire.FromServer}
	case code == CodePingRequest && bytes.HasPrefix(data, pingRequest) && size == headerSize+2:
		if p.Dst.Port() == ServerPort || len(data) == size && (data[4] != 0 || data[5] != 0) {
			return maybe
		}
	case code == CodePingOldRequest && length <= 2 && size <= headerSize+2 && p.Dst.Port() == ServerPort:
		return maybe
	}
	return wire.Verdict{}
}

// session tells updates between players from what goes to a server or comes from it: they are sent
// to a group, or to everybody. It remembers the ports that hellos announce.
type session struct {
	announced map[netip.AddrPort]bool
	downloads bzflag.Downloads
	try       World
}

// maxAnnounced bounds the memory. A port serves one client, or in 1.07e all of them.
const maxAnnounced = 4096

// Before implements wire.Session.
func (s *session) Before(l wire.Layer, d *wire.Datagram) {
	if toMany(d.Dst.Addr()) {
		l.Core().Context.Direction = wire.PeerToPeer
	}
}

// After implements wire.Session.
func (s *session) After(l wire.Layer, d *wire.Datagram) {
	switch b := l.Core().Body.(type) {
	case *ServerHello:
		s.downloads.Forget(bzflag.Route{Client: d.Dst, Server: d.Src})
		s.announce(netip.AddrPortFrom(d.Src.Addr(), b.ReconnectPort))
	case *WorldRequest:
		s.downloads.Asked(bzflag.Route{Client: d.Src, Server: d.Dst}, int(b.Offset))
	case *WorldPart:
		l.(*Layer).World = came(&s.downloads, bzflag.Route{Client: d.Dst, Server: d.Src}, b, &s.try)
	}
}

// Lost implements wire.Forgetter: a world of which a part is missing is none.
func (s *session) Lost(src, dst netip.AddrPort) {
	s.downloads.Forget(bzflag.Route{Client: src, Server: dst})
	s.downloads.Forget(bzflag.Route{Client: dst, Server: src})
}

// announce remembers a port that a hello announced; zero refuses the client.
func (s *session) announce(server netip.AddrPort) {
	if server.Port() == 0 {
		return
	}
	if len(s.announced) >= maxAnnounced {
		clear(s.announced)
	}
	s.announced[server] = true
}

// Expects implements wire.Expecter.
func (s *session) Expects(server netip.AddrPort) bool { return s.announced[server] }

func toMany(a netip.Addr) bool {
	return a.IsMulticast() || a == netip.AddrFrom4([4]byte{255, 255, 255, 255})
}
