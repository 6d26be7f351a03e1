package decode

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/ip/iptest"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// checkOthers checks that a closed engine has classified every foreign packet.
func checkOthers(tb testing.TB, e *Engine) {
	tb.Helper()
	sum := int64(0)
	for _, o := range e.Others() {
		if o.Packets <= 0 || o.First <= 0 || o.Bytes < 0 {
			tb.Errorf("impossible row %+v", o)
		}
		sum += o.Packets
	}
	if c := e.Counters(); sum != c.Other {
		tb.Errorf("%d packets of other traffic, but the kinds add up to %d: %+v", c.Other, sum, e.Others())
	}
	if x := e.decoder.others; x != nil && len(x.conversations)+len(x.datagrams) > 0 {
		tb.Errorf("%d conversations and %d datagrams still wait", len(x.conversations), len(x.datagrams))
	}
}

// rowsOf returns an engine's table of foreign packets, one text per row.
func rowsOf(e *Engine) (rows []string) {
	for _, o := range e.Others() {
		fragments := ""
		if o.Fragment {
			fragments = " fragments"
		}
		rows = append(rows, fmt.Sprintf("%v %v%s %d: %d, %d bytes, first %d",
			o.Kind.Layer, o.Kind, fragments, o.Port, o.Packets, o.Bytes, o.First))
	}
	slices.Sort(rows)
	return rows
}

func TestOthers(t *testing.T) {
	e := newTable(t, Options{Others: true})
	ethernet := func(etherType string, content ...byte) {
		e.frame(ip.LinkEthernet, append([]byte("destinsource"+etherType), content...), 60)
	}
	e.say(client, server, saying("M>", "held")) // 1: recognised because of frame 5
	e.say(client, "192.0.2.9:53", foreign)      // 2
	ethernet("\x08\x06", 0, 1)                  // 3
	e.say(client, "192.0.2.9:53", foreign)
	e.say(client, server, saying("S>", "hello"))
	ethernet("\x88\xcc")                                                                   // 6
	ethernet("\x00\x26", 0x42, 0x42, 3)                                                    // 7
	e.packet([]byte("\x43what"))                                                           // 8
	e.packet(patch(udpPacket(t, client, server, "what"), 9, 1))                            // 9: the header says ICMP
	e.packet(inFragments(udpPacket(t, client, server, strings.Repeat("x", 40)), 1, 16)[0]) // 10
	e.frame(220, []byte("what"), 4)                                                        // 11
	e.say(client, "192.0.2.8:9999", saying("M>", "maybe"))                                 // 12
	e.Close()
	checkOthers(t, e.Engine)
	want := []string{
		"EtherType ARP 0: 1, 60 bytes, first 3", "EtherType LLDP 0: 1, 60 bytes, first 6", "IPv4 ICMP 0: 1, 32 bytes, first 9",
		"IPv4 UDP 53: 2, 84 bytes, first 2", "IPv4 UDP 9999: 1, 36 bytes, first 12", "IPv4 UDP fragments 0: 1, 36 bytes, first 10",
		"IPv4 broken header 0: 1, 5 bytes, first 8", "LLC STP 0: 1, 60 bytes, first 7", "link not read 0: 1, 4 bytes, first 11",
	}
	if got := rowsOf(e.Engine); !slices.Equal(got, want) {
		t.Errorf("rows\n%q\nwant\n%q", got, want)
	}
}

// A connection is counted under the destination port of its SYN, or under the lower port if the capture lacks the SYN.
func TestOthersByService(t *testing.T) {
	for _, syn := range []bool{true, false} {
		w := newWired(t, "192.0.2.1:40000", "192.0.2.2:50000")
		w.table = newTable(t, Options{Others: true})
		want := "IPv4 TCP 40000: 1, 49 bytes, first 1"
		if syn {
			w.open()
			want = "IPv4 TCP 50000: 4, 169 bytes, first 1"
		}
		w.send(0, "SSH-2.0-x")
		w.Close()
		if got := rowsOf(w.Engine); !slices.Equal(got, []string{want}) {
			t.Errorf("SYN %v: %q, want %q", syn, got, want)
		}
	}
}

