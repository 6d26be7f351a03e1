package bzflag24

import (
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// connection is the connection of a client, with the UDP link beside it.
type connection struct {
	bzflag.Route
	serial       uint32 // never 0
	since        int64
	active       int64 // last message in either direction
	streamed     int64 // last message of the server's stream, or its end
	conversation int
	closed       bool         // it has ended, or the client is leaving
	removed      bool         // it is no longer in the table
	tcp          bool         // conversation is a TCP connection
	said         bool         // the client sent a message
	spoke        bool         // the client sent a message by TCP, where it returns lag pings
	heard        bool         // the server sent a message, see Told
	heardUDP     bool         // the server sent a message by UDP
	spokeUDP     bool         // the client sent a message by UDP
	missed       clock.Moment // last time when the capture lacked bytes of the client

	handshake
	acts   acts
	asked  bzflag.Asked
	wished *bzflag.Wished // nil: none yet

	orders   orders // of the client's updates
	pings    pings
	link     link
	relays   relays
	jitter   jitter
	received loss // of the updates that the server relays
	ended    bool // the counts are reported
	download download
	gameTime gameTime
	timeLeft timeLeft
	removal  removal
	view     *view
	outcomes bzflag.Outcomes
}

// acts is what the client reported about its tank. The client knows it before the server relays it.
type acts struct {
	died     clock.Moment // its last death, until it lives again
	resuming bool         // its last MsgPause ended a pause
	pausing  bool         // its last MsgPause began one
	dropping clock.Moment // last request that gives up its flag
	updated  int64        // time of the last update
}

// take notes an update, or a request that gives up the client's flag.
func (a *acts) take(m message) {
	switch m.layer.Code {
	case CodePlayerUpdate, CodePlayerUpdateSmall:
		a.updated = m.place.Time
	case CodeDropFlag, CodeCaptureFlag, CodeTransferFlag:
		a.dropping = clock.At(m.place.Time)
	}
}

// forget drops what the client reported, except about the flag.
func (a *acts) forget() { a.died, a.resuming, a.pausing = clock.Moment{}, false, false }

// size returns how many bytes a connection takes.
func (c *connection) size() int {
	n := 0
	if c.wished != nil {
		n = bzflag.WishedSize
	}
	return n + int(unsafe.Sizeof(*c)) + len(c.callSign) + len(c.version) + len(c.removal.reason) + c.view.size() +
		c.pings.recent.Held() + c.outcomes.Held() + c.asked.Held()
}

// replacedBy reports whether a message belongs to a new connection through the same ports.
func (c *connection) replacedBy(m message) bool {
	if c.tcp && c.conversation != m.place.Conversation && m.place.Conversation >= 0 {
		return true
	}
	switch m.layer.Body.(type) {
	case *ServerHello:
		return c.hello
	case *ConnectHeader:
		return c.header || m.since(c.since) > lagLife
	}
	return false
}

// lostRequests notes that the capture lacks some of the client's messages.
func (c *connection) lostRequests(now int64) {
	c.begun, c.since, c.missed = false, now, clock.At(now)
	if c.view != nil && c.view.known(c.player) != nil {
		c.view.known(c.player).setLife(lifeUnknown, false, now)
	}
	c.acts.forget()
	c.download.forget()
	c.orders.tcp, c.orders.numbers = false, numbers{}
	c.pings.Forget()
	c.jitter.known = false
}

// isOpen reports whether the capture has all of the client's messages, and the client and the server have not ended the
// connection.
func (c *connection) isOpen() bool {
	return c.begun && c.tcp && c.said && !c.missed.Known() && !c.closed && !c.killed.Known()
}

// mayLack reports whether the capture may lack a message of the client about its tank, since some moment.
func (c *connection) mayLack(since int64) bool {
	return c.missed.Known() && clock.Elapsed(since, c.missed.When()) >= 0
}

// lostAnswers notes that the capture lacks some of the server's messages.
func (c *connection) lostAnswers(now int64) {
	c.lostRequests(now)
	c.reject.Settle()
	c.asked.Grant() // possibly
	c.timeLeft, c.gameTime.known = 0, false
	c.forgetGame()
}

// jump notes that any messages may be missing, and that times start anew.
func (c *connection) jump(now int64) {
	c.outcomes, c.killed, c.orders, c.pings = bzflag.Outcomes{}, clock.Moment{}, orders{}, pings{}
	c.relays = relays{}
	c.lostAnswers(now)
}

// sees reports whether the connection shows all players.
func (c *connection) sees() bool { return c.view != nil && c.view.complete && c.joined }

// forgetGame drops the game until the server describes it again.
func (c *connection) forgetGame() {
	c.setView(nil)
	c.joined = false
}

// forgetNumbers notes that an unreadable message of a side may contain numbers of updates.
func (c *connection) forgetNumbers(fromServer bool) {
	if !fromServer {
		c.orders.numbers = numbers{}
		return
	}
	c.pings.udp = false
	if c.view != nil {
		c.view.forgetNumbers()
	}
}

// setView sets the view and drops the pending findings that rest on another view.
func (c *connection) setView(v *view) {
	c.outcomes.Settle(func(o *bzflag.Outcome) bool { return o.Rests != nil && o.Rests != v })
	c.view = v
}

// currentView returns the view. It makes one if the connection's beginning is missing, and returns nil until the client
// is accepted.
func (c *connection) currentView(now int64) *view {
	if c.view == nil && (!c.begun || c.accepted.Known()) {
		c.view = newView(false, now)
	}
	return c.view
}

// showsAlive reports whether a tank is alive when the server relays its update with a status. If the player was there
// before the capture, only the status shows that; the stream then reports its death.
func (c *connection) showsAlive(k *tank, s PlayerStatus) bool {
	return k.life == alive || k.life == lifeUnknown && s&Alive != 0 && c.tcp && (k.present || !c.view.complete)
}

// tank returns the client's tank in its current view, nil if not known.
func (c *connection) tank(now int64) *tank {
	v := c.currentView(now)
	if v == nil || c.player == NoPlayer {
		return nil
	}
	return v.tank(c.player)
}

// takeAccept handles MsgAccept, with which a view begins.
func (c *connection) takeAccept(m message, p *Player) {
	c.handshake.takeAccept(m, p)
	c.setView(newView(!c.watchesReplay(), m.place.Time))
}

// takeWorldRequest handles a request for a part of the world. It ignores the request if the capture lacks some of the
// connection, since parts may be missing.
func (c *connection) takeWorldRequest(m message, r *WorldRequest, pending *bzflag.PendingFindings) {
	if c.begun {
		c.download.takeRequest(m, r, pending, &c.outcomes)
	}
}
