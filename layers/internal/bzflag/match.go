package bzflag

import (
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A Match is the state of a server's current match.
type Match struct {
	known bool  // the server told what time is left
	left  int32 // what it told last
	over  bool  // End told of its end
	limit int   // score of a player that ends it; 0: not known; noLimit
	teams [Observers]result
}

type result struct {
	told         bool // there are, or were, players
	recorded     bool // since the score changed
	wins, losses uint16
}

func (r *result) String() string { return Score{Wins: int(r.wins), Losses: int(r.losses)}.String() }

const noLimit = -1

// Times left with a meaning of their own.
const (
	TimeOver   = 0
	TimePaused = -1
)

// Time notes how many seconds are left of the match, and reports whether the match ends. news says that the server
// tells it for the first time, and not for the benefit of a client that has just connected.
func (m *Match) Time(t Recorder, left int32, news bool) (ends bool) {
	before, known := m.left, m.known
	m.left, m.known = left, true
	switch {
	case !news:
	case left == TimeOver:
		return true
	case left == TimePaused:
		t.Event("", Pausing, "the game is paused")
	case known && before == TimePaused:
		t.Event("", Resuming, "the game goes on, %s are left", wire.Counted(int(left), "second"))
	case known && before == TimeOver || m.over:
		t.Event("", Start, "the game begins, %s long", wire.Counted(int(left), "second"))
	}
	if left != TimeOver {
		m.Begin()
	}
	return false
}

// Begin notes that the match is not over.
func (m *Match) Begin() { m.over = false }

// Team notes a team's score. Rogues are no team, and teams without players so far have no score.
func (m *Match) Team(team int, players, wins, losses uint16) {
	if team <= rogues || team >= len(m.teams) {
		return
	}
	r := &m.teams[team]
	same := r.wins == wins && r.losses == losses
	*r = result{told: r.told || players > 0, recorded: r.recorded && same, wins: wins, losses: losses}
}

// RecordTeams records the scores of teams that have changed.
func (m *Match) RecordTeams(t Recorder) {
	for team := range m.teams {
		if r := &m.teams[team]; r.told && !r.recorded {
			r.recorded = true
			t.State(Teams, TeamNames.Format(int64(team)), "score", r.String())
		}
	}
}

// Limit takes what the server says of the score that ends the match.
func (m *Match) Limit(l *Limits) {
	if m.limit = int(l.MaxPlayerScore); m.limit == 0 {
		m.limit = noLimit
	}
}

// Verdict says in words why the match ends when the server names a player alone: its score reached the limit, or it
// entered the command /gameover. Lossy says that the capture may lack its last score.
func (m *Match) Verdict(s *Seat, name string, now int64, lossy bool) (text string, won bool) {
	switch {
	case s != nil && m.limit > 0 && s.Told.Wins-s.Told.Losses >= m.limit,
		s != nil && m.limit == 0 && s.raised.Within(now, raiseTime):
		return name + " wins the game", true
	case s == nil || lossy:
		return "the game is over, " + name + " won or ended it", false
	}
	return name + " ends the game, nobody reached the score limit", false
}

// HasTeams reports whether teams have scores.
func (m *Match) HasTeams() bool {
	return slices.ContainsFunc(m.teams[:], func(r result) bool { return r.told })
}

// End tells once of the end of the match: text, the final score, and the best player as sentences call it, "" for none.
func (m *Match) End(t Recorder, text, best string) {
	if m.over {
		return
	}
	m.over = true
	var parts []string
	for team := range m.teams {
		if r := &m.teams[team]; r.told {
			parts = append(parts, TeamNames.Format(int64(team))+" "+r.String())
		}
	}
	if best != "" {
		parts = append(parts, "best player "+best)
	}
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	t.State(Servers, "", "match", text)
	t.Event("", GameOver, "%s", text)
}
