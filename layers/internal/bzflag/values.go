package bzflag

import (
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// The tables of what trackers measure.
const (
	Players = "players"
	Servers = "servers"
	Refused = "refused"
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
