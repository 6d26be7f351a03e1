package bzflag17

import (
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// connection is a connection of a game: the game as its client sees it. There may be tens of thousands, and each holds all
// players of its game: what few have is a pointer, and of two addresses that are the same one is kept.
type connection struct {
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
	enteredID   PlayerID // as MsgEnter says
	playerID    PlayerID // as others know it
	localID     PlayerID // as the client itself may say
	callSign    string
	joined      clock.Moment
	exited      clock.Moment
	superKilled clock.Moment
	playerAdded *wire.Place // of the own MsgAddPlayer, until the list of players is known to be over

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

var keptConnections = bounded.Kind{
	Name:   "connections to BZFlag 1.07 games",
	Silent: "finding about the game and no value",
}

func newConnections(b *bounded.Budget) *bounded.LRU[bzflag.Route, connection] {
	return bounded.NewLRU(b, keptConnections, bounded.Values[bzflag.Route, connection]{Held: (*connection).held})
}

// held is how many bytes a connection holds.
func (c *connection) held() int {
	const texts = 64 // of a pending finding
	n := c.shots.held() + cap(c.tanks)*int(unsafe.Sizeof(tank{})) +
		cap(c.flags)*int(unsafe.Sizeof(flag{})) + cap(c.findings)*(int(unsafe.Sizeof(pendingFinding{}))+texts) +
		len(c.callSign)
	if c.playerAdded != nil {
		n += int(unsafe.Sizeof(*c.playerAdded))
	}
	if c.left != nil {
		n += int(unsafe.Sizeof(*c.left))
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
	id      FlagID
	carrier PlayerID
	carried bool
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
func (c *connection) forgetServer(now int64) {
	for i := range c.tanks {
		k := &c.tanks[i]
		k.flagKnown, k.score.known, k.stale, k.life = false, false, true, lifeUnknown
	}
	if c.stage == entering || c.stage == accepted {
		c.stage = stageUnknown
	}
	c.flags = c.flags[:0]
	c.complete, c.playerAdded, c.timeLeft.known, c.ttl, c.wantsWorldOnly = false, nil, false, 0, false
	c.forgetBoth(now)
}

// forgetClient forgets what the client may have done when some of what it said is missing.
func (c *connection) forgetClient(now int64) {
	if c.stage != playing {
		c.stage, c.complete = stageUnknown, false
		c.forgetDeaths()
	}
	if k := c.tanks.get(c.playerID); k != nil {
		k.life = lifeUnknown
	}
	c.wantsWorldOnly, c.score.known = false, false
	c.forgetBoth(now)
}

// forgetBoth forgets what either side may have changed.
func (c *connection) forgetBoth(now int64) {
	c.relay, c.ping = true, ping{}
	c.shotsUnseen = clock.Add(now, shotMemory)
	c.download = download{lost: true}
	c.dropAllPending()
}

// resolve gives the id under which a player is kept: a client of 1.07e may say its own in two ways.
func (c *connection) resolve(p PlayerID) PlayerID {
	if c.stage == playing && p == c.localID {
		return c.playerID
	}
	return p
}

// tank gives what is known of a player, nil if there is none.
func (c *connection) tank(p PlayerID) *tank { return c.tanks.get(c.resolve(p)) }

// clientTank is that of the client itself, nil if it is not in the game.
func (c *connection) clientTank() *tank {
	if c.stage != playing {
		return nil
	}
	return c.tanks.get(c.playerID)
}

// isClient reports whether an id is the client's own. Robots of a client differ from it by their number
// only.
func (c *connection) isClient(p PlayerID) bool {
	for _, id := range [...]PlayerID{c.playerID, c.localID, c.enteredID} {
		if p.Host == id.Host && p.Port == id.Port {
			return true
		}
	}
	return false
}

// isRobot reports whether the player is one: servers do not tell them who was there before.
func (c *connection) isRobot() bool { return c.kind == ComputerPlayer }

// isObserver reports whether the player is an observer of 1.07e.
func (c *connection) isObserver() bool {
	return c.kind == JAFOPlayer || c.callSign != "" && c.callSign[0] == '@'
}
