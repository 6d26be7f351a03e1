package bzflag17

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// game is what connections to one server share. A nil *game is one of which nothing is known.
type game struct {
	style        *Style // nil: the world is not known
	faces        int    // two for each teleporter
	links        []Link
	worldSize    int32  // of the database
	counting     uint32 // serial number of the connection by which events are counted; 0: none
	countingTime int64  // when it reported anything last
	reference    bzflag.Reference
	match        bzflag.Match
	dismissed    clock.Moment // when MsgSuperKill came last
	dismissal    uint32       // serial number of the connection on which
	shutdown     bool         // that it shuts down was reported
	playerCount  int          // as reported last
	reported     bool         // a value, or that something happened
	place        wire.Place   // of the last MsgAddPlayer
	queried      clock.Moment // when MsgQueryPlayers was answered last
	players      players
	ends         []ending // of shots, as clients reported them last; a ring when it is full
	endCount     int
	wishes       bzflag.Wishes
}

// held is how many bytes a game holds.
func (g *game) held() int {
	n := cap(g.links)*int(unsafe.Sizeof(Link{})) + cap(g.ends)*int(unsafe.Sizeof(ending{})) +
		g.players.held() + g.wishes.Held()
	if g.style != nil {
		n += int(unsafe.Sizeof(Style{}))
	}
	return n
}

// player returns who a player is, nil if that is not known.
func (g *game) player(p PlayerID) *identity {
	if g == nil {
		return nil
	}
	return g.players.get(p)
}

// worldStyle returns the style of the world, nil if that is not known.
func (g *game) worldStyle() *Style {
	if g == nil {
		return nil
	}
	return g.style
}

// releaseCounting has another connection count if that of a player, which ends, does.
func (g *game) releaseCounting(p PlayerID) {
	if n := g.player(p); n != nil && n.serial != 0 && g.counting == n.serial {
		g.counting = 0
	}
}

// recordWorld keeps of a world what rules ask for.
func (g *game) recordWorld(w *World) {
	style := w.Blocks[0].Style
	g.style, g.faces = &style, 0
	g.links = g.links[:0]
	for i := range w.Blocks {
		switch b := &w.Blocks[i]; b.Code {
		case BlockTeleporter:
			g.faces += 2
		case BlockLink:
			g.links = append(g.links, b.Link)
		}
	}
}

// checkFlagNumber reports whether the game may have flag n. If it has not, that is a finding about the bytes at off,
// the offset of the number in the message.
func (g *game) checkFlagNumber(m *message, n uint16, off int) bool {
	s := g.worldStyle()
	if s == nil || n < s.Flags {
		return true
	}
	m.report(ruleFlagNumber, off, 2, "flag %d, the game has %d", n, s.Flags)
	return false
}

// ending is the end of a shot as a client reported it. Nothing in what the server makes of it says which.
type ending struct {
	shotID int16
	when   int64
}

const maxEnds = 32 // of a game, within deathNotice

// recordEnd takes note of the end of a shot.
func (g *game) recordEnd(end ending) {
	if len(g.ends) < maxEnds {
		g.ends = append(g.ends, end)
	} else {
		g.ends[g.endCount%maxEnds] = end
	}
	g.endCount++
}

// repeatsEnd reports whether the end of a shot is what a client reported just before.
func (g *game) repeatsEnd(m *message, shotID int16) bool {
	return g != nil && slices.ContainsFunc(g.ends, func(end ending) bool {
		return end.shotID == shotID && m.since(end.when) < deathNotice
	})
}

// identity is who a player is, and which connection is its own; 0: that was not seen.
type identity struct {
	bzflag.Seat // empty if the caller wants no values
	team        Team
	serial      uint32
	scoreTime   int64          // when its score may have changed last
	wished      *bzflag.Wished // nil: nothing yet
}

// maxPlayers is more than a game has at once. Players who have left are still spoken of.
const maxPlayers = 256

// players are those of a game, in two generations. When recent is full it becomes older, and what was in
// older, which no message has named since, is forgotten.
type players struct {
	recent, older map[PlayerID]*identity
}

// get returns a player, nil if it is not known.
func (s *players) get(p PlayerID) *identity {
	if n := s.recent[p]; n != nil {
		return n
	}
	n := s.older[p]
	if n != nil {
		delete(s.older, p)
		s.add(p, n)
	}
	return n
}

// make returns a player, an empty identity if it was not known.
func (s *players) make(p PlayerID) *identity {
	n := s.get(p)
	if n == nil {
		n = new(identity)
		s.add(p, n)
	}
	return n
}

func (s *players) add(p PlayerID, n *identity) {
	if len(s.recent) >= maxPlayers {
		s.older, s.recent = s.recent, nil
	}
	if s.recent == nil {
		s.recent = make(map[PlayerID]*identity)
	}
	s.recent[p] = n
}

// share reports whether another player who is there has the same call sign.
func (s *players) share(callSign string, p PlayerID) bool {
	if callSign == "" {
		return false
	}
	for _, list := range []map[PlayerID]*identity{s.recent, s.older} {
		for other, n := range list {
			if n.Name == callSign && other != p && !n.Gone {
				return true
			}
		}
	}
	return false
}

// player is one of those.
type player struct {
	id PlayerID
	*identity
}

// sorted returns all of them in the order of their ids.
func (s *players) sorted() []player {
	list := make([]player, 0, len(s.recent)+len(s.older))
	for _, part := range []map[PlayerID]*identity{s.recent, s.older} {
		for id, n := range part {
			list = append(list, player{id, n})
		}
	}
	slices.SortFunc(list, func(a, b player) int { return cmp.Compare(a.id.order(), b.id.order()) })
	return list
}

// held is about how many bytes they take.
func (s *players) held() int {
	const texts = 96
	each := int(unsafe.Sizeof(identity{})) + texts + mapSlot
	return (len(s.recent) + len(s.older)) * each
}

// mapSlot is about what a PlayerID and a pointer take in a map.
const mapSlot = int(unsafe.Sizeof(PlayerID{})+unsafe.Sizeof(uintptr(0))) * 2
