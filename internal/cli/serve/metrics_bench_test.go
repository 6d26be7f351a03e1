package serve

import (
	"math/rand/v2"
	"net/netip"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/layers"
	"github.com/gamedissect/gamedissect/layers/tribes"
)

// late is the maximum distance of a number in TestFirsts below the highest one. It exceeds what a firsts remembers.
const late = firstsSize + firstsSize/8

// deathmatch makes messages of two kinds in a few conversations, as the engine does.
func deathmatch(t testing.TB) []*decode.Message {
	t.Helper()
	var list []*decode.Message
	for i, data := range [][]byte{{0x10, 0x03, 0xff, 0x00, 0x01, 0x02, 0x00, 0x00}, {0x10, 0x05, 0xff, 0x00, 0x00, 0x00, 0x00, 0x00}} {
		l := tribes.Protocol.New()
		clitest.NoError(t, l.DecodeFromBytes(data, noFeedback{}))
		m := &decode.Message{Layer: l}
		m.Protocol, m.Conversation, m.Src = tribes.Protocol, i*40, netip.MustParseAddrPort("127.0.0.1:28001")
		list = append(list, m)
	}
	if list[0].Layer.Core().Message == list[1].Layer.Core().Message {
		t.Fatal("both messages are of the same kind")
	}
	return list
}

type noFeedback struct{}

func (noFeedback) SetTruncated() {}

func BenchmarkMetricsMessage(b *testing.B) {
	m, list := NewMetrics(layers.All()), deathmatch(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		m.Message(list[i&1])
	}
}

func BenchmarkMetricsPacket(b *testing.B) {
	m, p := NewMetrics(layers.All()), &capture.Packet{Length: 60, Time: 1e18}
	b.ReportAllocs()
	for b.Loop() {
		m.Packet(p)
	}
}

func BenchmarkMetricsValue(b *testing.B) {
	m := NewMetrics(layers.All())
	v := &wire.Value{Place: wire.Place{Protocol: tribes.Protocol}, Table: serversTable, Who: "127.0.0.1:28001", What: "ping", Number: 0.01, Unit: "s"}
	b.ReportAllocs()
	for b.Loop() {
		m.Value(v)
	}
}

// TestMetricsAllocateNothing checks that counting packets, messages and values does not allocate.
func TestMetricsAllocateNothing(t *testing.T) {
	m, list := NewMetrics(layers.All()), deathmatch(t)
	list[0].Findings = []wire.Finding{{Rule: tribes.Protocol.Rules[0]}}
	p := &capture.Packet{Length: 60, Time: 1e18}
	v := &wire.Value{Place: wire.Place{Protocol: tribes.Protocol}, Table: serversTable, Who: "127.0.0.1:28001", What: "ping", Number: 0.01, Unit: "s"}
	m.Value(v)
	if n := testing.AllocsPerRun(100, func() {
		m.Packet(p)
		m.Message(list[0])
		m.Message(list[1])
		m.Finding(&wire.TrafficFinding{Rule: decode.RuleGap})
		m.Value(v)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestFirsts compares firsts with a set.
func TestFirsts(t *testing.T) {
	f, random := new(firsts), rand.New(rand.NewPCG(3, 4))
	known := make(map[int]bool)
	top := 0
	for range 300_000 {
		n := top - random.IntN(late) + random.IntN(6)
		if random.IntN(100_000) == 0 {
			n = top + random.IntN(3*firstsSize)
		}
		want := n >= 0 && !known[n] && n >= top-firstsSize
		if got := f.first(n); got != want {
			t.Fatalf("first(%d), if the highest number is %d: %v, want %v", n, top-1, got, want)
		}
		known[n] = true
		top = max(top, n+1)
	}
}
