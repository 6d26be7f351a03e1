package bzflag

import (
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// The tables of what trackers measure.
const (
	Players = "players"
	Kills   = "kills"
	Servers = "servers"
	Refused = "refused"
	Queries = "queries"
)

// The tables that all versions have alike. Of kills Who is the killer and Whom the victim; of queries Who asks.
var (
	PlayersTable = wire.Table{Name: Players, Columns: []string{
		"team", "kills", "deaths", "teamkills", "captures", "score", "lag", "shots", "hits", "played", "note",
		"flags", "chat lines", "address", "connected", "removed",
	}}
	KillsTable   = wire.Table{Name: Kills, Columns: []string{"kills", "teamkills", "by shot", "run over", "other"}}
	RefusedTable = wire.Table{Name: Refused, Columns: []string{"reason"}}
	QueriesTable = wire.Table{Name: Queries, Columns: []string{"asked", "answered", "unanswered", "answer"}}
)

// Nobody is the killer where the message names none.
const Nobody = "(nobody)"

// The kinds of events.
const (
	Join     = "join"
	Present  = "present" // was there before the capture
	Leave    = "leave"
	Refusal  = "refused"
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
)

// MeasureCount tells that a player of a server did something, as the message at a place shows.
func MeasureCount(r *wire.Reporter, p *wire.Place, server netip.AddrPort, player, what string) {
	r.Measured(wire.Value{Place: *p, Table: Players, Server: server, Who: player, What: what, Number: 1})
}

// MeasureState tells what something at a server has become, or the server itself if who is "".
func MeasureState(r *wire.Reporter, p *wire.Place, table string, server netip.AddrPort, who, what, text string) {
	r.Measured(wire.Value{Place: *p, Table: table, Server: server, Who: who, What: what, State: true, Text: text})
}

// MeasureLag tells how long a lag ping to a player of a server and its answer took, in nanoseconds.
func MeasureLag(r *wire.Reporter, p *wire.Place, server netip.AddrPort, player string, lag int64) {
	seconds := time.Duration(lag).Seconds()
	r.Measured(wire.Value{Place: *p, Table: Players, Server: server, Who: player, What: "lag", Number: seconds, Unit: "s",
		Answer: true})
}

// MeasureStay tells how long a player was there, in nanoseconds: whole seconds, so that the stays of a player add up.
func MeasureStay(r *wire.Reporter, p *wire.Place, server netip.AddrPort, player string, stay int64) {
	if seconds := stay / int64(time.Second); seconds > 0 {
		r.Measured(wire.Value{
			Place: *p, Table: Players, Server: server, Who: player, What: "played", Number: float64(seconds),
		})
	}
}

// MeasureKill counts a kill in the matrix of who killed whom: how is a column of KillsTable besides "kills", and
// teamkill whether they are of one team.
func MeasureKill(r *wire.Reporter, p *wire.Place, server netip.AddrPort, killer, victim, how string, teamkill bool) {
	v := wire.Value{Place: *p, Table: Kills, Server: server, Who: killer, Whom: victim, What: "kills", Number: 1}
	r.Measured(v)
	v.What = how
	r.Measured(v)
	if teamkill {
		v.What = "teamkills"
		r.Measured(v)
	}
}
