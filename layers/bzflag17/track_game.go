package bzflag17

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// game is the state that the connections to one server share. A nil *game means that the game is not known.
type game struct {
	style        *Style // nil: not known
	faces        int    // number of teleporter faces, two per teleporter
	links        []Link
	worldSize    int32  // size of the database in bytes
	counting     uint32 // serial number of the connection that counts events; 0: none
	countingTime int64  // last time when that connection counted an event
	reference    bzflag.Reference
	match        bzflag.Match
	dismissed    clock.Moment // time of the last MsgSuperKill
	dismissal    uint32       // serial number of the connection with that MsgSuperKill
	shutdown     bool         // the shutdown was reported
	playerCount  int          // last reported number of players
	reported     bool         // a value or an event was reported
	place        wire.Place   // place of the last MsgAddPlayer
	queried      clock.Moment // time of the last answer to MsgQueryPlayers
	players      players
	ends         []ending // the latest ends of shots that clients reported; a ring buffer once it is full
	endCount     int
	wishes       bzflag.Wishes
}

// held returns the number of bytes that a game occupies.
func (g *game) held() int {
	n := cap(g.links)*int(unsafe.Sizeof(Link{})) + cap(g.ends)*int(unsafe.Sizeof(ending{})) +
		g.players.held() + g.wishes.Held()
	if g.style != nil {
		n += int(unsafe.Sizeof(Style{}))
	}
	return n
}

// player returns the identity of a player, or nil if it is not known.
func (g *game) player(p PlayerID) *identity {
	if g == nil {
		return nil
	}
	return g.players.get(p)
}

// worldStyle returns the style of the world, or nil if it is not known.
func (g *game) worldStyle() *Style {
	if g == nil {
		return nil
	}
	return g.style
}

// releaseCounting handles a player who leaves. If the player's connection counts the events of the game, another
// connection may count from now on.
func (g *game) releaseCounting(p PlayerID) {
	if n := g.player(p); n != nil && n.serial != 0 && g.counting == n.serial {
		g.counting = 0
	}
}

// recordWorld keeps the parts of a world that the rules need.
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

// checkFlagNumber reports whether the game can have flag n. If it cannot, it reports a finding. off is the offset of
// the number in the message.
func (g *game) checkFlagNumber(m *message, n uint16, off int) bool {
	s := g.worldStyle()
	if s == nil || n < s.Flags {
		return true
	}
	m.report(ruleFlagNumber, off, 2, "flag %d, the game has %d", n, s.Flags)
	return false
}

// ending is a client's report of the end of a shot. The server's relay does not name this client.
type ending struct {
	shotID int16
	when   int64
}

const maxEnds = 32 // ends per game: enough for all shots that end within deathNotice

// recordEnd records the end of a shot.
func (g *game) recordEnd(end ending) {
	if len(g.ends) < maxEnds {
		g.ends = append(g.ends, end)
	} else {
		g.ends[g.endCount%maxEnds] = end
	}
	g.endCount++
}

// repeatsEnd reports whether a client reported the end of the same shot shortly before.
func (g *game) repeatsEnd(m *message, shotID int16) bool {
	return g != nil && slices.ContainsFunc(g.ends, func(end ending) bool {
		return end.shotID == shotID && m.since(end.when) < deathNotice
	})
}

// identity is a player with the serial number of the player's connection, which is 0 if the connection was not
// captured.
type identity struct {
	bzflag.Seat // empty if no one collects values
	team        Team
	serial      uint32
	scoreTime   int64          // last time when its score may have changed
	wished      *bzflag.Wished // nil: no requests yet
}

// maxPlayers is larger than the number of players in any game, because messages may still name players who have left.
const maxPlayers = 256

// players holds the players of a game in two generations. When recent is full, it replaces older. The players that were
// left in older are dropped, because no message has named them since the last replacement.
type players struct {
	recent, older map[PlayerID]*identity
}

// get returns a player, or nil if it is not known.
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

// make returns a player. If the player is not known, make adds an empty identity.
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

// share reports whether another player of the game has the same call sign.
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

// player is a player with its id, as returned by players.sorted.
type player struct {
	id PlayerID
	*identity
}

// sorted returns all players, sorted by id.
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

// held returns the approximate number of bytes that the players occupy.
func (s *players) held() int {
	const texts = 96
	each := int(unsafe.Sizeof(identity{})) + texts + mapSlot
	return (len(s.recent) + len(s.older)) * each
}

// mapSlot is the approximate number of bytes that a PlayerID and a pointer occupy in a map.
const mapSlot = int(unsafe.Sizeof(PlayerID{})+unsafe.Sizeof(uintptr(0))) * 2
