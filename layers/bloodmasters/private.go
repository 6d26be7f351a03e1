package bloodmasters

import "github.com/gamedissect/gamedissect/decode/wire"

// private lists the fields that must be hidden before a capture is published. The messages of a running game are opaque
// here and contain names, chat and the login password, so all their data are private.
var private = wire.Privacies{
	"title":          wire.PrivateName,
	"website":        wire.PrivateName,
	"clients.name":   wire.PrivateName,
	"reason":         wire.PrivateChat,
	"data":           wire.PrivateBytes,
	"trailing":       wire.PrivateBytes,
	"extra":          wire.PrivateName,
	"target":         wire.PrivateTarget,
	"headers.value":  wire.PrivateHeader,
	"body":           wire.PrivateDocument,
	"headers.name":   wire.Public,
	"method":         wire.Public,
	"version":        wire.Public,
	"end_of_headers": wire.Public,
	"blank_line":     wire.Public,
	"map":            wire.Public,
	"build":          wire.Public,
}

// roles lists the fields whose values differ between captures (Passing) or belong to the format of a message
// (Structural).
var roles = wire.Roles{
	"code":       wire.Structural,
	"length":     wire.Structural,
	"echo":       wire.Passing,
	"packet_id":  wire.Passing,
	"time_limit": wire.Passing,
}
