package bzflag24

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// replayWatchers is the first number of players who watch a replay.
const replayWatchers PlayerID = 200

// handshake is the progress of a client in joining and leaving.
type handshake struct {
	begun     bool // the capture has the connection from its beginning without a loss
	header    bool
	hello     bool
	full      bool         // the server was full: the hello assigned no number
	player    PlayerID     // NoPlayer: not known
	speaker   PlayerID     // player whom the client claims to be, if player is not known; NoPlayer: not known
	enterSeen bool         // there was a MsgEnter
	entered   clock.Moment // time of the request to join
	accepted  clock.Moment
	joined    bool            // the server announced the player
	replayed  bool            // a replay began after joined
	killed    clock.Moment    // time of MsgSuperKill
	departed  bool            // its leaving is recorded
	reject    *bzflag.Outcome // finding about a MsgReject without a MsgSuperKill so far

	// Fields of MsgEnter.
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

// enter notes that the client requests to join.
func (h *handshake) enter(now int64) {
	if !h.entered.Known() {
		h.entered = clock.At(now)
	}
}

// takeEnter handles MsgEnter.
func (h *handshake) takeEnter(b *Enter) {
	h.kindKnown, h.kind, h.callSign, h.version = true, b.Type, callSign(b.CallSign), string(wire.Trim(b.Version))
}

// checkFull reports the first message on a connection whose client was given no number.
func (h *handshake) checkFull(m message, what string) {
	if h.full && m.tcp() {
		h.full = false // one report is enough
		m.layer.Report(ruleFull, 0, bzflag.HeaderSize, "%s %s", m.layer.Message.Name, what)
	}
}

// checkDismissed checks that a server's message does not go to a client that was refused or removed.
func (h *handshake) checkDismissed(m message) {
	h.checkFull(m, "to a client that was given no number")
	if behind := m.since(h.killed.When()); h.killed.Known() && (m.tcp() || behind > lagUDP) {
		m.layer.Report(ruleSuperKill, 0, min(bzflag.HeaderSize, len(m.layer.Contents)),
			"%s, %.3f s after MsgSuperKill", m.layer.Message.Name, seconds(behind))
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

// checkSender checks that a client acts as its own player, and reports whether it does; off is the offset of the
// player.
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

// takeLinkRequest handles a client's claim to a player by UDP.
func (h *handshake) takeLinkRequest(m message, r *LinkRequest) {
	if h.checkSender(m, &r.Player, bzflag.HeaderSize) {
		h.player = r.Player.ID
	}
}

// isNewcomer reports whether the server may still be describing the game to the client.
func (h *handshake) isNewcomer(now int64) bool {
	return h.begun && (!h.joined || h.accepted.Within(now, lagUDP))
}

// watchesReplay reports whether the client watches a replay: the server may announce the players of a replay long after
// they came.
func (h *handshake) watchesReplay() bool {
	return h.player >= replayWatchers && int(h.player) < maxTanks
}
