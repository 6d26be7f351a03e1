package bzflag24

import (
	"bytes"
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// view is a game as one connection was told of it.
type view struct {
	complete bool // from the beginning: what was not told is not there
	since    int64
	ids      []byte  // the numbers of those who are known
	tanks    []*tank // theirs, in the same order
	flags    []flagState
}

// held is how many bytes a view takes; nil is none.
func (v *view) held() int {
	if v == nil {
		return 0
	}
	return int(unsafe.Sizeof(*v)) + cap(v.ids) + 8*cap(v.tanks) + len(v.tanks)*int(unsafe.Sizeof(tank{})) +
		cap(v.flags)*int(unsafe.Sizeof(flagState{}))
}

const (
	maxTanks = int(HunterPlayers) // numbers of players

	replayWatchers PlayerID = 200 // the first number of those who watch a replay

	maxFlags = 512 // that are remembered
)

// life is whether a player has a tank.
type life uint8

const (
	lifeUnknown life = iota
	unborn           // has entered and not spawned yet
	alive
	dead
)

// What a tank may carry besides the number of a flag.
const (
	noFlag      = -1
	flagUnknown = -2
)

// tank is a player.
type tank struct {
	kind    PlayerType
	team    Team
	present bool // MsgAddPlayer told
	fresh   bool // came while the connection was there

	wasRabbit bool // and has not spawned since

	silent bool // died without a MsgKilled
	life   life
	since  int64 // of its life or death
	born   int64 // last
	births uint32

	flagType  FlagType
	flag      int32        // its number
	flagTime  int64        // of its last change
	thief     clock.Moment // until when it had a Thief flag
	pauseTime int64
	orders    orders
	paused    bool
}

// flagState is where a flag is.
type flagState struct {
	dropped clock.Moment // and not taken since
	status  FlagStatus
	kind    FlagType
	known   bool
	holder  PlayerID // NoPlayer: none
	dropper PlayerID
}

func newView(complete bool, now int64) *view { return &view{complete: complete, since: now} }

// tank gives a player, nil for numbers that are none.
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

// known is the same, nil as well for players of whom nothing is known.
func (v *view) known(id PlayerID) *tank {
	if i := bytes.IndexByte(v.ids, byte(id)); i >= 0 {
		return v.tanks[i]
	}
	return nil
}

// remove forgets a player.
func (v *view) remove(id PlayerID) {
	if i := bytes.IndexByte(v.ids, byte(id)); i >= 0 {
		v.ids, v.tanks = slices.Delete(v.ids, i, i+1), slices.Delete(v.tanks, i, i+1)
	}
}

// present is the same, nil as well for players who are not known to be there.
func (v *view) present(id PlayerID) *tank {
	if k := v.known(id); k != nil && k.present {
		return k
	}
	return nil
}

// flag gives a flag, nil for those with too high a number.
func (v *view) flag(number uint16) *flagState {
	if int(number) >= maxFlags {
		return nil
	}
	for len(v.flags) <= int(number) {
		v.flags = append(v.flags, flagState{holder: NoPlayer})
	}
	return &v.flags[number]
}

// setLife changes whether a tank lives.
func (k *tank) setLife(l life, silent bool, now int64) {
	k.life, k.silent, k.since = l, silent, now
	k.orders.numbers = numbers{}
}

// carry changes what a tank carries.
func (k *tank) carry(flag int32, kind FlagType, now int64) {
	if k.flagType == thief {
		k.thief = clock.At(now)
	}
	k.flag, k.flagType, k.flagTime = flag, kind, now
}

// setRabbit takes who is hunted from now on. The rabbit before hunts again.
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

// killAll has all but observers dead, at the end of a game.
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

// killTeam has a team dead, when its flag was captured. NoTeam: it is not known which one.
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

// release takes a flag from whoever carries it.
func (v *view) release(number uint16, now int64) {
	s := v.flag(number)
	if s == nil || s.holder == NoPlayer {
		return
	}
	if k := v.known(s.holder); k != nil && k.flag == int32(number) {
		k.carry(noFlag, FlagType{}, now)
	}
	s.holder = NoPlayer
}

// give gives a flag to a player.
func (v *view) give(number uint16, to PlayerID, kind FlagType, now int64) {
	v.release(number, now)
	k, s := v.tank(to), v.flag(number)
	if k == nil {
		return
	}
	if k.flag >= 0 && k.flag != int32(number) {
		v.release(uint16(k.flag), now)
	}
	if s != nil {
		s.holder, s.dropped = to, clock.Moment{}
	}
	if k.flag != int32(number) || k.flagType != kind {
		k.carry(int32(number), kind, now)
	}
}

// recordFlag takes what a message says of a flag.
func (v *view) recordFlag(f *Flag) *flagState {
	s := v.flag(f.Number)
	if s != nil {
		s.known, s.status, s.kind = true, f.Status, f.Type
	}
	return s
}

// The kinds of flags that mean something here.
var (
	thief    = FlagType{'T', 'H'}
	disguise = FlagType{'P', 'Z'} // a flag whose kind the server hides
)

// flagTeam is the team that a flag belongs to; NoTeam for others.
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
