package bzflag

import (
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A Match is the state of a server's current match.
type Match struct {
	known bool  // the server told what time is left
	left  int32 // what it told last
	over  bool  // End told of its end
	teams [observers]result
}

type result struct {
	told         bool // there are, or were, players
	wins, losses uint16
}

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

// Team notes a team's score. Teams without players so far stay out of the final score.
func (m *Match) Team(team int, players, wins, losses uint16) {
	if team >= 0 && team < len(m.teams) {
		r := &m.teams[team]
		*r = result{r.told || players > 0, wins, losses}
	}
}

// End tells once of the end of the match: text, the final score, and the best player as sentences call it, "" for none.
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
