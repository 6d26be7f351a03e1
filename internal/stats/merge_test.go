package stats

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// An event counts something in Stats.
type event func(*Stats)

// A generator makes random events.
type generator struct {
	*rand.Rand

	hosts  int
	repeat bool // states repeat texts
	states bool // nearly all events are states of many servers
	late   bool // times are out of order, and often equal
}

// event returns an event at about the given time.
func (r *generator) event(now int64) event {
	if r.late {
		now = now/4 - int64(r.IntN(10))
	}
	place := wire.Place{Frame: int(now), Time: now, Conversation: r.IntN(9), Transport: wire.Transport(r.IntN(2)), Lane: uint32(r.IntN(40)),
		Src: r.end(), Dst: r.end(), Protocol: []*wire.Protocol{chess, goban}[r.IntN(2)]}
	rule := rules[r.IntN(2)]
	value := wire.Value{Place: place, Table: "players", Who: []string{"", "a", "b", "others"}[r.IntN(4)], Whom: []string{"", "", "c"}[r.IntN(3)]}
	if r.IntN(3) > 0 {
		value.Server = r.end()
	}
	kind := r.IntN(9)
	if r.states && r.IntN(10) > 0 {
		kind, value.Who, value.Server = 3, "", wiretest.Host(10, 0, uint16(r.IntN(r.hosts)))
	}
	switch kind {
	case 0:
		f := &wire.TrafficFinding{Place: place, Rule: rule, Text: fmt.Sprint("case \xff", r.IntN(100))}
		return func(s *Stats) { s.Finding(f) }
	case 8:
		a := &wire.Attempt{Place: place, Kind: &wire.AttemptKind{Name: []string{"games", "lessons"}[r.IntN(2)], Steps: []wire.AttemptStep{{Name: "asked"}}},
			Asker: place.Src, Asked: place.Dst, Who: fmt.Sprint("\xff", r.IntN(9)), Outcome: wire.Outcome(r.IntN(12)), Over: r.IntN(4) > 0, Tries: r.IntN(3),
			Cause: fmt.Sprint("cause ", r.IntN(3)), Detail: fmt.Sprint(r.IntN(100)), Took: time.Duration(r.IntN(1000))}
		return func(s *Stats) { s.Attempt(a) }
	case 1:
		value.What, value.Number = "moves", float64(r.IntN(5)-1)
	case 2:
		value.What, value.Number, value.Unit = "clock", r.ExpFloat64(), []string{"s", "h"}[r.IntN(2)]
	case 3, 4:
		value.Table, value.What, value.State, value.Text = "boards", "state", true, fmt.Sprint("at ", now)
		if r.repeat {
			value.Text = strings.Repeat("\xfc", r.IntN(20)*r.IntN(20)/10)
		}
	default:
		m := &decode.Message{Place: place, Name: fmt.Sprint("Move", r.IntN(3)), Length: r.IntN(2000)}
		if r.IntN(3) == 0 {
			m.Findings = []wire.Finding{{Rule: rule, Text: "at hand"}}
		}
		return func(s *Stats) { s.Message(m) }
	}
	return func(s *Stats) { s.Value(&value) }
}

// end returns a random endpoint.
func (r *generator) end() netip.AddrPort {
	return wiretest.Host(10, r.IntN(r.hosts), uint16(1000+r.IntN(3)))
}

// merged merges parts in a random order and grouping. On the way, it writes some of them as JSON and reads them again.
func merged(t *testing.T, r *rand.Rand, parts []*Stats) *Stats {
	t.Helper()
	own := func(s *Stats) *Stats { // copies, because a part is merged many times
		c := &Stats{Memory: s.Memory}
		if r.IntN(2) == 0 {
			again(t, s, c)
		} else {
			c.Merge(s)
		}
		return c
	}
	var list []*Stats
	for _, i := range r.Perm(len(parts)) {
		list = append(list, own(parts[i]))
	}
	for len(list) > 1 {
		i := r.IntN(len(list) - 1)
		list[i].Merge(list[i+1])
		if r.IntN(4) == 0 {
			list[i] = own(list[i])
		}
		list = slices.Delete(list, i+1, i+2)
	}
	return list[0]
}

