package expect_test

import (
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// measured checks that expectations may name every value that a tracker measures.
type measured struct {
	t    *testing.T
	file string
	seen map[string]bool
}

func (m *measured) Message(*filter.Subject) {}
func (m *measured) Finding(*filter.Subject) {}

func (m *measured) Value(v *wire.Value) {
	name := v.Protocol.Name + "," + v.Table + "," + v.What
	if v.State || v.Event || m.seen[name] {
		return
	}
	m.seen[name] = true
	table := v.Protocol.Table(v.Table)
	if table == nil || !slices.Contains(table.Columns, v.What) {
		m.t.Errorf("%s: %s is not a column of its table", m.file, name)
	}
	if timed := v.What == "ping" || v.What == "lag" || slices.Contains(v.Protocol.Times, v.What); timed != (v.Unit == "s") {
		m.t.Errorf("%s: %s has unit %q, a time: %v", m.file, name, v.Unit, timed)
	}
}

// TestMeasured checks that trackers measure exactly the values that their protocols declare. Therefore, expectations
// that name other values can be rejected.
func TestMeasured(t *testing.T) {
	m := &measured{t: t, seen: make(map[string]bool)}
	for _, m.file = range []string{
		"bloodmasters-malformed.pcap", "bloodmasters-real.pcap", "bz17-c-scorelimit.pcap", "bz17-c-reject.pcap", "bz24-ctf-players.pcap", "bz24-query.pcap",
		"bz24-admin.pcap", "iceball-real-session.pcap", "iceball-cookies.pcap", "tribes-list-40.pcap", "tribes-heartbeats-t1master.pcap", "tribes-x-lost-2.pcap",
	} {
		read(t, m.file, m)
	}
	if len(m.seen) < 20 {
		t.Errorf("only %d values are measured", len(m.seen))
	}
}
