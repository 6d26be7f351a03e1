package bzflag17

import (
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// view is a connection of a game: the game as its client sees it. There may be tens of thousands, and each holds all
// players of its game: what few have is a pointer, and of two addresses that are the same one is kept.
type view struct {
	conversation int
	serial       uint32 // never 0
	hello        uint16 // port of the server that said hello; it is on the same host
	unannounced  bool   // no hello was seen: hello is the connection's own port
	stage        stage
	announced    bool // by a hello: the connection was captured from its beginning

	// What was seen of both sides, and which way updates go.
	clientTime     int64        // of its last message
	serverSeen     clock.Moment // when that of its messages was sent which was sent last
	clientSeen     bool
	streamed       [2]int64 // time of the last message over TCP, to the server and from it
	wantsWorldOnly bool     // the client asked for nothing but the world
	queries        query
	relay          bool // updates go over the connection, or it is not known that they do not
	relayReported  struct{ toServer, fromServer bool }
	links          uint8 // UDP ports of the client
	hasLink        bool  // some of the client's messages go by UDP
	linkSeen       bool  // and the server's were captured
	enterUnseen    bool  // MsgAccept came before MsgEnter was seen
	departed       bool  // its end was measured
	complete       bool  // all players are known

	// Who the client is.
	kind        PlayerType
	enteredAs   PlayerID // as MsgEnter says
	own         PlayerID // as others know it
	alias       PlayerID // as the client itself may say
	callSign    string
	joined      clock.Moment
	exited      clock.Moment
	superKilled clock.Moment
	ownAdd      *wire.Place // of the own MsgAddPlayer, until the list of players is known to be over

	// The game.
	tanks    tanks
	flags    []flag
	left     *leavers // nil: no player has left
	gameOver clock.Moment
	timeLeft timeLeft
	ttl      uint16

	// What the client says of itself.
	winsAtGrab  uint16
	score       score
	ping        ping
	died        clock.Moment // last
	grabbed     clock.Moment // its flag
	shots       shots
	shotsUnseen int64 // until when shots may have begun that were not seen

	findings []pendingFinding
	pending  pending
	download download
}

var keptViews = bounded.Kind{
	Name:   "connections to BZFlag 1.07 games",
	Silent: "finding about the game and no value",
}

func newViews(b *bounded.Budget) *bounded.LRU[bzflag.Route, view] {
	return bounded.NewLRU(b, keptViews, bounded.Values[bzflag.Route, view]{Held: (*view).held})
}

// held is how many bytes a view holds.
func (v *view) held() int {
	const texts = 64 // of a pending finding
	n := v.shots.held() + cap(v.tanks)*int(unsafe.Sizeof(tank{})) +
		cap(v.flags)*int(unsafe.Sizeof(flag{})) + cap(v.findings)*(int(unsafe.Sizeof(pendingFinding{}))+texts) +
		len(v.callSign)
	if v.ownAdd != nil {
		n += int(unsafe.Sizeof(*v.ownAdd))
	}
	if v.left != nil {
		n += int(unsafe.Sizeof(*v.left))
	}
	return n
}

const maxFlags = 256 // flags of a game; more are not followed

// stage is how far a client has come.
type stage uint8

const (
	stageUnknown stage = iota
	fresh
	entering // MsgEnter has no answer yet
	accepted // MsgAccept came
	playing  // the own MsgAddPlayer came
	gone     // MsgExit or MsgSuperKill
)

// query are the questions that a client asked before it entered.
type query uint8

const (
	askedHash query = 1 << iota
	askedGame
	askedPlayers
)

// flag is one of a game's flags.
type flag struct {
	id     FlagID
	holder PlayerID
	held   bool
}

// score is what was said last.
type score struct {
	wins, losses uint16
	known        bool
}

// timeLeft is what was said last.
type timeLeft struct {
	seconds uint16
	known   bool
}

// forgetServer forgets what the server may have changed when some of what it said is missing.
func (v *view) forgetServer(now int64) {
	for i := range v.tanks {
		k := &v.tanks[i]
		k.flagKnown, k.score.known, k.stale, k.life = false, false, true, lifeUnknown
	}
	if v.stage == entering || v.stage == accepted {
		v.stage = stageUnknown
	}
	v.flags = v.flags[:0]
	v.complete, v.ownAdd, v.timeLeft.known, v.ttl, v.wantsWorldOnly = false, nil, false, 0, false
	v.forgetBoth(now)
}

// forgetClient forgets what the client may have done when some of what it said is missing.
func (v *view) forgetClient(now int64) {
	if v.stage != playing {
		v.stage, v.complete = stageUnknown, false
		v.forgetDeaths()
	}
	if k := v.tanks.get(v.own); k != nil {
		k.life = lifeUnknown
	}
	v.wantsWorldOnly, v.score.known = false, false
	v.forgetBoth(now)
}

// forgetBoth forgets what either side may have changed.
func (v *view) forgetBoth(now int64) {
	v.relay, v.ping = true, ping{}
	v.shotsUnseen = clock.Add(now, shotMemory)
	v.download = download{lost: true}
	v.dropAllPending()
}

// idOf gives the id under which a player is kept: a client of 1.07e may say its own in two ways.
func (v *view) idOf(p PlayerID) PlayerID {
	if v.stage == playing && p == v.alias {
		return v.own
	}
	return p
}

// tank gives what is known of a player, nil if there is none.
func (v *view) tank(p PlayerID) *tank { return v.tanks.get(v.idOf(p)) }

// ownTank is that of the client itself, nil if it is not in the game.
func (v *view) ownTank() *tank {
	if v.stage != playing {
		return nil
	}
	return v.tanks.get(v.own)
}

// isOwn reports whether an id is the client's own. Robots of a client differ from it by their number
// only.
func (v *view) isOwn(p PlayerID) bool {
	for _, own := range [...]PlayerID{v.own, v.alias, v.enteredAs} {
		if p.Host == own.Host && p.Port == own.Port {
			return true
		}
	}
	return false
}

// isRobot reports whether the player is one: servers do not tell them who was there before.
func (v *view) isRobot() bool { return v.kind == ComputerPlayer }

// isObserver reports whether the player is an observer of 1.07e.
func (v *view) isObserver() bool {
	return v.kind == JAFOPlayer || v.callSign != "" && v.callSign[0] == '@'
}
