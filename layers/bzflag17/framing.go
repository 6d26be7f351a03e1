package bzflag17

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// framing is how messages are told apart, and how a connection is cut into them.
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

// bodyLength is the length of the body, as far as the header tells. In ping replies, and in no other
// message, the length counts the header; one that does not is taken for what it means.
func bodyLength(h bzflag.Header) int {
	if h.Code == CodePingReply && h.Length != pingReplySize-headerSize {
		return max(int(h.Length)-headerSize, 0)
	}
	return int(h.Length)
}

// checkLength reports lengths that would be right elsewhere.
func checkLength(c *wire.Cursor, h bzflag.Header, v *bzflag.Variant) {
	switch {
	case h.Code == CodePingReply && int(h.Length) == bodyLength(h):
		c.ReportRange(ruleLength, 0, 2, "length is %d, in a ping reply it counts the header and is %d",
			h.Length, pingReplySize)
	case v == documentTeamUpdate.FromServer && c.Dialect() == wire.Wire:
		c.ReportRange(ruleLength, 0, 2, "length is %d, code to has 2 in real programs", h.Length)
	}
}

// looksLikeHello reports whether a message is a hello: by its letters, or by being as long as one and
// beginning with printable ones, which no header does.
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
