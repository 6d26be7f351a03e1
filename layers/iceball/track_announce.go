package iceball

import (
	"fmt"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// announcement is an announce with its destination and time.
type announcement struct {
	to    netip.AddrPort
	at    int64
	facts facts
}

// facts are the fields of an announce. Storing them allocates nothing.
type facts struct {
	size     int
	whole    bool // all fields were read
	versions bool // the versions were read
	ported   bool // the port was read

	heartbeat            HeartbeatVersion
	version              Version
	port, current, limit uint16
	name, level          [30]byte
	mode                 [10]byte
}

// read sets the facts from an announce.
func (f *facts) read(a *Announce, core *wire.Base) {
	f.whole = core.Size() == announceSize && core.Fault() == nil && !core.Truncated()
	f.size, f.versions, f.ported = core.Size(), len(core.Contents) >= headerSize+6, len(core.Contents) >= headerSize+8
	f.heartbeat, f.version = a.Heartbeat, a.Version
	f.port, f.current, f.limit = a.Port, a.PlayersCurrent, a.PlayersMax
	copy(f.name[:], a.Name)
	copy(f.mode[:], a.Mode)
	copy(f.level[:], a.Map)
}

// measure reports the fields that differ from the previous announce as values.
func (f *facts) measure(r *wire.Reporter, server netip.AddrPort, before *facts, p *wire.Place) {
	if r.Value == nil {
		return
	}
	first := !before.whole || before.port != f.port
	measure := func(news bool, what string, text func() string) {
		if first || news {
			r.Measured(wire.Value{Place: *p, Table: serverTable, Server: server, What: what, State: true, Text: text()})
		}
	}
	measure(before.name != f.name, "name", func() string { return string(wire.Trim(f.name[:])) })
	measure(before.level != f.level, "map", func() string { return string(wire.Trim(f.level[:])) })
	measure(before.mode != f.mode, "game type", func() string { return string(wire.Trim(f.mode[:])) })
	measure(before.version != f.version, "version", f.version.String)
	measure(before.current != f.current || before.limit != f.limit, "players",
		func() string { return fmt.Sprintf("%d/%d", f.current, f.limit) })
}
