package decode

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

func TestEngineDirectionAndStreams(t *testing.T) {
	e := newTable(t, Options{})
	e.say(client, server, saying("S?", "one"))
	e.say(server, client, saying("S?", "two"))
	e.say(other, server, saying("S?", "three"))
	e.say(client, server, saying("S?", "four"))
	e.say(client, "192.0.2.3:53", foreign)
	e.say(server6, client6, saying("S?", "five"))
	e.expect(
		"1@1 chess#0 40000>7000 c2s one",
		"2@2 chess#0 7000>40000 s2c two",
		"3@3 chess#1 50000>7000 c2s three",
		"4@4 chess#0 40000>7000 c2s four",
		"6@6 chess#3 7000>40000 s2c five",
	)
	e.expectOurs(5, 1)
}

func TestEngineSeveralMessagesInADatagram(t *testing.T) {
	e := newTable(t, Options{})
	e.say(client, server, saying("S>", "one")+saying("S>", "")+saying("S>", "three"))
	e.expect("1@1 chess#0 40000>7000 c2s one", "1@1 chess#0 40000>7000 c2s  ! toy.empty: no text", "1@1 chess#0 40000>7000 c2s three")
	e.say(client, server, saying("S>", "one")+"S>")
	e.expect("2@2 chess#0 40000>7000 c2s one", "2@2 chess#0 40000>7000 c2s ")
	e.expectOurs(2, 0)
	if c := e.Counters(); c.Messages != 5 {
		t.Errorf("%d messages", c.Messages)
	}
}

func TestEngineEmptyDatagram(t *testing.T) {
	e := newTable(t, Options{})
	e.say(client, server, "")
	e.expectOurs(0, 1)
	e.say(client, server, saying("S>", "one"))
	e.say(server, client, "")
	e.expect("2@2 chess#0 40000>7000 c2s one")
	e.expectOurs(2, 1)
}

// The length field of UDP determines where the payload ends, unless its value is impossible. The message claims a
// larger size, so it ends with the payload.
func TestEngineUDPLength(t *testing.T) {
	whole := udpPacket(t, client, server, "S>\x20abcdef")
	const lengthAt, right = ipv4HeaderSize + 4, udpHeader + 9
	for _, c := range []struct {
		name   string
		length int // length in the UDP header
		text   string
		ours   int64
	}{
		{"right", right, "abcdef", 1},
		{"smaller", right - 2, "abcd", 1},
		{"no text", right - 6, "", 1},
		{"only the header", udpHeader, "", 0},
		{"less than the header", udpHeader - 1, "abcdef", 1},
		{"zero", 0, "abcdef", 1},
		{"larger than the packet", right + 1, "abcdef", 1},
		{"much larger", 65535, "abcdef", 1},
	} {
		e := newTable(t, Options{})
		e.packet(patch(whole, lengthAt, byte(c.length>>8), byte(c.length)))
		e.expectOurs(c.ours, 1-c.ours)
		if c.ours == 1 {
			e.expect("1@1 chess#0 40000>7000 c2s " + c.text)
		}
	}
	e := newTable(t, Options{})
	e.packet(patch(whole[:27], 2, 0, 27)) // only seven bytes of the UDP header
	e.expectOurs(0, 1)
}

func TestEngineSnapLength(t *testing.T) {
	whole := udpPacket(t, client, server, saying("S>", "abcdef")+saying("S>", "ghi"))
	headers := ipv4HeaderSize + udpHeader
	for _, c := range []struct {
		captured int // number of captured bytes of the payload
		texts    []string
	}{
		{15, []string{"abcdef", "ghi"}},
		{14, []string{"abcdef", "gh ! capture.truncated: 5 of 6 bytes were captured"}},
		{12, []string{"abcdef", " ! capture.truncated: 3 of 6 bytes were captured"}},
		{10, []string{"abcdef", " ! capture.truncated: 1 of 6 bytes were captured"}},
		{9, []string{"abcdef"}},
		{8, []string{"abcde ! capture.truncated: 8 of 9 bytes were captured"}},
		{3, []string{" ! capture.truncated: 3 of 9 bytes were captured"}},
	} {
		e := newTable(t, Options{})
		e.frame(ip.LinkRaw, whole[:headers+c.captured], len(whole))
		var want []string
		for _, text := range c.texts {
			want = append(want, "1@1 chess#0 40000>7000 c2s "+text)
		}
		e.expect(want...)
		e.expectOurs(1, 0)
	}
	for n := range headers {
		e := newTable(t, Options{})
		e.frame(ip.LinkRaw, whole[:n], len(whole))
		e.expect()
		e.expectOurs(0, 1)
	}
}

