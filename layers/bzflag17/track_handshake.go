package bzflag17

import (
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// handshake is the state of a client that joins or leaves, and the client's identity.
type handshake struct {
	stage             stage
	asked             questions
	announced         bool // a hello announced the connection's port, so the capture has the connection from its beginning
	requestsWorldOnly bool // the client has requested only the world so far
	enterUnseen       bool // MsgAccept came before a MsgEnter was captured
	departed          bool // it is recorded that the player left
	complete          bool // all players are known

	// These fields describe the captured messages of both sides.
	clientSeen bool
	clientTime int64        // time of the client's last message
	serverSeen clock.Moment // time of the server's last message

	// These fields are the client's identity.
	kind        PlayerType
	enteredID   PlayerID // id in MsgEnter
	playerID    PlayerID // id that other clients use
	localID     PlayerID // id that the client may use for itself
	callSign    string
	joined      clock.Moment
	exited      clock.Moment
	superKilled clock.Moment
	playerAdded *wire.Place // the client's own MsgAddPlayer; nil once the list of players is complete
}

// stage is the stage that a client has reached.
type stage uint8

const (
	stageUnknown stage = iota
	fresh
	entering // MsgEnter has no answer yet
	accepted // MsgAccept came
	playing  // the client's own MsgAddPlayer came
	gone     // MsgExit or MsgSuperKill came
)

// questions are the queries that a client sent before it entered the game.
type questions uint8

const (
	askedHash questions = 1 << iota
	askedGame
	askedPlayers
)

// The maximum time until an answer is complete.
const (
	queryTime = 2 * second // answer to MsgQueryPlayers
	listTime  = second / 2 // answer to MsgEnter
)

// resolve returns the id under which a player is stored. A client of 1.07e may use a different id for itself than the
// other clients use for it.
func (h *handshake) resolve(p PlayerID) PlayerID {
	if h.stage == playing && p == h.localID {
		return h.playerID
	}
	return p
}

// isClient reports whether an id belongs to the client or to one of its robots, whose ids differ only in the number.
func (h *handshake) isClient(p PlayerID) bool {
	for _, id := range [...]PlayerID{h.playerID, h.localID, h.enteredID} {
		if p.Host == id.Host && p.Port == id.Port {
			return true
		}
	}
	return false
}

// isRobot reports whether the player is a robot. Servers do not send the list of earlier players to robots.
func (h *handshake) isRobot() bool { return h.kind == ComputerPlayer }

// isObserver reports whether the player is an observer of 1.07e.
func (h *handshake) isObserver() bool {
	return observes(h.kind, h.callSign)
}

func observes(kind PlayerType, callSign string) bool {
	return kind == JAFOPlayer || strings.HasPrefix(callSign, "@")
}

// isNewcomer reports whether the server may still be sending the state of the game to the client.
func (h *handshake) isNewcomer(now int64) bool {
	switch h.stage {
	case fresh, entering, accepted:
		return true
	case playing:
		return h.joined.Within(now, listTime)
	}
	return false
}

// mayReceive reports whether a server may send a message to a client that is not in the game. Such a client may have
// requested the world and sent queries.
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
