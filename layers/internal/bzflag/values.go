package bzflag

import (
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// The names of tables.
const (
	Players = "players"
	Kills   = "kills"
	Teams   = "teams"
	Servers = "servers"
	Refused = "refused"
	Queries = "queries"
)

// All versions have these tables. In the table kills, Who is the killer and Whom is the victim. In the table queries,
// Who is the client that sends queries. Scores of players and teams are the scores that the server announces.
var (
	PlayersTable = wire.Table{Name: Players, Columns: []string{
		"team", "kills", "deaths", "teamkills", "captures", "score", "removed", "lag", "shots", "hits", "played", "note",
		Pings, LostPings, "flags", "chat lines", "address", "connected",
	}, Shares: map[string]string{LostPings: Pings}, Meanings: meanings}
	TeamsTable = wire.Table{Name: Teams, Columns: []string{"score"},
		Meanings: map[string]string{"score": "score is the server's: wins-losses since its last reset"}}
	KillsTable   = wire.Table{Name: Kills, Columns: []string{"kills", "teamkills", "by shot", "run over", "other"}}
	RefusedTable = wire.Table{Name: Refused, Columns: []string{wire.RefusedReason, wire.RefusedBefore}}
	QueriesTable = wire.Table{Name: Queries, Columns: []string{"asked", "answered", "unanswered", "unreachable", "answer"}}
)

// These values are used in place of a killer. Nobody means that the message does not name a killer, and Self means that
// the killer is the victim.
const (
	Nobody = "(nobody)"
	Self   = "(self)"
)

// The kinds of events.
const (
	Join     = "join"
	Present  = "present" // the player was present before the capture
	Leave    = "leave"
	Kill     = "kill" // any death
	Grab     = "grab" // grab of a team's flag
	Drop     = "drop"
	Steal    = "steal"
	Capture  = "capture"
	Says     = "chat"
	Notice   = "notice" // line from the server to all players
	Rabbit   = "rabbit"
	Pausing  = "pause"
	Resuming = "resume"
	Start    = "start"
	GameOver = "game over"
	Shutdown = "shutdown"
	Denied   = "denied" // private message in which the server denies a request
	Warned   = "warned"
)

// A Recorder records events and values for the message at a place.
type Recorder struct {
	*wire.Reporter
	Place  *wire.Place
	Server netip.AddrPort
}

// Event records an event. who is the player, or "" if the event is about the whole game.
func (t Recorder) Event(who, what, format string, args ...any) {
	t.Happened(t.Place, t.Server, who, what, format, args...)
}

// Count counts an action of a player.
func (t Recorder) Count(player, what string) {
	t.Add(player, what, 1)
}

// Add adds a number to a counter of a player.
func (t Recorder) Add(player, what string, n int) {
	if n > 0 {
		t.Measured(wire.Value{
			Place: *t.Place, Table: Players, Server: t.Server, Who: player, What: what, Number: float64(n),
		})
	}
}

// State records a new state of a player, or of the server if who is "".
func (t Recorder) State(table, who, what, text string) {
	t.Measured(wire.Value{Place: *t.Place, Table: table, Server: t.Server, Who: who, What: what, State: true, Text: text})
}

// Lag records the time between a lag ping and the player's echo, in nanoseconds.
func (t Recorder) Lag(player string, lag int64) {
	t.time(player, "lag", lag, true)
}

// Lost records that a lag ping to a player is lost.
func (t Recorder) Lost(player string) {
	t.Count(player, Pings)
	t.Count(player, LostPings)
}

// Silence records how long, in nanoseconds, the server waited for an echo from a player who never echoed a lag ping.
// The player's lag is at least as long.
func (t Recorder) Silence(player string, waited int64) { t.time(player, "lag", waited, false) }

// Jitter records the jitter of a player, in nanoseconds.
func (t Recorder) Jitter(player string, jitter int64) { t.time(player, Jitter, jitter, false) }

func (t Recorder) time(player, what string, ns int64, answer bool) {
	t.Measured(wire.Value{Place: *t.Place, Table: Players, Server: t.Server, Who: player, What: what,
		Number: time.Duration(ns).Seconds(), Unit: "s", Answer: answer})
}

// Kill records a death, and counts it in the table of killers and victims. If there is no killer, killer is Nobody.
// team means that killer and victim are in the same team.
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

// CaptureTeams are the teams that a capture involves: the team of the player, of the flag, and of the base. A number
// that is not a team's, such as NoTeam, means that the team is unknown.
type CaptureTeams struct{ Team, Flag, Base int64 }

// own reports whether the capture is an own goal: the player carries the flag of the player's own team to another
// team's base. Clients can capture another team's flag only at their own base.
func (c *CaptureTeams) own() bool {
	if isTeam(c.Flag) {
		return c.Flag == c.Team
	}
	return isTeam(c.Team) && isTeam(c.Base) && c.Base != c.Team
}

// Capture records that a player captures a flag. It counts the capture unless it is an own goal. called is the player's
// name for use in sentences.
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

// Say records a line of chat as a sentence. If the line is from a player, it counts the line. If whom is "", the line
// is for all players.
func (t Recorder) Say(what, who, whom, text string) {
	if what == Says {
		t.Count(who, "chat lines")
	}
	t.Measured(wire.Value{Place: *t.Place, Server: t.Server, Who: who, Whom: whom, What: what, Text: text, Event: true})
}