// If the UDP length is smaller than the IP packet, the bytes after the datagram are not part of it, whether they were
// captured or not.
func TestEngineSnapLengthAndUDPLength(t *testing.T) {
	whole := udpPacket(t, client, server, "S>\x20abcdefpadding")
	whole = patch(whole, ipv4HeaderSize+4, 0, udpHeader+9)
	for cut, want := range map[int]string{7: "abcdef", 8: "abcde ! capture.truncated: 8 of 9 bytes were captured"} {
		e := newTable(t, Options{})
		e.frame(ip.LinkRaw, whole[:len(whole)-cut], len(whole))
		e.expect("1@1 chess#0 40000>7000 c2s " + want)
	}
}

func TestEngineFragments(t *testing.T) {
	for _, ends := range [][2]string{{client, server}, {client6, server6}} {
		e := newTable(t, Options{})
		e.say(ends[0], ends[1], saying("S>", "before"))
		parts := inFragments(udpPacket(t, ends[0], ends[1], saying("S>", strings.Repeat("x", 40))), 1, 16)
		for _, i := range []int{3, 1, 1, 0} {
			e.packet(parts[i])
			e.expectOurs(1, int64(e.number)-1)
		}
		e.expect("1@1 chess#0 40000>7000 c2s before")
		e.packet(parts[2])
		e.expect("6@6 chess#0 40000>7000 c2s " + strings.Repeat("x", 40))
		e.expectOurs(6, 0)
		e.Close()
		e.expectFindings()
	}
}

// Fragments of foreign datagrams count as foreign, whether they are joined or not.
func TestEngineForeignFragments(t *testing.T) {
	e := newTable(t, Options{})
	for _, p := range inFragments(udpPacket(t, client, "192.0.2.9:53", strings.Repeat(foreign, 5)), 1, 32) {
		e.packet(p)
	}
	for _, p := range inFragments(udpPacket(t, client, server, saying("S>", strings.Repeat("x", 40))), 2, 16) {
		e.packet(patch(p, 9, 6)) // the header says TCP
	}
	e.expect()
	e.expectOurs(0, int64(e.number))
}

func TestEngineCountsLinks(t *testing.T) {
	e := newTable(t, Options{})
	for link := range uint16(40) {
		for range 2 {
			e.frame(1000+link, []byte("what"), 100)
		}
	}
	c := e.Counters()
	if len(c.UnknownLinks) != maxLinks || c.FurtherLinks != 48 || c.UnknownLinks[0] != (UnknownLink{Type: 1000, File: "toy.pcap", Packets: 2, First: 1}) || c.UnknownLinks[15].Type != 1015 || c.Bytes != 8000 {
		t.Errorf("links %v, %d bytes", c.UnknownLinks, c.Bytes)
	}
	e.frame(1000, []byte("what"), 0)
	if c := e.Counters(); c.Bytes != 8004 {
		t.Errorf("%d bytes: a frame without a length on the wire must count with its captured bytes", c.Bytes)
	}
	e.expectOurs(0, 81)
}

func TestEngineContext(t *testing.T) {
	var got wire.Context
	e := New(Options{Protocols: []*wire.Protocol{chess}, Dialect: wire.Document, Message: func(m *Message) {
		got = m.Layer.Core().Context
		if m.File != "f" || m.Name != "Toy" || m.Code != "" || m.Length != 4 || string(m.Data) != saying("S?", "x") || m.Transport != wire.UDP {
			t.Errorf("%+v", m)
		}
	}})
	for ends, ipv6 := range map[[2]string]bool{{client, server}: false, {client6, server6}: true, {"[::ffff:192.0.2.1]:40000", "[::ffff:192.0.2.2]:7000"}: false} {
		data := udpPacket(t, ends[0], ends[1], saying("S?", "x"))
		e.Frame(&Frame{Data: data, Length: len(data), Link: ip.LinkRaw, File: "f"})
		if want := (wire.Context{Direction: wire.ToServer, Dialect: wire.Document, IPv6: ipv6}); got != want {
			t.Errorf("%v: %+v", ends, got)
		}
	}
}

// All functions in Options may be nil.
func TestEngineWithoutFunctions(t *testing.T) {
	e := New(Options{Protocols: []*wire.Protocol{chess}})
	data := udpPacket(t, client, server, saying("S>", strings.Repeat("x", 40)))
	e.Frame(&Frame{Data: data, Length: len(data), Link: ip.LinkRaw})
	part := inFragments(data, 1, 16)[0]
	e.Frame(&Frame{Data: part, Length: len(part), Link: ip.LinkRaw})
	e.Close()
	if c := e.Counters(); c.Messages != 1 || c.Packets != 2 {
		t.Errorf("%+v", c)
	}
}

// session records the order of its calls.
type session struct{ calls *[]string }

