package stats

import (
	"math/rand/v2"
	"testing"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A full list reuses dropped rows. Its counts must stay exact.
func TestReusedRows(t *testing.T) {
	const pairs, hosts, rounds = 3000, 2000, 8
	r := rand.New(rand.NewPCG(15, 16))
	s := Stats{Memory: 300_000}
	conversations, sent := make(map[ConversationKey]int64), make(map[EndpointKey]int64)
	for range rounds {
		for i := range pairs {
			m := &decode.Message{Name: "Move", Length: 10}
			m.Protocol, m.Lane, m.Transport = chess, uint32(2*i+1), wire.Transport(i%2)
			m.Src, m.Dst = stranger(i%hosts), stranger(hosts+i%7)
			if r.IntN(2) == 0 {
				m.Src, m.Dst, m.Lane = m.Dst, m.Src, m.Lane+1
			}
			s.Message(m)
			key, _ := pairOf(m.Transport, m.Src, m.Dst)
			conversations[key]++
			sent[EndpointKey{m.Transport, m.Src}]++
		}
	}
	if s.Full["conversations"] == 0 || s.Full["endpoints"] == 0 {
		t.Fatalf("full lists: %v", s.Full)
	}
	all := int64(0)
	for key, c := range s.Conversations {
		n := c.AB.Messages + c.BA.Messages
		if all += n; key != (ConversationKey{}) && (n != conversations[key] || c.key != key) {
			t.Errorf("%v: %d messages, want %d", key, n, conversations[key])
		}
	}
	for key, e := range s.Endpoints {
		if key != (EndpointKey{}) && (e.Sent.Messages != sent[key] || e.key != key) {
			t.Errorf("%v: %d messages, want %d", key, e.Sent.Messages, sent[key])
		}
	}
	if all != pairs*rounds {
		t.Errorf("%d messages, want %d", all, pairs*rounds)
	}
}

// When other lists grow, a list drops rows and moves to a smaller map. The field of Stats must refer to the new map.
func TestShrunkLists(t *testing.T) {
	s := Stats{Memory: 200_000}
	for i := range 1000 {
		s.Finding(&wire.TrafficFinding{Place: wire.Place{Protocol: chess, Src: stranger(i)}, Rule: rules[0]})
	}
	before := len(s.Senders)
	for i := range 1000 {
		s.Value(&wire.Value{Place: wire.Place{Protocol: chess}, Table: "players", Server: stranger(i), What: "moves", Number: 1})
	}
	l := &s.kept.senders
	if n := len(s.Senders); n >= before*3/4 || n != len(l.rows) || n < l.most*3/4 || n != len(l.heap)+1 {
		t.Errorf("%d rows of %d, %d in the list, %d in the heap, at most %d", n, before, len(l.rows), len(l.heap), l.most)
	}
}
