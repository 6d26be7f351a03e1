package bzflag24

import (
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// connection is one of a client, with the UDP link beside it.
type connection struct {
	bzflag.Route
	serial       uint32 // never 0
	since        int64
	active       int64 // when either side sent something last
	streamed     int64 // time of the last message of the server's stream, or of its end
	conversation int
	closed       bool         // it has ended, or the client is leaving
	tcp          bool         // conversation is that of a TCP connection
	said         bool         // the client said something
	heard        bool         // the server sent something, see Told
	heardUDP     bool         // it sent something over UDP
	spokeUDP     bool         // and so did the client
	missed       clock.Moment // when the capture lacked something that the client said

	handshake
	acts   acts
	asked  bzflag.Asked
	wished *bzflag.Wished // nil: nothing yet

	orders   orders // of the client's updates
	pings    pings
	link     link
	relays   relays
	download download
	gameTime gameTime
	timeLeft timeLeft
	removal  removal
	view     *view
	outcomes bzflag.Outcomes
}

// acts are what the client said of its tank. It knows that before the server relays it.
type acts struct {
	died     clock.Moment // its last death, until it lives again
	resuming bool         // its last MsgPause ended a pause
	pausing  bool         // its last MsgPause began one
	dropping clock.Moment // when it last asked for what takes its flag away
	updated  int64        // when its last update came
}

// take takes an update, or what the client asks for that takes its flag away.
func (a *acts) take(m message) {
	switch m.layer.Code {
	case CodePlayerUpdate, CodePlayerUpdateSmall:
		a.updated = m.place.Time
	case CodeDropFlag, CodeCaptureFlag, CodeTransferFlag:
		a.dropping = clock.At(m.place.Time)
	}
}

// forget forgets what the client said, but for the flag.
func (a *acts) forget() { a.died, a.resuming, a.pausing = clock.Moment{}, false, false }

// size is how many bytes a connection takes.
func (c *connection) size() int {
	n := 0
	if c.wished != nil {
		n = bzflag.WishedSize
	}
	return n + int(unsafe.Sizeof(*c)) + len(c.callSign) + len(c.version) + len(c.removal.reason) + c.view.size() +
		c.pings.recent.Held() + c.outcomes.Held() + c.asked.Held()
}

// replacedBy reports whether a message belongs to another connection through the same ports.
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

// lostRequests takes note that the capture lacks some of what the client said.
func (c *connection) lostRequests(now int64) {
	c.begun, c.since, c.missed = false, now, clock.At(now)
	if c.view != nil && c.view.known(c.player) != nil {
		c.view.known(c.player).setLife(lifeUnknown, false, now)
	}
	c.acts.forget()
	c.download.forget()
	c.orders.tcp, c.orders.numbers = false, numbers{}
}

// isOpen reports whether the capture has all that the client said, and nothing by which it or the server ends.
func (c *connection) isOpen() bool {
	return c.begun && c.tcp && c.said && !c.missed.Known() && !c.closed && !c.killed.Known()
}

// mayLack reports whether the client may have said something of its tank, since some moment, that the capture lacks.
func (c *connection) mayLack(since int64) bool {
	return c.missed.Known() && clock.Elapsed(since, c.missed.When()) >= 0
}

// lostAnswers takes note that the capture lacks some of what the server said.
func (c *connection) lostAnswers(now int64) {
	c.lostRequests(now)
	c.reject.Settle()
	c.asked.Grant() // perhaps
	c.timeLeft, c.gameTime.known = 0, false
	c.forgetGame()
}

// jump takes note that anything may have been said, and that times start anew.
func (c *connection) jump(now int64) {
	c.outcomes, c.killed, c.orders, c.pings = bzflag.Outcomes{}, clock.Moment{}, orders{}, pings{}
	c.relays = relays{}
	c.lostAnswers(now)
}

// sees reports whether the connection shows all players.
func (c *connection) sees() bool { return c.view != nil && c.view.complete && c.joined }

// forgetGame forgets the game until the server describes it again.
func (c *connection) forgetGame() {
	c.setView(nil)
	c.joined = false
}

// forgetNumbers takes note that an unreadable message of a side may have numbers of updates.
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

// setView sets the view and drops the pending findings that rest on another.
func (c *connection) setView(v *view) {
	c.outcomes.Settle(func(o *bzflag.Outcome) bool { return o.Rests != nil && o.Rests != v })
	c.view = v
}

// currentView returns the view, a new one if the connection's beginning is missing, nil until the client is accepted.
func (c *connection) currentView(now int64) *view {
	if c.view == nil && (!c.begun || c.accepted.Known()) {
		c.view = newView(false, now)
	}
	return c.view
}

// tank returns the client's tank in its current view, nil if that is not known.
func (c *connection) tank(now int64) *tank {
	v := c.currentView(now)
	if v == nil || c.player == NoPlayer {
		return nil
	}
	return v.tank(c.player)
}

// takeAccept takes MsgAccept, with which a view begins.
func (c *connection) takeAccept(m message, p *Player) {
	c.handshake.takeAccept(m, p)
	c.setView(newView(!c.watchesReplay(), m.place.Time))
}

// takeWorldRequest takes a request for a part of the world. If the capture lacks some of the connection, parts may be
// missing.
func (c *connection) takeWorldRequest(m message, r *WorldRequest, pending *bzflag.PendingFindings) {
	if c.begun {
		c.download.takeRequest(m, r, pending, &c.outcomes)
	}
}
