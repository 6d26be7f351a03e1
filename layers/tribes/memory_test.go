package tribes_test

import (
	"encoding/binary"
	"runtime"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/tribes"
)

// decoded returns a layer that has decoded a packet.
func decoded(t *testing.T, payload string) wire.Layer {
	t.Helper()
	l := &tribes.Layer{Peers: tribes.Peers{Known: true, ToMaster: true}}
	if err := l.DecodeFromBytes([]byte(payload), gopacket.NilDecodeFeedback); err != nil {
		t.Fatal(err)
	}
	return l
}

const (
	listQuery  = "\x10\x03\xff\x00\x01\x00\x00\x00"
	lastPacket = "\x10\x06\xff\xff\x01\x00\x00\x66\x00\x01\x06\x7f\x0a\x00\x01\x61\x6d"
)

// largePacket returns a packet of a list. The packet has the given number of servers.
func largePacket(number, total byte, servers int) string {
	list := []byte{0x10, 0x06, number, total, 1, 0, 0, 0x66}
	if number == 1 {
		list = append(list, 0, 0)
	}
	list = binary.BigEndian.AppendUint16(list, uint16(servers))
	for i := range servers {
		list = append(list, 6, 1, number, byte(i>>8), byte(i), 0x61, 0x6d)
	}
	return string(list)
}

// TestExchangeIsSmall checks that an exchange of one query and one answer takes at most 410 bytes.
func TestExchangeIsSmall(t *testing.T) {
	const many = 10_000
	memory := bounded.NewBudget(bounded.DefaultMemory)
	ping, state := decoded(t, "\x60\x00\x01"), decoded(t, "\x61\x00\x01\x62\x06Tribes\x041.11\x00\x00\x00\x00\x00")
	before := wiretest.Heap()
	tracker := tribes.Protocol.NewTracker(&wire.Reporter{Memory: memory})
	for i := range many {
		tracker.Message(ping, &wire.Place{Time: second, Src: wiretest.Host(10, i, 4000), Dst: game, Lane: uint32(2*i + 1)})
		tracker.Message(state, &wire.Place{Time: second, Src: game, Dst: wiretest.Host(10, i, 4000), Lane: uint32(2*i + 2)})
	}
	if each := (wiretest.Heap() - before) / many; each > 410 {
		t.Errorf("an exchange takes %d bytes, want at most 410", each)
	}
	if each := memory.Used() / many; each > 410 {
		t.Errorf("the budget counts %d bytes for an exchange, want at most 410", each)
	}
	runtime.KeepAlive(tracker)
}

// TestSessionIsBounded checks that the session drops old entries to stay within its budget.
func TestSessionIsBounded(t *testing.T) {
	before := wiretest.Heap()
	memory := bounded.NewBudget(1 << 20)
	layer, session := tribes.Protocol.New(), tribes.Protocol.NewSession(memory)
	d := &wire.Datagram{Src: game, Payload: []byte("\x10\x05\xff\x00\x00\x00\x00\x00")}
	for i := range 50_000 {
		memory.Turn()
		d.Dst, d.Lane = wiretest.Host(10, i, 2222), uint32(2*i+1)
		session.Before(layer, d)
		if err := layer.DecodeFromBytes(d.Payload, gopacket.NilDecodeFeedback); err != nil {
			t.Fatal(err)
		}
		session.After(layer, d)
	}
	session.Before(layer, &wire.Datagram{Src: client, Dst: d.Dst})
	if !layer.(*tribes.Layer).Peers.ToMaster {
		t.Error("the last master is not known")
	}
	if grown, used := wiretest.Heap()-before, int64(memory.Used()); grown > 3<<19 || used < grown/2 || used > 2*grown {
		t.Errorf("the session uses %d bytes, the budget counts %d", grown, used)
	}
	runtime.KeepAlive(session)
}

// TestForgottenLists checks that if lists must be dropped, complete lists are reported, and incomplete lists are not.
func TestForgottenLists(t *testing.T) {
	memory := bounded.NewBudget(1 << 20)
	reported := make(map[string]int)
	tracker := tribes.Protocol.NewTracker(&wire.Reporter{Memory: memory,
		Finding: func(f *wire.TrafficFinding) { reported[f.Rule.ID]++ },
		Value:   func(v *wire.Value) { reported[v.What]++ }})
	query, whole, part := decoded(t, listQuery), decoded(t, largePacket(1, 1, 3)), decoded(t, largePacket(1, 2, 3))
	const many = 10_000
	for i := range many {
		memory.Turn()
		p := wire.Place{Time: 10 * second, Src: wiretest.Host(10, i, 4000), Dst: master, Protocol: tribes.Protocol}
		tracker.Message(query, &p)
		p.Src, p.Dst = p.Dst, p.Src
		if i%2 == 0 {
			tracker.Message(whole, &p)
		} else {
			tracker.Message(part, &p)
		}
	}
	if reported["complete"] < many/4 || reported["incomplete"] > 0 || reported["tribes.list-incomplete"] > 0 {
		t.Errorf("reported before the end: %v", reported)
	}
	tracker.Close(20 * second)
	if reported["complete"] != many/2 || reported["list size"] != reported["complete"]+reported["incomplete"] || reported["incomplete"] > many/4 {
		t.Errorf("reported at the end: %v", reported)
	}
}
