package bzflag24

import "github.com/gamedissect/gamedissect/decode/wire"

// private says what a stranger must not see.
var private = wire.Privacies{
	"call_sign":           wire.PrivateName,
	"motto":               wire.PrivateName,
	"url":                 wire.PrivateName, // tells whose server it is
	"token":               wire.PrivateSecret,
	"message":             wire.PrivateChat,
	"MsgReject.text":      wire.PrivateChat,
	"vars.value":          wire.Public,
	"data":                wire.PrivateBytes,
	"trailing":            wire.PrivateBytes,
	"ConnectHeader.text":  wire.Public,
	"MsgGetWorld.data":    wire.Public,
	"MsgCustomSound.name": wire.Public,
	"padding":             wire.PrivateBytes,
	"code":                wire.Public,
	"version":             wire.Public,
	"end":                 wire.Public,
	"flags":               wire.Public,
	"flag_type":           wire.Public,
	"flag_name":           wire.Public,
	"help":                wire.Public,
	"hash":                wire.Public,
	"vars.name":           wire.Public,
	"world":               wire.Public,
}
