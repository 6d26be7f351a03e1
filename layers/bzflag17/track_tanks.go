package bzflag17

import (
	"cmp"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// tank is a player as a client sees it.
type tank struct {
	id   PlayerID
	team Team
	kind PlayerType

	died        clock.Moment // not known of one who was not yet on the board
	flagChanged clock.Moment

	flag, previousFlag FlagID
	score              score

	life             life
	reportedByServer bool // only the server told of its death
	flagKnown        bool
	paused           bool
	stale            bool // it may have left meanwhile
}

type life uint8

const (
	lifeUnknown life = iota
	dead
	alive
)

// tanks are those that a client sees, in the order of their ids. A tank stays where it is until one is added or
// removed.
type tanks []tank

// find gives the place of a player, or where it would be.
func (t tanks) find(p PlayerID) (at int, found bool) {
	n := p.order()
	return slices.BinarySearchFunc(t, n, func(k tank, n uint64) int { return cmp.Compare(k.id.order(), n) })
}

// get gives a player's tank, nil if there is none.
func (t tanks) get(p PlayerID) *tank {
	if i, found := t.find(p); found {
		return &t[i]
	}
	return nil
}

// add makes a tank for a player who has none. There is room for few more, since most games have few players and there
// may be many games.
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

// remove forgets a player.
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

// add takes note of one who leaves. The one who left longest ago is forgotten.
func (l *leavers) add(p PlayerID, now int64) {
	l.list[l.count%len(l.list)] = leaver{p, now}
	l.count++
}

// has reports whether a player has left since less than a time.
func (l *leavers) has(p PlayerID, now, nanoseconds int64) bool {
	return l != nil && slices.ContainsFunc(l.list[:], func(k leaver) bool {
		return k.player == p && clock.Elapsed(k.when, now) < nanoseconds
	})
}
