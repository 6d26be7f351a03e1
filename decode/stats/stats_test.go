package stats

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

var (
	chess = &wire.Protocol{Name: "chess"}
	goban = &wire.Protocol{Name: "go"}
	rules = []*wire.Rule{{ID: "chess.check", Severity: wire.Warning}, {ID: "go.ko", Severity: wire.Error}}
)

// event is something that is counted.
type event func(*Stats)

// anyEvent makes one at a time.
func anyEvent(r *rand.Rand, now int64) event {
	place := wire.Place{Frame: int(now), Time: now, Transport: wire.Transport(r.IntN(2)),
		Src: anyEnd(r), Dst: anyEnd(r), Protocol: []*wire.Protocol{chess, goban}[r.IntN(2)]}
	rule := rules[r.IntN(2)]
	switch r.IntN(6) {
	case 0:
		f := &wire.TrafficFinding{Place: place, Rule: rule, Text: fmt.Sprint("case ", now)}
		return func(s *Stats) { s.Finding(f) }
	case 1:
		v := &wire.Value{Place: place, Table: "players", Who: fmt.Sprint(r.IntN(4)), What: "moves", Number: float64(r.IntN(3))}
		return func(s *Stats) { s.Value(v) }
	case 2:
		v := &wire.Value{Place: place, Table: "players", Who: fmt.Sprint(r.IntN(4)), What: "clock", Number: r.ExpFloat64(), Unit: "s"}
		return func(s *Stats) { s.Value(v) }
	case 3:
		v := &wire.Value{Place: place, Table: "boards", Who: "one", What: "state", State: true, Text: fmt.Sprint("state ", r.IntN(3))}
		return func(s *Stats) { s.Value(v) }
	}
	m := &decode.Message{Place: place, Name: fmt.Sprint("Move", r.IntN(3)), Length: r.IntN(2000)}
	if r.IntN(3) == 0 {
		m.Findings = []wire.Finding{{Rule: rule, Text: "at hand"}}
	}
	return func(s *Stats) { s.Message(m) }
}

func anyEnd(r *rand.Rand) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(r.IntN(4))}), uint16(1000+r.IntN(3)))
}

// Counted in two parts, cut anywhere, it is the same as in one.
func TestMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := r.IntN(300)
		events := make([]event, n)
		for i := range events {
			events[i] = anyEvent(r, int64(1000+i))
		}
		cut := r.IntN(n + 1)
		var whole, first, second Stats
		for i, e := range events {
			e(&whole)
			if i < cut {
				e(&first)
			} else {
				e(&second)
			}
		}
		whole.Count(decode.Counters{Packets: 7, Bytes: 70, Recognised: 5})
		first.Count(decode.Counters{Packets: 3, Bytes: 30, Recognised: 1})
		second.Count(decode.Counters{Packets: 4, Bytes: 40, Recognised: 4})
		// As JSON, because that is how they come together from elsewhere.
		var a, b Stats
		again(t, &first, &a)
		again(t, &second, &b)
		a.Merge(&b)
		if diff := cmp.Diff(text(t, &whole), text(t, &a)); diff != "" {
			t.Fatalf("%d events, cut at %d (-whole +merged):\n%s", n, cut, diff)
		}
	}
}

func text(t *testing.T, s *Stats) string {
	t.Helper()
	b, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func again(t *testing.T, s, to *Stats) {
	t.Helper()
	if err := json.Unmarshal([]byte(text(t, s)), to); err != nil {
		t.Fatal(err)
	}
}

// TestHistogram holds percentiles against those of a sorted list.
func TestHistogram(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var h Histogram
		var list []int64
		for range 1 + r.IntN(500) {
			v := int64(r.ExpFloat64() * math.Pow(10, float64(r.IntN(12))))
			h.Add(v)
			list = append(list, v)
		}
		slices.Sort(list)
		for _, share := range []float64{0, 0.01, 0.5, 0.9, 0.99, 1} {
			want := list[max(int(math.Ceil(share*float64(len(list))))-1, 0)]
			got := h.Quantile(share)
			if off := math.Abs(float64(got - want)); off > float64(want)/fine+0.5 {
				t.Fatalf("%g of %d values: %d, want %d", share, len(list), got, want)
			}
		}
		if h.Min != list[0] || h.Max != list[len(list)-1] || h.Count != int64(len(list)) {
			t.Fatalf("%+v", h)
		}
	}
	var h Histogram
	if h.Quantile(0.5) != 0 {
		t.Error("the median of nothing")
	}
	for _, v := range []int64{-5, 0, math.MaxInt64, math.MaxInt64} {
		h.Add(v)
	}
	if h.Min != 0 || h.Quantile(1) != math.MaxInt64 || h.Sum != math.MaxInt64 {
		t.Errorf("%+v", h)
	}
}

func TestHistogramIsBounded(t *testing.T) {
	var h Histogram
	r := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		h.Add(r.Int64() >> r.IntN(63))
	}
	if n := len(h.Buckets); n > 64*fine {
		t.Errorf("%d buckets", n)
	}
}

// Each value is in its bucket, and buckets are in the order of their values.
func TestBuckets(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	values := []int64{0, 31, 32, 63, 64, 65, math.MaxInt64}
	for range 10_000 {
		values = append(values, r.Int64()>>r.IntN(63))
	}
	slices.Sort(values)
	before := Bucket(0)
	for _, v := range values {
		b := Bucket(bucketIndex(v) << countBits)
		low, width := b.span()
		if b < before || v < low || v-low >= width || width > max(1, low/fine) {
			t.Fatalf("%d is in a bucket from %d on, %d wide", v, low, width)
		}
		before = b
	}
}

