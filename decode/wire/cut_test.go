package wire_test

import (
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// sizes splits a stream that comes in pieces, and ends.
func sizes(s wire.Splitter, data string, piece int) (list []int) {
	for rest := []byte(data); len(rest) > 0; {
		var p wire.Progress
		n := 0
		for come := 0; come < len(rest) && n >= 0 && (n == 0 || n > come); {
			come = min(come+piece, len(rest))
			n = p.Next(s, wire.ToServer, rest[:come], come == len(rest))
		}
		list = append(list, n)
		if n <= 0 || n > len(rest) {
			return list
		}
		rest = rest[n:]
	}
	return list
}

func TestReadySplitters(t *testing.T) {
	lines := &wire.ByLine{End: "\r\n", Most: 8}
	big := &wire.ByLength{At: 1, Bytes: 2, More: 3, Least: 4, Most: 300}
	little := &wire.ByLength{Bytes: 4, Little: true, Least: 4, Most: 1 << 20}
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
		{"larger than any", little, "\xff\xff\xff\xff", []int{-1}},
	} {
		for piece := 1; piece <= len(c.data); piece++ {
			if got := sizes(c.splitter, c.data, piece); !slices.Equal(got, c.want) {
				t.Errorf("%s in pieces of %d: %v, want %v", c.name, piece, got, c.want)
			}
		}
	}
}

// A stream is recognised by its first messages, on a port of the protocol alone.
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
