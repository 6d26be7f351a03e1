package iceball

import (
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/plainhttp"
)

// Protocol describes the protocol to the engine.
var Protocol = &wire.Protocol{
	Name:        "iceball",
	Title:       "Iceball heartbeat",
	Type:        LayerType,
	UDP:         []uint16{Port},
	Messages:    messages,
	New:         newLayer,
	Names:       names,
	Probe:       probe,
	TCP:         []uint16{Port},
	ProbeStream: probeStream,
	NewSplitter: func() wire.Splitter { return new(plainhttp.Stream) },
	NewTracker:  newTracker,
	Attempts:    []*wire.AttemptKind{listing, fetch},
	Tables: []wire.Table{
		listing.TableOf(),
		{Name: "list", Columns: []string{"listed"}},
		{Name: "servers", Columns: []string{"name", "map", "players", "game type", "version", "bursts", "burst size",
			"burst period", "announce gap", "time to MSOK", "time to HSHK"}},
	},
	Events: append(listing.Events(), eventAnnounced, eventList, eventListed, eventUnlisted, eventSame, "title", "map",
		"players"),
	Times:      []string{"announce gap", "burst period", "time to MSOK", "time to HSHK"},
	NewSession: newSession,
	Rules: []*wire.Rule{
		ruleAnnounceLength, ruleTruncated, ruleMagic, ruleDirection, ruleByteOrder, rulePadding,
		rulePlayers, rulePortZero, ruleIPv6, ruleHTTPHeader, ruleHTTPLength,

		ruleUnasked, ruleWrongCookie, ruleStaleCookie, ruleAcceptUnanswered, ruleBurstShort, ruleBurstSize, ruleSpacing, rulePeriod,
		ruleAfterBadVersion, ruleAfterBadFormat, ruleSameVersion, ruleMasterJSON, ruleNoHandshake, ruleStaleList,
		ruleListedTooLong, ruleUnlistedEarly, ruleHTTPPort,
		ruleEncoding, rulePrivateEntry, ruleSharedEntry, ruleUpdate, ruleNoLength, ruleLateAnswers,
	},
	Private: private,
	Roles:   roles,
	Differences: []string{
		"In the document, every text has the type .z, which ends with a NUL. A real text that fills its field has no NUL.",
		"In the document, a cookie may have any length. The real server always sends four bytes.",
		"In the document, the server answers every malformed message with BADF. The real server sends BADF only for an announce with the right version and the wrong length.",
		"According to the document, the server refuses a version of the game that is \"too old and/or new\". When the real server compares versions, it ignores the last number, the z in x.y.z.",
	},
}

// probe recognises the protocol by the four letters at the start of a message. A message with other letters is also
// recognised if it goes to a known heartbeat server, or if it has the letters in another case.
func probe(p *wire.Probe) wire.Verdict {
	if len(p.Payload) < 4 {
		return wire.Verdict{}
	}
	letters := string(p.Payload[:4])
	t := byMagic(letters)
	size := len(p.Payload) + p.Missing
	switch {
	case t == nil && p.ToPort && (p.Known || byMagic(strings.ToUpper(letters)) != nil):
		return wire.Verdict{Confidence: wire.Likely}
	case t == nil:
		return wire.Verdict{}
	}
	v := wire.Verdict{Confidence: wire.Likely}
	if t == announce && size == announceSize || t == badVersion && size == badVersionSize {
		v.Confidence = wire.Sure
	}
	if !p.OnPort() {
		v.Direction = t.Direction
	}
	return v
}
