package bloodmasters

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
)

var ruleDeaf = &wire.Rule{
	ID: "bloodmasters.deaf", Severity: wire.Note, Rests: wire.OnAbsence, Fact: true,
	Title:  "a server that no longer answers after an empty datagram",
	Why:    "An empty datagram stops a real server from receiving: its process still runs, but it answers nobody. Restart the server, and drop empty datagrams in the firewall.",
	Source: "the real server, class Gateway",
}

// ends are the endpoints of a query.
type ends struct{ asker, server netip.AddrPort }

// empty is a datagram without bytes.
type empty struct {
	when int64
	from netip.AddrPort
}

// Signal handles ICMP errors and empty datagrams.
func (t *tracker) Signal(s wire.Signal, p *wire.Place) {
	switch s {
	case wire.Undelivered:
		if !t.noteUnreached(p) {
			t.noteNotTaken(p)
		}
	case wire.NoBytes:
		if of := t.servers.GetAt(wire.ReverseLane(p.Lane), p.Dst); of != nil && of.empty == nil {
			of.empty = &empty{p.Time, p.Src}
		}
	}
}

// noteUnreached handles a packet that was not delivered. If the packet may be the last query between the two endpoints
// and that query has no answer, noteUnreached records this and returns true.
func (t *tracker) noteUnreached(p *wire.Place) bool {
	asked := t.latestOf(ends{p.Src, p.Dst})
	if asked == nil {
		return false
	}
	q := newest(asked)
	if q.Answers > 0 || q.Overdue() || q.Value.unreached {
		return false
	}
	q.Value.unreached = true
	t.countQuery(p.Dst, p.Src, "unreachable", p)
	return true
}

// noteNotTaken counts an answer whose receiver had closed its port.
func (t *tracker) noteNotTaken(p *wire.Place) {
	if asked := t.latestOf(ends{p.Dst, p.Src}); asked != nil && newest(asked).Answers > 0 {
		t.countQuery(p.Src, p.Dst, "not taken", p)
	}
}

// latestOf returns the queries that include the last one between two endpoints, or nil.
func (t *tracker) latestOf(e ends) *queries {
	echo := t.latest.Get(e)
	if echo == nil {
		return nil
	}
	asked := t.queries.Get(queryKey{e.asker, e.server, *echo})
	if asked == nil || asked.Len() == 0 {
		return nil
	}
	return asked
}

// checkDeaf reports a server that has not answered since an empty datagram.
func (t *tracker) checkDeaf(query *wire.Place) {
	if s := t.servers.Peek(query.Dst); s != nil && s.seen && s.empty != nil && s.empty.when <= query.Time {
		t.Report(query, ruleDeaf, "%s has not answered since the empty datagram of %s", query.Dst, s.empty.from)
	}
}
