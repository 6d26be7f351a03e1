package wire_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// sizes splits a stream that arrives in pieces and then ends, and returns the sizes of the messages.
func sizes(s wire.Splitter, data string, piece int) (list []int) {
	for rest := []byte(data); len(rest) > 0; {
		var p wire.Progress
		n := 0
		for arrived := 0; arrived < len(rest) && n >= 0 && (n == 0 || n > arrived); {
			arrived = min(arrived+piece, len(rest))
			n = p.Next(s, wire.ToServer, rest[:arrived], arrived == len(rest))
		}
		list = append(list, n)
		if n <= 0 || n > len(rest) {
			return list
		}
		rest = rest[n:]
	}
	return list
}

func TestByLineAndByLength(t *testing.T) {
	lines := &wire.ByLine{End: "\r\n", Most: 8}
	big := &wire.ByLength{At: 1, Bytes: 2, More: 3, Least: 4, Most: 300}
	little := &wire.ByLength{Bytes: 4, Little: true, Least: 4, Most: 1 << 20}
	varint := &wire.ByLength{Varint: true, Bytes: 3, Least: 2, Most: 1 << 20}
	mqtt := &wire.ByLength{At: 1, Varint: true, Bytes: 4, More: 1, Least: 2, Most: 1 << 20}
	for _, c := range []struct {
		name     string
		splitter wire.Splitter
		data     string
		want     []int
	}{
		{"lines", lines, "ab\r\n\r\ncd\re\r\n", []int{4, 2, 6}},
		{"the last lacks its end", lines, "ab\r\ncd", []int{4, 2}},
		{"the longest", lines, "123456\r\n123456\r\n", []int{8, 8}},
		{"too long", lines, "1234567\r\n", []int{-1}},
		{"far too long", lines, "1234567890123456789", []int{-1}},
		{"lengths", big, "x\x00\x01ax\x00\x02ab", []int{4, 5}},
		{"too small", big, "x\x00\x00", []int{-1}},
		{"too large", big, "x\x01\x2a", []int{-1}},
		{"cut off", big, "x\x00\x09a", []int{12}},
		{"little endian", little, "\x05\x00\x00\x00a\x04\x00\x00\x00", []int{5, 4}},
		{"varint", varint, "\x01a\x80\x01" + strings.Repeat("b", 128) + "\x01c", []int{2, 130, 2}},
		{"varint, overlong", varint, "\x81\x80\x00a", []int{4}},
		{"varint of nothing", varint, "\x00a", []int{-1}},
		{"varint of too many bytes", varint, "\x81\x80\x80\x00a", []int{-1}},
		{"varint, too large", varint, "\xff\xff\x7fa", []int{-1}},
		{"varint, incomplete", varint, "\x81", []int{0}},
		{"varint after a byte", mqtt, "\x10\x02ab\xc0\x00", []int{4, 2}},
		{"varint of 28 bits", mqtt, "\x30\xff\xff\xff\x7f", []int{-1}},
		{"largest length", little, "\xff\xff\xff\xff", []int{-1}},
	} {
		for piece := 1; piece <= len(c.data); piece++ {
			if got := sizes(c.splitter, c.data, piece); !slices.Equal(got, c.want) {
				t.Errorf("%s in pieces of %d: %v, want %v", c.name, piece, got, c.want)
			}
		}
	}
}

// A stream is recognised by its first messages, but only if it uses a port of the protocol.
func TestProbeBy(t *testing.T) {
	begins := func(_ wire.Direction, data []byte) bool {
		n := min(len(data), 4)
		return string(data[:n]) == "SAY "[:n]
	}
	probe := wire.ProbeBy(&wire.ByLine{End: "\n", Most: 64, Begins: begins}, 2)
	for _, c := range []struct {
		data   string
		onPort bool
		want   wire.Confidence
	}{
		{"", true, wire.Maybe},
		{"SA", true, wire.Maybe},
		{"SAY a\nSAY", true, wire.Maybe},
		{"SAY a\nSAY b\n", true, wire.Likely},
		{"SAY a\nGET ", true, wire.No},
		{"GET /", true, wire.No},
		{"SAY a\nSAY b\n", false, wire.No},
	} {
		v := probe(&wire.Probe{Datagram: &wire.Datagram{Payload: []byte(c.data)}, ToPort: c.onPort})
		if v.Confidence != c.want || v.Confidence == wire.Likely && v.Direction != wire.ToServer {
			t.Errorf("%q, on the port %t: %v, want %v", c.data, c.onPort, v, c.want)
		}
	}
}

// The result of Plausible for a line depends neither on the pieces in which the line arrives nor on the bytes after it.
func TestByLinePieces(t *testing.T) {
	begins := func(_ wire.Direction, data []byte) bool {
		n := min(len(data), 5)
		return string(data[:n]) == "NICK "[:n]
	}
	for _, end := range []string{"\n", "\r\n"} {
		lines := &wire.ByLine{End: end, Most: 700, Begins: begins}
		for data, want := range map[string]int{
			"FROB x\r\n": -1, "NICKS x\r\n": -1, "NICK x\r\n": 8, "NICK x\r\nFROB": 8, "NICK x\r": 0, "NICK " + strings.Repeat("x", 700) + "\r\n": -1,
			"\r\nNICK x\r\n": -1, "NICK " + strings.Repeat("x", 600) + "\r\n": 607,
		} {
			for piece := 1; piece <= len(data); piece++ {
				var p wire.Progress
				got := 0
				for arrived := 0; arrived < len(data) && got == 0; {
					arrived = min(arrived+piece, len(data))
					got = p.Plausible(lines, wire.ToServer, []byte(data[:arrived]))
				}
				if got != want {
					t.Errorf("%q in pieces of %d: %d, want %d", data, piece, got, want)
				}
			}
		}
	}
}
