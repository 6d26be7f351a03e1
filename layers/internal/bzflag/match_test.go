package bzflag

import (
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// TestVerdict tests matches that end when the server names a player. The player's score is 3-1.
func TestVerdict(t *testing.T) {
	const wins, ends, open = "ann wins the game", "ann ends the game, nobody reached the score limit",
		"the game is over, ann won or ended it"
	place := wire.Place{Time: int64(time.Hour)}
	seat := Seat{Who: "ann", scored: true}
	seat.Score(Recorder{Reporter: new(wire.Reporter), Place: &place}, Score{Wins: 3, Losses: 1})
	for _, c := range []struct {
		what  string
		seat  *Seat
		limit int // 65536 if it was not announced
		after time.Duration
		lossy bool
		want  string
	}{
		{"just won", &seat, 65536, time.Millisecond, false, wins},
		{"won long ago", &seat, 65536, time.Minute, false, ends},
		{"the capture may lack a win", &seat, 65536, time.Minute, true, open},
		{"an unknown player", nil, 65536, 0, false, open},
		{"at the limit", &seat, 2, time.Minute, true, wins},
		{"below the limit", &seat, 3, 0, false, ends},
		{"without a limit", &seat, 0, 0, false, ends},
	} {
		var m Match
		if c.limit <= 65535 {
			m.Limit(&Limits{MaxPlayerScore: uint16(c.limit)})
		}
		got, won := m.Verdict(c.seat, "ann", place.Time+int64(c.after), c.lossy)
		if got != c.want || won != (c.want == wins) {
			t.Errorf("%s: %q, %v", c.what, got, won)
		}
	}
}

// TestOwnGoal checks which captures count as own goals.
func TestOwnGoal(t *testing.T) {
	const none, red, green = -1, 1, 2
	for _, c := range []struct {
		CaptureTeams
		want bool
	}{
		{CaptureTeams{red, green, red}, false},
		{CaptureTeams{red, red, green}, true},
		{CaptureTeams{red, none, red}, false},
		{CaptureTeams{red, none, green}, true},
		{CaptureTeams{none, red, green}, false},
		{CaptureTeams{none, none, none}, false},
	} {
		if got := c.own(); got != c.want {
			t.Errorf("%+v: %v", c.CaptureTeams, got)
		}
	}
}
