package tcp

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

func TestParseSegment(t *testing.T) {
	tcp := &layers.TCP{
		SrcPort: 0x1234, DstPort: 5154, Seq: 0xfedcba98, Ack: 0x76543210, ACK: true, PSH: true, FIN: true, URG: true, Urgent: 3,
		Options: []layers.TCPOption{{OptionType: layers.TCPOptionKindTimestamps, OptionLength: 10, OptionData: make([]byte, 8)}, {OptionType: layers.TCPOptionKindNop}},
	}
	whole := wiretest.Packet(t, tcp, gopacket.Payload("gameplay"))
	s := Segment{Missing: 9, Payload: []byte("stale")}
	if !s.Parse(whole, 0) {
		t.Fatal("refused")
	}
	if s.SrcPort != 0x1234 || s.DstPort != 5154 || s.Seq != 0xfedcba98 || s.Ack != 0x76543210 || s.Missing != 0 || string(s.Payload) != "gameplay" {
		t.Errorf("%+v", s)
	}
	for flag, want := range map[Flags]bool{ACK: true, FIN: true, SYN: false, RST: false} {
		if s.Flags.Has(flag) != want {
			t.Errorf("flag %#x: %t", flag, !want)
		}
	}
	// The snap length removes bytes, but must change nothing else.
	for n := range whole {
		var cut Segment
		if ok := cut.Parse(whole[:n], len(whole)-n); ok != (n >= tcpHeader) {
			t.Fatalf("cut at %d: %t", n, ok)
		} else if ok && (cut.Size() != 8 || !bytes.HasPrefix(s.Payload, cut.Payload) || cut.Seq != s.Seq) {
			t.Fatalf("cut at %d: %+v", n, cut)
		}
	}
}

func TestParseSegmentRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(b []byte)
		ok     bool
	}{
		{"nothing wrong", func([]byte) {}, true},
		{"header below 20", func(b []byte) { b[12] = 4 << 4 }, false},
		{"header beyond the packet", func(b []byte) { b[12] = 15 << 4 }, false},
		{"header up to the end", func(b []byte) { b[12] = 7 << 4 }, true},
	} {
		b := wiretest.Packet(t, &layers.TCP{}, gopacket.Payload("gameplay"))
		c.change(b)
		if ok := new(Segment).Parse(b, 0); ok != c.ok {
			t.Errorf("%s: %t", c.name, ok)
		}
	}
	b := wiretest.Packet(t, &layers.TCP{}, gopacket.Payload("gameplay"))
	if !new(Segment).Parse(b, maxSegment-8) {
		t.Error("refused the largest payload")
	}
	if new(Segment).Parse(b, maxSegment-7) {
		t.Error("accepted a payload that is too large")
	}
	if new(Segment).Parse(nil, 0) {
		t.Error("accepted an empty packet")
	}
}

// FuzzTCP passes packets to a connection. In the input, three bytes precede each packet: a time and side, the packet's
// length, and the number of missing bytes.
func FuzzTCP(f *testing.F) {
	var seed []byte
	for i, tcp := range []*layers.TCP{{SYN: true, Seq: 9}, {Seq: 15, ACK: true}, {Seq: 10}, {Seq: 12, FIN: true}, {RST: true, Seq: 15}} {
		raw := wiretest.Packet(f, tcp, gopacket.Payload("game"))
		seed = slices.Concat(seed, []byte{byte(i), byte(len(raw)), byte(i & 1)}, raw)
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		r := &counter{use: func(_ *Stream, b []byte) int { return len(b) - len(b)%3 }}
		a, c := new(Assembler), Connection{Receiver: r}
		for serial := int64(1); len(input) >= 3; serial++ {
			flags, n := input[0], min(int(input[1]), len(input)-3)
			b, missing := input[3:3+n], int(input[2])
			input = input[3+n:]
			a.Begin(Origin{Serial: serial, Time: int64(flags) << 30})
			var s Segment
			if s.Parse(b, missing) && !c.Add(a, int(flags&1), &s) {
				c.Close(a, Replaced)
				checkAssembler(t, a, &c)
				c = Connection{Receiver: r}
			}
			checkAssembler(t, a, &c)
		}
		c.Close(a, CaptureEnded)
		checkAssembler(t, a, &c)
	})
}

// A segment is late if it has new bytes, and later bytes have already arrived. Repeated segments, and segments after a
// gap, are not late.
func TestLate(t *testing.T) {
	for order, want := range map[string]string{"abcd": "", "acbd": "b", "dcba": "cba", "bacd": "a", "aabbcd": "", "acccbd": "b",
		"adbc": "bc", "acd": ""} {
		l := newLoad(1)
		l.send(0, 0, []byte("x"))
		got := ""
		for _, name := range order {
			s := Segment{Seq: 1 + uint32(name-'a'), Payload: []byte(string(name))}
			if l.connections[0].Add(l.a, 0, &s); s.Late {
				got += string(name)
			}
		}
		if got != want {
			t.Errorf("%s: %s are late, want %s", order, got, want)
		}
	}
}
