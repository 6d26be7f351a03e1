package bzflag24

import (
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// dispatcher passes each message of a connection to the components that need it.
type dispatcher struct {
	pending  *bzflag.PendingFindings
	attempts *attemptTracker
	joins    *joinTracker
	seats    *seatTracker
	links    *linkTracker
	relays   *relayTracker
	tanks    *tankTracker
	numbers  *numberTracker
	shots    *shotTracker
	flags    *flagTracker
	match    *matchTracker
	chat     *chatTracker
	queries  *queryTracker
	wishes   *wishTracker
}

// fromClient handles a message from a client.
func (d *dispatcher) fromClient(e event) {
	c := e.connection
	c.said, c.spoke, c.pings.silent = true, c.spoke || e.tcp(), 0
	if _, ok := e.layer.Body.(*ConnectHeader); ok {
		c.takeHeader(e.message)
		d.attempts.takeHeader(e)
		return
	}
	d.joins.checkEntered(e)
	if e.unreadable() {
		c.forgetNumbers(false)
		if e.tcp() && e.layer.Truncated() {
			c.lostRequests(e.place.Time)
		}
		e.game.takeTruncated(e.message)
		return
	}
	c.spokeUDP = c.spokeUDP || !e.tcp()
	d.wishes.takeRequest(e)
	c.acts.take(e.message)
	d.dispatchFromClient(e)
}

// dispatchFromClient dispatches a message from a client by its type.
//
//nolint:funlen // one case per message
func (d *dispatcher) dispatchFromClient(e event) {
	c, g := e.connection, e.game
	d.links.fromClient(e)
	switch b := e.layer.Body.(type) {
	case *Enter:
		c.takeEnter(b)
		d.attempts.takeEnter(e)
	case *LinkRequest:
		c.takeLinkRequest(e.message, b)
	case *WorldRequest:
		c.takeWorldRequest(e.message, b, d.pending)
		d.attempts.takeWorldRequest(e)
	case *Chat:
		d.chat.takeLine(e, b)
	case *LagPing:
		d.numbers.takePingAnswer(e, b)
	case *PlayerUpdate:
		d.numbers.takeUpdate(e, &b.Motion)
		d.relays.takeUpdate(e, &b.Motion)
	case *PlayerUpdateSmall:
		d.numbers.takeUpdate(e, &b.Motion)
		d.relays.takeUpdate(e, &b.Motion)
	case *ShotBegin:
		d.shots.takeShot(e, b)
	case *GMUpdate:
		d.shots.checkGuidance(e, b)
	case *ShotEnd:
		d.shots.checkEnd(e, b)
	case *FlagRequest:
		d.flags.checkGrabRequest(e, b)
	case *TransferRequest:
		c.checkSender(e.message, &b.From, bzflag.HeaderSize)
	case *Teleport:
		g.teleporters.check(e.message, b, bzflag.HeaderSize)
	case *Killed:
		d.tanks.takeClientDeath(e)
	case *Pause:
		d.tanks.takePauseRequest(e, b.On.True())
	case *wire.Empty:
		switch e.layer.Code {
		case CodeQueryGame:
			d.queries.takeQuestion(e, bzflag.AboutGame)
		case CodeQueryPlayers:
			d.queries.takeQuestion(e, bzflag.AboutPlayers)
		case CodeNewRabbit:
			g.settings.checkRabbitMode(e.message)
		case CodeAlive:
			d.tanks.checkSpawnRequest(e)
			c.asked.Ask(bzflag.Respawn, e.place.Time)
		case CodeExit:
			d.numbers.end(e)
			g.remove(c)
			d.attempts.leave(e)
		}
	}
}

// aboutConnection are the server messages about the connection, or about the game as a whole. All other messages
// describe the state of the game to an accepted client, so they need a view of the game.
var aboutConnection = map[Code]bool{
	CodeAccept: true, CodeReject: true, CodeSuperKill: true, CodeUDPLinkRequest: true, CodeUDPLinkEstablished: true,
	CodeGameSettings: true, CodeQueryGame: true, CodeQueryPlayers: true, CodeWantWHash: true, CodeGetWorld: true,
	CodeLagPing: true, CodeGameTime: true, CodeHandicap: true, CodeNewRabbit: true, CodeReplayReset: true,
	CodeNegotiateFlags: true,
}

// fromServer handles a message from the server.
func (d *dispatcher) fromServer(e event) {
	c := e.connection
	switch b := e.layer.Body.(type) {
	case *ServerHello:
		if !e.unreadable() {
			d.joins.takeHello(e, b)
		}
		return
	case *TimeoutBanner:
		d.attempts.takeBanner(e)
		return
	case *BanText:
		d.attempts.refuse(e, strings.TrimSpace(string(b.Text)))
		return
	}
	c.checkDismissed(e.message)
	if e.unreadable() {
		c.forgetNumbers(true)
		if e.tcp() {
			c.forgetGame()
		}
		e.game.takeTruncated(e.message)
		e.game.wishes.Forget(nil)
		return
	}
	if e.game.counting == c {
		e.game.countingTime = e.place.Time
	}
	if c.view != nil {
		e.game.served = e.place.Time
	}
	if e.game.recount && c.sees() {
		e.game.recount = false
		d.seats.recordCount(e, c)
	}
	if c.view == nil && !aboutConnection[e.layer.Code] {
		c.currentView(e.place.Time) // creates a view if possible
		if c.view == nil {
			if b, ok := e.layer.Body.(*ChatFrom); ok {
				d.chat.takeWords(e, b)
			}
			return
		}
	}
	d.dispatchFromServer(e)
	d.wishes.takeAnswer(e)
	d.links.fromServer(e)
}

// dispatchFromServer dispatches a message from the server by its type.
//
//nolint:funlen // one case per message
func (d *dispatcher) dispatchFromServer(e event) {
	c, g := e.connection, e.game
	switch b := e.layer.Body.(type) {
	case *wire.Empty:
		if e.layer.Code == CodeSuperKill {
			d.joins.takeSuperKill(e)
		}
	case *OnePlayer:
		switch e.layer.Code {
		case CodeAccept:
			c.takeAccept(e.message, &b.Player)
			d.attempts.takeAccept(e)
		case CodeNewRabbit:
			d.match.takeRabbit(e, &b.Player)
		case CodeRemovePlayer:
			d.tanks.takeRemoval(e, &b.Player)
		}
	case *Reject:
		d.joins.takeReject(e, b)
	case *NegotiateFlags:
		d.attempts.takeFlags(e, b)
	case *Settings:
		d.queries.takeSettings(e, b)
	case *Game:
		d.queries.takeGame(e, b)
	case *PlayerCounts:
		d.queries.takePlayerCounts(e, b)
	case *WorldHash:
		g.teleporters.takeHash(b)
	case *WorldPart:
		g.takeWorldPart(e.message, c, b)
		d.attempts.takeWorldPart(e, b, c.download.received)
	case *LagPing:
		d.numbers.takePing(e, b)
	case *GameTime:
		c.gameTime.take(e.message, b)
	case *TimeUpdate:
		d.match.takeTime(e, b)
	case *ScoreOver:
		d.match.takeScoreOver(e, b)
	case *Score:
		d.match.takeScores(e, b)
	case *TeamUpdate:
		d.match.takeTeams(e, b)
	case *AdminInfo:
		d.seats.takeAddresses(e, b)
	case *Handicaps:
		g.settings.checkHandicapOption(e.message)
	case *ReplayReset:
		d.match.takeReplayReset(e)
	case *AddPlayer:
		d.tanks.takePlayer(e, b)
	case *Spawn:
		d.tanks.takeSpawn(e, b)
		d.chat.asks.grant(e, b.Player.ID)
	case *Killed:
		d.tanks.takeDeath(e, b)
	case *Pause:
		d.tanks.takePause(e, b)
	case *Teleport:
		g.teleporters.check(e.message, b, bzflag.HeaderSize+1)
	case *PlayerUpdate:
		d.numbers.takeRelayedUpdate(e, &b.Motion)
	case *PlayerUpdateSmall:
		d.numbers.takeRelayedUpdate(e, &b.Motion)
	case *ShotBegin:
		d.shots.takeRelayedShot(e, b)
	case *GMUpdate:
		g.settings.checkSlot(e.message, &b.Shot, bzflag.HeaderSize)
	case *ShotEnd:
		d.shots.checkEnd(e, b)
	case *ChatFrom:
		d.chat.takeChat(e, b)
	case *FlagUpdate:
		d.flags.takeFlags(e, b)
	case *GrabFlag:
		d.flags.takeGrab(e, b)
	case *DropFlag:
		d.flags.takeDrop(e, b)
	case *TransferFlag:
		d.flags.takeTransfer(e, b)
	case *CaptureFlag:
		d.flags.takeCapture(e, b)
	}
}
