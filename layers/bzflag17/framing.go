package bzflag17

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// framing determines where messages end and which types they have.
var framing = &bzflag.Framing{
	Table: byCode, Unknown: unknown, Lookup: lookup,
	BodyLength: bodyLength, GreetingLength: greetingLength, CheckLength: checkLength,
	RuleLength: ruleLength, RuleTooLong: ruleTooLong, RuleCode: ruleCode, RuleDirection: ruleDirection,
}

func greetingLength(way wire.Direction, data []byte) int {
	if way == wire.ToServer || string(data[:len(bzflag.Magic)]) != bzflag.Magic {
		return 0
	}
	return helloSize
}

// bodyLength returns the length of the body according to the header. In a ping reply, the length in the header includes
// the header itself. bodyLength also accepts a ping reply whose length excludes the header.
func bodyLength(h bzflag.Header) int {
	if h.Code == CodePingReply && h.Length != pingReplySize-headerSize {
		return max(int(h.Length)-headerSize, 0)
	}
	return int(h.Length)
}

// checkLength reports two wrong lengths whose cause is known: a ping reply whose length omits the header, and a
// MsgTeamUpdate with the code that it has only in the protocol document.
func checkLength(c *wire.Cursor, h bzflag.Header, v *bzflag.Variant) {
	switch {
	case h.Code == CodePingReply && int(h.Length) == bodyLength(h):
		c.ReportRange(ruleLength, 0, 2, "length is %d, in a ping reply it counts the header and is %d",
			h.Length, pingReplySize)
	case v == documentTeamUpdate.FromServer && c.Dialect() == wire.Wire:
		c.ReportRange(ruleLength, 0, 2, "length is %d; in real programs, it is 2 for code \"to\"", h.Length)
	}
}

// looksLikeHello reports whether a message is a hello. A hello begins with bzflag.Magic, or has the right length and
// begins with printable characters. The first byte of a header is not printable.
func looksLikeHello(data []byte, size int) bool {
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
