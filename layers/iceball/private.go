package iceball

import "github.com/gamedissect/gamedissect/decode/wire"

// private lists the fields that must be hidden before a capture is published. The keys of master.json are below body.
var private = wire.Privacies{
	"Announce.name":  wire.PrivateName,
	"data":           wire.PrivateBytes,
	"trailing":       wire.PrivateBytes,
	"extra":          wire.PrivateName,
	"target":         wire.PrivateTarget,
	"headers.value":  wire.PrivateHeader,
	"body":           wire.PrivateDocument,
	"body.map":       wire.Public,
	"body.mode":      wire.Public,
	"body.version":   wire.Public,
	"headers.name":   wire.Public,
	"magic":          wire.Public,
	"method":         wire.Public,
	"version":        wire.Public,
	"reason":         wire.Public,
	"mode":           wire.Public,
	"map":            wire.Public,
	"cookie":         wire.Public, // valid for one exchange
	"end_of_headers": wire.Public,
	"blank_line":     wire.Public,
}

// roles lists the fields whose values differ between captures (Passing) or belong to the format of a message
// (Structural).
var roles = wire.Roles{
	"version": wire.Structural,
	"port":    wire.Passing,
	"cookie":  wire.Passing,
}
