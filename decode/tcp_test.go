package decode

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
)

// tcpPacket is a packet with a TCP header, made by gopacket.
func tcpPacket(tb testing.TB, tcp *layers.TCP, payload string) *packet {
	return &packet{payload: serialize(tb, tcp, gopacket.Payload(payload))}
}

func TestParseSegment(t *testing.T) {
	tcp := &layers.TCP{
		SrcPort: 0x1234, DstPort: 5154, Seq: 0xfedcba98, Ack: 0x76543210, ACK: true, PSH: true, FIN: true, URG: true, Urgent: 3,
		Options: []layers.TCPOption{{OptionType: layers.TCPOptionKindTimestamps, OptionLength: 10, OptionData: make([]byte, 8)}, {OptionType: layers.TCPOptionKindNop}},
	}
	p := tcpPacket(t, tcp, "gameplay")
	s := segment{missing: 9, payload: []byte("stale")}
	if !parseSegment(p, &s) {
		t.Fatal("refused")
	}
	if s.srcPort != 0x1234 || s.dstPort != 5154 || s.seq != 0xfedcba98 || s.ack != 0x76543210 || s.missing != 0 || string(s.payload) != "gameplay" {
		t.Errorf("%+v", s)
	}
	for flag, want := range map[tcpFlags]bool{flagACK: true, flagFIN: true, flagSYN: false, flagRST: false} {
		if s.flags.has(flag) != want {
			t.Errorf("flag %#x: %t", flag, !want)
		}
	}
	// The snap length takes bytes away and changes nothing else.
	whole := p.payload
	for n := range whole {
		p.payload, p.missing = whole[:n], len(whole)-n
		var cut segment
		if ok := parseSegment(p, &cut); ok != (n >= tcpHeader) {
			t.Fatalf("cut at %d: %t", n, ok)
		} else if ok && (cut.size() != 8 || !bytes.HasPrefix(s.payload, cut.payload) || cut.seq != s.seq) {
			t.Fatalf("cut at %d: %+v", n, cut)
		}
	}
}

func TestParseSegmentRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(p *packet)
		ok     bool
	}{
		{"nothing wrong", func(*packet) {}, true},
		{"header below 20", func(p *packet) { p.payload[12] = 4 << 4 }, false},
		{"header beyond the packet", func(p *packet) { p.payload[12] = 15 << 4 }, false},
		{"header up to the end", func(p *packet) { p.payload[12] = 7 << 4 }, true},
		{"as large as can be", func(p *packet) { p.missing = maxSegment - 8 }, true},
		{"larger than any", func(p *packet) { p.missing = maxSegment - 7 }, false},
		{"empty", func(p *packet) { *p = packet{} }, false},
	} {
		p := tcpPacket(t, &layers.TCP{}, "gameplay")
		c.change(p)
		if ok := parseSegment(p, new(segment)); ok != c.ok {
			t.Errorf("%s: %t", c.name, ok)
		}
	}
}

// FuzzTCP gives packets, each with its length before it, to a connection.
func FuzzTCP(f *testing.F) {
	var seed []byte
	for i, tcp := range []*layers.TCP{{SYN: true, Seq: 9}, {Seq: 15, ACK: true}, {Seq: 10}, {Seq: 12, FIN: true}, {RST: true, Seq: 15}} {
		raw := tcpPacket(f, tcp, "game").payload
		seed = slices.Concat(seed, []byte{byte(i), byte(len(raw)), byte(i & 1)}, raw)
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		r := &counter{use: func(_ *stream, b []byte) int { return len(b) - len(b)%3 }}
		a := &assembler{to: r}
		var c connection
		for serial := int64(1); len(input) >= 3; serial++ {
			flags, n := input[0], min(int(input[1]), len(input)-3)
			p := packet{payload: input[3 : 3+n], missing: int(input[2])}
			input = input[3+n:]
			a.begin(origin{serial: serial, time: int64(flags) << 30})
			var s segment
			if parseSegment(&p, &s) && !c.add(a, flags&1 != 0, &s) {
				c.close(a, replaced)
				checkAssembler(t, a, &c)
				c = connection{}
			}
			checkAssembler(t, a, &c)
		}
		c.close(a, captureEnded)
		checkAssembler(t, a, &c)
	})
}
