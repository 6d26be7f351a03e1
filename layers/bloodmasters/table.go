package bloodmasters

import "github.com/gamedissect/gamedissect/decode/wire"

// The messages of the protocol. gatewayMessages adds the messages of a running game, which gatewayNames names.
var (
	request = &wire.MessageType{Name: "ServerInfoRequest", Direction: wire.ToServer,
		Body: wire.Like(ServerInfoRequest{})}
	reply = &wire.MessageType{Name: "ServerInfoReply", Direction: wire.FromServer,
		Body: wire.Like(ServerInfoReply{})}
	httpRequest  = &wire.MessageType{Name: "HTTPRequest", Direction: wire.ToServer, Body: wire.Like(HTTPRequest{})}
	httpResponse = &wire.MessageType{Name: "HTTPResponse", Direction: wire.FromServer, Body: wire.Like(HTTPResponse{}),
		Answers: []string{"HTTPRequest"}}
	unknown = &wire.MessageType{Name: "Unknown", Body: wire.Like(wire.Undefined{})}

	gateway  = map[Code]*wire.MessageType{}
	messages = gatewayMessages(request, reply)
)

// gatewayAnswers are the gateway messages that answer another message.
var gatewayAnswers = map[string][]string{"ConnectConfirm": {"ConnectRequest"}, "ConnectRefused": {"ConnectRequest"}}

func gatewayMessages(list ...*wire.MessageType) *wire.Messages {
	add := func(name string, codes ...Code) {
		t := &wire.MessageType{Name: name, Body: wire.Like(wire.Undefined{}), Answers: gatewayAnswers[name]}
		switch name {
		case "ConnectRefused":
			t.Body = wire.Like(ConnectRefused{})
		case "Disconnect":
			t.Body = wire.Like(Disconnect{})
		}
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
	return wire.NewMessages(append(list, httpRequest, httpResponse, unknown)...)
}
