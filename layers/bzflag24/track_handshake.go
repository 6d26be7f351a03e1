package bzflag24

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// replayWatchers is the lowest number of players who watch a replay.
const replayWatchers PlayerID = 200

// handshake is the state of a client that joins or leaves.
type handshake struct {
	begun     bool // the capture has the connection from its beginning, without gaps
	header    bool
	hello     bool
	full      bool         // the server was full, so its hello assigned no number
	player    PlayerID     // NoPlayer: not known
	speaker   PlayerID     // player in the client's messages, if player is not known; NoPlayer: not known
	enterSeen bool         // the client sent a MsgEnter
	entered   clock.Moment // time of the request to join
	accepted  clock.Moment
	joined    bool            // the server announced the player
	replayed  bool            // a replay began after the player joined
	killed    clock.Moment    // time of MsgSuperKill
	departed  bool            // the player's departure was recorded
	reject    *bzflag.Outcome // pending finding about a MsgReject without a MsgSuperKill

	// These fields are from MsgEnter.
	kindKnown bool
	kind      PlayerType
	callSign  string
	version   string
}

// takeHeader handles the header that a client sends first.
func (h *handshake) takeHeader(m message) { h.begun, h.header = !m.place.Lossy, true }

// takeHello handles the hello of a 2.4 server.
func (h *handshake) takeHello(m message, b *ServerHello) {
	h.begun, h.hello, h.player = !m.place.Lossy, true, b.Player.ID
	h.full = b.Player.ID == NoPlayer
}

// enter records that the client requests to join.
func (h *handshake) enter(now int64) {
	if !h.entered.Known() {
		h.entered = clock.At(now)
	}
}

// takeEnter handles MsgEnter.
func (h *handshake) takeEnter(b *Enter) {
	h.kindKnown, h.kind, h.callSign, h.version = true, b.Type, callSign(b.CallSign), string(wire.Trim(b.Version))
}

// checkFull reports the first message after a hello without a number, which means that the server is full.
func (h *handshake) checkFull(m message, what string) {
	if h.full && m.tcp() {
		h.full = false // report only one message
		m.layer.Report(ruleFull, 0, bzflag.HeaderSize, "%s %s", m.layer.Message.Name, what)
	}
}

// checkDismissed checks that the server does not send a message to a client after refusing or removing it.
func (h *handshake) checkDismissed(m message) {
	h.checkFull(m, "to a client that was given no number")
	if after := m.since(h.killed.When()); h.killed.Known() && (m.tcp() || after > lagUDP) {
		m.layer.Report(ruleSuperKill, 0, min(bzflag.HeaderSize, len(m.layer.Contents)),
			"%s, %.3f s after MsgSuperKill", m.layer.Message.Name, seconds(after))
	}
}

// takeAccept handles MsgAccept.
func (h *handshake) takeAccept(m message, p *Player) {
	if h.player != NoPlayer && h.hello && p.ID != h.player {
		m.layer.Report(ruleAcceptID, bzflag.HeaderSize, 1, "the number is %d, the hello said %d", p.ID, h.player)
	} else {
		h.player = p.ID
	}
	h.enter(m.place.Time)
	h.accepted = clock.At(m.place.Time)
}

// checkSender reports whether a client acts as its own player. If not, it adds a finding; off is the offset of the
// player in the message.
func (h *handshake) checkSender(m message, as *Player, off int) bool {
	if h.player == NoPlayer {
		h.speaker = as.ID
		return true
	}
	if as.ID == h.player {
		return true
	}
	m.layer.Report(ruleForeign, off, 1, "player %d speaks as %s", h.player, as)
	return false
}

// takeLinkRequest handles a datagram in which a client names its player.
func (h *handshake) takeLinkRequest(m message, r *LinkRequest) {
	if h.checkSender(m, &r.Player, bzflag.HeaderSize) {
		h.player = r.Player.ID
	}
}

// isNewcomer reports whether the server may still be describing the game to the client.
func (h *handshake) isNewcomer(now int64) bool {
	return h.begun && (!h.joined || h.accepted.Within(now, lagUDP))
}

// watchesReplay reports whether the client watches a replay. In a replay, the server may announce players long after
// they joined.
func (h *handshake) watchesReplay() bool {
	return h.player >= replayWatchers && int(h.player) < maxTanks
}
