package bzflag24

import (
	"bytes"
	"fmt"
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// view is a game as the server describes it on one connection.
type view struct {
	complete bool // the view began with MsgAccept: players and flags that the server did not mention do not exist
	since    int64
	ids      []byte  // numbers of the known players
	tanks    []*tank // tanks[i] is the tank of the player with number ids[i]
	flags    []flagState
}

// size returns the number of bytes that a view occupies. It is 0 for nil.
func (v *view) size() int {
	if v == nil {
		return 0
	}
	return int(unsafe.Sizeof(*v)) + cap(v.ids) + 8*cap(v.tanks) + len(v.tanks)*int(unsafe.Sizeof(tank{})) +
		cap(v.flags)*int(unsafe.Sizeof(flagState{}))
}

const (
	maxTanks = int(HunterPlayers) // maximum number of players
	maxFlags = 512                // maximum number of flags in a view
)

// life says whether a player's tank is alive.
type life uint8

const (
	lifeUnknown life = iota
	unborn           // joined and has not spawned yet
	alive
	dead
)

// Values of tank.flag that are not flag numbers.
const (
	noFlag      = -1
	flagUnknown = -2
)

// tank is the tank of a player.
type tank struct {
	kind    PlayerType
	team    Team
	present bool // a MsgAddPlayer came
	fresh   bool // the player joined after the connection began

	wasRabbit bool // was the rabbit, and has not spawned since

	silent bool // died without a MsgKilled
	life   life
	since  int64 // time when life changed
	born   int64 // time of the last spawn
	births uint32

	flagType  FlagType
	flag      int32        // number of the flag, noFlag or flagUnknown
	flagTime  int64        // time when the flag changed
	thief     clock.Moment // time when the tank lost a Thief flag
	pauseTime int64
	orders    orders
	captured  bool // the capture has the messages of the player's client
	paused    bool
}

// flagState is the state of a flag.
type flagState struct {
	dropped clock.Moment // time when the flag was dropped, if nobody has it
	status  FlagStatus
	kind    FlagType
	known   bool
	holder  PlayerID // NoPlayer: none
	dropper PlayerID
}

func newView(complete bool, now int64) *view { return &view{complete: complete, since: now} }

// tank returns a player's tank, and adds it if necessary. It returns nil if no player can have the number.
func (v *view) tank(id PlayerID) *tank {
	if int(id) >= maxTanks {
		return nil
	}
	k := v.known(id)
	if k == nil {
		k = &tank{team: NoTeam, flag: flagUnknown}
		if v.complete {
			k.flag = noFlag
		}
		v.ids, v.tanks = append(v.ids, byte(id)), append(v.tanks, k)
	}
	return k
}

// known returns a player's tank, or nil if the player is not known.
func (v *view) known(id PlayerID) *tank {
	if i := bytes.IndexByte(v.ids, byte(id)); i >= 0 {
		return v.tanks[i]
	}
	return nil
}

// present returns a player's tank, or nil if the server has not announced the player with MsgAddPlayer.
func (v *view) present(id PlayerID) *tank {
	if k := v.known(id); k != nil && k.present {
		return k
	}
	return nil
}

// remove drops a player.
func (v *view) remove(id PlayerID) {
	if i := bytes.IndexByte(v.ids, byte(id)); i >= 0 {
		v.ids, v.tanks = slices.Delete(v.ids, i, i+1), slices.Delete(v.tanks, i, i+1)
	}
}

// flag returns a flag, or nil if its number is too high.
func (v *view) flag(number uint16) *flagState {
	if int(number) >= maxFlags {
		return nil
	}
	for len(v.flags) <= int(number) {
		v.flags = append(v.flags, flagState{holder: NoPlayer})
	}
	return &v.flags[number]
}

// forgetNumbers drops the sequence numbers of updates.
func (v *view) forgetNumbers() {
	for _, k := range v.tanks {
		k.orders.numbers = numbers{}
	}
}

// setLife records whether a tank is alive.
func (k *tank) setLife(l life, silent bool, now int64) {
	k.life, k.silent, k.since = l, silent, now
	k.orders.numbers = numbers{}
}

// setFlag records the flag that a tank carries.
func (k *tank) setFlag(flag int32, kind FlagType, now int64) {
	if k.flagType == thief {
		k.thief = clock.At(now)
	}
	k.flag, k.flagType, k.flagTime = flag, kind, now
}

// maySteal reports whether a tank may take a flag from another tank: it has a Thief flag, or had one just before.
func (k *tank) maySteal(now int64) bool {
	return k.flag == flagUnknown || k.flagType == thief || k.thief.Known() && clock.Elapsed(k.thief.When(), now) <= lagLife
}

// barred returns the rule and the reason that forbid a tank to shoot or to grab flags. The rule is nil if the tank may
// do so. resuming means that the tank has requested the end of its pause.
func (k *tank) barred(now int64, resuming bool) (rule *wire.Rule, why string) {
	dying, pausing := clock.Elapsed(k.since, now), clock.Elapsed(k.pauseTime, now)
	switch {
	case k.team == ObserverTeam:
		return ruleObserver, " as an observer"
	case k.life == unborn:
		return ruleUnborn, " before the first MsgAlive"
	case k.life == dead && dying > lagLife:
		return ruleDead, fmt.Sprintf(", %.3f s after its death", seconds(dying))
	case k.paused && !resuming && pausing > lagLife:
		return rulePaused, fmt.Sprintf(", %.3f s after it was paused", seconds(pausing))
	}
	return nil, ""
}

// setRabbit makes a player the rabbit. The previous rabbit becomes a hunter.
func (v *view) setRabbit(id PlayerID) {
	for _, k := range v.tanks {
		if k.team == RabbitTeam {
			k.team, k.wasRabbit = HunterTeam, true
		}
	}
	if k := v.tank(id); k != nil {
		k.team, k.wasRabbit = RabbitTeam, false
	}
}

// killAll kills all players except observers, at the end of a game.
func (v *view) killAll(now int64) {
	for _, k := range v.tanks {
		if k.team == ObserverTeam || k.life == unborn {
			continue
		}
		if k.team == NoTeam {
			k.setLife(lifeUnknown, false, now)
		} else if k.life != dead {
			k.setLife(dead, true, now)
		}
	}
}

// killTeam kills the team whose flag was captured. NoTeam means that this team is not known, so it becomes unknown
// which players are alive.
func (v *view) killTeam(t Team, now int64) {
	for _, k := range v.tanks {
		switch {
		case k.life == unborn || k.team == ObserverTeam:
		case t == NoTeam || k.team == NoTeam:
			k.setLife(lifeUnknown, false, now)
		case k.team == t && k.life != dead:
			k.setLife(dead, true, now)
		}
	}
}

// releaseFlag takes a flag from the tank that carries it.
func (v *view) releaseFlag(number uint16, now int64) {
	s := v.flag(number)
	if s == nil || s.holder == NoPlayer {
		return
	}
	if k := v.known(s.holder); k != nil && k.flag == int32(number) {
		k.setFlag(noFlag, FlagType{}, now)
	}
	s.holder = NoPlayer
}

// moveFlag moves a flag to a tank.
func (v *view) moveFlag(number uint16, to PlayerID, kind FlagType, now int64) {
	v.releaseFlag(number, now)
	k, s := v.tank(to), v.flag(number)
	if k == nil {
		return
	}
	if k.flag >= 0 && k.flag != int32(number) {
		v.releaseFlag(uint16(k.flag), now)
	}
	if s != nil {
		s.holder, s.dropped = to, clock.Moment{}
	}
	if k.flag != int32(number) || k.flagType != kind {
		k.setFlag(int32(number), kind, now)
	}
}

// takeFlag records the state of a flag in a message. It returns nil if the flag's number is too high.
func (v *view) takeFlag(f *Flag) *flagState {
	s := v.flag(f.Number)
	if s != nil {
		s.known, s.status, s.kind = true, f.Status, f.Type
	}
	return s
}

// The kinds of flags that the tracker treats specially.
var (
	thief    = FlagType{'T', 'H'}
	disguise = FlagType{'P', 'Z'} // shown instead of a kind that the server hides
)

// flagTeam returns the team of a team's flag, or NoTeam for other flags.
func flagTeam(f FlagType) Team {
	switch f {
	case FlagType{'R', '*'}:
		return RedTeam
	case FlagType{'G', '*'}:
		return GreenTeam
	case FlagType{'B', '*'}:
		return BlueTeam
	case FlagType{'P', '*'}:
		return PurpleTeam
	}
	return NoTeam
}

// flagName returns the name of a kind of flag for use in texts.
func flagName(f FlagType) string {
	if f == (FlagType{}) {
		return "no flag"
	}
	return fmt.Sprintf("%q", f.String())
}
