package bloodmasters

import "github.com/gamedissect/gamedissect/decode/wire"

// The messages. Those of the gateway are named by gatewayNames.
var (
	request = &wire.MessageType{Name: "ServerInfoRequest", Direction: wire.ToServer,
		Body: wire.Like(ServerInfoRequest{})}
	reply = &wire.MessageType{Name: "ServerInfoReply", Direction: wire.FromServer,
		Body: wire.Like(ServerInfoReply{})}
	unknown = &wire.MessageType{Name: "Unknown", Body: wire.Like(wire.Undefined{})}

	gateway  = map[Code]*wire.MessageType{}
	messages = gatewayMessages(request, reply)
)

// gatewayMessages makes a table of the given messages and those of the gateway.
func gatewayMessages(list ...*wire.MessageType) *wire.Messages {
	add := func(name string, codes ...Code) {
		t := &wire.MessageType{Name: name, Body: wire.Like(wire.Undefined{})}
		for _, code := range codes {
			gateway[code] = t
		}
		list = append(list, t)
	}
	add("Confirm", 0)
	add("Ping", reliable)
	for code, name := range gatewayNames {
		if name != "" {
			add(name, Code(code), Code(code|reliable))
		}
	}
	return wire.NewMessages(append(list, unknown)...)
}

// Protocol is what the engine has to know.
var Protocol = &wire.Protocol{
	Name:     "bloodmasters",
	Title:    "Bloodmasters server query",
	Type:     LayerType,
	UDP:      ports(),
	Messages: messages,
	New:      func() wire.Layer { return new(Layer) },
	Probe:    probe,

	NewTracker: newTracker,
	Rules: []*wire.Rule{
		ruleQueryLength, ruleLength, ruleCode, ruleString, ruleLongString, ruleBool, ruleGameType,
		ruleClientCount, ruleMaximum, rulePlayerCount, ruleVersionFields, ruleNewer, ruleTrailing, ruleNegative,
		ruleUnsolicited, ruleEchoMismatch, ruleDuplicateReply, ruleUnanswered, ruleElsewhere, ruleEchoReused,
	},
	Private: private,
	Roles:   roles,
	Differences: []string{
		"The document names no byte order: the length is little endian, all other integers are big endian.",
		"A text's length is one byte in the document, groups of seven bits in real servers; from 128 bytes on they differ. Both are tried (`--dialect` decides when both fit).",
		"The document speaks of the length of the packet; it is that of a message, and a datagram may hold several.",
		"The document gives the later fields to versions 27 and higher; the real launcher reads them for 29 alone.",
		"A request with code 141 and a packet id is answered as well; the document knows code 13 only.",
		"The document gives no numbers for teams (0 none, 1 red, 2 blue) and no encoding for texts (ASCII).",
	},
}

// ports are the usual one and those that examples of a second and third server on a host use.
func ports() []uint16 {
	var p []uint16
	for port := uint16(6963); port <= Port; port++ {
		p = append(p, port)
	}
	return p
}
