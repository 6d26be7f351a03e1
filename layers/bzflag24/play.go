package bzflag24

import (
	"strconv"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// fromServer takes a message of the server.
func (e *event) fromServer() {
	c, now := e.c, e.p.Time
	switch b := e.l.Body.(type) {
	case *ServerHello:
		if !e.broken() {
			e.welcome(b)
		}
		return
	case *TimeoutBanner:
		return
	}
	e.checkEnd()
	if e.broken() {
		if e.tcp() {
			c.blind()
		}
		e.g.blurred(e)
		return
	}
	if e.g.witness == c.Client {
		e.g.witnessTime = now
	}
	if !e.session() {
		if v := c.seen(now); v != nil && !e.told(v) {
			e.flags(v)
		}
	}
}

// session takes what is about the connection and the game as a whole, and reports whether it was that.
func (e *event) session() bool {
	switch b := e.l.Body.(type) {
	case *OnePlayer:
		switch e.l.Code {
		case CodeAccept:
			e.accept(&b.Player)
		case CodeNewRabbit:
			e.rabbit()
		default:
			return false
		}
	case *Reject:
		e.rejected(b)
	case *Empty:
		if e.l.Code == CodeSuperKill {
			e.superKill()
		}
	case *Settings:
		e.g.numFlags = int(b.NumFlags)
		e.settings(e.p.Src, b.GameType, b.Options, b.MaxShots)
	case *Game:
		e.settings(e.p.Src, b.GameType, b.Options, b.MaxShots)
	case *WorldHash:
		e.worldHash(b)
	case *WorldPart:
		e.worldPart(b)
	case *LagPing:
		e.ping(b)
	case *GameTime:
		e.clock(b)
	case *Handicaps:
		e.handicaps()
	case *ReplayReset:
		e.c.blind()
		e.c.view, e.c.left, e.c.gameTime.known = newView(false, e.p.Time), 0, false
		e.shots.Each(func(k shotKey, _ *struct{}) {
			if k.game == e.g.serial {
				e.shots.Delete(k)
			}
		})
	default:
		return false
	}
	return true
}

// told takes what is about players, and reports whether it was that.
func (e *event) told(v *view) bool {
	const off = bzflag.HeaderSize
	now := e.p.Time
	switch b := e.l.Body.(type) {
	case *AddPlayer:
		e.addPlayer(v, b)
	case *OnePlayer:
		if e.l.Code == CodeRemovePlayer {
			e.removePlayer(v, &b.Player)
		}
	case *Spawn:
		e.spawn(v, b)
	case *Killed:
		e.kill(v, b)
	case *Pause:
		e.pause(v, b)
	case *TimeUpdate:
		e.timeLeft(b)
	case *ScoreOver:
		v.killAll(now)
	case *Teleport:
		e.teleport(b, off+1)
	case *PlayerUpdate:
		e.relayed(v, &b.Motion)
	case *PlayerUpdateSmall:
		e.relayed(v, &b.Motion)
	case *ShotBegin:
		e.shotRelayed(v, b)
	case *GMUpdate:
		e.checkSlot(&b.Shot, off)
	case *ShotEnd:
		e.shotEnd(v, b)
	case *ChatFrom:
		if !e.captured(b.From.ID) && e.counts() {
			e.chat(&b.From, b.Text)
		}
		e.heard(b)
	default:
		return false
	}
	return true
}

// captured reports whether what a player sends is in the capture itself. Then what the server passes
// on of it is not judged again.
func (e *event) captured(id PlayerID) bool { return e.g.owners[id].IsValid() }

func (e *event) relayed(v *view, m *Motion) {
	if k := v.tank(m.Player.ID); k != nil && !e.captured(m.Player.ID) {
		e.update(m, &k.orders)
	}
}

func (e *event) addPlayer(v *view, b *AddPlayer) {
	k, c := v.tank(b.Player.ID), e.c
	if k == nil {
		return
	}
	self := b.Player.ID == c.player
	if !k.present && (self || c.joined && !c.watches()) {
		k.be(unborn, false, e.p.Time)
		k.fresh = true
	}
	k.present, k.kind, k.team = true, b.Type, b.Team
	e.there(b)
	c.joined = c.joined || self
	e.playerCount(v)
}

func (e *event) removePlayer(v *view, p *Player) {
	if int(p.ID) >= maxTanks {
		return
	}
	if k := v.tanks[p.ID]; k != nil && k.flag >= 0 {
		v.release(uint16(k.flag), e.p.Time)
	}
	v.tanks[p.ID] = nil
	if e.counts() {
		e.state(players, p.String(), "connected", "no")
	}
	e.playerCount(v)
}

func (e *event) spawn(v *view, b *Spawn) {
	k := v.tank(b.Player.ID)
	if k == nil {
		return
	}
	if k.life == alive {
		e.l.Report(ruleAliveTwice, bzflag.HeaderSize, 1, "%s has been alive for %.3f s", &b.Player, seconds(elapsed(k.since, e.p.Time)))
	}
	k.be(alive, false, e.p.Time)
	k.births++
	k.born, k.paused = e.p.Time, false
	if k.flag == flagUnknown {
		k.flag = noFlag
	}
	if b.Player.ID == e.c.player {
		e.c.died, e.c.resumed, e.c.halted = false, false, false
	}
}

// kill takes a death. At the start of a match all are killed in the name of nobody, whether they
// live or not; and a death may be on its way when a capture or the end of the game brings another.
func (e *event) kill(v *view, b *Killed) {
	const off = bzflag.HeaderSize
	k, killer := v.tank(b.Victim.ID), v.present(b.Killer.ID)
	if k == nil {
		return
	}
	passed := elapsed(k.since, e.p.Time)
	switch {
	case b.Reason == GotKilledMsg && killer == nil:
	case k.life == unborn && k.team != ObserverTeam:
		e.l.Report(ruleKilledDead, off, 1, "%s has not spawned", &b.Victim)
	case k.life == dead && (!k.silent || passed > lagLife):
		e.l.Report(ruleKilledDead, off, 1, "%s has been dead for %.3f s", &b.Victim, seconds(passed))
	}
	if killer != nil && killer.team == ObserverTeam && b.Killer.ID != b.Victim.ID {
		e.l.Report(ruleObserver, off+1, 1, "%s is an observer and kills", &b.Killer)
	}
	if k.life != unborn || k.team != ObserverTeam {
		k.be(dead, false, e.p.Time)
	}
	if e.counts() {
		e.count(b.Victim.String(), "deaths")
		if killer != nil && b.Killer.ID != b.Victim.ID {
			e.count(b.Killer.String(), "kills")
			if b.Reason == GotShot {
				e.count(b.Killer.String(), "hits")
			}
		}
	}
}

func (e *event) pause(v *view, b *Pause) {
	k := v.tank(b.Player.ID)
	if k == nil {
		return
	}
	if b.On.True() && k.paused {
		e.l.Report(rulePauseTwice, bzflag.HeaderSize, 2, "%s has been paused for %.3f s", &b.Player, seconds(elapsed(k.pauseTime, e.p.Time)))
	}
	if on := b.On.True(); on != k.paused {
		k.paused, k.pauseTime = on, e.p.Time
	}
	if b.Player.ID == e.c.player {
		e.c.resumed, e.c.halted = false, false
	}
}

// settings takes what the server says of its game.
func (e *event) settings(server interface{ String() string }, kind GameType, options GameOptions, shots uint16) {
	g := e.g
	if e.to.Value != nil {
		if !g.known || g.kind != kind {
			e.state(servers, server.String(), "game type", gameTypes.Format(int64(kind)))
		}
		if !g.known || g.options != options {
			e.state(servers, server.String(), "options", names(gameOptionBits, int64(options)))
		}
	}
	g.known, g.kind, g.options, g.maxShots = true, kind, options, int(shots)
}

// playerCount tells how many players there are when that changes.
func (e *event) playerCount(v *view) {
	if e.to.Value == nil || !v.complete || !e.c.joined || !e.counts() {
		return
	}
	n := 0
	for _, k := range v.tanks {
		if k != nil && k.present {
			n++
		}
	}
	if n != e.g.players {
		e.g.players = n
		e.state(servers, e.c.Server.String(), "players", strconv.Itoa(n))
	}
}
