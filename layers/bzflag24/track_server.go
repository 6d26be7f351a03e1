package bzflag24

import (
	"strconv"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// fromServer takes a message of the server.
func (e *event) fromServer() {
	c, now := e.connection, e.place.Time
	switch b := e.layer.Body.(type) {
	case *ServerHello:
		if !e.broken() {
			e.recordHello(b)
		}
		return
	case *TimeoutBanner:
		return
	}
	e.checkDismissed()
	if e.broken() {
		if e.tcp() {
			c.forgetGame()
		}
		e.game.noteTruncated(e)
		return
	}
	if e.game.witness == c.Client {
		e.game.witnessTime = now
	}
	if !e.session() {
		if v := c.currentView(now); v != nil && !e.told(v) {
			e.flags(v)
		}
	}
}

// session takes what is about the connection and the game as a whole, and reports whether it was that.
func (e *event) session() bool {
	switch b := e.layer.Body.(type) {
	case *OnePlayer:
		switch e.layer.Code {
		case CodeAccept:
			e.checkAccept(&b.Player)
		case CodeNewRabbit:
			e.checkRabbitMode()
		default:
			return false
		}
	case *Reject:
		e.recordReject(b)
	case *Empty:
		if e.layer.Code == CodeSuperKill {
			e.recordSuperKill()
		}
	case *Settings:
		e.game.numFlags = int(b.NumFlags)
		e.recordSettings(e.place.Src, b.GameType, b.Options, b.MaxShots)
	case *Game:
		e.recordSettings(e.place.Src, b.GameType, b.Options, b.MaxShots)
	case *WorldHash:
		e.recordWorldHash(b)
	case *WorldPart:
		e.recordWorldPart(b)
	case *LagPing:
		e.checkLagPing(b)
	case *GameTime:
		e.checkClock(b)
	case *Handicaps:
		e.checkHandicapOption()
	case *ReplayReset:
		e.connection.forgetGame()
		e.connection.view, e.connection.left, e.connection.gameTime.known = newView(false, e.place.Time), 0, false
		e.shots.Each(func(k shotKey, _ *struct{}) {
			if k.game == e.game.serial {
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
	now := e.place.Time
	switch b := e.layer.Body.(type) {
	case *AddPlayer:
		e.recordPlayer(v, b)
	case *OnePlayer:
		if e.layer.Code == CodeRemovePlayer {
			e.recordRemoval(v, &b.Player)
		}
	case *Spawn:
		e.checkSpawn(v, b)
	case *Killed:
		e.checkDeath(v, b)
	case *Pause:
		e.checkPause(v, b)
	case *TimeUpdate:
		e.checkTimeLeft(b)
	case *ScoreOver:
		v.killAll(now)
	case *Teleport:
		e.checkFaces(b, off+1)
	case *PlayerUpdate:
		e.checkRelayedUpdate(v, &b.Motion)
	case *PlayerUpdateSmall:
		e.checkRelayedUpdate(v, &b.Motion)
	case *ShotBegin:
		e.checkRelayedShot(v, b)
	case *GMUpdate:
		e.checkSlot(&b.Shot, off)
	case *ShotEnd:
		e.checkShotEnd(v, b)
	case *ChatFrom:
		if !e.hasOwnConnection(b.From.ID) && e.isWitness() {
			e.measureChat(&b.From, b.Text)
		}
		e.recordServerWords(b)
	default:
		return false
	}
	return true
}

// captured reports whether what a player sends is in the capture itself. Then what the server passes
// on of it is not judged again.
func (e *event) hasOwnConnection(id PlayerID) bool { return e.game.owners[id].IsValid() }

func (e *event) checkRelayedUpdate(v *view, m *Motion) {
	if k := v.tank(m.Player.ID); k != nil && !e.hasOwnConnection(m.Player.ID) {
		e.checkOrder(m, &k.orders)
	}
}

func (e *event) recordPlayer(v *view, b *AddPlayer) {
	k, c := v.tank(b.Player.ID), e.connection
	if k == nil {
		return
	}
	self := b.Player.ID == c.player
	if !k.present && (self || c.joined && !c.watchesReplay()) {
		k.setLife(unborn, false, e.place.Time)
		k.fresh = true
	}
	k.present, k.kind, k.team = true, b.Type, b.Team
	e.measurePlayer(b)
	c.joined = c.joined || self
	e.measurePlayerCount(v)
}

func (e *event) recordRemoval(v *view, p *Player) {
	if int(p.ID) >= maxTanks {
		return
	}
	if k := v.tanks[p.ID]; k != nil && k.flag >= 0 {
		v.release(uint16(k.flag), e.place.Time)
	}
	v.tanks[p.ID] = nil
	if e.isWitness() {
		e.measureState(players, p.String(), "connected", "no")
	}
	e.measurePlayerCount(v)
}

func (e *event) checkSpawn(v *view, b *Spawn) {
	k := v.tank(b.Player.ID)
	if k == nil {
		return
	}
	if k.life == alive {
		e.layer.Report(ruleAliveTwice, bzflag.HeaderSize, 1, "%s has been alive for %.3f s", &b.Player, seconds(elapsed(k.since, e.place.Time)))
	}
	k.setLife(alive, false, e.place.Time)
	k.births++
	k.born, k.paused = e.place.Time, false
	if k.flag == flagUnknown {
		k.flag = noFlag
	}
	if b.Player.ID == e.connection.player {
		e.connection.died, e.connection.resuming, e.connection.pausing = false, false, false
	}
}

// kill takes a death. At the start of a match all are killed in the name of nobody, whether they
// live or not; and a death may be on its way when a capture or the end of the game brings another.
func (e *event) checkDeath(v *view, b *Killed) {
	const off = bzflag.HeaderSize
	k, killer := v.tank(b.Victim.ID), v.present(b.Killer.ID)
	if k == nil {
		return
	}
	passed := elapsed(k.since, e.place.Time)
	switch {
	case b.Reason == GotKilledMsg && killer == nil:
	case k.life == unborn && k.team != ObserverTeam:
		e.layer.Report(ruleKilledDead, off, 1, "%s has not spawned", &b.Victim)
	case k.life == dead && (!k.silent || passed > lagLife):
		e.layer.Report(ruleKilledDead, off, 1, "%s has been dead for %.3f s", &b.Victim, seconds(passed))
	}
	if killer != nil && killer.team == ObserverTeam && b.Killer.ID != b.Victim.ID {
		e.layer.Report(ruleObserver, off+1, 1, "%s is an observer and kills", &b.Killer)
	}
	if k.life != unborn || k.team != ObserverTeam {
		k.setLife(dead, false, e.place.Time)
	}
	if e.isWitness() {
		e.measureCount(b.Victim.String(), "deaths")
		if killer != nil && b.Killer.ID != b.Victim.ID {
			e.measureCount(b.Killer.String(), "kills")
			if b.Reason == GotShot {
				e.measureCount(b.Killer.String(), "hits")
			}
		}
	}
}

func (e *event) checkPause(v *view, b *Pause) {
	k := v.tank(b.Player.ID)
	if k == nil {
		return
	}
	if b.On.True() && k.paused {
		e.layer.Report(rulePauseTwice, bzflag.HeaderSize, 2, "%s has been paused for %.3f s", &b.Player, seconds(elapsed(k.pauseTime, e.place.Time)))
	}
	if on := b.On.True(); on != k.paused {
		k.paused, k.pauseTime = on, e.place.Time
	}
	if b.Player.ID == e.connection.player {
		e.connection.resuming, e.connection.pausing = false, false
	}
}

// settings takes what the server says of its game.
func (e *event) recordSettings(server interface{ String() string }, kind GameType, options GameOptions, shots uint16) {
	g := e.game
	if e.reporter.Value != nil {
		if !g.known || g.kind != kind {
			e.measureState(servers, server.String(), "game type", gameTypes.Format(int64(kind)))
		}
		if !g.known || g.options != options {
			e.measureState(servers, server.String(), "options", names(gameOptionBits, int64(options)))
		}
	}
	g.known, g.kind, g.options, g.maxShots = true, kind, options, int(shots)
}

// playerCount tells how many players there are when that changes.
func (e *event) measurePlayerCount(v *view) {
	if e.reporter.Value == nil || !v.complete || !e.connection.joined || !e.isWitness() {
		return
	}
	n := 0
	for _, k := range v.tanks {
		if k != nil && k.present {
			n++
		}
	}
	if n != e.game.players {
		e.game.players = n
		e.measureState(servers, e.connection.Server.String(), "players", strconv.Itoa(n))
	}
}
