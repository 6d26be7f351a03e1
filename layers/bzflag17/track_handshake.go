package bzflag17

import (
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// handshake is the progress of a client and its server in joining, and the identity of the client.
type handshake struct {
	stage          stage
	asked          questions
	announced      bool // a hello announced it: captured from the beginning
	wantsWorldOnly bool // the client has requested nothing but the world
	enterUnseen    bool // MsgAccept came before a MsgEnter was captured
	departed       bool // its leaving is recorded
	complete       bool // all players are known

	// Captured messages of both sides.
	clientSeen bool
	clientTime int64        // time of the client's last message
	serverSeen clock.Moment // latest time of a server's message

	// The client's identity.
	kind        PlayerType
	enteredID   PlayerID // in MsgEnter
	playerID    PlayerID // for other players
	localID     PlayerID // possibly used by the client itself
	callSign    string
	joined      clock.Moment
	exited      clock.Moment
	superKilled clock.Moment
	playerAdded *wire.Place // the client's own MsgAddPlayer, until the list of players is known to be complete
}

// stage is the progress of a client.
type stage uint8

const (
	stageUnknown stage = iota
	fresh
	entering // MsgEnter has no answer yet
	accepted // MsgAccept came
	playing  // the client's own MsgAddPlayer came
	gone     // MsgExit or MsgSuperKill
)

// questions are the queries of a client before it entered.
type questions uint8

const (
	askedHash questions = 1 << iota
	askedGame
	askedPlayers
)

// The longest time until an answer is complete.
const (
	queryTime = 2 * second // to MsgQueryPlayers
	listTime  = second / 2 // to MsgEnter
)

// resolve returns the id under which a player is stored: a client of 1.07e may use two ids for itself.
func (h *handshake) resolve(p PlayerID) PlayerID {
	if h.stage == playing && p == h.localID {
		return h.playerID
	}
	return p
}

// isClient reports whether an id is the client's. The ids of a client's robots differ from it only in their number.
func (h *handshake) isClient(p PlayerID) bool {
	for _, id := range [...]PlayerID{h.playerID, h.localID, h.enteredID} {
		if p.Host == id.Host && p.Port == id.Port {
			return true
		}
	}
	return false
}

// isRobot reports whether the player is a robot: servers do not list the earlier players to robots.
func (h *handshake) isRobot() bool { return h.kind == ComputerPlayer }

// isObserver reports whether the player is an observer of 1.07e.
func (h *handshake) isObserver() bool {
	return observes(h.kind, h.callSign)
}

func observes(kind PlayerType, callSign string) bool {
	return kind == JAFOPlayer || strings.HasPrefix(callSign, "@")
}

// isNewcomer reports whether the server may still be describing the game to the client.
func (h *handshake) isNewcomer(now int64) bool {
	switch h.stage {
	case fresh, entering, accepted:
		return true
	case playing:
		return h.joined.Within(now, listTime)
	}
	return false
}

// mayReceive reports whether a server may send a message to a client that requested the world, and possibly other
// things.
func (h *handshake) mayReceive(k Code) bool {
	switch k {
	case CodeGetWorld, CodeSuperKill:
		return true
	case CodeWantWHash:
		return h.asked&askedHash != 0
	case CodeQueryGame:
		return h.asked&askedGame != 0
	case CodeQueryPlayers, CodeTeamUpdate, CodeAddPlayer:
		return h.asked&askedPlayers != 0
	}
	return false
}
