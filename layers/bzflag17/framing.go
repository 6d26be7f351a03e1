package bzflag17

import (
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// framing is how messages are told apart.
var framing = &bzflag.Framing{
	Table: kinds, Unknown: unknown, Lookup: lookup, Body: body, Greeting: greeting, Odd: odd,
	RuleLength: ruleLength, RuleTooLong: ruleTooLong, RuleCode: ruleCode, RuleDirection: ruleDirection,
}

// Split tells where the message at the start of a stream's data ends; see bzflag.Framing.
func Split(data []byte, way wire.Direction) (n int, ok bool) { return framing.Split(way, data) }

// Plausible counts the whole messages at the start of a stream's data; see bzflag.Framing.
func Plausible(data []byte, way wire.Direction) (messages int, broken bool) {
	return framing.Plausible(way, data)
}

// greeting is the length of a hello, if one stands there.
func greeting(way wire.Direction, data []byte) int {
	if way == wire.ToServer || string(data[:len(bzflag.Magic)]) != bzflag.Magic {
		return 0
	}
	return helloSize
}

// body is the length of the body, as far as the header tells. In ping replies, and in no other
// message, the length counts the header; one that does not is taken for what it means.
func body(h bzflag.Header) int {
	if h.Code == CodePingReply && h.Length != pingReplySize-headerSize {
		return max(int(h.Length)-headerSize, 0)
	}
	return int(h.Length)
}

// odd reports lengths that would be right elsewhere.
func odd(c *wire.Cursor, h bzflag.Header, f *bzflag.Variant) {
	switch {
	case h.Code == CodePingReply && int(h.Length) == body(h):
		c.ReportRange(ruleLength, 0, 2, "length is %d, in a ping reply it counts the header and is %d", h.Length, pingReplySize)
	case f == drawnTeamUpdate.FromServer && c.Dialect() == wire.Wire:
		c.ReportRange(ruleLength, 0, 2, "length is %d, code to has 2 in real programs", h.Length)
	}
}

// IsHello reports whether a server's first bytes on a connection are the hello of 1.07. Sure are its
// letters and the version, Maybe is another version, or the beginning of the letters.
func IsHello(data []byte) wire.Confidence {
	n := min(len(data), len(Version))
	switch {
	case string(data[:n]) == Version:
		return wire.Sure
	case n > 0 && strings.HasPrefix(Version, string(data[:n])), n >= len(bzflag.Magic) && string(data[:len(bzflag.Magic)]) == bzflag.Magic:
		return wire.Maybe
	}
	return wire.No
}

// greets reports whether a message is a hello: by its letters, or by being as long as one and
// beginning with printable ones, which no header does.
func greets(data []byte, size int) bool {
	n := min(len(data), len(bzflag.Magic))
	if n > 0 && string(data[:n]) == bzflag.Magic[:n] {
		return true
	}
	if n == 0 || size != helloSize {
		return false
	}
	for _, x := range data[:min(len(data), versionSize)] {
		if !bzflag.Printable(x) {
			return false
		}
	}
	return true
}

// stream cuts a connection into messages. A connection needs no memory: every message tells its
// length.
type stream struct{}

// Next implements wire.Splitter.
func (stream) Next(way wire.Direction, data []byte, _ bool) int {
	n, _ := Split(data, way) // once a stream is in step, what the header says counts
	return n
}

// Plausible implements wire.Splitter.
func (stream) Plausible(way wire.Direction, data []byte) (int, bool) { return Plausible(data, way) }

// Lost implements wire.Splitter.
func (stream) Lost(wire.Direction) {}

// probeStream recognises a connection: by the hello, by the port that a hello announced, and by
// two messages in a row.
func probeStream(p *wire.StreamProbe) wire.Verdict {
	if v := IsHello(p.Data); v != wire.No && p.PortDirection() != wire.ToServer {
		return wire.Verdict{Confidence: v, Direction: wire.FromServer}
	}
	return framing.ProbeStream(p)
}
