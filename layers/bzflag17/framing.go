package bzflag17

import (
	"encoding/binary"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Split tells where the message at the start of a stream's data ends. n is its length, which may be
// more than there is; 0 when more bytes are needed to tell. ok tells whether a message can begin
// with such a header: a code that travels over connections and a length that is possible, or a
// hello. When not, n is what the header says all the same, for those who trust the stream; others
// look for the next place where two messages in a row are plausible.
func Split(data []byte, way wire.Direction) (n int, ok bool) {
	if len(data) < headerSize {
		return 0, true
	}
	if way != wire.ToServer && string(data[:len(magic)]) == magic {
		return helloSize, true
	}
	length, code := header(data)
	return headerSize + length, kinds.of(code) != nil && length <= MaxBody && !code.ping() && code != CodeNull
}

func header(data []byte) (length int, code Code) {
	return int(binary.BigEndian.Uint16(data)), Code(binary.BigEndian.Uint16(data[2:]))
}

// Plausible counts the whole messages at the start of a stream's data that are just as 1.07 has
// them: a code that goes that way (any way, if it is unknown) and exactly its length. broken tells
// that something else follows them, and not only the beginning of another one.
func Plausible(data []byte, way wire.Direction) (messages int, broken bool) {
	for len(data) >= headerSize {
		n, ok := Split(data, way)
		if !ok || !exact(data, way) {
			return messages, true
		}
		if n > len(data) {
			break
		}
		messages++
		data = data[n:]
	}
	return messages, false
}

// exact tells whether a header's length is one that its code has in that direction.
func exact(data []byte, way wire.Direction) bool {
	if string(data[:len(magic)]) == magic {
		return way != wire.ToServer
	}
	length, code := header(data)
	k := lookup(code, length, wire.Wire)
	return k != nil && k.allows(way) && k.form(way, length).fits(length)
}

// IsHello tells whether a server's first bytes on a connection are the hello of 1.07. Sure are its
// letters and the version, Maybe is another version, or the beginning of the letters.
func IsHello(data []byte) wire.Confidence {
	n := min(len(data), len(Version))
	switch {
	case string(data[:n]) == Version:
		return wire.Sure
	case n > 0 && strings.HasPrefix(Version, string(data[:n])), n >= len(magic) && string(data[:len(magic)]) == magic:
		return wire.Maybe
	}
	return wire.No
}

// greets tells whether a message is a hello: by its letters, or by being as long as one and
// beginning with printable ones, which no header does.
func greets(data []byte, size int) bool {
	n := min(len(data), len(magic))
	if n > 0 && string(data[:n]) == magic[:n] {
		return true
	}
	if n == 0 || size != helloSize {
		return false
	}
	for _, x := range data[:min(len(data), versionSize)] {
		if !printable(x) {
			return false
		}
	}
	return true
}

// stream cuts a connection into messages. A connection needs no memory: every message tells its
// length.
type stream struct{}

// Next implements wire.Stream.
func (stream) Next(way wire.Direction, data []byte, _ bool) int {
	n, _ := Split(data, way) // once a stream is in step, what the header says counts
	return n
}

// Plausible implements wire.Stream.
func (stream) Plausible(way wire.Direction, data []byte) (int, bool) { return Plausible(data, way) }

// Lost implements wire.Stream.
func (stream) Lost(wire.Direction) {}

// probeStream recognises a connection: by the hello, by the port that a hello announced, and by
// two messages in a row.
func probeStream(p *wire.StreamProbe) wire.Verdict {
	if v := IsHello(p.Data); v != wire.No && p.PortDirection() != wire.ToServer {
		return wire.Verdict{Confidence: v, Direction: wire.FromServer}
	}
	messages, broken := Plausible(p.Data, wire.Unknown)
	switch {
	case messages >= 2, p.OnPort() && messages >= 1:
		return wire.Verdict{Confidence: wire.Sure, Direction: p.PortDirection()}
	case !broken:
		return wire.Verdict{Confidence: wire.Maybe}
	}
	return wire.Verdict{}
}
