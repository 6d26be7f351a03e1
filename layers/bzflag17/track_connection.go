package bzflag17

import (
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// connection is one of a game: the game as its client sees it. There may be tens of thousands, and each holds all
// players of its game: what few have is a pointer, and an address that two things share is kept once.
type connection struct {
	conversation int
	serial       uint32 // never 0
	whole        int64  // since when the capture has all that the server says
	helloPort    uint16 // of the server that said hello; it is on the same host
	unannounced  bool   // no hello was seen: helloPort is the connection's own

	// Which way updates go.
	relay         bool // over the connection, or it is not known that they do not
	relayReported struct{ toServer, fromServer bool }
	links         uint8 // UDP ports of the client
	hasLink       bool  // some of the client's messages go by UDP
	linkSeen      bool  // and the server's were captured
	linkUsed      bool  // a datagram of the client was

	handshake
	wish   bzflag.Asked
	wished *bzflag.Wished // that of its player; nil: nothing yet
	board
	gameOver clock.Moment
	timeLeft timeLeft
	ttl      uint16

	// What the client says of itself.
	winsAtGrab  uint16
	score       score
	ping        ping
	echoes      bzflag.Echoes
	died        clock.Moment // last
	grabbed     clock.Moment // its flag
	shots       shots
	shotsUnseen int64 // until when shots may have begun that were not seen

	outcomes outcomes
	download download
}

// ping is what is known of a client's MsgLagPing.
type ping struct {
	sentAt    int64
	number    uint16 // that the server sent last
	echo      uint16
	known     bool // number is
	waiting   bool // for the echo
	echoFirst bool // an echo came that no ping is known for
}

// next is the number of the ping after this.
func (p *ping) next() uint16 { return (p.number + 1) % bzflag.PingModulo }

// timeLeft is what was said last.
type timeLeft struct {
	seconds uint16
	known   bool
}

// held is how many bytes a connection holds.
func (c *connection) held() int {
	n := c.shots.held() + c.board.held() + c.outcomes.held() + len(c.callSign) + c.wish.Held()
	if c.wished != nil {
		n += bzflag.WishedSize
	}
	if c.playerAdded != nil {
		n += int(unsafe.Sizeof(*c.playerAdded))
	}
	return n
}

// forgetServer forgets what the server may have changed when some of what it said is missing.
func (c *connection) forgetServer(now int64) {
	c.board.forget()
	c.whole = now
	if c.stage == entering || c.stage == accepted {
		c.stage = stageUnknown
	}
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
	c.echoes.Forget()
	c.shotsUnseen = clock.Add(now, shotMemory)
	c.download = download{lost: true}
	c.outcomes.settleAll()
}

// tank returns what is known of a player, nil if there is none.
func (c *connection) tank(p PlayerID) *tank { return c.tanks.get(c.resolve(p)) }

// clientTank is that of the client itself, nil if it is not in the game.
func (c *connection) clientTank() *tank {
	if c.stage != playing {
		return nil
	}
	return c.tanks.get(c.playerID)
}

// mayHaveAsked reports whether the client may have caused the server to list its players.
func (c *connection) mayHaveAsked(g *game, now int64) bool {
	return c.asked&askedPlayers != 0 && g.queried.Within(now, queryTime)
}

// countPlayers is how many players there are in a game, without observers.
func (c *connection) countPlayers(g *game) int {
	n := 0
	for i := range c.tanks {
		k := &c.tanks[i]
		p := g.players.get(k.id)
		if p == nil && k.kind != JAFOPlayer || p != nil && !p.Gone && !observes(k.kind, p.Name) {
			n++
		}
	}
	return n
}