func (s session) Before(_ wire.Layer, d *wire.Datagram) {
	*s.calls = append(*s.calls, "before "+string(d.Payload))
}

func (s session) After(l wire.Layer, _ *wire.Datagram) {
	*s.calls = append(*s.calls, "after "+string(l.Core().Contents))
}

func TestEngineSession(t *testing.T) {
	var calls []string
	p := *chess
	p.NewSession = func(*bounded.Budget) wire.Session { return session{&calls} }
	e := newTable(t, Options{Protocols: []*wire.Protocol{&p}})
	e.say(client, server, saying("S>", "a")+saying("S>", "b"))
	want := []string{"before S>\x01aS>\x01b", "after S>\x01a", "before S>\x01b", "after S>\x01b"}
	if !slices.Equal(calls, want) {
		t.Errorf("%q", calls)
	}
}

// counting counts the messages of a conversation in its memo.
type counting struct{ counts *[]byte }

func (counting) Before(_ wire.Layer, d *wire.Datagram) { d.Memo[0]++ }

func (s counting) After(_ wire.Layer, d *wire.Datagram) { *s.counts = append(*s.counts, d.Memo[0]) }

// Each conversation has its own memo, for both directions. The memo of a new conversation is zero, even if the
// conversation has the ports or the place in the table of an earlier one.
func TestEngineMemo(t *testing.T) {
	var counts []byte
	p := *chess
	p.NewSession = func(*bounded.Budget) wire.Session { return counting{&counts} }
	e := newTable(t, Options{Protocols: []*wire.Protocol{&p}})
	text := saying("S>", "a")
	e.say(client, server, text+text)
	e.say(other, server, text)
	e.say(server, client, text)
	e.step = 2 * idleTimeout
	e.say(other, server, text)
	e.say(client, server, text)
	if want := []byte{1, 2, 1, 3, 1, 1}; !slices.Equal(counts, want) {
		t.Errorf("%d, want %d", counts, want)
	}
}

// Every packet is counted exactly once, under its final classification.
func TestEngineCountersAddUp(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for round := range 200 {
		e := newTable(t, Options{})
		e.step = 1e6 // no fragment expires
		e.say(client, server, saying("S>", "hello"))
		ours := int64(1)
		var frames [][]byte
		for i := range 1 + r.IntN(20) {
			text := saying("S>", strings.Repeat("x", r.IntN(120)))
			switch r.IntN(7) {
			case 0:
				frames = append(frames, udpPacket(t, client, server, text))
				ours++
			case 1:
				parts := inFragments(udpPacket(t, client, server, text), byte(i), 8*(1+r.IntN(6)))
				frames = append(frames, parts...)
				ours += int64(len(parts))
			case 2: // one fragment is lost
				parts := inFragments(udpPacket(t, client, server, text+"!"), byte(i), 8)
				frames = append(frames, slices.Delete(parts, 1, 2)...)
			case 3:
				frames = append(frames, inFragments(udpPacket(t, other, client, foreign), byte(i), 8)...)
			case 4:
				frames = append(frames, udpPacket(t, other, client, foreign))
			case 5:
				noise := make([]byte, r.IntN(60))
				for i := range noise {
					noise[i] = byte(r.Uint32())
				}
				frames = append(frames, noise)
			case 6: // perhaps a message, but its conversation is never recognised
				frames = append(frames, inFragments(udpPacket(t, other, fmt.Sprintf("192.0.2.7:%d", 100+i), saying("M>", "perhaps")), byte(i), 8)...)
			}
		}
		r.Shuffle(len(frames), func(i, j int) { frames[i], frames[j] = frames[j], frames[i] })
		for _, f := range frames {
			e.packet(f)
		}
		e.Close()
		e.expectOurs(ours, int64(e.number)-ours)
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
}

func TestEngineDoesNotKeepTheFrame(t *testing.T) {
	data := wiretest.Packet(t, &layers.Ethernet{SrcMAC: make(net.HardwareAddr, 6), DstMAC: make(net.HardwareAddr, 6), EthernetType: layers.EthernetTypeIPv4}, gopacket.Payload(udpPacket(t, client, server, saying("S>", "abc"))))
	before := bytes.Clone(data)
	var m Message
	e := New(Options{Protocols: []*wire.Protocol{chess}, Message: func(got *Message) { m = *got }})
	e.Frame(&Frame{Data: data, Length: len(data), Link: ip.LinkEthernet})
	at := bytes.Index(data, []byte(saying("S>", "abc")))
	if !bytes.Equal(data, before) || &m.Data[0] != &data[at] || cap(m.Data) != len(m.Data) {
		t.Error("the message is not part of the frame, or the frame was changed")
	}
}
