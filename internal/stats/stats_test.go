package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

var (
	chess = &wire.Protocol{Name: "chess"}
	goban = &wire.Protocol{Name: "go"}
	rules = []*wire.Rule{{ID: "chess.check", Severity: wire.Warning}, {ID: "go.ko", Severity: wire.Error}}
)

// text returns Stats as JSON.
func text(t *testing.T, s *Stats) string {
	t.Helper()
	b, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// again writes s as JSON and reads it into to.
func again(t *testing.T, s, to *Stats) {
	t.Helper()
	if err := json.Unmarshal([]byte(text(t, s)), to); err != nil {
		t.Fatal(err)
	}
}

// TestHistogram compares percentiles with those of a sorted list.
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
		t.Error("an empty histogram has a median")
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

// A value lies in the range of its bucket. Buckets sort like their values.
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
			t.Errorf("%s is accepted as a bucket", text)
		}
	}
	if b := Bucket(1); json.Unmarshal([]byte(`{"low":32,"count":0}`), &b) != nil || b.Low() != 32 || b.Count() != 0 {
		t.Errorf("an empty bucket has %d from %d on", b.Count(), b.Low())
	}
	var a, b Histogram
	if err := json.Unmarshal([]byte(`{"count":1,"buckets":[{"low":64,"count":9007199254740991}]}`), &a); err != nil {
		t.Fatal(err)
	}
	b.Merge(&a)
	b.Merge(&a)
	if n := b.Buckets[0]; n.Low() != 64 || n.Count() != maxCount {
		t.Errorf("%d from %d on", n.Count(), n.Low())
	}
}

// A text may become empty, and a total may exceed the range of int64.
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
	row := twice.Protocols["chess"].Tables["boards"][RowKey{Who: "one"}]
	var texts []string
	for _, n := range row.Find("title").States() {
		texts = append(texts, n.Text.String())
	}
	if !slices.Equal(texts, []string{"a", "", "a"}) {
		t.Errorf("%q", texts)
	}
	if moves, debts := row.Find("moves").Total, row.Find("debts").Total; moves != math.MaxInt64 || debts != 0 {
		t.Errorf("%d moves, %d debts", moves, debts)
	}
}

// JSON from other programs must be rejected, or merge without a crash.
func TestForeignJSON(t *testing.T) {
	for _, text := range []string{
		`{"protocols":{"chess":null}}`, `{"protocols":{"chess":{"tables":{}}}}`, `{"protocols":{"chess":{"messages":{},"tables":null}}}`,
		`{"protocols":{"chess":{"messages":{"Move":null},"tables":{}}}}`,
		`{"protocols":{"chess":{"messages":{},"tables":{"players":{"one":{"measured":{"wins":null}}}}}}}`,
		`{"protocols":{"chess":{"messages":{},"tables":{"boards":{"one":null}}}}}`,
		`{"protocols":{"chess":{"messages":{},"tables":{"boards":{"one":{"measured":{"wins":{"total":-1}}}}}}}}`,
		`{"protocols":{"chess":{"messages":{},"tables":{"boards":{"\"one\"":{"measured":{}}}}}}}`,
		`{"protocols":{"chess":{"messages":{},"tables":{"boards":{"one":{"wins":{"total":1}}}}}}`,
		`{"protocols":{"chess":{"messages":{"Move":{"sizes":{"count":-1}}},"tables":{}}}}`,
		`{"protocols":{"chess":{"messages":{"Move":{"sizes":{"buckets":[{"low":5,"count":1},{"low":5,"count":1}]}}},"tables":{}}}}`,
		`{"full":{"chess,players":1}}`, `{"protocols":{"chess":{"messages":{},"tables":{}}},"full":{"chess":1}}`, `{"full":{"endpoints":-1}}`,
		`{"conversations":{"udp 10.0.0.1:1 10.0.0.2:2":null}}`, `{"endpoints":{"others":null}}`, `{"findings":{"chess.check":null}}`, `[]`,
	} {
		var s Stats
		if err := json.Unmarshal([]byte(text), &s); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
	for _, text := range []string{`{}`, `{"protocols":{"chess":{"messages":{"Move":{}},"tables":{"players":null,"boards":{"one":{"measured":{}}}}}}}`,
		`{"protocols":{"chess":{"messages":{},"tables":{"players":{"a":{"measured":{}}}}}},"full":{"chess,players":0,"conversations":5}}`} {
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
		var p ConversationKey
		var e EndpointKey
		if p.UnmarshalText([]byte(text)) == nil || e.UnmarshalText([]byte(text)) == nil {
			t.Errorf("%q is accepted as a key", text)
		}
	}
}

// Brief leaves out only the lists by address.
func TestBrief(t *testing.T) {
	var whole, brief Stats
	brief.Brief = true
	for _, s := range []*Stats{&whole, &brief} {
		m := &decode.Message{Name: "Move", Length: 9, Place: wire.Place{Protocol: chess, Src: stranger(1), Dst: stranger(2)}}
		m.Findings = []wire.Finding{{Rule: rules[0], Text: "check"}}
		s.Message(m)
		s.Finding(&wire.TrafficFinding{Rule: rules[1], Text: "ko"})
	}
	if len(whole.Conversations) != 1 || len(whole.Endpoints) != 2 || len(whole.Senders) != 2 {
		t.Fatalf("%s", text(t, &whole))
	}
	if n := len(brief.Conversations) + len(brief.Endpoints) + len(brief.Senders); n != 0 {
		t.Errorf("%d rows: %s", n, text(t, &brief))
	}
	whole.Conversations, whole.Endpoints, whole.Senders = nil, nil, nil
	if got, want := text(t, &brief), text(t, &whole); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
