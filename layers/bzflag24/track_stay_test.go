package bzflag24_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// ends closes the connection on which the last message was played.
func (g *games) ends(s said) {
	g.place.Time = int64(time.Hour + s.at)
	g.tracker.(wire.Ender).Ended(&g.place)
}

// about returns the results of a game that contain any of the words.
func (g *games) about(game int, words ...string) (found []string) {
	for _, s := range g.found[game] {
		if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) }) {
			_, s, _ = strings.Cut(s, " ")
			found = append(found, strings.TrimSuffix(strings.TrimPrefix(s, "players: "), ` ""`))
		}
	}
	return found
}

// TestStays checks the playing times of two players who have the same number, one after the other. Each player must get
// only that player's own time.
func TestStays(t *testing.T) {
	at := func(s said, seconds int) said { s.at = time.Duration(seconds) * time.Second; return s }
	comes := func(name string, seconds int) (list []said) {
		for _, s := range []said{
			byCli("BZFLAG\r\n\r\n"), bySrv("BZFS0221\x05"), bySrv(message("ac", "\x05")), named(5, name, 1),
		} {
			list = append(list, at(s, seconds))
		}
		return list
	}
	for _, c := range []struct {
		name   string
		second string // name of the second player
		ends   bool   // the first player's connection ends long before the second player's begins
		want   []string
	}{
		{"another", "bob", true, []string{"5 ann >  played 100", "5 bob >  played 50"}},
		{"the same", "ann", true, []string{"5 ann >  played 100", "5 ann >  played 50"}},
		{"another, without the end of the connection", "bob", false, []string{"5 ann >  played 100", "5 bob >  played 50"}},
		{"the same, without the end of the connection", "ann", false, []string{"5 ann >  played 100", "5 ann >  played 50"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newGames(t, 1)
			for _, s := range comes("ann", 0) {
				g.hear(0, s)
			}
			if c.ends {
				g.ends(at(said{}, 100))
			} else {
				g.hear(0, at(lagPing(1), 100))
			}
			for _, s := range comes(c.second, 200) {
				g.hear(0, s)
			}
			g.ends(at(said{}, 250))
			g.tracker.Close(math.MaxInt64)
			if got := g.about(0, " played "); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestTalkOfShutdown plays a server message that mentions a shutdown. All players leave only if the connection ends
// soon after.
func TestTalkOfShutdown(t *testing.T) {
	for _, c := range []struct {
		after time.Duration // time until the connection ends
		want  int           // number of players who leave
	}{{time.Second, 3}, {time.Minute, 1}} {
		g := newGames(t, 1)
		for _, s := range []said{
			byCli("BZFLAG\r\n\r\n"), bySrv("BZFS0221\x05"), bySrv(message("ac", "\x05")), named(6, "bob", 2), named(5, "ann", 1),
			named(7, "cat", 1), speaks(253, 254, "this server shuts down soon, or is shut down"),
		} {
			g.hear(0, s)
		}
		g.ends(said{at: c.after})
		if got := g.about(0, " leave "); len(got) != c.want {
			t.Errorf("the connection ends after %v: %d players leave, want %d: %q", c.after, len(got), c.want, got)
		}
	}
}

// TestScoresOfOthers plays a score that begins above zero, and a score that is reset. Neither is a wrong count.
func TestScoresOfOthers(t *testing.T) {
	back := named(8, "dan", 2)
	body := []byte(back.message)
	body[4+1+2+2+1] = 3 // number of wins
	back.message = string(body)
	for _, list := range [][]said{
		{back, kills(8, 5, 1, "L"), scored(8, 4, 0, 0)},
		{kills(5, 6, 1, "L"), scored(5, 1, 0, 0), scored(5, 0, 0, 0), kills(5, 6, 1, "L"), scored(5, 1, 0, 0)},
	} {
		for _, s := range happenings(t, list, "players: ") {
			if strings.Contains(s, " note ") {
				t.Errorf("%+v: %s", list, s)
			}
		}
	}
}
