package decode

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	protocols "github.com/gamedissect/gamedissect/layers"
)

// Limits on the bytes that an engine may pass to splitters, for any stream: per byte of the stream, per segment, and
// once per stream.
const (
	workByte     = 128
	workSegment  = 2 << 10
	workStream   = 64 << 10
	manySegments = 4 << 10 // enough to notice work that grows with the square of their number
	longStream   = 3 * maxAhead
)

// A hostile is a stream that consists of the text begin and repetitions of the text again. It arrives in pieces, and
// before some pieces a byte is missing.
type hostile struct {
	begin, again string
	piece, hole  uint16 // size of a piece; a byte is missing before every hole-th piece
	answers      bool   // the server sends it
}

// FuzzStreamWork looks for streams that cause disproportionate work in any protocol over TCP.
func FuzzStreamWork(f *testing.F) {
	wiretest.WithoutDetector(f)
	for i, h := range []hostile{
		{begin: "GET / HTTP/1.0\r\n", again: "x"},
		{begin: "GET / HTTP/1.0\r\n", again: "a\r\n"},
		{begin: "GET / HTTP/1.0\r\nLength: 99999999\r\n\r\n", again: "x"},
		{begin: "GET / HTTP/1.0\r\n", again: "A: GET / HTTP/1.0\r\n"},
		{again: "GET "},
		{again: "GET /\r\n\r\n"},
		{again: "HTTP/1.0 200 OK\r\nA: ", answers: true},
		{begin: "HTTP/1.0 200 OK\r\nA: b\r\n\r\n", again: "x", answers: true},
		{begin: "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", again: "1\r\nx\r\n", answers: true},
		{begin: "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", again: "1\r\nx\r\n", answers: true},
		{begin: "BZFLAG\r\n\r\n", again: "\xff\xffgw"},
		{again: "\x00\x00ac", answers: true},
		{begin: "BZFS0221\r", again: "\x03\xfcgw", answers: true},
		{again: "\x00"},
	} {
		for k, cut := range [][2]uint16{{1, 0}, {1, 1000}, {100, 2}, {5000, 1000}} {
			if (i+k)%2 == 1 && !wiretest.Full() {
				continue
			}
			f.Add([]byte(h.begin), []byte(h.again), cut[0], cut[1], h.answers)
		}
	}
	f.Fuzz(func(t *testing.T, begin, again []byte, piece, hole uint16, answers bool) {
		for _, p := range protocols.All() {
			if p.NewSplitter != nil {
				h := hostile{string(begin), string(again), piece, hole, answers}
				checkStreamWork(t, p, h, true)
				checkStreamWork(t, p, h, false)
			}
		}
	})
}

// checkStreamWork counts the bytes that an engine passes to the splitters of a connection. If known is false, the
// protocol must be recognised in the middle of the connection.
func checkStreamWork(t *testing.T, p *wire.Protocol, h hostile, known bool) {
	shown, segments := 0, 0
	counted := wiretest.CountShown(p, &shown)
	counted.TCP = []uint16{barePorts[1]}
	o := Options{Protocols: []*wire.Protocol{counted}}
	if known {
		o.DecodeAs = []DecodeAs{{Transport: wire.TCP, Port: barePorts[1], Protocol: counted}}
	}
	w := &wired{seq: [2]uint32{1000, 5000}, table: newTable(t, o)}
	w.options.Message = nil
	side := 0
	if h.answers {
		side = 1
	}
	piece := max(int(h.piece), 1)
	size := min(piece*manySegments, longStream)
	stream := h.begin + strings.Repeat(h.again, size/max(len(h.again), 1)+1)
	stream = stream[:min(len(stream), size)]
	if known {
		w.bare(0, tcp.SYN, "")
		w.bare(1, tcp.SYN|tcp.ACK, "")
	}
	for rest := stream; len(rest) > 0; segments++ {
		n := min(piece, len(rest))
		hole := h.hole > 0 && segments%int(h.hole) == 1%int(h.hole)
		if hole {
			w.lose(side, 1)
		}
		w.bare(side, tcp.ACK, rest[:n])
		if hole {
			w.bare(1-side, tcp.ACK, "")
		}
		rest = rest[n:]
	}
	w.Close()
	if most := workByte*len(stream) + workSegment*segments + workStream; shown > most {
		t.Errorf("%s: splitters examine %d bytes for a stream of %d bytes in %d segments, want at most %d: %.40q, then %.40q",
			p.Name, shown, len(stream), segments, most, h.begin, h.again)
	}
}

var barePorts = [...]uint16{40000, 7000}

// bare sends a segment with minimal headers. It is fast, because the tests need very many segments.
func (w *wired) bare(side int, flags tcp.Flags, payload string) {
	const tcpHeaderSize = 20
	b := make([]byte, ipv4HeaderSize+tcpHeaderSize, ipv4HeaderSize+tcpHeaderSize+len(payload))
	b[0], b[9], b[12], b[16] = 0x45, ip.ProtocolTCP, byte(1+side), byte(2-side)
	binary.BigEndian.PutUint16(b[2:], uint16(cap(b)))
	segment := b[ipv4HeaderSize:]
	binary.BigEndian.PutUint16(segment, barePorts[side])
	binary.BigEndian.PutUint16(segment[2:], barePorts[1-side])
	binary.BigEndian.PutUint32(segment[4:], w.seq[side])
	binary.BigEndian.PutUint32(segment[8:], w.seq[1-side])
	segment[12], segment[13] = tcpHeaderSize/4<<4, byte(flags)
	w.packet(append(b, payload...))
	w.seq[side] += uint32(len(payload)) + uint32(flags&tcp.SYN)/uint32(tcp.SYN)
}