func TestBucketsAreChecked(t *testing.T) {
	for _, text := range []string{`{"low":65,"count":1}`, `{"low":-1,"count":1}`, `{"low":1,"count":-1}`, `{"low":1,"count":9007199254740992}`, `{"low":"x"}`, `[]`} {
		if b := Bucket(0); json.Unmarshal([]byte(text), &b) == nil {
			t.Errorf("%s is a bucket", text)
		}
	}
	if b := Bucket(1); json.Unmarshal([]byte(`{"low":32,"count":0}`), &b) != nil || b.Low() != 32 || b.Count() != 0 {
		t.Errorf("an empty bucket has %d from %d on", b.Count(), b.Low())
	}
	var a, b Histogram
	if err := json.Unmarshal([]byte(`{"count":1,"buckets":[{"low":64,"count":9007199254740991}]}`), &a); err != nil {
		t.Fatal(err)
	}
	b.merge(&a)
	b.merge(&a)
	if n := b.Buckets[0]; n.Low() != 64 || n.Count() != mostCount {
		t.Errorf("%d from %d on", n.Count(), n.Low())
	}
}

// What strangers can make many of is counted together when there are too many.
func TestBounds(t *testing.T) {
	var s Stats
	const n = 3 * maxConversations
	for i := range n {
		m := &decode.Message{Name: "Move", Length: 10, Place: wire.Place{Protocol: chess,
			Src: netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 1000), Dst: netip.MustParseAddrPort("192.0.2.1:5154")}}
		s.Message(m)
		s.Value(&wire.Value{Place: m.Place, Table: "players", Who: fmt.Sprint(i), What: fmt.Sprint(i), Number: 1})
		s.Value(&wire.Value{Place: m.Place, Table: "servers", Who: "one", What: "map", State: true, Text: fmt.Sprint(i)})
		s.Value(&wire.Value{Place: m.Place, Table: "servers", Who: "one", What: fmt.Sprint(i), Number: math.NaN()})
	}
	messages := int64(0)
	for _, c := range s.Conversations {
		messages += c.AB.Messages + c.BA.Messages
	}
	tables := s.Protocols["chess"].Tables
	if len(s.Conversations) != maxConversations+1 || len(s.Endpoints) != maxEndpoints+1 || messages != n {
		t.Errorf("%d conversations, %d endpoints, %d messages", len(s.Conversations), len(s.Endpoints), messages)
	}
	if len(tables["players"]) != maxSubjects+1 || len(tables["servers"]["one"]) != maxNames+1 || len(tables["servers"]["one"]["map"].States) != maxStates {
		t.Errorf("%d players, %d names, %d states", len(tables["players"]), len(tables["servers"]["one"]), len(tables["servers"]["one"]["map"].States))
	}
}

// A text may become empty, and a count larger than there are numbers.
func TestValues(t *testing.T) {
	var s Stats
	place := wire.Place{Protocol: chess}
	for _, text := range []string{"a", "", "", "a"} {
		s.Value(&wire.Value{Place: place, Table: "boards", Who: "one", What: "title", State: true, Text: text})
	}
	for range 2 {
		s.Value(&wire.Value{Place: place, Table: "boards", Who: "one", What: "moves", Number: 1e19})
		s.Value(&wire.Value{Place: place, Table: "boards", Who: "one", What: "debts", Number: -9e18})
	}
	var twice Stats
	twice.Merge(&s)
	twice.Merge(&s)
	row := twice.Protocols["chess"].Tables["boards"]["one"]
	var texts []string
	for _, n := range row["title"].States[:3] {
		texts = append(texts, n.Text.String())
	}
	if !slices.Equal(texts, []string{"a", "", "a"}) {
		t.Errorf("%q", texts)
	}
	if moves, debts := row["moves"].Total, row["debts"].Total; moves != math.MaxInt64 || debts != math.MinInt64 {
		t.Errorf("%d moves, %d debts", moves, debts)
	}
}

// What comes from elsewhere may be merged, or is refused.
func TestForeignJSON(t *testing.T) {
	for _, text := range []string{
		`{"protocols":{"chess":null}}`, `{"protocols":{"chess":{"tables":{}}}}`, `{"protocols":{"chess":{"messages":{},"tables":null}}}`,
		`{"protocols":{"chess":{"messages":{"Move":null},"tables":{}}}}`,
		`{"protocols":{"chess":{"messages":{},"tables":{"players":{"one":{"wins":null}}}}}}`,
		`{"conversations":{"udp 10.0.0.1:1 10.0.0.2:2":null}}`, `{"endpoints":{"others":null}}`, `{"findings":{"chess.check":null}}`, `[]`,
	} {
		var s Stats
		if err := json.Unmarshal([]byte(text), &s); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
	for _, text := range []string{`{}`, `{"protocols":{"chess":{"messages":{"Move":{}},"tables":{"players":null,"boards":{"one":null}}}}}`} {
		var s, sum Stats
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		sum.Merge(&s)
		s.Merge(&sum)
		s.Value(&wire.Value{Place: wire.Place{Protocol: chess}, Table: "players", Who: "one", What: "wins", Number: 1})
	}
}

func TestKeysAreChecked(t *testing.T) {
	for _, text := range []string{"", "udp", "sctp 10.0.0.1:1", "udp 10.0.0.1", "udp 10.0.0.1:1 x"} {
		var p Pair
		var e End
		if p.UnmarshalText([]byte(text)) == nil || e.UnmarshalText([]byte(text)) == nil {
			t.Errorf("%q is a key", text)
		}
	}
}
