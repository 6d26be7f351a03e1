package tribes

import (
	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Protocol describes the protocol to the engine.
var Protocol = &wire.Protocol{
	Name:       "tribes",
	Title:      "Tribes 1.11 matchmaking",
	Type:       LayerType,
	UDP:        []uint16{MasterPort, GamePort, StarsiegeMasterPort},
	Messages:   messages,
	New:        newLayer,
	Names:      names,
	Probe:      probe,
	NewSession: newSession,
	NewTracker: newTracker,
	Attempts:   []*wire.AttemptKind{listing, joins},
	Tables: []wire.Table{
		listing.TableOf(), joins.TableOf(),
		{Name: "lists", Columns: []string{"complete", "incomplete", "list size", "list length", "time to last packet",
			"time to first packet"}},
		{Name: "servers", Columns: []string{"name", "map", "players", "ping", "game type", "locked", "heartbeat interval"}},
		{Name: queryTable, Columns: []string{"asked", "answered", "unanswered", "unreadable", "unreachable", "not taken",
			"open at the end", "answer time"}},
	},
	Events: append(listing.Events(), eventAnnounced, eventList, eventListed, eventUnlisted, "server", "title", "map",
		"players", "locked"),
	Times: []string{"heartbeat interval", "time to first packet", "time to last packet", "answer time"},
	Rules: []*wire.Rule{
		ruleShort, ruleVersion, ruleType, ruleNumber, ruleStrings, ruleString, ruleCount, ruleMarker, ruleReserved,
		ruleTrailing, ruleRepeated, ruleEntry, ruleGameType, ruleName, ruleVerification, ruleKey, ruleHeartbeat,
		ruleVerifyReply, rulePlayerCount,
		ruleWrongNumber, ruleTotal, ruleIncomplete, ruleUnanswered, ruleDuplicate, ruleConflict, ruleUnknownKey,
		ruleUnsolicited, ruleSequence,
		ruleUnderfilled, ruleMaster, ruleStillMissing, ruleNameUnasked, ruleNameMissing, ruleGap,
		rulePrivate, ruleEmpty,
		ruleOtherKey, ruleClosed, ruleOften, ruleDropsRepeat,
	},
	Private: private,
	Roles:   roles,
	People:  &wire.People{Fields: []string{"player_list.name"}},
	Differences: []string{
		"In a list, the master's name comes before the message of the day. In the document, it comes after the message; with `--dialect document`, gamedissect labels the two texts in this order.",
		"Real clients read the bytes RESERVED and NUMBER OF SERVERS together as one big endian number. Ports are little endian; the document does not state this.",
		"In a game info reply (0x04), the maximum number of players, the number of players and a version come before the name, which has 30 bytes. In the document, the name has 32 bytes at offset 6. gamedissect reads a packet of 38 bytes as in the document.",
		"The document lacks a client's ping to a game server (0x03), a client's query to a game server (0x07) and its answer (0x08). In the document, 0x07 is a game server's reply to a master.",
		"At offset 2, a query has the number of the list packet that it requests. The document has a field PACKET NUMBER TO SEND at offset 3, which no program reads.",
		"In the document, information keys are Pascal strings: a length byte and a text. The original master sends them after the id, as a count and texts that end with a NUL. gamedissect reads both, and also Pascal strings after the id.",
		"According to the document, every packet has at least 64 bits, and a header has 16 bits. Real headers have 64 bits (eight bytes), and some real queries are shorter.",
	},
}

// probe recognises the protocol. It rejects packets of other games on the same ports. Packets of the game itself have
// no signature, so probe accepts them only if they belong together and use the game's port or a known server.
func probe(p *wire.Probe) wire.Verdict {
	data, size := p.Payload, len(p.Payload)+p.Missing
	if len(data) == 0 {
		return wire.Verdict{}
	}
	likely := wire.Verdict{Confidence: wire.Likely}
	switch {
	case data[0] == Version && matchmaking(data):
		if typical(data, size) {
			return wire.Verdict{Confidence: wire.Sure}
		}
		return likely
	case toMaster(p) && (data[0] == Version || matchmaking(data)) && looksLikeHeader(data, size):
		return likely // wrong version or type; the master will drop the packet
	case size == 3 && (data[0] == 0x60 || data[0] == 0x62):
		return likely
	case len(data) > 11 && gameSpy(data, size, false) != nil && namesGame(data):
		return wire.Verdict{Confidence: wire.Sure}
	case p.Known && gameSpy(data, size, false) != nil, answersEarlier(p), mayConnect(p) && connects(p):
		return likely
	case size == 1 && data[0] == Version && p.ToPort:
		return wire.Verdict{Confidence: wire.Maybe} // masters answer it like a query
	case gameSpy(data, size, false) != nil, mayConnect(p):
		return wire.Verdict{Confidence: wire.Maybe}
	}
	return wire.Verdict{}
}

func toMaster(p *wire.Probe) bool {
	return p.Dst.Port() == MasterPort || p.Dst.Port() == StarsiegeMasterPort
}

// looksLikeHeader reports whether a packet contains only a header or its beginning, as queries and heartbeats do.
func looksLikeHeader(data []byte, size int) bool {
	if size < 4 || size > minimum || len(data) < size {
		return false
	}
	return data[2] == AllPackets && data[3] == 0 && (size < minimum || data[6] == 0 && data[7] == 0)
}

// answersEarlier reports whether a datagram may answer a GameSpy-style query: it has a matching code and sequence, and
// the constant of all answers or the game's name.
func answersEarlier(p *wire.Probe) bool {
	if len(p.Payload) < 4 || p.Payload[3] != gameSpyID && !namesGame(p.Payload) {
		return false
	}
	for i := range p.Earlier {
		e := &p.Earlier[i]
		if q, ok := questionIn(e); ok && e.Src == p.Dst && q.answeredBy(p.Datagram) {
			return true
		}
	}
	return false
}

// namesGame reports whether a GameSpy-style answer contains the name of the game at the right offset.
func namesGame(data []byte) bool {
	const at, name = 4, "\x06Tribes"
	return len(data) >= at+len(name) && string(data[at:at+len(name)]) == name
}

// mayConnect reports whether a datagram begins with the header of a game packet and uses a port where game packets
// occur.
func mayConnect(p *wire.Probe) bool {
	if !p.Known && p.Src.Port() != GamePort && p.Dst.Port() != GamePort {
		return false
	}
	h, ok := readHead(p.Payload)
	return ok && (h.kind == kindRequest || h.numbered || len(p.Payload) >= minimum)
}

// typical reports whether a matchmaking packet looks exactly like the packets of real programs.
func typical(data []byte, size int) bool {
	switch t := Type(data[1]); {
	case t == TypeMasterListReply && size == len(data):
		l := new(Layer)
		return l.DecodeFromBytes(data, gopacket.NilDecodeFeedback) == nil && l.countFits(l.Body.(*MasterListReply)) &&
			l.list == listLayout{}
	case t == TypeGameInfoReply:
		return size == realInfoSize && len(data) > 3 && GameType(data[3]) == GameTribes
	case t == TypeQuery || t == TypeHeartbeat:
		return size == minimum && len(data) == size && data[2] == AllPackets && data[3] == 0 && data[6] == 0 && data[7] == 0
	}
	return false
}
