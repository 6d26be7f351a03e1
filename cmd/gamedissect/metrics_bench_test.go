package main

import (
	"net/netip"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/tribes"
)

// late is how late numbers come in the test, some of them too late.
const late = firstsSize + firstsSize/8

// deathmatch makes messages as the engine does: of two kinds, in some conversations.
func deathmatch(t testing.TB) []*decode.Message {
	t.Helper()
	var list []*decode.Message
	for i, data := range [][]byte{{0x10, 0x03, 0xff, 0x00, 0x01, 0x02, 0x00, 0x00}, {0x10, 0x05, 0xff, 0x00, 0x00, 0x00, 0x00, 0x00}} {
		l := tribes.Protocol.New()
		noError(t, l.DecodeFromBytes(data, noFeedback{}))
		m := &decode.Message{Layer: l}
		m.Protocol, m.Conversation, m.Src = tribes.Protocol, i*40, netip.MustParseAddrPort("127.0.0.1:28001")
		list = append(list, m)
	}
	if list[0].Layer.Core().Message == list[1].Layer.Core().Message {
		t.Fatal("one kind of message")
	}
	return list
}

type noFeedback struct{}

func (noFeedback) SetTruncated() {}

func BenchmarkMetricsMessage(b *testing.B) {
	m, list := newMetrics(), deathmatch(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		m.message(list[i&1])
	}
}

func BenchmarkMetricsPacket(b *testing.B) {
	m, p := newMetrics(), &capture.Packet{Length: 60, Time: 1e18}
	b.ReportAllocs()
	for b.Loop() {
		m.packet(p)
	}
}

func BenchmarkMetricsValue(b *testing.B) {
	m := newMetrics()
	v := &wire.Value{Place: wire.Place{Protocol: tribes.Protocol}, Table: serversTable, Who: "127.0.0.1:28001", What: "ping", Number: 0.01, Unit: "s"}
	b.ReportAllocs()
	for b.Loop() {
		m.value(v)
	}
}

// TestMetricsAllocateNothing holds the packet path to it.
func TestMetricsAllocateNothing(t *testing.T) {
	m, list := newMetrics(), deathmatch(t)
	list[0].Findings = []wire.Finding{{Rule: tribes.Protocol.Rules[0]}}
	p := &capture.Packet{Length: 60, Time: 1e18}
	v := &wire.Value{Place: wire.Place{Protocol: tribes.Protocol}, Table: serversTable, Who: "127.0.0.1:28001", What: "ping", Number: 0.01, Unit: "s"}
	m.value(v)
	if n := testing.AllocsPerRun(100, func() {
		m.packet(p)
		m.message(list[0])
		m.message(list[1])
		m.finding(&wire.TrafficFinding{Rule: decode.RuleGap})
		m.value(v)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
