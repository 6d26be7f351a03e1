package bzflag17

import (
	"cmp"
	"net/netip"
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// game is what connections to one server share.
type game struct {
	style        *Style // nil: the world is not known
	faces        int    // two for each teleporter
	links        []Link
	worldSize    int32  // of the database
	counting     uint32 // serial number of the connection by which events are counted; 0: none
	countingTime int64  // when it told anything last
	reference    bzflag.Reference
	match        bzflag.Match
	dismissed    clock.Moment // when MsgSuperKill came last
	dismissal    uint32       // serial number of the connection on which
	shutdown     bool         // that it shuts down was told
	playerCount  int          // as told last
	reported     bool         // a value, or that something happened
	place        wire.Place   // of the last MsgAddPlayer
	queried      clock.Moment // when MsgQueryPlayers was answered last
	players      players
	ends         []ending // of shots, as clients told them last; a ring when it is full
	endCount     int
}

var keptGames = bounded.Kind{
	Name: "BZFlag 1.07 games",
	Silent: ruleFlagNumber.ID + ", " + ruleShotLimit.ID + ", " + ruleSticky.ID + ", " + ruleFace.ID +
		" or name of a player",
}

func newGames(b *bounded.Budget) *bounded.LRU[netip.AddrPort, game] {
	return bounded.NewLRU(b, keptGames, bounded.Values[netip.AddrPort, game]{Held: (*game).held})
}

// held is how many bytes a game holds.
func (g *game) held() int {
	n := cap(g.links)*int(unsafe.Sizeof(Link{})) + cap(g.ends)*int(unsafe.Sizeof(ending{})) +
		g.players.held()
	if g.style != nil {
		n += int(unsafe.Sizeof(Style{}))
	}
	return n
}

// server is the address that said hello, or that which stands for it.
func (e *event) server() netip.AddrPort {
	host := e.route.Server.Addr()
	return netip.AddrPortFrom(host, e.gamePort(host, e.conn.hello))
}

// game gives what is known of the game of the message at hand, nil if nothing is.
func (e *event) game() *game { return e.games.GetAt(e.place.Lane, e.server()) }

// makeGame gives what is known of the game of the message at hand, to be added to.
func (e *event) makeGame() *game { return e.games.MakeAt(e.place.Lane, e.server()) }

// player tells who a player of the game of the message at hand is, nil if that is not known.
func (e *event) player(p PlayerID) *identity {
	if g := e.game(); g != nil {
		return g.players.get(p)
	}
	return nil
}

// identity is who a player is, and which connection is its own; 0: that was not seen.
type identity struct {
	bzflag.Seat // empty if the caller wants no values
	team        Team
	serial      uint32
	scoreTime   int64  // when its score may have changed last
	removal     string // why the server removes it, as it said
	removalTime int64
}

// maxPlayers is more than a game has at once. Players who have left are still spoken of.
const maxPlayers = 256

// players are those of a game, in two generations. When recent is full it becomes older, and what older held, which no
// message has named since, is forgotten.
type players struct {
	recent, older map[PlayerID]*identity
}

// get gives a player, nil if it is not known.
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

// make gives a player, an empty one if it was not known.
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

// sorted gives all of them in the order of their ids.
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
