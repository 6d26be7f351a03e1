package bzflag

import (
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A Match is the state of a server's current match.
type Match struct {
	known bool  // the server announced the time left
	left  int32 // last announced time
	over  bool  // End has reported the end of the match
	limit int   // player's score at which the match ends; 0: unknown; noLimit: no limit
	teams [Observers]result
}

type result struct {
	played       bool // the team has or had players
	recorded     bool // the latest score has been reported
	wins, losses uint16
}

func (r *result) String() string { return Score{Wins: int(r.wins), Losses: int(r.losses)}.String() }

const noLimit = -1

// Special values of the time left.
const (
	TimeOver   = 0
	TimePaused = -1
)

// Time records the seconds left in the match, and reports whether the match ends. news means that the server sends the
// time to all players, and not only to a client that has just connected.
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

// Begin records that the match is running.
func (m *Match) Begin() { m.over = false }

// Team records a team's score. It ignores rogues, which are not a team. Teams that never had players have no score.
func (m *Match) Team(team int, players, wins, losses uint16) {
	if team <= rogues || team >= len(m.teams) {
		return
	}
	r := &m.teams[team]
	same := r.wins == wins && r.losses == losses
	*r = result{played: r.played || players > 0, recorded: r.recorded && same, wins: wins, losses: losses}
}

// RecordTeams reports the scores of teams that have changed.
func (m *Match) RecordTeams(t Recorder) {
	for team := range m.teams {
		if r := &m.teams[team]; r.played && !r.recorded {
			r.recorded = true
			t.State(Teams, TeamNames.Format(int64(team)), "score", r.String())
		}
	}
}

// Limit records the score limit that the server announces.
func (m *Match) Limit(l *Limits) {
	if m.limit = int(l.MaxPlayerScore); m.limit == 0 {
		m.limit = noLimit
	}
}

// Verdict describes why the match ends, after the server has named a player as the winner. Either the player's score
// has reached the limit, or the player has entered the command /gameover. lossy means that the capture may lack the
// player's last score. s is nil if the player is unknown.
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
	return slices.ContainsFunc(m.teams[:], func(r result) bool { return r.played })
}

// End reports the end of a match: text, the scores of the teams, and the best player. It does so only once per match.
// best is the player's name for use in sentences, or "" if there is no best player.
func (m *Match) End(t Recorder, text, best string) {
	if m.over {
		return
	}
	m.over = true
	var parts []string
	for team := range m.teams {
		if r := &m.teams[team]; r.played {
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
