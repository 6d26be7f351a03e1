package bzflag

import "github.com/gamedissect/gamedissect/decode/wire/clock"

// Columns of players. Pings are the lag pings whose echo came or was lost.
const (
	Pings     = "pings"
	LostPings = "lost pings"
	Jitter    = "jitter"
)

// meanings explains what the columns of players count.
var meanings = map[string]string{
	"kills":   "kills are of foes, teamkills of mates, hits of either by shot, deaths of any cause",
	"score":   "score is the server's: wins-losses-team kills since its last reset",
	"lag":     "lag is from a lag ping to its echo",
	LostPings: "lost pings have no echo before the next ping",
}

// Echoes counts the lag pings to a player as servers do: a ping is lost if its echo has not come when the server sends
// the next ping.
type Echoes struct {
	Known int  // pings that were echoed or lost
	Lost  int  // number of lost ones among Known
	Any   bool // the player returned a ping

	open   bool // the last ping may still be echoed
	time   int64
	waited int64 // for the last lost ping
}

// Ask notes a ping, and reports whether the previous one is lost.
func (s *Echoes) Ask(now int64) (lost bool) {
	if lost = s.open; lost {
		s.Known++
		s.Lost++
		s.waited = max(clock.Elapsed(s.time, now), 0)
	}
	s.open, s.time = true, now
	return lost
}

// Echo notes an echo of the last ping, and reports whether it is the first.
func (s *Echoes) Echo() (first bool) {
	if first = s.open; first {
		s.Known++
	}
	s.open, s.Any = false, true
	return first
}

// Forget notes that the capture may lack the echo of the last ping.
func (s *Echoes) Forget() { s.open = false }

// Silence returns how long the server waited for the echo of a player who never returned a ping, in nanoseconds. It is
// 0 if the player returned one, or still may.
func (s *Echoes) Silence() int64 {
	if s.Any {
		return 0
	}
	return s.waited
}
