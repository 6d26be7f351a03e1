package bzflag17_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/bzflag17"
)

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		name string
		data string
		way  wire.Direction
		n    int
		ok   bool
	}{
		{"nothing", "", wire.ToServer, 0, true},
		{"a part of a header", "0002 67", wire.ToServer, 0, true},
		{"a part of a body", "0002 6777 00", wire.ToServer, 6, true},
		{"a whole message", "0002 6777 0000", wire.ToServer, 6, true},
		{"a wrong length", "0001 6777 00", wire.ToServer, 5, true},
		{"the wrong direction", "0000 6163", wire.ToServer, 4, true},
		{"one message and a part of another", "0000 6163 0000 6e", wire.FromServer, 4, true},
		{"an unknown code", "0001 7a7a 00 0000 6163", wire.ToServer, 5, false},
		{"an unknown code, a part of the body", "0008 7a7a 00", wire.ToServer, 12, false},
		{"a length above the maximum", "0401 6777 00", wire.FromServer, 1029, false},
		{"MsgNull", "0000 0000", wire.ToServer, 4, false},
		{"a ping", "0002 0404 0008", wire.ToServer, 6, false},
		{"a part of a hello", "425a4653 3130", wire.FromServer, 10, true},
		{"a hello", "425a465331303763 1423 0000", wire.FromServer, 10, true},
		{"a hello in an unknown direction", "425a465331303763 1423", wire.Unknown, 10, true},
		{"a client's hello", "425a465331303763 1423", wire.ToServer, 4 + 0x425a, false},
	} {
		if n, ok := bzflag17.Framing.Split(c.way, unhex(t, c.data)); n != c.n || ok != c.ok {
			t.Errorf("%s: length %d, %t, want %d, %t", c.name, n, ok, c.n, c.ok)
		}
	}
}

func TestPlausible(t *testing.T) {
	for _, c := range []struct {
		name   string
		data   string
		way    wire.Direction
		n      int
		broken bool
	}{
		{"nothing", "", wire.Unknown, 0, false},
		{"a part of a message", "0002 6777", wire.ToServer, 0, false},
		{"two messages", "0002 6777 0000 0000 6578", wire.ToServer, 2, false},
		{"two messages and a part of another", "0000 6163 0000 6e72 00", wire.FromServer, 2, false},
		{"two messages in an unknown direction",
			"000a 6b6c 7f00000114230000 0100" + "0012 6b6c 7f00000114230000 7f00000114230000 0100",
			wire.Unknown, 2, false},
		{"a hello and a message", "425a465331303763 1423 0000 736b", wire.FromServer, 2, false},
		{"a wrong length", "0000 6163 0001 6e72 00", wire.FromServer, 1, true},
		{"the wrong direction", "0000 6163", wire.ToServer, 0, true},
		{"something else", "474554202f20485454502f312e310d0a", wire.Unknown, 0, true},
	} {
		if n, broken := wire.CountPlausible(bzflag17.Framing, c.way, unhex(t, c.data)); n != c.n || broken != c.broken {
			t.Errorf("%s: %d messages, broken %t, want %d, %t", c.name, n, broken, c.n, c.broken)
		}
	}
}

// TestSplitSamples checks that Split finds the end of each sample that is one valid message of a stream.
func TestSplitSamples(t *testing.T) {
	list, err := wiretest.Samples(samples)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		if n, broken := wire.CountPlausible(bzflag17.Framing, s.Direction, s.Data); n == 1 && !broken && !s.Src.IsValid() {
			if m, ok := bzflag17.Framing.Split(s.Direction, append(s.Data, s.Data...)); m != len(s.Data) || !ok {
				t.Errorf("%s: length %d, %t, want %d", s.Name, m, ok, len(s.Data))
			}
		}
	}
}

func TestIsHello(t *testing.T) {
	for data, want := range map[string]wire.Confidence{
		"": wire.No, "B": wire.Maybe, "BZFS": wire.Maybe, "BZFS10": wire.Maybe, "BZFS107": wire.Sure,
		"BZFS107c\x14\x23": wire.Sure, "BZFS0026\x01": wire.Maybe, "BZFLAG\r\n\r\n": wire.No, "GET / HT": wire.No,
	} {
		if got := bzflag17.IsHello([]byte(data)); got != want {
			t.Errorf("%q: %d, want %d", data, got, want)
		}
	}
}

func TestUDPLink(t *testing.T) {
	// An update from a real client to a 1.07e server.
	const update = "002a 7075 7f0000018f100000 0001 429f4838422cba1b00000000 800000000000000000000000 4027941c 00000000"
	for _, c := range []struct {
		name, data string
		sizes      []int
		closed     bool
	}{
		{"one message", "feed 0003 002e 0001 " + update + " ffff", []int{46}, true},
		{"two messages", "feed 0003 0006 0001 0002 7069 0001 002e 0002 " + update + " ffff", []int{6, 46}, true},
		{"no message", "feed 0003 ffff", nil, true},
		{"no end mark", "feed 0003 0006 0001 0002 7069 0001", []int{6}, false},
		{"truncated", "feed 0003 0006 0001 0002 70", []int{3}, false},
		{"a byte after the end mark", "feed 0003 ffff 00", nil, false},
	} {
		l, ok := bzflag17.OpenUDPLink(unhex(t, c.data))
		if !ok || l.Ack != 3 {
			t.Errorf("%s: %t, ack %d", c.name, ok, l.Ack)
		}
		var sizes []int
		for m, ok := l.Next(); ok; m, ok = l.Next() {
			sizes = append(sizes, len(m.Data))
			if want := unhex(t, c.data)[m.Offset:]; string(want[:len(m.Data)]) != string(m.Data) {
				t.Errorf("%s: the message is not at %d", c.name, m.Offset)
			}
		}
		if len(sizes) != len(c.sizes) || l.Closed() != c.closed {
			t.Errorf("%s: sizes %v, closed %t, want %v, %t", c.name, sizes, l.Closed(), c.sizes, c.closed)
		}
	}
	for _, other := range []string{"", "feed", "feed00", "002a7075"} {
		if _, ok := bzflag17.OpenUDPLink(unhex(t, other)); ok {
			t.Errorf("%q was read as a datagram of the link", other)
		}
	}
}
