package bzflag17

import (
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// handshake is how far a client and its server have come, and who the client is.
type handshake struct {
	stage          stage
	asked          questions
	announced      bool // by a hello: the connection was captured from its beginning
	wantsWorldOnly bool // the client asked for nothing but the world
	enterUnseen    bool // MsgAccept came before MsgEnter was seen
	departed       bool // its end was measured
	complete       bool // all players are known

	// What was seen of both sides.
	clientSeen bool
	clientTime int64        // of the client's last message
	serverSeen clock.Moment // when that of the server's messages was sent which was sent last

	// Who the client is.
	kind        PlayerType
	enteredID   PlayerID // as MsgEnter says
	playerID    PlayerID // as others know it
	localID     PlayerID // as the client itself may say
	callSign    string
	joined      clock.Moment
	exited      clock.Moment
	superKilled clock.Moment
	playerAdded *wire.Place // of the client's own MsgAddPlayer, until the list of players is known to be over
}

// stage is how far a client has come.
type stage uint8

const (
	stageUnknown stage = iota
	fresh
	entering // MsgEnter has no answer yet
	accepted // MsgAccept came
	playing  // the client's own MsgAddPlayer came
	gone     // MsgExit or MsgSuperKill
)

// questions are those that a client asked before it entered.
type questions uint8

const (
	askedHash questions = 1 << iota
	askedGame
	askedPlayers
)

// How long an answer takes to come as a whole.
const (
	queryTime = 2 * second // to MsgQueryPlayers
	listTime  = second / 2 // to MsgEnter
)

// resolve returns the id under which a player is kept: a client of 1.07e may say its own in two ways.
func (h *handshake) resolve(p PlayerID) PlayerID {
	if h.stage == playing && p == h.localID {
		return h.playerID
	}
	return p
}

// isClient reports whether an id is the client's. Robots of a client differ from it by their number only.
func (h *handshake) isClient(p PlayerID) bool {
	for _, id := range [...]PlayerID{h.playerID, h.localID, h.enteredID} {
		if p.Host == id.Host && p.Port == id.Port {
			return true
		}
	}
	return false
}

// isRobot reports whether the player is one: servers do not tell them who was there before.
func (h *handshake) isRobot() bool { return h.kind == ComputerPlayer }

// isObserver reports whether the player is an observer of 1.07e.
func (h *handshake) isObserver() bool {
	return observes(h.kind, h.callSign)
}

func observes(kind PlayerType, callSign string) bool {
	return kind == JAFOPlayer || strings.HasPrefix(callSign, "@")
}

// isNewcomer reports whether the server may still be telling the client how things stand.
func (h *handshake) isNewcomer(now int64) bool {
	switch h.stage {
	case fresh, entering, accepted:
		return true
	case playing:
		return h.joined.Within(now, listTime)
	}
	return false
}

// mayReceive reports whether a server may send something to a client that asked for the world, and
// perhaps for other things.
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
