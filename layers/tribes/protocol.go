package tribes

import (
	"net/netip"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// Protocol is what the engine has to know.
var Protocol = &wire.Protocol{
	Name:       "tribes",
	Title:      "Tribes 1.11 matchmaking",
	Type:       LayerType,
	UDP:        []uint16{MasterPort, GamePort, StarsiegeMasterPort},
	Messages:   messages,
	New:        newLayer,
	Probe:      probe,
	NewSession: newSession,
	NewTracker: newTracker,
	Times:      []string{"heartbeat interval", "time to first packet", "time to last packet"},
	Rules: []*wire.Rule{
		ruleShort, ruleVersion, ruleType, ruleNumber, ruleStrings, ruleString, ruleCount, ruleMarker, ruleReserved,
		ruleTrailing, ruleRepeated, ruleEntry, ruleGameType, ruleName, ruleVerification, ruleKey, ruleHeartbeat,
		ruleVerifyReply,
		ruleWrongNumber, ruleTotal, ruleIncomplete, ruleUnanswered, ruleDuplicate, ruleConflict, ruleUnknownKey,
		ruleUnsolicited,
		ruleUnderfilled, ruleMaster, ruleUnasked, ruleNameUnasked, ruleNameMissing, ruleGap,
	},
	Private: private,
	Roles:   roles,
	Differences: []string{
		"A list has the master's name before the message of the day; the document has them the other way round (`--dialect document` labels them so).",
		"RESERVED and NUMBER OF SERVERS are one big endian number for real clients; ports are little endian, which the document leaves open.",
		"A game info reply (0x04) has maximum, players and a version before the name of 30 bytes; the document puts 32 bytes of name at offset 6. A packet of 38 bytes is read as the document has it.",
		"A client's ping of a game server (0x03) and its 0x07 and 0x08 are missing in the document; 0x07 is a game server's reply to a master there.",
		"The specific packet number of a query is byte 2; the document has a field PACKET NUMBER TO SEND at byte 3 that nobody reads.",
		"Information keys are counted and NUL-terminated behind the id in the original master, pascal strings in the document; three layouts are tried.",
		"The document demands 64 bits of every packet and describes headers of 16; real headers have eight bytes, and shorter queries occur.",
	},
}

// session remembers the masters of a capture: who receives heartbeats and who sends lists.
type session struct {
	masters *bounded.LRU[endpoint, struct{}]
}

func newSession(memory *bounded.Budget) wire.Session {
	kind := bounded.Kind{Name: "Tribes masters on unusual ports", Silent: "MasterQuery, VerificationRequest"}
	return &session{masters: bounded.NewLRU(memory, kind, bounded.Values[endpoint, struct{}]{})}
}

// master reports whether an endpoint is a master, given the lane of what it says.
func (s *session) master(lane uint32, a netip.AddrPort) bool {
	return a.Port() == MasterPort || a.Port() == StarsiegeMasterPort ||
		s.masters.Len() > 0 && s.masters.GetAt(lane, endpointOf(a)) != nil
}

// Before implements wire.Session.
func (s *session) Before(l wire.Layer, d *wire.Datagram) {
	l.(*Layer).Peers = Peers{Known: true, FromMaster: s.master(d.Lane, d.Src),
		ToMaster: s.master(wire.ReverseLane(d.Lane), d.Dst)}
}

// After implements wire.Session.
func (s *session) After(l wire.Layer, d *wire.Datagram) {
	switch l.Core().Message {
	case heartbeat:
		s.learn(wire.ReverseLane(d.Lane), d.Dst)
	case masterListReply:
		s.learn(d.Lane, d.Src)
	}
}

func (s *session) learn(lane uint32, a netip.AddrPort) {
	if !s.master(lane, a) {
		s.masters.MakeAt(lane, endpointOf(a))
	}
}

// probe recognises the protocol. What other games send on the same ports is left alone, and
// packets of the game itself, which have no mark of their own, are taken from and to a known
// server only.
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
		return likely // a wrong version or type, which the master will drop
	case size == 3 && (data[0] == 0x60 || data[0] == 0x62):
		return likely
	case len(data) > 11 && gameSpy(data, size) != nil && string(data[4:11]) == "\x06Tribes":
		return wire.Verdict{Confidence: wire.Sure}
	case p.Known && (gameSpy(data, size) != nil || isConnection(data)):
		return likely
	case size == 1 && data[0] == Version && p.ToPort:
		return wire.Verdict{Confidence: wire.Maybe} // a master answers it as if it were a query
	case gameSpy(data, size) != nil, (p.Src.Port() == GamePort || p.Dst.Port() == GamePort) && isConnection(data):
		return wire.Verdict{Confidence: wire.Maybe}
	}
	return wire.Verdict{}
}

func toMaster(p *wire.Probe) bool {
	return p.Dst.Port() == MasterPort || p.Dst.Port() == StarsiegeMasterPort
}

// looksLikeHeader reports whether a packet is a header alone, as queries and heartbeats are, or the
// beginning of one.
func looksLikeHeader(data []byte, size int) bool {
	if size < 4 || size > minimum || len(data) < size {
		return false
	}
	return data[2] == AllPackets && data[3] == 0 && (size < minimum || data[6] == 0 && data[7] == 0)
}

// isConnection reports whether a datagram has the head of the game's own packets.
func isConnection(data []byte) bool {
	kind, ok := packetKind(data)
	return ok && (kind == kindRequest || len(data) >= minimum)
}

// typical reports whether a matchmaking packet is just as real programs send it.
func typical(data []byte, size int) bool {
	switch t := Type(data[1]); {
	case t == TypeMasterListReply && size == len(data):
		l := new(Layer)
		return l.DecodeFromBytes(data, gopacket.NilDecodeFeedback) == nil && l.adds(l.Body.(*MasterListReply)) &&
			l.list == listLayout{}
	case t == TypeGameInfoReply:
		return size == realInfoSize && len(data) > 3 && GameType(data[3]) == GameTribes
	case t == TypeQuery || t == TypeHeartbeat:
		return size == minimum && len(data) == size && data[2] == AllPackets && data[3] == 0 && data[6] == 0 && data[7] == 0
	}
	return false
}
