package bzflag24

import (
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// connection is the connection of a client, with its UDP link.
type connection struct {
	bzflag.Route
	serial       uint32 // never 0
	since        int64
	active       int64 // time of the last message in either direction
	streamed     int64 // time of the last message in the server's stream, or of the stream's end
	conversation int
	closed       bool         // the connection ended, or the client is leaving
	removed      bool         // the connection was removed from the table
	tcp          bool         // conversation identifies a TCP connection
	said         bool         // the client sent at least one message
	spoke        bool         // the client sent a message by TCP, so the capture can show answers to lag pings
	heard        bool         // the server sent at least one message; used by tracker.Told
	heardUDP     bool         // the server sent a message by UDP
	spokeUDP     bool         // the client sent a message by UDP
	missed       clock.Moment // last time when the capture lacked data from the client

	handshake
	acts   acts
	asked  bzflag.Asked
	wished *bzflag.Wished // nil: there were no requests yet

	orders   orders // numbers of the client's updates
	pings    pings
	link     link
	relays   relays
	jitter   jitter
	received loss // counts of the updates that the server relays to the client
	ended    bool // the final counts were reported
	download download
	gameTime gameTime
	timeLeft timeLeft
	removal  removal
	view     *view
	outcomes bzflag.Outcomes
}

// acts is what the client has reported about its own tank. The client knows these facts before the server relays them.
type acts struct {
	died     clock.Moment // time of the tank's last death; cleared when the tank is alive again
	resuming bool         // the client's last MsgPause ended a pause
	pausing  bool         // the client's last MsgPause began a pause
	dropping clock.Moment // time of the last request to give up the tank's flag
	updated  int64        // time of the last update
}

// take records an update, or a request to give up the client's flag.
func (a *acts) take(m message) {
	switch m.layer.Code {
	case CodePlayerUpdate, CodePlayerUpdateSmall:
		a.updated = m.place.Time
	case CodeDropFlag, CodeCaptureFlag, CodeTransferFlag:
		a.dropping = clock.At(m.place.Time)
	}
}

// forget drops the death and the pauses of the tank.
func (a *acts) forget() { a.died, a.resuming, a.pausing = clock.Moment{}, false, false }

// size returns the number of bytes that a connection occupies.
func (c *connection) size() int {
	n := 0
	if c.wished != nil {
		n = bzflag.WishedSize
	}
	return n + int(unsafe.Sizeof(*c)) + len(c.callSign) + len(c.version) + len(c.removal.reason) + c.view.size() +
		c.pings.recent.Held() + c.outcomes.Held() + c.asked.Held()
}

// replacedBy reports whether a message belongs to a new connection between the same ports.
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

// lostRequests records that the capture lacks some messages from the client.
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

// isOpen reports whether the capture has all messages from the client, and neither side has ended the connection.
func (c *connection) isOpen() bool {
	return c.begun && c.tcp && c.said && !c.missed.Known() && !c.closed && !c.killed.Known()
}

// mayLack reports whether the capture may lack a message that the client sent after a given time.
func (c *connection) mayLack(since int64) bool {
	return c.missed.Known() && clock.Elapsed(since, c.missed.When()) >= 0
}

// lostAnswers records that the capture lacks some messages from the server.
func (c *connection) lostAnswers(now int64) {
	c.lostRequests(now)
	c.reject.Settle()
	c.asked.Grant() // the answer may be among these messages
	c.timeLeft, c.gameTime.known = 0, false
	c.forgetGame()
}

// jump handles a gap in the capture: any message may be missing, and earlier times are no longer comparable.
func (c *connection) jump(now int64) {
	c.outcomes, c.killed, c.orders, c.pings = bzflag.Outcomes{}, clock.Moment{}, orders{}, pings{}
	c.relays = relays{}
	c.lostAnswers(now)
}

// sees reports whether the server has described the whole game on this connection, with all players.
func (c *connection) sees() bool { return c.view != nil && c.view.complete && c.joined }

// forgetGame drops the view of the game until the server describes the game again.
func (c *connection) forgetGame() {
	c.setView(nil)
	c.joined = false
}

// forgetNumbers handles an unreadable message. It drops the numbers of the updates of one side, because the message may
// have been an update.
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

// setView sets the view. It drops the pending findings that depend on another view.
func (c *connection) setView(v *view) {
	c.outcomes.Settle(func(o *bzflag.Outcome) bool { return o.Rests != nil && o.Rests != v })
	c.view = v
}

// currentView returns the view of the game. If there is none because the capture lacks the beginning of the connection,
// currentView creates one. It returns nil before the server accepts the client.
func (c *connection) currentView(now int64) *view {
	if c.view == nil && (!c.begun || c.accepted.Known()) {
		c.view = newView(false, now)
	}
	return c.view
}

// showsAlive reports whether a tank is alive when the server relays an update of it. If k.life is unknown, for example
// because the player joined before the capture, the status in the update decides.
func (c *connection) showsAlive(k *tank, s PlayerStatus) bool {
	return k.life == alive || k.life == lifeUnknown && s&Alive != 0 && c.tcp && (k.present || !c.view.complete)
}

// tank returns the client's tank in the current view, or nil if it is not known.
func (c *connection) tank(now int64) *tank {
	v := c.currentView(now)
	if v == nil || c.player == NoPlayer {
		return nil
	}
	return v.tank(c.player)
}

// takeAccept handles MsgAccept, which begins a view.
func (c *connection) takeAccept(m message, p *Player) {
	c.handshake.takeAccept(m, p)
	c.setView(newView(!c.watchesReplay(), m.place.Time))
}

// takeWorldRequest handles a request for a part of the world. It skips the request if the capture lacks some of the
// connection's data, because parts of the world may be missing.
func (c *connection) takeWorldRequest(m message, r *WorldRequest, pending *bzflag.PendingFindings) {
	if c.begun {
		c.download.takeRequest(m, r, pending, &c.outcomes)
	}
}
