package bzflag24

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
	"github.com/gamedissect/gamedissect/layers/internal/plainhttp"
)

// framing is how messages are told apart.
var framing = &bzflag.Framing{
	Table: byCode, Unknown: unknown, GreetingLength: greetingSize,
	RuleLength: ruleLength, RuleTooLong: ruleTooLong, RuleCode: ruleCode, RuleDirection: ruleDirection,
}

// olderFraming is that of 1.10 and 2.0. Some of their messages differ from those of 2.4 in length, so any length will
// do.
var olderFraming = &bzflag.Framing{
	Table: byCode, Unknown: unknown, GreetingLength: greetingSize, Lookup: lookupOlder,
	RuleLength: ruleLength, RuleTooLong: ruleTooLong, RuleCode: ruleCode, RuleDirection: ruleDirection,
}

// lookupOlder finds a message by its code and lets it be as long as it likes. An older version may send
// codes that 2.4 has given up; they are no errors.
func lookupOlder(h bzflag.Header, _ wire.Dialect) *bzflag.ByCode {
	if k := olderByCode.Get(h.Code); k != nil {
		return k
	}
	return &anything
}

var (
	anything    = bzflag.ByCode{ToServer: unknown, FromServer: unknown}
	olderByCode = relax(rows)
)

// relax makes the table of codes with any length for each message.
func relax(rows []bzflag.Row) *bzflag.Table {
	relaxed := slices.Clone(rows)
	for i := range relaxed {
		relaxed[i].Variant = &bzflag.Variant{MessageType: rows[i].Variant.MessageType, Lengths: between(0, maxBody)}
	}
	table, _ := bzflag.NewTable(relaxed)
	return table
}

// greetingSize returns the size of the greeting that data begin with, 0 if they begin with none. There are at least
// four bytes.
func greetingSize(way wire.Direction, data []byte) int {
	switch {
	case way != wire.FromServer && begins(data, connectHeader):
		return len(connectHeader)
	case way == wire.ToServer || !begins(data, bzflag.Magic):
		return 0
	case isBanner(data):
		return bannerSize
	}
	return helloSize
}

// splitter cuts a connection into messages.
type splitter struct {
	*bzflag.Framing
	greeted bool // the client has said who it is, so the server's answer is a hello

	web    bool // the client asks a list server
	stream plainhttp.Stream
}

// A hello may be a banner until a player's number shows not to be the first of two line ends.
func (s *splitter) Next(way wire.Direction, data []byte, ended bool, p *wire.Progress) int {
	if sure, _ := asksListServer(data); sure && way != wire.FromServer {
		s.web = true
	}
	if s.web {
		return s.stream.Next(way, data, ended, p)
	}
	if way != wire.ToServer && bytes.HasPrefix(data, []byte(banBegins)) && len(data) < maxBan {
		if ended {
			return len(data)
		}
		return wire.NeedMore
	}
	if way == wire.ToServer && strings.HasPrefix(connectHeader, string(data[:min(len(data), 4)])) {
		s.greeted = true
	}
	if way != wire.ToServer && helloMayBeBanner(data) && !ended && !s.greeted {
		return wire.NeedMore
	}
	return s.Framing.Next(way, data, ended, p)
}

func (s *splitter) Plausible(way wire.Direction, data []byte, p *wire.Progress) int {
	if s.web {
		return s.stream.Plausible(way, data, p)
	}
	if way != wire.ToServer && helloMayBeBanner(data) {
		return wire.NeedMore
	}
	return s.Framing.Plausible(way, data, p)
}

func helloMayBeBanner(data []byte) bool {
	return len(data) >= helloSize && begins(data, bzflag.Magic) && bannerCut(data)
}

// probeStream recognises a connection: by what is said first, and by two messages in a row of which
// one at least is of this version alone.
func probeStream(p *wire.Probe) wire.Verdict {
	switch sure, maybe := asksListServer(p.Payload); {
	case sure:
		return wire.Verdict{Confidence: wire.Sure, Direction: wire.ToServer}
	case maybe && len(p.Payload) > 0:
		return wire.Verdict{Confidence: wire.Maybe}
	case bytes.HasPrefix(p.Payload, []byte(banBegins)) && (p.FromPort || p.FromExpected || p.Known):
		return wire.Verdict{Confidence: wire.Sure, Direction: wire.FromServer}
	case begins(p.Payload, connectHeader):
		return probeGreeting(p.Payload, len(connectHeader), wire.ToServer)
	case bytes.HasPrefix(p.Payload, []byte(bzflag.Magic+"107")):
		return wire.Verdict{}
	case begins(p.Payload, bzflag.Magic):
		return probeGreeting(p.Payload, helloSize, wire.FromServer)
	}
	return framing.ProbeStream(p)
}

// probeGreeting returns the verdict about a connection that begins with a greeting of n bytes: Sure once it is whole.
func probeGreeting(data []byte, n int, way wire.Direction) wire.Verdict {
	if len(data) < n {
		return wire.Verdict{Confidence: wire.Maybe}
	}
	return wire.Verdict{Confidence: wire.Sure, Direction: way}
}
