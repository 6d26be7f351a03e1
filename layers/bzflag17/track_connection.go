package bzflag17

import (
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// connection is a connection to a game, with the game as its client sees it. There may be tens of thousands of
// connections, and each holds all players of its game. To save memory, rarely used parts are pointers, and shared
// addresses are stored only once.
type connection struct {
	conversation int
	serial       uint32 // never 0
	whole        int64  // time from which the capture has all server messages
	helloPort    uint16 // port of the server's hello, on the same host
	unannounced  bool   // no hello was captured, so helloPort is the connection's own port

	// These fields describe whether updates go over the connection or over UDP.
	relay         bool // updates go over the connection, or the path is not known
	relayReported struct{ toServer, fromServer bool }
	links         uint8 // number of the client's UDP ports
	hasLink       bool  // the client sends some messages by UDP
	linkSeen      bool  // a datagram from the server was captured
	linkUsed      bool  // a datagram from the client was captured

	handshake
	wish   bzflag.Asked
	wished *bzflag.Wished // requests of its player; nil: no requests yet
	board
	gameOver clock.Moment
	timeLeft timeLeft
	ttl      uint16

	// These fields are what the client reported about itself.
	winsAtGrab  uint16
	score       score
	ping        ping
	echoes      bzflag.Echoes
	died        clock.Moment // time of its last death
	grabbed     clock.Moment // time when it took its flag
	shots       shots
	shotsUnseen int64 // there may be unseen shots that began before this time

	outcomes outcomes
	download download
}

// ping is the state of the lag pings (MsgLagPing) to a client.
type ping struct {
	sentAt    int64
	number    uint16 // last number that the server sent
	echo      uint16
	known     bool // number is known
	waiting   bool // the client has not answered yet
	echoFirst bool // the echo was captured before its ping
}

// next returns the number of the next ping.
func (p *ping) next() uint16 { return (p.number + 1) % bzflag.PingModulo }

// timeLeft is the time left as last announced.
type timeLeft struct {
	seconds uint16
	known   bool
}

// held returns the number of bytes that a connection occupies.
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

// forgetServer handles lost messages from the server. It drops the state that they may have changed.
func (c *connection) forgetServer(now int64) {
	c.board.forget()
	c.whole = now
	if c.stage == entering || c.stage == accepted {
		c.stage = stageUnknown
	}
	c.complete, c.playerAdded, c.timeLeft.known, c.ttl, c.requestsWorldOnly = false, nil, false, 0, false
	c.forgetBoth(now)
}

// forgetClient handles lost messages from the client. It drops the state that they may have changed.
func (c *connection) forgetClient(now int64) {
	if c.stage != playing {
		c.stage, c.complete = stageUnknown, false
		c.forgetDeaths()
	}
	if k := c.tanks.get(c.playerID); k != nil {
		k.life = lifeUnknown
	}
	c.requestsWorldOnly, c.score.known = false, false
	c.forgetBoth(now)
}

// forgetBoth drops the state that messages from both sides change.
func (c *connection) forgetBoth(now int64) {
	c.relay, c.ping = true, ping{}
	c.echoes.Forget()
	c.shotsUnseen = clock.Add(now, shotMemory)
	c.download = download{lost: true}
	c.outcomes.settleAll()
}

// tank returns a player's tank, or nil if there is none.
func (c *connection) tank(p PlayerID) *tank { return c.tanks.get(c.resolve(p)) }

// clientTank returns the client's own tank, or nil if it is not in the game.
func (c *connection) clientTank() *tank {
	if c.stage != playing {
		return nil
	}
	return c.tanks.get(c.playerID)
}

// mayHaveAsked reports whether the client's query may be the reason why the server lists its players.
func (c *connection) mayHaveAsked(g *game, now int64) bool {
	return c.asked&askedPlayers != 0 && g.queried.Within(now, queryTime)
}

// countPlayers returns the number of players in a game, not counting observers.
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
