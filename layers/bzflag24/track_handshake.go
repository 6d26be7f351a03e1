package bzflag24

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// replayWatchers is the first number of those who watch a replay.
const replayWatchers PlayerID = 200

// handshake is how far a client has come in joining, and leaving.
type handshake struct {
	begun     bool // the capture has the connection from its beginning, and lost nothing since
	header    bool
	hello     bool
	full      bool         // the hello had no number to assign
	player    PlayerID     // NoPlayer: not known
	speaker   PlayerID     // in whose name the client acts, if player is not known; NoPlayer: nor is that
	enterSeen bool         // a MsgEnter was
	entered   clock.Moment // when the client asked to join
	accepted  clock.Moment
	joined    bool            // the server announced the player
	replayed  bool            // and a replay began since
	killed    clock.Moment    // when MsgSuperKill came
	departed  bool            // its leaving was recorded
	reject    *bzflag.Outcome // a MsgReject that no MsgSuperKill followed yet

	// What MsgEnter says.
	kindKnown bool
	kind      PlayerType
	callSign  string
	version   string
}

// takeHeader takes the header that a client sends first.
func (h *handshake) takeHeader(m message) { h.begun, h.header = !m.place.Lossy, true }

// takeHello takes the hello of a 2.4 server.
func (h *handshake) takeHello(m message, b *ServerHello) {
	h.begun, h.hello, h.player = !m.place.Lossy, true, b.Player.ID
	h.full = b.Player.ID == NoPlayer
}

// enter takes note that the client wants to join.
func (h *handshake) enter(now int64) {
	if !h.entered.Known() {
		h.entered = clock.At(now)
	}
}

// takeEnter takes MsgEnter.
func (h *handshake) takeEnter(b *Enter) {
	h.kindKnown, h.kind, h.callSign, h.version = true, b.Type, callSign(b.CallSign), string(wire.Trim(b.Version))
}

// checkFull reports the first message on a connection that has no number.
func (h *handshake) checkFull(m message, what string) {
	if h.full && m.tcp() {
		h.full = false // one report is enough
		m.layer.Report(ruleFull, 0, bzflag.HeaderSize, "%s %s", m.layer.Message.Name, what)
	}
}

// checkDismissed checks whether the client is still there for a server's message.
func (h *handshake) checkDismissed(m message) {
	h.checkFull(m, "to a client that was given no number")
	if behind := m.since(h.killed.When()); h.killed.Known() && (m.tcp() || behind > lagUDP) {
		m.layer.Report(ruleSuperKill, 0, min(bzflag.HeaderSize, len(m.layer.Contents)),
			"%s, %.3f s after MsgSuperKill", m.layer.Message.Name, seconds(behind))
	}
}

// takeAccept takes MsgAccept.
func (h *handshake) takeAccept(m message, p *Player) {
	if h.player != NoPlayer && h.hello && p.ID != h.player {
		m.layer.Report(ruleAcceptID, bzflag.HeaderSize, 1, "the number is %d, the hello said %d", p.ID, h.player)
	} else {
		h.player = p.ID
	}
	h.enter(m.place.Time)
	h.accepted = clock.At(m.place.Time)
}

// checkSender checks that a client acts in its own name, and reports whether it does; off is the offset of the name.
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

// takeLinkRequest takes the claim to a player by UDP.
func (h *handshake) takeLinkRequest(m message, r *LinkRequest) {
	if h.checkSender(m, &r.Player, bzflag.HeaderSize) {
		h.player = r.Player.ID
	}
}

// isNewcomer reports whether the server may still be describing the game to the client.
func (h *handshake) isNewcomer(now int64) bool {
	return h.begun && (!h.joined || h.accepted.Within(now, lagUDP))
}

// watchesReplay reports whether the client watches a replay: those who play there may have come long
// before, whenever the server announces them.
func (h *handshake) watchesReplay() bool {
	return h.player >= replayWatchers && int(h.player) < maxTanks
}
