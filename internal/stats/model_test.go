package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// Stats use caches to find counts. The result must be the same as with plain maps.
func TestMessagesAgreeWithMaps(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	ends := generator{Rand: r, hosts: 4}
	type kind struct{ protocol, name string }
	sizes := make(map[kind]Histogram)
	conversations, sent, received := make(map[ConversationKey]*Conversation), make(map[EndpointKey]Side), make(map[EndpointKey]Side)
	var s Stats
	for now := range int64(5000) {
		src, dst := ends.end(), ends.end()
		p := []*wire.Protocol{chess, goban}[r.IntN(2)]
		m := &decode.Message{
			Place: wire.Place{Time: now, Transport: wire.Transport(r.IntN(2)), Src: src, Dst: dst, Protocol: p, Lane: uint32(r.IntN(5))},
			Name:  []string{"A", "BC", "Move1", "Move2", "Eovm"}[r.IntN(5)], Length: r.IntN(100),
		}
		s.Message(m)
		k := kind{p.Name, m.Name}
		h := sizes[k]
		h.Add(int64(m.Length))
		sizes[k] = h
		key := ConversationKey{m.Transport, src, dst}
		if dst.Compare(src) < 0 {
			key = ConversationKey{m.Transport, dst, src}
		}
		c := conversations[key]
		if c == nil {
			c = &Conversation{First: now}
			conversations[key] = c
		}
		c.Last, c.Protocol = now, first(c.Protocol, p.Name)
		one := Side{1, int64(m.Length)}
		if key.A == src {
			c.AB.add(one)
		} else {
			c.BA.add(one)
		}
		from, to := sent[EndpointKey{m.Transport, src}], received[EndpointKey{m.Transport, dst}]
		from.add(one)
		to.add(one)
		sent[EndpointKey{m.Transport, src}], received[EndpointKey{m.Transport, dst}] = from, to
	}
	if diff := cmp.Diff(conversations, s.Conversations, cmpopts.IgnoreUnexported(Conversation{}), cmp.Comparer(func(a, b ConversationKey) bool { return a == b })); diff != "" {
		t.Error(diff)
	}
	for k, h := range sizes {
		if got := s.Protocols[k.protocol].Messages[k.name].Sizes; got.Count != h.Count || got.Sum != h.Sum {
			t.Errorf("%v: %d messages of %d bytes, want %d of %d", k, got.Count, got.Sum, h.Count, h.Sum)
		}
	}
	for e, x := range s.Endpoints {
		if x.Sent != sent[e] || x.Received != received[e] {
			t.Errorf("%v: %+v, want %+v and %+v", e, x, sent[e], received[e])
		}
	}
}

// Messages without addresses are counted too. Their zero keys must not match an empty slot of a cache.
func TestMessagesOfNobody(t *testing.T) {
	var s Stats
	m := &decode.Message{Place: wire.Place{Protocol: chess}, Name: "Move", Length: 5}
	for range 2 {
		s.Message(m)
	}
	two := Side{2, 10}
	if c := s.Conversations[ConversationKey{}]; len(s.Conversations) != 1 || c.AB != two || c.BA != (Side{}) {
		t.Errorf("conversations %v", s.Conversations)
	}
	if e := s.Endpoints[EndpointKey{}]; len(s.Endpoints) != 1 || e.Sent != two || e.Received != two {
		t.Errorf("endpoints %v", s.Endpoints)
	}
}

// The example of a rule is its first finding by time, file and frame. Among findings in one packet, it is the first
// counted one, or after a merge the first by text.
func TestFirstFinding(t *testing.T) {
	at := func(time int64, file string, frame int, text string) *wire.TrafficFinding {
		return &wire.TrafficFinding{Rule: rules[0], Text: text, Place: wire.Place{Time: time, File: file, Frame: frame}}
	}
	for _, test := range []struct {
		a, b  *wire.TrafficFinding
		place bool // both are in the same packet
	}{
		{at(1, "b", 9, "first"), at(2, "a", 1, "second"), false},
		{at(1, "a", 9, "first"), at(1, "b", 1, "second"), false},
		{at(1, "a", 1, "first"), at(1, "a", 2, "second"), false},
		{at(0, "", 0, "first"), at(1, "a", 2, "second"), false},
		{at(1, "a", 1, "first"), at(1, "a", 1, "second"), true},
		{at(0, "", 0, "first"), at(0, "", 0, "second"), true},
	} {
		for _, order := range [][]*wire.TrafficFinding{{test.a, test.b}, {test.b, test.a}} {
			var s, merged Stats
			for _, f := range order {
				var part Stats
				s.Finding(f)
				part.Finding(f)
				merged.Merge(&part)
			}
			want := Finding{Severity: wire.Warning, Count: 2, File: test.a.File, Frame: test.a.Frame, Time: test.a.Time, Text: "first"}
			if f := *merged.Findings[rules[0].ID]; f != want {
				t.Errorf("merged %v, want %v", f, want)
			}
			if test.place {
				want.Text = order[0].Text
			}
			if f := *s.Findings[rules[0].ID]; f != want {
				t.Errorf("counted %v, want %v", f, want)
			}
		}
	}
}

