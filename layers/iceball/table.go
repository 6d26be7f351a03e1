package iceball

import "github.com/gamedissect/gamedissect/decode/wire"

var (
	announce = &wire.MessageType{Name: "Announce", Code: "1CEB", Direction: wire.ToServer,
		Body: wire.Like(Announce{})}
	accepted = &wire.MessageType{Name: "Accepted", Code: "MSOK", Direction: wire.FromServer,
		Body: wire.Like(Cookie{}), Answers: []string{"Announce"}}
	handshake = &wire.MessageType{Name: "Handshake", Code: "HSHK", Direction: wire.ToServer,
		Body: wire.Like(Cookie{})}
	badVersion = &wire.MessageType{Name: "BadVersion", Code: "BADV", Direction: wire.FromServer,
		Body: wire.Like(BadVersion{}), Answers: []string{"Announce"}}
	badFormat = &wire.MessageType{Name: "BadFormat", Code: "BADF", Direction: wire.FromServer,
		Body: wire.Like(BadFormat{}), Answers: []string{"Announce"}}
	httpRequest = &wire.MessageType{Name: "HTTPRequest", Direction: wire.ToServer,
		Body: wire.Like(HTTPRequest{})}
	httpResponse = &wire.MessageType{Name: "HTTPResponse", Direction: wire.FromServer,
		Body: wire.Like(HTTPResponse{}), Answers: []string{"HTTPRequest"}}
	unknown = &wire.MessageType{Name: "Unknown", Body: wire.Like(wire.Undefined{})}

	messages = wire.NewMessages(announce, accepted, handshake, badVersion, badFormat, httpRequest, httpResponse, unknown)
)

func byMagic(magic string) *wire.MessageType {
	switch magic {
	case "1CEB":
		return announce
	case "MSOK":
		return accepted
	case "HSHK":
		return handshake
	case "BADV":
		return badVersion
	case "BADF":
		return badFormat
	}
	return nil
}
