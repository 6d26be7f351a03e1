package bzflag24

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
	"github.com/gamedissect/gamedissect/layers/internal/plainhttp"
)

// framing determines where messages end and which types they have.
var framing = &bzflag.Framing{
	Table: byCode, Unknown: unknown, GreetingLength: greetingSize,
	RuleLength: ruleLength, RuleTooLong: ruleTooLong, RuleCode: ruleCode, RuleDirection: ruleDirection,
}

// olderFraming is the framing of 1.10 and 2.0. Some messages of these versions differ in length from those of 2.4, so
// olderFraming accepts any length.
var olderFraming = &bzflag.Framing{
	Table: byCode, Unknown: unknown, GreetingLength: greetingSize, Lookup: lookupOlder,
	RuleLength: ruleLength, RuleTooLong: ruleTooLong, RuleCode: ruleCode, RuleDirection: ruleDirection,
}

// lookupOlder returns the messages with a code. They may have any length. A code that 2.4 no longer has may still be
// used in older versions, so it is not an error.
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

// relax returns a copy of the table of codes in which each message may have any length.
func relax(rows []bzflag.Row) *bzflag.Table {
	relaxed := slices.Clone(rows)
	for i := range relaxed {
		relaxed[i].Variant = &bzflag.Variant{MessageType: rows[i].Variant.MessageType, Lengths: between(0, maxBody)}
	}
	table, _ := bzflag.NewTable(relaxed)
	return table
}

// greetingSize returns the size of the greeting at the beginning of data, or 0 if there is none. data must have at
// least four bytes.
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

// splitter splits a connection into messages.
type splitter struct {
	*bzflag.Framing
	greeted bool // the client has sent connectHeader, so the server answers with a hello

	web    bool // the connection leads to a list server
	stream plainhttp.Stream
}

// Next implements wire.Splitter. A carriage return after the version is either a player's number, 13, in a hello, or
// the beginning of two line ends, in a banner. If Next cannot decide, it waits for more bytes.
func (s *splitter) Next(way wire.Direction, data []byte, ended bool, p *wire.Progress) int {
	if !s.web && bzflag.HasHeader(data) {
		return s.Framing.Next(way, data, ended, p)
	}
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

// probeStream recognises a connection by its first bytes, or by two consecutive messages.
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

// probeGreeting returns the verdict on a connection that begins with a greeting of n bytes. The verdict is Sure if data
// contains the whole greeting.
func probeGreeting(data []byte, n int, way wire.Direction) wire.Verdict {
	if len(data) < n {
		return wire.Verdict{Confidence: wire.Maybe}
	}
	return wire.Verdict{Confidence: wire.Sure, Direction: way}
}
