package bzflag17

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
)

const (
	crossing    = second / 4  // messages of both sides may pass each other for so long
	answerTime  = 10 * second // to MsgEnter; real servers answer at once
	queryTime   = 2 * second  // in which the answer to MsgQueryPlayers comes as a whole
	lateEnter   = second      // it may be captured so much later than its answer
	listTime    = second / 2  // in which the answer to MsgEnter comes as a whole
	memoryOfOld = 5 * second  // others may still name a player who has left
)

// stayed judges when a client speaks: before it has entered, or after its end.
func (t *tracker) stayed() {
	v, m := t.v, t.m
	switch {
	case v.killed != 0 && m.Code != CodeExit && !before(v.killed, t.p.Time, crossing):
		t.report(ruleAfterKill, 0, headerSize, "%s, %s after MsgSuperKill", m.Message.Name, seconds(passed(v.killed, t.p.Time)))
	case v.stage == gone && v.exited != 0 && (t.p.Transport == wire.TCP || !before(v.exited, t.p.Time, crossing)):
		t.report(ruleAfterExit, 0, headerSize, "%s after MsgExit", m.Message.Name)
	case v.stage == fresh && plays(m.Code):
		t.report(ruleBeforeEnter, 0, headerSize, "%s, and the client has not entered", m.Message.Name)
	}
}

// plays reports whether only players have a use for a message.
func plays(k Code) bool {
	switch k {
	case CodeAlive, CodeKilled, CodeGrabFlag, CodeDropFlag, CodeCaptureFlag, CodeShotBegin, CodeShotEnd, CodeScore,
		CodeTeleport, CodeMessage, CodePlayerUpdate, CodeGMUpdate, CodeAcquireRadio, CodeReleaseRadio, CodeAudio, CodeVideo, CodeLagPing:
		return true
	}
	return false
}

// enter is MsgEnter.
func (t *tracker) enter(b *Enter) {
	v := t.v
	if v.guessed {
		v.guessed, v.entered = false, b.Player
		v.explain(ruleInterrupted, PlayerID{}, t.p.Time)
		return
	}
	if v.stage == accepted || v.stage == playing {
		t.report(ruleSecondEnter, 0, headerSize, "%q enters, the player is there as %q", wire.Trim(b.CallSign), v.sign)
	}
	late := v.heard && t.p.Time < v.heardTime
	switch {
	case v.stage == gone, v.stage == somewhere:
	case late: // what the server answered, or part of it, was seen before
		v.stage = somewhere
	default:
		v.stage = entering
	}
	v.entered, v.kind, v.sign = b.Player, b.Type, string(wire.Trim(b.CallSign))
	if !v.heard || late {
		return // what the server says was not captured, or the answer may have been seen
	}
	t.suspect(ruleUnanswered, PlayerID{}, answerTime, "no answer came in "+seconds(answerTime))
}

// answered is MsgAccept, MsgReject or MsgSuperKill.
func (t *tracker) answered() {
	v := t.v
	v.explain(ruleUnanswered, PlayerID{}, t.p.Time)
	if v.stage == fresh && t.m.Code == CodeAccept {
		v.stage, v.guessed = entering, true // perhaps MsgEnter was only captured later
	}
	if v.stage != entering {
		return
	}
	switch t.m.Code {
	case CodeReject:
		v.stage = fresh
	case CodeAccept: // all that there is will be told
		v.stage, v.roster, v.early, v.timed = accepted, true, nil, false
		v.relay = v.relay && v.joined != 0
		t.tanks -= len(v.tanks)
		v.tanks = make(map[PlayerID]*tank)
		v.flags = v.flags[:0]
	}
}

// silent judges what a server says to those who are not in the game.
func (t *tracker) silent() {
	v, k := t.v, t.m.Code
	switch v.stage {
	case fresh:
		// An answer to MsgEnter shows that this one is missing, or was captured later.
		if v.spoke && v.onlyWorld && k != CodeAccept && k != CodeReject && !v.mayCome(k) {
			t.note(suspicion{rule: ruleInterrupted, due: later(t.p.Time, lateEnter), place: *t.p, crossing: true,
				text: t.m.Message.Name + ", and the client asked for the world only"})
		}
	case entering, accepted:
		switch k {
		case CodeAccept, CodeReject, CodeSuperKill, CodeFlagUpdate, CodeTeamUpdate, CodeAddPlayer, CodeNetworkRelay, CodeUDPLinkRequest:
		default:
			if v.stage == accepted && !v.mayCome(k) {
				t.report(ruleBeforeOwn, 0, headerSize, "%s before the player's own MsgAddPlayer", t.m.Message.Name)
				v.stage = somewhere // once is enough
			}
		}
	}
}

// mayCome reports whether a server may send something to a client that asked for the world, and
// perhaps for other things.
func (v *view) mayCome(k Code) bool {
	switch k {
	case CodeGetWorld, CodeSuperKill:
		return true
	case CodeWantWHash:
		return v.asked&askedHash != 0
	case CodeQueryGame:
		return v.asked&askedGame != 0
	case CodeQueryPlayers, CodeTeamUpdate, CodeAddPlayer:
		return v.asked&askedPlayers != 0
	}
	return false
}

