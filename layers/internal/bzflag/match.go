package bzflag

import (
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A Match is the state of a server's current match.
type Match struct {
	known bool  // what time is left
	left  int32 // as told last
	over  bool  // it was told
	teams [observers]result
}

// result is the score of a team.
type result struct {
	told         bool // there are, or were, players
	wins, losses uint16
}

// What stands for the time that is left.
const (
	TimeOver   = 0
	TimePaused = -1
)

// Time takes what is left of the match, in seconds; news is whether that is told for the first time, and not to
// a client that has just connected. It reports whether the match ends.
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

// Begin takes note that the match is not over.
func (m *Match) Begin() { m.over = false }

// Team takes how a team stands, and how many players it has.
func (m *Match) Team(team int, players, wins, losses uint16) {
	if team >= 0 && team < len(m.teams) {
		r := &m.teams[team]
		*r = result{r.told || players > 0, wins, losses}
	}
}

// End tells of the end of the match, in words, with the final score; best is as sentences call the best player, "" if
// there is none.
func (m *Match) End(t Recorder, text, best string) {
	if m.over {
		return
	}
	m.over = true
	var parts []string
	for team, r := range m.teams {
		if r.told && team > rogues {
			parts = append(parts, TeamNames.Format(int64(team))+" "+Score{Wins: int(r.wins), Losses: int(r.losses)}.String())
		}
	}
	if best != "" {
		parts = append(parts, "best player "+best)
	}
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	t.Event("", GameOver, "%s", text)
}