// TestOthersBounded makes more kinds of packets than the engine counts separately. The most frequent kind must still be
// counted separately, and the total must be right.
func TestOthersBounded(t *testing.T) {
	e := newTable(t, Options{Others: true})
	for i := range 3 * maxOthers {
		e.say("192.0.2.1:60000", fmt.Sprintf("192.0.2.2:%d", i+1), "x")
		e.say("192.0.2.1:60000", "192.0.2.2:50001", "x")
	}
	e.Close()
	checkOthers(t, e.Engine)
	all := e.Others()
	if first := all[0]; first.Port != 50001 || first.Packets != 3*maxOthers {
		t.Errorf("the first row is %+v", first)
	}
	if last := all[len(all)-1]; len(all) > maxOthers+1 || last.Kinds == 0 {
		t.Errorf("%d rows, the last %+v", len(all), last)
	}
}

// TestNested nests tunnels. If there are too many, the engine reports this and does not read their content.
func TestNested(t *testing.T) {
	for _, c := range []struct {
		tunnels, messages, findings int
	}{{ip.MaxTunnels, 1, 0}, {ip.MaxTunnels + 1, 0, 1}, {100, 0, 1}} {
		packet := udpPacket(t, client, server, saying("S>", "hello"))
		for range c.tunnels {
			packet = iptest.Tunnels()[0].Wrap(packet)[14:]
		}
		e := newTable(t, Options{Others: true})
		e.packet(packet)
		e.Close()
		checkOthers(t, e.Engine)
		if len(e.messages) != c.messages || len(e.findings) != c.findings ||
			c.findings > 0 && !strings.Contains(e.findings[0], RuleNested.ID) {
			t.Errorf("%d tunnels: %q, %q", c.tunnels, e.messages, e.findings)
		}
	}
}

// TestFragmentsInFragments sends the fragments of a datagram, last first, through a tunnel whose packets are fragmented
// too. An outer packet is joined in a buffer that is reused, so the inner fragment must be copied from it.
func TestFragmentsInFragments(t *testing.T) {
	e := newTable(t, Options{Others: true})
	text := "0123456789" + strings.Repeat("abcdefghijk", 10)
	parts := inFragments(udpPacket(t, client, server, saying("S>", text)), 9, 64)
	slices.Reverse(parts)
	for i, part := range parts {
		for _, outer := range inFragments(iptest.Tunnels()[0].Wrap(part)[14:], byte(i), 40) {
			e.packet(outer)
		}
	}
	e.Close()
	checkOthers(t, e.Engine)
	if len(e.messages) != 1 || !strings.Contains(e.messages[0], text) {
		t.Errorf("messages %q, findings %q", e.messages, e.findings)
	}
	e.expectOurs(int64(e.number), 0)
}

// If a kind is counted with the rest and then occurs again, it still counts as one kind. The number of kinds that the
// engine stores is limited.
func TestOthersAgain(t *testing.T) {
	b := bounded.NewBudget(16 << 20)
	x := newOthers(&Options{Others: true}, b)
	for range 5 {
		for port := range 2 * maxOthers {
			x.count(OtherKind{Port: uint16(port)}, &tally{packets: 1})
		}
	}
	if n := len(x.kinds); n < maxOthers || n > 2*maxOthers {
		t.Errorf("%d of %d kinds are counted together", n, 2*maxOthers)
	}
	for link := range 30 {
		for port := range 2 * maxOthers {
			x.count(OtherKind{Link: uint16(link), Port: uint16(port)}, &tally{packets: 1})
		}
	}
	if used := b.Used(); used > b.Limit()/8 || used < b.Limit()/16 {
		t.Errorf("%d of %d bytes are used", used, b.Limit())
	}
}