// add is MsgAddPlayer.
func (t *tracker) add(b *AddPlayer) {
	v := t.v
	id, old := b.Player, v.tanks[v.id(b.Player)]
	again := v.joined != 0
	mine := v.stage == accepted && (b.HasNewID || b.Player == v.entered || v.guessed && b.Player.Port == v.route.Server.Port())
	if old != nil && !old.stale && !t.asksAgain(b, old) {
		t.report(rulePresent, headerSize, playerIDSize, "%s is there already", b.Player)
	}
	if mine {
		v.stage, v.own, v.alias, v.joined = playing, b.Player, b.Player, max(t.p.Time, 1)
		if b.HasNewID {
			v.own, id = b.NewID, b.NewID
		}
		v.kind, v.sign = b.Type, string(wire.Trim(b.CallSign))
		place := *t.p
		v.early = &place
	} else if v.early != nil && !v.isOwn(id) {
		t.early(b)
	}
	v.explain(ruleUnknownPlayer, id, t.p.Time)
	k := old
	if k == nil {
		if k = t.newTank(id); k == nil {
			return
		}
		v.load(k, id)
	}
	k.kind, k.team, k.wins, k.losses, k.scored, k.stale = b.Type, b.Team, b.Wins, b.Losses, true, false
	if mine {
		k.life, k.known, k.died = dead, true, never
		if again {
			k.life = unsure
		}
		v.score = score{b.Wins, b.Losses, true}
	}
	n := t.names.Make(playerKey{v.game, id})
	if n.sign != string(wire.Trim(b.CallSign)) {
		n.sign = string(wire.Trim(b.CallSign))
	}
	if mine {
		n.view = v.serial
	}
	t.crowd()
}

// asksAgain reports whether a player may be told of once more because somebody asked with
// MsgQueryPlayers: 1.07e tells all others of the one who asks.
func (t *tracker) asksAgain(b *AddPlayer, old *tank) bool {
	v := t.v
	g := t.games.Get(v.game)
	if g != nil && g.queried != 0 && before(g.queried, t.p.Time, queryTime) {
		return true
	}
	if v.own == v.alias || old.team != b.Team || old.kind != b.Type {
		return false
	}
	for id := range v.tanks {
		if !t.observed(id) {
			return true
		}
	}
	return false
}

// newTank makes room for a player; there may be none.
func (t *tracker) newTank(id PlayerID) *tank {
	v := t.v
	if t.tanks >= maxTanks || len(v.tanks) >= maxTanksHere {
		v.roster = false
		return nil
	}
	if v.tanks == nil {
		v.tanks = make(map[PlayerID]*tank)
	}
	k := new(tank)
	v.tanks[id] = k
	t.tanks++
	return k
}

// maxTanksHere is for one connection: a game has 200 players at most.
const maxTanksHere = 512

// early reports that a player was told of after the client itself, as long as it is sure that this is
// still the answer to MsgEnter: the update of the client's own team ends it.
func (t *tracker) early(b *AddPlayer) {
	v := t.v
	if !v.robot() && before(v.joined, t.p.Time, listTime) {
		t.out.Report(v.early, ruleOwnEarly, "%s %q came after it", b.Player, wire.Trim(b.CallSign))
	}
	v.early = nil
}

// remove is MsgRemovePlayer.
func (t *tracker) remove(b *RemovePlayer) {
	v := t.v
	id := v.id(b.Player)
	k := v.tanks[id]
	if k == nil {
		if v.roster && !v.robot() && v.stage == playing {
			t.report(ruleAbsent, headerSize, playerIDSize, "%s is not there", b.Player)
		}
		return
	}
	v.left[v.leavers%len(v.left)] = leaver{id, t.p.Time}
	v.leavers++
	for i := range v.flags {
		if f := &v.flags[i]; f.held && f.holder == id {
			f.held = false
		}
	}
	delete(v.tanks, id)
	t.tanks--
	t.quit(id)
	t.crowd()
}

// present judges whether a message names somebody who is there; off is where it does.
func (t *tracker) present(p PlayerID, off int, what string) bool {
	v := t.v
	if p.IsZero() || v.stage != playing || v.isOwn(p) || v.tanks[p] != nil {
		return true
	}
	if !v.roster || v.robot() {
		return true
	}
	for i := range v.left {
		if l := &v.left[i]; l.player == p && before(l.when, t.p.Time, memoryOfOld) {
			return true
		}
	}
	t.doubt(ruleUnknownPlayer, p, off, playerIDSize, what+" "+p.String()+" is not there")
	return false
}

// observed reports whether what a player sends to the server was captured. What the server makes of it
// is not judged again then.
func (t *tracker) observed(p PlayerID) bool {
	v := t.v
	if v.isOwn(p) {
		return v.spoke
	}
	n := t.names.Get(playerKey{v.game, p})
	return n != nil && n.view != 0 && n.view != v.serial
}

// say is MsgMessage.
func (t *tracker) say(b *Message) {
	if t.m.Direction == wire.ToServer {
		t.present(b.To, headerSize, "the receiver")
		return
	}
	if t.observed(b.From) {
		return
	}
	if t.present(b.From, headerSize, "the sender") {
		t.present(b.To, headerSize+playerIDSize, "the receiver")
	}
}

// linked is MsgUDPLinkRequest: the client tells its port.
func (t *tracker) linked(b *LinkRequest) {
	v := t.v
	from := udpLink{client: netip.AddrPortFrom(v.route.Client.Addr(), b.Port), server: v.route.Server.Addr()}
	*t.links.Make(from) = v.route
	v.link = true
}
