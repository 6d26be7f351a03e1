package bzflag

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// The tables of what trackers measure.
const (
	Players = "players"
	Servers = "servers"
	Refused = "refused"
)

// MeasureCount tells that a player did something, as the message at a place shows.
func MeasureCount(r *wire.Reporter, p *wire.Place, player, what string) {
	r.Measured(wire.Value{Place: *p, Table: Players, Who: player, What: what, Number: 1})
}

// MeasureState tells what something has become.
func MeasureState(r *wire.Reporter, p *wire.Place, table, who, what, text string) {
	r.Measured(wire.Value{Place: *p, Table: table, Who: who, What: what, State: true, Text: text})
}

// MeasureLag tells how long a lag ping to a player and its answer took, in nanoseconds.
func MeasureLag(r *wire.Reporter, p *wire.Place, player string, lag int64) {
	seconds := time.Duration(lag).Seconds()
	r.Measured(wire.Value{Place: *p, Table: Players, Who: player, What: "lag", Number: seconds, Unit: "s", Answer: true})
}
