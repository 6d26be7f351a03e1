package bloodmasters

import (
	"encoding/binary"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/plainhttp"
)

// Protocol describes the protocol to the engine.
var Protocol = &wire.Protocol{
	Name:     "bloodmasters",
	Title:    "Bloodmasters server query",
	Type:     LayerType,
	UDP:      ports(),
	Messages: messages,
	New:      newLayer,
	Probe:    probe,

	ProbeStream: probeStream,
	NewSplitter: func() wire.Splitter { return new(plainhttp.Stream) },

	NewTracker: newTracker,
	Attempts:   []*wire.AttemptKind{joins, listing, fetch},
	Tables: []wire.Table{
		{Name: "servers", Columns: []string{"name", "map", "players", "ping", "queries", "unanswered", "locked", "version"}},
		{Name: "queries", Columns: []string{"asked", "answered", "unanswered", "unreadable", "unreachable", "not taken",
			"unsure", "without echo", "open at the end", "answer time"}},
		{Name: refused, Columns: []string{wire.RefusedReason, wire.RefusedBefore}},
		joins.TableOf(),
		listing.TableOf(),
		{Name: "list", Columns: []string{"listed"}},
	},
	Times:  []string{"answer time"},
	Events: append([]string{"server", "title", "map", "players", "locked"}, joins.Events()...),
	Rules: []*wire.Rule{
		ruleQueryLength, ruleLength, ruleCode, ruleString, ruleLongString, ruleBool, ruleGameType,
		ruleClientCount, ruleMaximum, rulePlayerCount, ruleVersionFields, ruleNewer, ruleTrailing, ruleNegative,
		ruleUnsolicited, ruleEchoMismatch, ruleDuplicateReply, ruleUnanswered, ruleElsewhere, ruleEchoReused,
		ruleOlder, ruleOversized, ruleDeaf, ruleStranger, ruleMasterBans,
	},
	Private: private,
	Roles:   roles,
	People:  &wire.People{Fields: []string{"clients.name"}},
	Differences: []string{
		"The document does not state the byte order. The length is little endian; all other integers are big endian.",
		"In the document, the length of a text is one byte. Real servers put seven bits of the length into each byte, so a length of 128 or more takes two bytes. gamedissect tries both ways; if both are possible, `--dialect` decides.",
		"In the document, the field `length` is the length of the packet. In real programs, it is the length of one message, and a datagram may have several messages.",
		"In the document, the fields after `protocol_version` exist from version 27 on, and `build` from version 28 on. The real launcher reads them only for version 29.",
		"Servers also answer a request that has code 141 and a packet id. The document has only requests with code 13.",
		"The document does not state the numbers of teams (0 none, 1 red, 2 blue) or the encoding of texts (ASCII).",
	},
}

// ports returns the default port, and the six ports below it, which further servers on one host may use.
func ports() []uint16 {
	var p []uint16
	for port := uint16(6963); port <= Port; port++ {
		p = append(p, port)
	}
	return p
}

// probe recognises the protocol. Whole requests and answers are Sure, so they are recognised on any port. A datagram
// that consists only of gateway messages is Likely, so it is recognised only on the protocol's ports. A malformed
// message is recognised only to or from a known server.
func probe(p *wire.Probe) wire.Verdict {
	data := p.Payload
	if len(data) < headerSize {
		return wire.Verdict{}
	}
	size := len(data) + p.Missing
	length := int(binary.LittleEndian.Uint16(data))
	code := Code(data[2])
	query := code == CodeServerInfo || code == CodeReliableServerInfo
	switch {
	case code == CodeServerInfo && length == 7 && size == 7:
		return wire.Verdict{Confidence: wire.Sure, Direction: wire.ToServer}
	case code == CodeServerInfo && length == size && wholeReply(data, p.Missing):
		return wire.Verdict{Confidence: wire.Sure, Direction: wire.FromServer}
	case code == CodeServerInfo && length == size && readsAsReply(data, p.Missing):
		return wire.Verdict{Confidence: wire.Likely, Direction: wire.FromServer}
	case p.ToPort && code == CodeServerInfo && (size == 7 || length == 7 && size > maxDatagram):
		return wire.Verdict{Confidence: wire.Likely, Direction: wire.ToServer}
	case filled(data, p.Missing), p.Known && (query || gateway[code] != nil || length == size):
		return wire.Verdict{Confidence: wire.Likely}
	case query:
		return wire.Verdict{Confidence: wire.Maybe}
	}
	return wire.Verdict{}
}

// filled reports whether messages with known codes fill the datagram to the last byte.
func filled(data []byte, missing int) bool {
	for len(data) >= headerSize {
		length := int(binary.LittleEndian.Uint16(data))
		if length < headerSize || gateway[Code(data[2])] == nil && Code(data[2])&^reliable != CodeServerInfo {
			return false
		}
		if length >= len(data) {
			return length == len(data)+missing
		}
		data = data[length:]
	}
	return false
}

// readsAsReply reports whether the bytes can be read as an answer, up to and including the field Map. The rest may be
// malformed.
func readsAsReply(data []byte, missing int) bool {
	l := decodeReply(data, missing)
	r, ok := l.Body.(*ServerInfoReply)
	return ok && len(r.Title) > 0 && len(r.Map) > 0 && gameTypes.Has(int64(r.GameType))
}

func decodeReply(data []byte, missing int) *Layer {
	l := &Layer{}
	l.Context = wire.Context{Direction: wire.FromServer, Missing: missing}
	_ = l.DecodeFromBytes(data, gopacket.NilDecodeFeedback) // the layer keeps the fault
	return l
}

// wholeReply reports whether the bytes are an answer without errors, as far as they were captured.
func wholeReply(data []byte, missing int) bool {
	l := decodeReply(data, missing)
	if l.Fault() != nil {
		return missing > 0 && l.Body != nil && len(l.Body.(*ServerInfoReply).Title) > 0
	}
	for _, f := range l.Findings() {
		if f.Rule.Severity > wire.Note {
			return false
		}
	}
	return true
}
