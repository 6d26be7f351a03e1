package bzflag

import (
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// The names of the tables.
const (
	Players = "players"
	Kills   = "kills"
	Teams   = "teams"
	Servers = "servers"
	Refused = "refused"
	Queries = "queries"
)

// The tables that all versions have alike. Of kills Who is the killer and Whom the victim; of queries Who asks. Of
// teams the scores are those of the server, and of players too.
var (
	PlayersTable = wire.Table{Name: Players, Columns: []string{
		"team", "kills", "deaths", "teamkills", "captures", "score", "lag", "shots", "hits", "played", "note",
		Pings, LostPings, "flags", "chat lines", "address", "connected", "removed",
	}, Shares: map[string]string{LostPings: Pings}, Meanings: meanings}
	TeamsTable = wire.Table{Name: Teams, Columns: []string{"score"},
		Meanings: map[string]string{"score": "score is the server's: wins-losses since its last reset"}}
	KillsTable   = wire.Table{Name: Kills, Columns: []string{"kills", "teamkills", "by shot", "run over", "other"}}
	RefusedTable = wire.Table{Name: Refused, Columns: []string{wire.RefusedReason, wire.RefusedBefore}}
	QueriesTable = wire.Table{Name: Queries, Columns: []string{"asked", "answered", "unanswered", "unreachable", "answer"}}
)

// These stand for the killer: Nobody where the message names none, Self where it names the victim.
const (
	Nobody = "(nobody)"
	Self   = "(self)"
)

// The kinds of events.
const (
	Join     = "join"
	Present  = "present" // was there before the capture
	Leave    = "leave"
	Kill     = "kill" // and every other death
	Grab     = "grab" // of a team's flag
	Drop     = "drop"
	Steal    = "steal"
	Capture  = "capture"
	Says     = "chat"
	Notice   = "notice" // the server says it to everybody
	Rabbit   = "rabbit"
	Pausing  = "pause"
	Resuming = "resume"
	Start    = "start"
	GameOver = "game over"
	Shutdown = "shutdown"
	Denied   = "denied" // the server says to a player alone that it does not do what that player asked for
	Warned   = "warned"
)

// A Recorder records what happens at a server, by the message at a place.
type Recorder struct {
	*wire.Reporter
	Place  *wire.Place
	Server netip.AddrPort
}

// Event records that a player did something.
func (t Recorder) Event(who, what, format string, args ...any) {
	t.Happened(t.Place, t.Server, who, what, format, args...)
}

// Count reports that a player did something.
func (t Recorder) Count(player, what string) {
	t.Add(player, what, 1)
}

// Add reports numbers of a player to be summed up.
func (t Recorder) Add(player, what string, n int) {
	if n > 0 {
		t.Measured(wire.Value{
			Place: *t.Place, Table: Players, Server: t.Server, Who: player, What: what, Number: float64(n),
		})
	}
}

// State reports what something has become, or the server itself if who is "".
func (t Recorder) State(table, who, what, text string) {
	t.Measured(wire.Value{Place: *t.Place, Table: table, Server: t.Server, Who: who, What: what, State: true, Text: text})
}

// Lag reports how long a lag ping to a player and its answer took, in nanoseconds.
func (t Recorder) Lag(player string, lag int64) {
	t.time(player, "lag", lag, true)
}

// Lost reports that a lag ping to a player is lost.
func (t Recorder) Lost(player string) {
	t.Count(player, Pings)
	t.Count(player, LostPings)
}

// Silence reports for how many nanoseconds the server waited for the echo of a player who never returned a lag ping:
// the lag is longer.
func (t Recorder) Silence(player string, waited int64) { t.time(player, "lag", waited, false) }

// Jitter reports the jitter of a player, in nanoseconds.
func (t Recorder) Jitter(player string, jitter int64) { t.time(player, Jitter, jitter, false) }

func (t Recorder) time(player, what string, ns int64, answer bool) {
	t.Measured(wire.Value{Place: *t.Place, Table: Players, Server: t.Server, Who: player, What: what,
		Number: time.Duration(ns).Seconds(), Unit: "s", Answer: answer})
}

// Kill reports a death, and counts it in the matrix of who killed whom; killer is Nobody if there is none. Team says
// that the two are of one team.
func (t Recorder) Kill(killer, victim string, d *Death, team bool) {
	v := wire.Value{Place: *t.Place, Table: Kills, Server: t.Server, Who: killer, Whom: victim, What: "kills", Number: 1}
	if d.Own {
		v.Who = Self
	}
	t.Measured(v)
	v.What = d.Cause.column()
	t.Measured(v)
	if team {
		v.What = "teamkills"
		t.Measured(v)
	}
	text := d.sentence()
	if team {
		text += ", a teammate"
	}
	t.Measured(wire.Value{
		Place: *t.Place, Server: t.Server, Who: killer, Whom: victim, What: Kill, Text: text, Event: true,
	})
}

// CaptureTeams are the teams of a capture: the player's, the flag's, and the base's. An unknown one is no team.
type CaptureTeams struct{ Team, Flag, Base int64 }

// own reports whether it is an own goal: a player carries the flag of its team to the base of another. Clients capture
// the flag of another team at their own base only.
func (c *CaptureTeams) own() bool {
	if isTeam(c.Flag) {
		return c.Flag == c.Team
	}
	return isTeam(c.Team) && isTeam(c.Base) && c.Base != c.Team
}

// Capture records a capture of a flag by a player, whom sentences call so, and counts it unless it is an own goal.
func (t Recorder) Capture(who, called string, c CaptureTeams) {
	if c.own() {
		t.Event(who, Capture, "%s carries %s to %s's base, an own goal", called, TeamFlag(c.Team), TeamNames.Format(c.Base))
		return
	}
	t.Count(who, "captures")
	winner := c.Base
	if isTeam(c.Team) {
		winner = c.Team
	}
	t.Event(who, Capture, "%s captures %s for %s", called, TeamFlag(c.Flag), TeamNames.Format(winner))
}

// Say records a line, in words, and counts it if a player says it. Whom is "" for all players.
func (t Recorder) Say(what, who, whom, text string) {
	if what == Says {
		t.Count(who, "chat lines")
	}
	t.Measured(wire.Value{Place: *t.Place, Server: t.Server, Who: who, Whom: whom, What: what, Text: text, Event: true})
}
