package expect

import (
	"math"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// TestComparisons tests each comparison below, at and above its limit. It tests a range at its limits, between them and
// outside them.
func TestComparisons(t *testing.T) {
	for op, want := range map[string]string{"<": "yes no no", "<=": "yes yes no", ">": "no no yes", ">=": "no yes yes", "==": "no yes no", "!=": "yes no yes"} {
		m := &measure{op: op}
		if !m.readLimit("2.5") {
			t.Fatal(op)
		}
		if got := answers(m.allows, 2.25, 2.5, 2.75); got != want {
			t.Errorf("2.25, 2.5 and 2.75 %s 2.5: %s, want %s", op, got, want)
		}
	}
	for text, want := range map[string]string{"2..3": "no yes yes yes no no", "2..": "no yes yes yes yes yes", "3": "no no no yes no no", "0..2": "yes yes no no no no"} {
		m := &measure{op: "in"}
		if !m.readLimit(text) {
			t.Fatal(text)
		}
		if got := answers(m.allows, 1.5, 2, 2.5, 3, 3.5, 1000); got != want {
			t.Errorf("in %s: %s, want %s", text, got, want)
		}
	}
}

func answers[T any](holds func(T) bool, list ...T) string {
	var words []string
	for _, x := range list {
		words = append(words, map[bool]string{true: "yes", false: "no"}[holds(x)])
	}
	return strings.Join(words, " ")
}

// TestRanges checks that a range contains the whole numbers from Least to Most, and that its text is the same as the
// text that was read.
func TestRanges(t *testing.T) {
	for text, want := range map[string]string{"2..4": "no yes yes yes no", "2..": "no yes yes yes yes", "3": "no no yes no no", "0..1": "yes no no no no", "100000": "no no no no no"} {
		r, ok := readRange(text)
		if got := answers(r.Holds, 1, 2, 3, 4, 5); !ok || got != want || r.String() != text {
			t.Errorf("%s: %s, want %s; its text is %s", text, got, want, r)
		}
	}
	if r, ok := readRange("4..4"); !ok || r != (Range{4, 4}) || r.String() != "4" {
		t.Errorf("4..4 becomes %s", r)
	}
	if r, ok := readRange("0..100000"); !ok || !r.Holds(0) || !r.Holds(100_000) || r.Holds(-1) || r.Holds(100_001) {
		t.Errorf("0..100000 becomes %s", r)
	}
	for _, text := range []string{"", "..", "..3", "-1", "3..2", "x", "1..x", "100001", "1..100001", "100001..", "1...3", "1.5"} {
		if r, ok := readRange(text); ok {
			t.Errorf("%q is accepted as %s", text, r)
		}
	}
}

// TestLimits checks that a measure can be compared with a number and, if the measure is in seconds, with a duration.
func TestLimits(t *testing.T) {
	for _, test := range []struct {
		kind  measureKind
		text  string
		limit float64
		unit  string
		ok    bool
	}{
		{valueOf, "1.5", 1.5, "", true}, {valueOf, "250ms", 0.25, "s", true}, {valueOf, "-1s", -1, "s", true}, {countOf, "-2", -2, "", true},
		{countOf, "1s", 0, "", false}, {rateOf, "1s", 0, "", false}, {valueOf, "x", 0, "", false}, {valueOf, "NaN", 0, "", false}, {rateOf, "1e3", 1000, "", true},
	} {
		m := &measure{kind: test.kind, op: "<"}
		if ok := m.readLimit(test.text); ok != test.ok || ok && (m.limit != test.limit || m.unit != test.unit) {
			t.Errorf("%s: %v %v %q", test.text, ok, m.limit, m.unit)
		}
	}
}

// TestTallies checks how measured values are counted and added up. A rate needs two different times.
func TestTallies(t *testing.T) {
	var plain, seconds, none tally
	for _, n := range []float64{1, 2.6, 5} {
		plain.value(&wire.Value{Number: n})
		seconds.value(&wire.Value{Number: n / 10, Unit: "s"})
	}
	for _, test := range []struct {
		aggregate            string
		plain, seconds, none float64
		nothing              bool // nothing was measured
	}{
		{"min", 1, 0.1, 0, false}, {"max", 5, 0.5, 0, false}, {"mean", 8.6 / 3, 0.86 / 3, 0, false}, {"total", 8.6, 0.86, 0, true}, {"count", 3, 3, 0, true},
		{"p50", 3, 0.26, 0, false},
	} {
		m := &measure{kind: valueOf, aggregate: test.aggregate, share: 0.5}
		for _, one := range []struct {
			t    *tally
			want float64
			ok   bool
		}{{&plain, test.plain, true}, {&seconds, test.seconds, true}, {&none, test.none, test.nothing}} {
			if got, ok := m.result(one.t); ok != one.ok || math.Abs(got-one.want) > 0.02*one.want {
				t.Errorf("%s: %v %v, want %v %v", test.aggregate, got, ok, one.want, one.ok)
			}
		}
	}
	for _, test := range []struct {
		times       []int64
		count, rate float64
	}{
		{nil, 0, 0}, {[]int64{5e9}, 1, 0}, {[]int64{5e9, 5e9}, 2, 0}, {[]int64{5e9, 7e9}, 2, 0.5}, {[]int64{5e9, 7e9, 6e9}, 3, 1}, {[]int64{7e9, 5e9}, 2, 0}, {[]int64{0, 5e8}, 2, 2}, {[]int64{-9e9, -7e9}, 2, 0.5},
	} {
		var x tally
		for _, at := range test.times {
			x.message(at)
		}
		count, ok := (&measure{kind: countOf}).result(&x)
		rate, ok2 := (&measure{kind: rateOf}).result(&x)
		if count != test.count || rate != test.rate || !ok || !ok2 {
			t.Errorf("%v: %v messages, %v per second", test.times, count, rate)
		}
	}
}

// TestNumbersOfBounds checks that numbers are written in the unit of the bound: durations in milliseconds, rates per
// second.
func TestNumbersOfBounds(t *testing.T) {
	for _, test := range []struct {
		measure measure
		want    string
	}{
		{measure{kind: countOf}, "0.25"}, {measure{kind: rateOf}, "0.25 a second"}, {measure{kind: valueOf}, "0.25"},
		{measure{kind: valueOf, unit: "s"}, "250ms"}, {measure{kind: valueOf, unit: "s", aggregate: "count"}, "0.25"},
	} {
		if got := test.measure.number(0.25); got != test.want {
			t.Errorf("%+v: %s, want %s", test.measure, got, test.want)
		}
	}
}
