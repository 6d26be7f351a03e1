package bzflag17

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// board is a game as a client sees it: its players, and the flags that they carry.
type board struct {
	tanks tanks
	flags []flag
	left  *leavers // nil: no player has left
}

type flag struct {
	id      FlagID
	carrier PlayerID
	carried bool
}

const (
	maxTanks = 512 // per connection; a game has at most 200 players
	maxFlags = 256 // per game; flags with higher numbers are ignored
)

// held returns the number of bytes that a board occupies.
func (b *board) held() int {
	n := cap(b.tanks)*int(unsafe.Sizeof(tank{})) + cap(b.flags)*int(unsafe.Sizeof(flag{}))
	if b.left != nil {
		n += int(unsafe.Sizeof(*b.left))
	}
	return n
}

// forget handles lost messages from the server. It drops the state that they may have changed.
func (b *board) forget() {
	for i := range b.tanks {
		k := &b.tanks[i]
		k.flagKnown, k.score.known, k.stale, k.life = false, false, true, lifeUnknown
	}
	b.flags = b.flags[:0]
}

// forgetDeaths drops the deaths of all players. It is called if a client spawns, or may have spawned, and the client's
// player is not known. The server relays the spawn only to the other clients.
func (b *board) forgetDeaths() {
	for i := range b.tanks {
		if k := &b.tanks[i]; k.life == dead {
			k.life = lifeUnknown
		}
	}
}

// remove removes a player who leaves.
func (b *board) remove(p PlayerID, now int64) {
	if b.left == nil {
		b.left = new(leavers)
	}
	b.left.add(p, now)
	for i := range b.flags {
		if f := &b.flags[i]; f.carried && f.carrier == p {
			f.carried = false
		}
	}
	b.tanks.remove(p)
}

// flag returns the state of flag n, or nil if it is not known.
func (b *board) flag(n uint16) *flag {
	if int(n) >= len(b.flags) {
		return nil
	}
	return &b.flags[n]
}

// setFlag sets the type and the carrier of flag n.
func (b *board) setFlag(n uint16, id FlagID, carrier PlayerID, carried bool, now int64) {
	if n >= maxFlags {
		return
	}
	for int(n) >= len(b.flags) {
		b.flags = append(b.flags, flag{})
	}
	f := b.flag(n)
	if f.carried && (!carried || f.carrier != carrier) {
		b.releaseFlag(f, now)
	}
	f.id, f.carried, f.carrier = id, carried, carrier
	if k := b.tanks.get(carrier); carried && k != nil {
		k.carry(id, now)
	}
}

// releaseFlag takes a flag from the tank that carries it.
func (b *board) releaseFlag(f *flag, now int64) {
	if k := b.tanks.get(f.carrier); f.carried && k != nil && k.flagKnown && k.flag == f.id {
		k.carry(NoFlag, now)
	}
	f.carried = false
}

// findFlag sets the flag that a new player carries, according to earlier messages about flags. complete means that
// these messages covered all flags, so a player whom they do not name carries no flag.
func (b *board) findFlag(k *tank, complete bool) {
	k.flagKnown = complete
	for i := range b.flags {
		if f := &b.flags[i]; f.carried && f.carrier == k.id {
			k.flag, k.flagKnown = f.id, true
		}
	}
}

// isTeamFlag reports whether a flag is a team's flag.
func isTeamFlag(id FlagID) bool { return id != NoFlag && id <= PurpleFlag }

// tank is a player as a client sees it.
type tank struct {
	id   PlayerID
	team Team
	kind PlayerType

	died        clock.Moment // unknown if the player was not on the board before
	flagChanged clock.Moment

	flag, previousFlag FlagID
	score              score

	life             life
	reportedByServer bool // only the server reported the death
	flagKnown        bool
	paused           bool
	stale            bool // the player may have left in a gap of the capture
}

// score is the last known score.
type score struct {
	wins, losses uint16
	known        bool
}

type life uint8

const (
	lifeUnknown life = iota
	dead
	alive
)

// die marks a player as dead. If the player is dead already, die keeps the time of death.
func (k *tank) die(now int64, reportedByServer bool) {
	if k.life == dead && k.died.Known() {
		return
	}
	k.life, k.died, k.reportedByServer = dead, clock.At(now), reportedByServer
}

// carry sets the flag that a tank carries; the flag may be NoFlag.
func (k *tank) carry(id FlagID, now int64) {
	if k.flagKnown && k.flag == id {
		return
	}
	if k.flagKnown {
		k.previousFlag = k.flag
	}
	k.flag, k.flagKnown, k.flagChanged = id, true, clock.At(now)
}

// flagChangedWithin reports whether a tank took or lost its flag within the given number of nanoseconds.
func (k *tank) flagChangedWithin(now, nanoseconds int64) bool {
	return k.flagChanged.Known() && clock.Elapsed(k.flagChanged.When(), now) < nanoseconds
}

// tanks are the tanks that a client sees, sorted by id. Pointers to a tank are valid until a tank is added or removed.
type tanks []tank

// find returns the index of a player, or the index where the player would be inserted.
func (t tanks) find(p PlayerID) (at int, found bool) {
	n := p.order()
	return slices.BinarySearchFunc(t, n, func(k tank, n uint64) int { return cmp.Compare(k.id.order(), n) })
}

// get returns a player's tank, or nil if there is none.
func (t tanks) get(p PlayerID) *tank {
	if i, found := t.find(p); found {
		return &t[i]
	}
	return nil
}

// add adds a tank for a player who has none. It reserves little extra room, because most games have few players and
// there may be many games.
func (t *tanks) add(p PlayerID) *tank {
	if n := len(*t); n == cap(*t) {
		more := make(tanks, n, n+n/4+2)
		copy(more, *t)
		*t = more
	}
	i, _ := t.find(p)
	*t = slices.Insert(*t, i, tank{id: p})
	return &(*t)[i]
}

// remove drops a player.
func (t *tanks) remove(p PlayerID) {
	if i, found := t.find(p); found {
		*t = slices.Delete(*t, i, i+1)
	}
}

// leavers are the players who left last.
type leavers struct {
	list  [8]leaver
	count int
}

// leaver is a player who has left.
type leaver struct {
	player PlayerID
	when   int64
}

// add adds a player who leaves, and drops the player who left longest ago.
func (l *leavers) add(p PlayerID, now int64) {
	l.list[l.count%len(l.list)] = leaver{p, now}
	l.count++
}

// has reports whether a player left within the given number of nanoseconds.
func (l *leavers) has(p PlayerID, now, nanoseconds int64) bool {
	return l != nil && slices.ContainsFunc(l.list[:], func(k leaver) bool {
		return k.player == p && clock.Elapsed(k.when, now) < nanoseconds
	})
}
