package bzflag17

import (
	"math"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// wishTracker follows client requests that a server may ignore without an answer. Drops and captures without a flag
// have their own rules.
type wishTracker struct {
	reporter *wire.Reporter
	games    *gameTable
}

// takeRequest handles a client's message before the other components change the state.
func (t *wishTracker) takeRequest(e *event) {
	c := e.conn
	k := c.clientTank()
	if k == nil || e.game == nil {
		return
	}
	acts := k.life == alive && !k.paused
	switch b := e.layer.Body.(type) {
	case *ShotBegin:
		if acts && c.isClient(b.Shooter.ID) {
			t.ask(e, bzflag.Wish{Kind: bzflag.Shots, ID: b.ShotID})
		}
	case *Killed:
		if acts {
			t.ask(e, bzflag.Wish{Kind: bzflag.Deaths})
		}
	case *GrabRequest:
		if acts && !k.flagChangedWithin(e.place.Time, lossNotice) {
			w := bzflag.Wish{Kind: bzflag.Grabs, ID: b.Number}
			if k.flagKnown && k.flag != NoFlag {
				w.Cause = "a flag carried already"
			}
			t.ask(e, w)
		}
	case *Message: // a private line to oneself is skipped: its relay looks like a message from the server
		private := !b.To.ID.IsZero()
		if e.tcp() && !(private && c.isClient(b.To.ID)) && bzflag.Command(wire.Trim(b.Text)) == "" {
			t.ask(e, bzflag.Wish{Kind: bzflag.Lines, Private: private || b.Team != NoTeam})
		}
	}
}

func (t *wishTracker) ask(e *event, w bzflag.Wish) {
	n := e.game.player(e.conn.playerID)
	if n == nil || n.serial != e.conn.serial {
		return
	}
	if n.wished == nil {
		n.wished = &bzflag.Wished{CallSign: e.conn.callSign}
	}
	e.conn.wished = n.wished
	e.game.wishes.Ask(n.wished, w, e.place)
}

// takeAnswer handles a message from the server, which may answer requests.
func (t *wishTracker) takeAnswer(e *event) {
	if e.game == nil {
		return
	}
	if e.unreadable() { // an unreadable message may answer any request
		t.forget(e)
		return
	}
	s, now := &e.game.wishes, e.place.Time
	switch b := e.layer.Body.(type) {
	case *ShotBegin:
		t.grant(e, b.Shooter.ID, bzflag.Shots, b.ShotID)
	case *Message:
		if e.conn.resolve(b.From.ID) != e.conn.resolve(b.To.ID) {
			t.grant(e, b.From.ID, bzflag.Lines, 0)
		}
	case *Killed:
		t.grant(e, b.Victim.ID, bzflag.Deaths, 0)
		if of := t.wishedOf(e, b.Victim.ID); of != nil {
			s.Died(of, now)
		}
	case *GrabFlag:
		t.grant(e, b.Player.ID, bzflag.Grabs, 0)
		s.Taken(t.wishedOf(e, b.Player.ID), b.Number)
	case *TimeLeft:
		if b.Seconds == 0 {
			s.Died(nil, now)
		}
	case *CaptureFlag, *ScoreOver:
		s.Died(nil, now)
	}
	if s.Turn(now) {
		t.markHandled(e)
	}
}

// markHandled records that the server has handled the requests up to now, so it will not answer them later.
func (t *wishTracker) markHandled(e *event) {
	c := e.conn
	l := bzflag.Listener{
		Since: c.whole, Joined: math.MaxInt64,
		Shots: c.linkSeen || c.relay && !c.hasLink && !c.isRobot(),
	}
	if c.stage == playing {
		l.Wished, l.Joined = t.wishedOf(e, c.playerID), max(c.whole, c.joined.When())
	}
	e.game.wishes.Hear(&l, e.place)
}

func (t *wishTracker) grant(e *event, p PlayerID, kind bzflag.WishKind, id uint16) {
	own := e.conn.resolve(p) == e.conn.playerID
	e.game.wishes.Grant(t.wishedOf(e, p), kind, id, e.place.Time, own)
}

// wishedOf returns the requests of a player, or nil if the player is not known.
func (t *wishTracker) wishedOf(e *event, p PlayerID) *bzflag.Wished {
	if n := e.game.player(e.conn.resolve(p)); n != nil {
		return n.wished
	}
	return nil
}

// forget drops the open requests in a game, because the capture lacks some of its messages.
func (t *wishTracker) forget(e *event) {
	if e.game != nil {
		e.game.wishes.Forget(nil)
	}
}

// end handles the end of a client's connection. It reports the client's requests that the server ignored.
func (t *wishTracker) end(e *event) {
	if n := e.game.player(e.conn.playerID); n != nil && n.serial == e.conn.serial {
		t.report(e, n, e.conn.playerID, e.place.Time)
	}
}

// close reports the ignored requests of all clients at the end of the capture.
func (t *wishTracker) close(now int64) {
	t.games.byServer.Each(func(_ netip.AddrPort, g *game) {
		for _, n := range g.players.sorted() {
			t.report(&event{game: g}, n.identity, n.id, now)
		}
	})
}

// report reports a player's requests that the server ignored.
func (t *wishTracker) report(e *event, n *identity, p PlayerID, now int64) {
	if n.wished == nil {
		return
	}
	name := bzflag.Called(n.wished.CallSign, p.String(), e.game.players.share(n.wished.CallSign, p))
	if text, first := e.game.wishes.Tell(n.wished, name, now); text != "" {
		t.reporter.Report(first, ruleUnrelayed, "%s", text)
	}
}
