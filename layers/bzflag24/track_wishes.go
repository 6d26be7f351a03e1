package bzflag24

import (
	"math"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// wishTracker follows the client requests that a server may silently ignore (see bzflag.Wish).
type wishTracker struct {
	reporter    *wire.Reporter
	connections *connectionTable
}

// takeRequest handles a client's message. It must be called before other components change the state.
func (t *wishTracker) takeRequest(e event) {
	c := e.connection
	switch b := e.layer.Body.(type) {
	case *ShotBegin:
		if k := t.actor(e); k != nil && b.Shot.Shooter.ID == c.player {
			t.ask(e, bzflag.Wish{Kind: bzflag.Shots, ID: b.Shot.ID, Cause: shotCause(e, k, b)})
		}
	case *Chat:
		t.askLine(e, b)
	case *Killed:
		if t.actor(e) != nil {
			w := bzflag.Wish{Kind: bzflag.Deaths}
			if s := &e.game.settings; s.known && b.Shot >= 0 && bzflag.ShotSlot(uint16(b.Shot)) >= s.maxShots {
				w.Cause = "by a shot that the game does not have"
			}
			t.ask(e, w)
		}
	case *FlagRequest, *DropRequest, *CaptureRequest, *TransferRequest:
		t.askFlag(e)
	case *AutoPilot:
		if k := c.tank(e.place.Time); k != nil && k.present {
			w := bzflag.Wish{Kind: bzflag.Autopilots}
			if k.team == ObserverTeam {
				w.Cause = "an observer"
			}
			t.ask(e, w)
		}
	case *wire.Empty:
		if k := c.tank(e.place.Time); e.layer.Code == CodeAlive && k != nil && k.present && k.team != ObserverTeam &&
			(k.life == unborn || k.life == dead) {
			t.ask(e, bzflag.Wish{Kind: bzflag.Spawns})
		}
	}
}

// shotCause returns the reason why the server does not relay a shot, or "" if it is not known. All shots of a game have
// the same lifetime.
func shotCause(e event, k *tank, b *ShotBegin) string {
	g := e.game
	switch {
	case g.settings.known && bzflag.ShotSlot(b.Shot.ID) >= g.settings.maxShots:
		return "in a slot that the game does not have"
	case g.lifetime != 0 && b.Lifetime != g.lifetime:
		return "with a different lifetime from the others"
	case k.flag >= 0 && b.FlagType != FlagType{} && b.FlagType != k.flagType && k.flagType != disguise &&
		e.since(k.flagTime) > lagLife:
		return "with a flag that the player does not carry"
	}
	return ""
}

// actor returns the client's tank, or nil if the tank may not act, for example because it has just died.
func (t *wishTracker) actor(e event) *tank {
	k := e.connection.tank(e.place.Time)
	if k == nil || k.life != alive || k.team == ObserverTeam || k.paused || e.connection.acts.died.Known() {
		return nil
	}
	return k
}

// askFlag records a client's request about a flag. It ignores the request if the flag that the tank carries has just
// changed.
func (t *wishTracker) askFlag(e event) {
	k := t.actor(e)
	if k == nil || k.flagTime != 0 && e.since(k.flagTime) <= lagLife {
		return
	}
	var w bzflag.Wish
	v := e.connection.view
	if k.flag == noFlag {
		w.Cause = "no flag carried"
	}
	switch b := e.layer.Body.(type) {
	case *FlagRequest:
		w = bzflag.Wish{Kind: bzflag.Grabs, ID: b.Number, Cause: grabCause(v, k, b.Number)}
	case *DropRequest:
		w.Kind = bzflag.Drops
	case *CaptureRequest:
		if w.Kind = bzflag.Captures; k.flag >= 0 && flagTeam(k.flagType) == NoTeam {
			w.Cause = "no flag of a team carried"
		}
	case *TransferRequest:
		w.Kind = bzflag.Transfers
		if other := v.known(b.To.ID); k.flag >= 0 && other != nil && !other.maySteal(e.place.Time) {
			w.Cause = "to a player without the Thief flag"
		}
	}
	t.ask(e, w)
}

// grabCause returns the reason why a tank does not get a flag, or "" if it is not known.
func grabCause(v *view, k *tank, number uint16) string {
	s := v.flag(number)
	switch {
	case k.flag >= 0:
		return "a flag carried already"
	case s != nil && s.known && s.status != FlagOnGround:
		return "not on the ground"
	}
	return ""
}

// askLine records a line of chat. The server must also send the line back to the client.
func (t *wishTracker) askLine(e event, b *Chat) {
	c := e.connection
	if c.player == NoPlayer || c.begun && !c.entered.Known() || bzflag.Command(wire.Trim(b.Text)) != "" {
		return
	}
	w := bzflag.Wish{Kind: bzflag.Lines, Private: b.To.ID != AllPlayers}
	if c.begun && !c.accepted.Known() {
		w.Cause = "before MsgAccept"
	}
	t.ask(e, w)
}

func (t *wishTracker) ask(e event, w bzflag.Wish) {
	c := e.connection
	if c.wished == nil {
		c.wished = &bzflag.Wished{CallSign: clientPlayer(e).CallSign}
	}
	e.game.wishes.Ask(c.wished, w, e.place)
}

// takeAnswer handles a message from the server. Many messages grant requests.
func (t *wishTracker) takeAnswer(e event) {
	s, now := &e.game.wishes, e.place.Time
	switch b := e.layer.Body.(type) {
	case *ShotBegin:
		e.game.lifetime = b.Lifetime
		t.grant(e, b.Shot.Shooter.ID, bzflag.Shots, b.Shot.ID)
	case *ChatFrom:
		t.grant(e, b.From.ID, bzflag.Lines, 0)
	case *Spawn:
		t.grant(e, b.Player.ID, bzflag.Spawns, 0)
	case *AutoPilot:
		t.grant(e, b.Player.ID, bzflag.Autopilots, 0)
	case *Killed:
		t.grant(e, b.Victim.ID, bzflag.Deaths, 0)
		if of := t.wishedOf(e, b.Victim.ID); of != nil {
			s.Died(of, now)
		}
	case *GrabFlag:
		t.grant(e, b.Player.ID, bzflag.Grabs, 0)
		s.Taken(t.wishedOf(e, b.Player.ID), b.Flag.Number)
	case *DropFlag:
		t.grant(e, b.Player.ID, bzflag.Drops, 0)
	case *TransferFlag:
		t.grant(e, b.From.ID, bzflag.Transfers, 0)
	case *CaptureFlag:
		t.grant(e, b.Player.ID, bzflag.Captures, 0)
		s.Died(nil, now)
	case *TimeUpdate:
		if b.Seconds == 0 {
			s.Died(nil, now)
		}
	case *ScoreOver, *ReplayReset:
		s.Died(nil, now)
	}
	e.connection.heardUDP = e.connection.heardUDP || !e.tcp()
	if s.Turn(now) {
		t.hear(e)
	}
}

// hear passes a message from the server to the open requests. If the server had answered an earlier request, the client
// would have received the answer before this message.
func (t *wishTracker) hear(e event) {
	c := e.connection
	l := bzflag.Listener{
		Wished: c.wished, Since: c.since, Joined: math.MaxInt64, Shots: c.heardUDP || !c.spokeUDP,
	}
	if c.view != nil && (c.joined || !c.begun) {
		l.Joined = c.view.since
	}
	if !c.begun {
		l.Since = l.Joined
	}
	e.game.wishes.Hear(&l, e.place)
}

func (t *wishTracker) grant(e event, id PlayerID, kind bzflag.WishKind, number uint16) {
	e.game.wishes.Grant(t.wishedOf(e, id), kind, number, e.place.Time, id == e.connection.player)
}

// wishedOf returns the requests of a player, or nil if the player's client is not known.
func (t *wishTracker) wishedOf(e event, id PlayerID) *bzflag.Wished {
	c := e.connection
	if id != c.player {
		c = t.connections.ofPlayer(e, id)
	}
	if c == nil {
		return nil
	}
	return c.wished
}

// forget drops the open requests on a connection, because the capture lacks some messages of the connection.
func (t *wishTracker) forget(c *connection) {
	if g := t.connections.games.Peek(c.Server); g != nil && c.wished != nil {
		g.wishes.Forget(c.wished)
	}
}

// end reports the client's requests that the server has ignored.
func (t *wishTracker) end(c *connection, now int64) {
	g := t.connections.games.Peek(c.Server)
	if c.wished == nil || g == nil {
		return
	}
	p := &Player{c.player, c.wished.CallSign}
	if text, first := g.wishes.Tell(c.wished, g.seats.called(p), now); text != "" {
		t.reporter.Report(first, ruleUnrelayed, "%s", text)
	}
}

// close reports the ignored requests at the end of the capture.
func (t *wishTracker) close(now int64) {
	t.connections.byRoute.Each(func(_ bzflag.Route, c **connection) { t.end(*c, now) })
}