// split counts each event in the part that choose selects.
func split(events []event, parts int, memory int, choose func(event int) int) []*Stats {
	list := make([]*Stats, parts)
	for i := range list {
		list[i] = &Stats{Memory: memory}
	}
	for i, e := range events {
		e(list[choose(i)])
	}
	for i, s := range list {
		s.Count(decode.Counters{Packets: int64(i), Bytes: int64(10 * i), Recognised: 1})
		s.Begin = int64(5 + i)
	}
	return list
}

// If no list is full, merged parts equal Stats that counted everything.
func TestMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		n, k := r.IntN(300), 1+r.IntN(5)
		m := generator{Rand: r, hosts: 4}
		events := make([]event, n)
		for i := range events {
			events[i] = m.event(int64(1000 + i))
		}
		parts := split(events, k, 0, func(int) int { return r.IntN(k) })
		whole := split(events, 1, 0, func(int) int { return 0 })[0]
		whole.Count(decode.Counters{Packets: int64(k * (k - 1) / 2), Bytes: int64(5 * k * (k - 1)), Recognised: int64(k - 1)})
		if diff := cmp.Diff(text(t, whole), text(t, merged(t, r, parts))); diff != "" {
			t.Fatalf("%d events in %d parts (-whole +merged):\n%s", n, k, diff)
		}
	}
}

// TestMergeStretches cuts a capture into consecutive parts. In the merged parts, a text may be repeated after each cut.
// Without repetitions, the states equal those of the whole.
func TestMergeStretches(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	repeats := 0
	for range 40 {
		n, k := 50+r.IntN(150), 2+r.IntN(4)
		m := generator{Rand: r, hosts: 1, repeat: true}
		events := make([]event, n)
		for i := range events {
			events[i] = m.event(int64(1000 + i))
		}
		whole := split(events, 1, 0, func(int) int { return 0 })[0]
		sum := merged(t, r, split(events, k, 0, func(i int) int { return i * k / n }))
		for name, p := range whole.Protocols {
			for who, row := range p.Tables["boards"] {
				got := sum.Protocols[name].Tables["boards"][who].Find("state")
				want := row.Find("state").States()
				repeats += len(got.States()) - len(want)
				changes := slices.CompactFunc(slices.Clone(got.States()), func(a, b State) bool { return a.Text == b.Text })
				if !slices.Equal(changes, want) {
					t.Fatalf("%v: %v, want %v", who, changes, want)
				}
			}
		}
	}
	if repeats == 0 {
		t.Error("no part repeats a text")
	}
}

// The result of merging does not depend on order and grouping. This is also true if there is little memory, if times
// are out of order, and if Stats were read from JSON.
func TestMergeAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	full := make(map[string]int)
	rounds := 30
	if wiretest.Full() {
		rounds = 80
	}
	for range rounds {
		n, k := r.IntN(1000), 1+r.IntN(6)
		m := generator{Rand: r, hosts: 1 + r.IntN(30)>>r.IntN(5), repeat: r.IntN(2) == 0, late: r.IntN(2) == 0, states: r.IntN(4) == 0}
		events := make([]event, n)
		for i := range events {
			events[i] = m.event(int64(1000 + i))
		}
		parts := split(events, k, 8_000+r.IntN(60_000), func(int) int { return r.IntN(k) })
		want := merged(t, r, parts)
		for name := range want.Full {
			full[name]++
		}
		wantText := text(t, want)
		for range 3 {
			if diff := cmp.Diff(wantText, text(t, merged(t, r, parts))); diff != "" {
				t.Fatalf("%d events in %d parts (-one order +another):\n%s", n, k, diff)
			}
		}
		var messages, packets int64
		for _, c := range want.Conversations {
			messages += c.AB.Messages + c.BA.Messages
		}
		for _, e := range want.Endpoints {
			packets += e.Sent.Messages + e.Received.Messages
		}
		var found, sent int64
		for _, f := range want.Findings {
			found += f.Count
		}
		for _, b := range want.Senders {
			sent += b.Count
		}
		if found != sent {
			t.Errorf("%d findings by rule, but %d by sender", found, sent)
		}
		if messages != want.Messages || packets != 2*messages {
			t.Errorf("%d messages, but %d in conversations and %d at endpoints", want.Messages, messages, packets)
		}
	}
	for _, list := range []string{"conversations", "endpoints", "senders", "chess,players", "go,players", "chess,boards", "go,boards"} {
		if full[list] == 0 {
			t.Errorf("%s are never full", list)
		}
	}
}

