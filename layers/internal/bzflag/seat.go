package bzflag

import (
	"net/netip"
	"strconv"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// A Score is a player's score.
type Score struct{ Wins, Losses, TeamKills int }

func (s Score) String() string {
	text := strconv.Itoa(s.Wins) + "-" + strconv.Itoa(s.Losses)
	if s.TeamKills > 0 {
		text += "-" + strconv.Itoa(s.TeamKills)
	}
	return text
}

func (s Score) balance() int { return s.Wins - s.Losses - s.TeamKills }

// A Seat is a player whom the server has announced.
type Seat struct {
	Who, Name string // name in tables, and call sign
	Gone      bool   // the player's connection has ended
	Counted   Score  // first announced score, plus later kills and deaths
	Told      Score  // score that the server announced last

	since   int64
	watches bool         // an observer, who has no score
	whole   bool         // the capture shows how the player joined
	scored  bool         // the server announced the score
	raised  clock.Moment // time when the announced wins last increased
	note    string
	address netip.AddrPort
}

// Held returns the approximate number of bytes of memory to which a seat refers.
func (s *Seat) Held() int { return len(s.Who) + len(s.Name) + len(s.note) }

// Join records that a player joins. called is the player's name for use in sentences. players is the number of players
// after the join, or 0 if it is unknown. before means that the player was present before the capture.
func (s *Seat) Join(t Recorder, called string, team int64, players int, before bool) {
	s.since, s.whole, s.watches = t.Place.Time, !before, team == Observers
	t.State(Players, s.Who, "team", TeamNames.Format(team))
	t.State(Players, s.Who, "connected", "yes")
	if before {
		t.Event(s.Who, Present, "%s", presentSentence(called, team))
	} else {
		t.Event(s.Who, Join, "%s", joinSentence(called, team, players))
	}
}

// Leave records that the player leaves.
func (s *Seat) Leave(t Recorder) {
	s.LeaveUnseen(t, t.Place.Time)
}

// LeaveUnseen is like Leave, for a player whose departure is not in the capture. last is the time when the player was
// last active.
func (s *Seat) LeaveUnseen(t Recorder, last int64) {
	t.State(Players, s.Who, "connected", "no")
	s.Stay(t, last)
}

// Stay records how long the player stayed, in whole seconds. The table shows the sum of all stays of a player.
func (s *Seat) Stay(t Recorder, now int64) {
	if seconds := clock.Elapsed(s.since, now) / int64(time.Second); seconds > 0 {
		t.Measured(wire.Value{
			Place: *t.Place, Table: Players, Server: t.Server, Who: s.Who, What: "played", Number: float64(seconds),
		})
	}
}

// Address records the player's address. The port is 0 if it is unknown.
func (s *Seat) Address(t Recorder, a netip.AddrPort) {
	switch {
	case s.address == a, s.address.Addr() == a.Addr() && a.Port() == 0:
		return
	case a.Port() == 0:
		t.State(Players, s.Who, "address", a.Addr().String())
	default:
		t.State(Players, s.Who, "address", a.String())
	}
	s.address = a
}

// Score records the score that the server announced. A zero score, for example in a new match, resets Counted.
func (s *Seat) Score(t Recorder, now Score) {
	if (s.Told != now || !s.scored) && !s.watches {
		t.State(Players, s.Who, "score", now.String())
	}
	if now == (Score{}) {
		s.Counted = now
	}
	if now.Wins > s.Told.Wins && s.scored {
		s.raised = clock.At(t.Place.Time)
	}
	s.Told, s.scored = now, true
}

// raiseTime is the maximum time from a player's last score to the announcement that the player won. Servers send both
// at the same time.
const raiseTime = int64(time.Second / 2)

// Compare adds a note to the player's row if the announced score differs from the counted score. It does so only for a
// player who joined during the capture. After team kills, it does not compare losses, because servers count team kills
// differently. announcesTeamKills means that the server announces the number of team kills.
func (s *Seat) Compare(t Recorder, announcesTeamKills bool) {
	counted, note := s.Counted, ""
	if counted.TeamKills > 0 {
		counted.Losses = s.Told.Losses
	}
	if !announcesTeamKills {
		counted.TeamKills = 0
	}
	if s.whole && counted != s.Told {
		note = "counted " + s.Counted.String()
	}
	if note != s.note {
		s.note = note
		t.State(Players, s.Who, "note", note)
	}
}

// Beats reports whether the player has at least one win and a better score than another player, who may be nil.
func (s *Seat) Beats(other *Seat) bool {
	return s.Told.Wins > 0 && (other == nil || s.Told.balance() > other.Told.balance())
}

// AddKill counts a kill by the player. team means that the victim was a teammate.
func (s *Seat) AddKill(team bool) {
	if team {
		s.Counted.TeamKills++
	} else {
		s.Counted.Wins++
	}
}
