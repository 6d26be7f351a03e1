package attempt_test

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// counted passes Queries to play, and returns the number of unanswered questions by row.
func counted(memory *bounded.Budget, play func(*attempt.Queries)) map[string]float64 {
	counts := make(map[string]float64)
	play(attempt.NewQueries(&wire.Reporter{Memory: memory, Value: func(v *wire.Value) {
		if v.What == attempt.QueryUnanswered {
			counts[v.Who+" > "+v.Server.String()] += v.Number
		}
	}}, "questions", "queries"))
	return counts
}

func TestQueries(t *testing.T) {
	group := netip.MustParseAddrPort("224.0.0.1:5154")
	p := &wire.Place{Transport: wire.TCP, Src: guest, Dst: host}
	twice := func(q *attempt.Queries) {
		q.Ask(p, guest, host, 0)
		q.Ask(p, guest, host, 1)
	}
	row := func(n float64) map[string]float64 {
		return map[string]float64{guest.String() + " > " + host.String(): n}
	}
	for name, c := range map[string]struct {
		play func(q *attempt.Queries)
		want map[string]float64
	}{
		"none": {func(q *attempt.Queries) { twice(q); q.Close(5 * second) }, row(2)},
		"one":  {func(q *attempt.Queries) { twice(q); q.Answer(p, guest, host, 1, "yes"); q.Close(5 * second) }, row(1)},
		"both": {func(q *attempt.Queries) { twice(q); twice(q); q.Answer(p, guest, host, 1, ""); q.Ended(guest, host) }, row(3)},
		"an answer to another kind of question": {func(q *attempt.Queries) {
			q.Ask(p, guest, host, 0)
			q.Answer(p, guest, host, 1, "")
			q.Ended(guest, host)
		}, row(1)},
		"the capture ends":  {func(q *attempt.Queries) { twice(q); q.Close(5*second - 1) }, map[string]float64{}},
		"bytes are missing": {func(q *attempt.Queries) { twice(q); q.Lost(host, guest); q.Ended(guest, host) }, map[string]float64{}},
		"a gap":             {func(q *attempt.Queries) { twice(q); q.Jump(); q.Close(9 * second) }, map[string]float64{}},
		"ICMP": {func(q *attempt.Queries) {
			twice(q)
			q.Signal(wire.Opened, p)
			q.Signal(wire.Undelivered, &wire.Place{Transport: wire.UDP, Src: guest, Dst: host})
			q.Signal(wire.Undelivered, p)
			q.Close(9 * second)
		}, map[string]float64{}},
		"a group of hosts": {func(q *attempt.Queries) { q.Ask(p, guest, group, 0); q.Close(9 * second) }, map[string]float64{}},
	} {
		if diff := cmp.Diff(c.want, counted(nil, c.play)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// An asker with an open question uses at most 120 bytes.
func TestQueriesMemory(t *testing.T) {
	memory := bounded.NewBudget(bounded.DefaultMemory)
	const n = 10_000
	counts := counted(memory, func(q *attempt.Queries) {
		before := wiretest.Heap()
		for i := range n {
			memory.Turn()
			asker := wiretest.Host(1, i, 4000)
			q.Ask(&wire.Place{Transport: wire.UDP, Src: asker, Dst: host}, asker, host, 0)
		}
		if each, heap := memory.Used()/n, (wiretest.Heap()-before)/n; each > 120 || heap > 150 {
			t.Errorf("an asker takes %d bytes of the budget, %d of the heap", each, heap)
		} else {
			t.Logf("an asker takes %d bytes of the budget, %d of the heap", each, heap)
		}
		q.Close(9 * second)
	})
	if len(counts) != n {
		t.Errorf("%d rows, want %d", len(counts), n)
	}
}