// A list has the rows with the smallest hashes that fit, with all of their counts.
func TestListsKeepSmallestHashes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		m := generator{Rand: r, hosts: 20, repeat: true, late: true}
		small, large := &Stats{Memory: 10_000 + r.IntN(60_000)}, new(Stats)
		for i := range 1000 {
			e := m.event(int64(i))
			e(small)
			e(large)
		}
		level := slowLevel(small.Memory, large.kept.costs())
		compareLists(t, "conversations", level, &small.kept.conversations, &large.kept.conversations)
		compareLists(t, "endpoints", level, &small.kept.endpoints, &large.kept.endpoints)
		compareLists(t, "senders", level, &small.kept.senders, &large.kept.senders)
		for _, of := range large.kept.tables {
			part := small.kept.table(small, of.protocol, of.title)
			compareLists(t, of.name, level, &part.list, &of.list)
			for who, row := range part.rows {
				if who != (RowKey{}) {
					if diff := cmp.Diff(fmt.Sprint(of.rows[who].costs()), fmt.Sprint(row.costs())); diff != "" {
						t.Errorf("%v (-all +listed):\n%s", who, diff)
					}
				}
			}
		}
	}
}

// costs returns the cost and the sum of each series.
func (r *Row) costs() map[string][2]int64 {
	m := make(map[string][2]int64)
	for _, x := range r.Series {
		n := [2]int64{int64(x.cost()), x.Total}
		if x.Numbers != nil {
			n[1] = x.Numbers.Sum
		}
		m[x.What] = n
	}
	return m
}

func compareLists[K key, R row[K, R]](t *testing.T, name string, level int, small, large *list[K, R]) {
	t.Helper()
	var zero K
	var all []R
	for key, r := range large.rows {
		if key != zero {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b R) int { return int(a.listed().hash) - int(b.listed().hash) })
	want, used := make(map[K]bool), 0
	for _, r := range all {
		if used += r.listed().cost; used > level {
			break
		}
		want[r.listed().key] = true
	}
	got, used := make(map[K]bool), 0
	for key, r := range small.rows {
		if key != zero {
			got[key] = true
			used += r.listed().cost
		}
	}
	if !maps.Equal(want, got) || used != small.used || len(got) != len(small.heap) {
		t.Errorf("%s: %d of %d rows have %d bytes (%d are counted; %d rows are in the heap), want %d rows", name, len(got), len(all), used, small.used, len(small.heap),
			len(want))
	}
}

// Stats that were read from JSON are cut to Memory before anything is merged.
func TestListsShrink(t *testing.T) {
	large, small := new(Stats), &Stats{Memory: 10_000}
	m := generator{Rand: rand.New(rand.NewPCG(9, 10)), hosts: 20}
	for i := range 500 {
		m.event(int64(i))(large)
	}
	again(t, large, small)
	small.Merge(new(Stats))
	if len(small.Full) != 7 || len(small.Conversations) > 10 || len(small.Endpoints) > 10 {
		t.Errorf("%d conversations and %d endpoints are left of %d, full lists: %v", len(small.Conversations), len(small.Endpoints),
			len(large.Conversations), small.Full)
	}
}