// Sums stop at the limits of int64, and numbers are rounded.
func TestEndsOfNumbers(t *testing.T) {
	const most, least = math.MaxInt64, math.MinInt64
	for _, test := range []struct{ a, b, want int64 }{
		{1, 2, 3}, {most, 1, most}, {most - 1, 1, most}, {1, most - 1, most}, {least, -1, least}, {least + 1, -1, least}, {-1, -2, -3},
		{most, least, -1}, {most, 0, most}, {least, 0, least}, {2, most, most}, {-2, least, least}, {most, -1, most - 1},
	} {
		if got := addSaturating(test.a, test.b); got != test.want {
			t.Errorf("%d + %d = %d, want %d", test.a, test.b, got, test.want)
		}
	}
	for f, want := range map[float64]int64{
		0.4: 0, 0.6: 1, -0.6: -1, 2.5: 3, 1e300: most, -1e300: 0, math.Inf(1): most, math.Inf(-1): 0, math.MaxInt64: most, -(1 << 62): -(1 << 62),
		math.MinInt64: 0, -(1<<63 - 1<<10): -(1<<63 - 1<<10), // math.MinInt64 counts as below the range
	} {
		if got := toInteger(f); got != want {
			t.Errorf("%v becomes %d, want %d", f, got, want)
		}
	}
	if got := toInteger(math.NaN()); got != 0 {
		t.Errorf("NaN becomes %d", got)
	}
}

// Values with a unit are put in a histogram, durations in nanoseconds. Values without a unit are added up. Of the
// texts, the newest are kept.
func TestKindsOfValues(t *testing.T) {
	var s Stats
	add := func(v wire.Value) {
		v.Protocol, v.Table, v.Who = chess, "players", "Ann"
		s.Value(&v)
	}
	add(wire.Value{What: "moves", Number: 2})
	add(wire.Value{What: "moves", Number: 3})
	add(wire.Value{What: "lag", Number: 0.25, Unit: "s"})
	add(wire.Value{What: "width", Number: 7, Unit: "m"})
	for range 2 {
		add(wire.Value{What: "mode", State: true, Text: "rabbit"})
	}
	for i := range MaxStates + 2 {
		add(wire.Value{What: "map", State: true, Text: fmt.Sprint(i)})
		add(wire.Value{What: "map", State: true, Text: fmt.Sprint(i)})
	}
	x := s.Protocols["chess"].Tables["players"][RowKey{Who: "Ann"}]
	if m := x.Find("moves"); m.Total != 5 || m.Unit() != "" || m.Numbers != nil {
		t.Errorf("moves %+v", m)
	}
	if l := x.Find("lag"); l.Numbers.Max != 250e6 || l.Numbers.Count != 1 || l.Unit() != "s" || l.Total != 0 {
		t.Errorf("lag %+v", l)
	}
	if w := x.Find("width"); w.Numbers.Max != 7 || w.Unit() != "m" {
		t.Errorf("width %+v", w)
	}
	if mode := x.Find("mode").States(); len(mode) != 1 || mode[0].Text.String() != "rabbit" {
		t.Errorf("a text that was set twice is kept as %v", mode)
	}
	if mode, long := x.Find("mode").longest(), textOf(strings.Repeat("\xe9", maxText)).String(); mode != 6 || long != strings.Repeat("é", maxText/2) {
		t.Errorf("%d bytes of a mode, %q", mode, long)
	}
	if long := textOf(strings.Repeat("x", maxText-1) + "é").String(); long != strings.Repeat("x", maxText-1) {
		t.Errorf("a character is cut: %q", long)
	}
	states := x.Find("map").States()
	if len(states) != MaxStates || states[0].Text.String() != "2" || states[MaxStates-1].Text.String() != fmt.Sprint(MaxStates+1) {
		t.Errorf("%d states, %v to %v", len(states), states[0].Text, states[len(states)-1].Text)
	}
}
