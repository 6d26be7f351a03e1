package bzflag

import "github.com/gamedissect/gamedissect/decode/wire/clock"

// Columns of the table of players. A lag ping is a message that the client echoes, so that the server can measure the
// lag. Pings counts the lag pings that were echoed or lost.
const (
	Pings     = "pings"
	LostPings = "lost pings"
	Jitter    = "jitter"
)

// meanings explains columns of the table of players to users.
var meanings = map[string]string{
	"kills": "kills counts killed foes, teamkills counts killed teammates, hits counts both if killed by a shot, " +
		"deaths counts all deaths",
	"score":   "score is the server's: wins-losses-team kills since its last reset",
	"lag":     "lag is the time from a lag ping to its echo",
	LostPings: "lost pings have no echo before the next ping",
}

// Echoes counts the lag pings to a player, and their echoes. As on the server, a ping is lost if its echo has not come
// when the server sends the next ping.
type Echoes struct {
	Known int  // number of pings that were echoed or lost
	Lost  int  // how many of Known were lost
	Any   bool // the player echoed at least one ping

	open   bool // the last ping may still be echoed
	time   int64
	waited int64 // how long the server waited for the echo of the last lost ping
}

// Ask records a ping. It reports whether the previous ping is lost.
func (s *Echoes) Ask(now int64) (lost bool) {
	if lost = s.open; lost {
		s.Known++
		s.Lost++
		s.waited = max(clock.Elapsed(s.time, now), 0)
	}
	s.open, s.time = true, now
	return lost
}

// Echo records an echo of the last ping. It reports whether it is the first echo of that ping.
func (s *Echoes) Echo() (first bool) {
	if first = s.open; first {
		s.Known++
	}
	s.open, s.Any = false, true
	return first
}

// Forget records that the capture may lack the echo of the last ping.
func (s *Echoes) Forget() { s.open = false }

// Silence returns how long, in nanoseconds, the server waited for the echo of the last lost ping. It returns 0 if no
// ping was lost, or if the player has ever echoed a ping.
func (s *Echoes) Silence() int64 {
	if s.Any {
		return 0
	}
	return s.waited
}
