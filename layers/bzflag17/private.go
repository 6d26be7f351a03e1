package bzflag17

import "github.com/gamedissect/gamedissect/decode/wire"

// private says what a stranger must not see. A player's id is his address.
var private = wire.Privacies{
	"call_sign":        wire.PrivateName,
	"email":            wire.PrivateName,
	"message":          wire.PrivateChat,
	"data":             wire.PrivateBytes, // voices and pictures among them
	"trailing":         wire.PrivateBytes,
	"MsgGetWorld.data": wire.Public,
	"code":             wire.Public,
	"version":          wire.Public,
	"hash":             wire.Public,
	"world":            wire.Public,
}
