package bzflag24

import "github.com/gamedissect/gamedissect/decode/wire"

// private says which fields contain personal data or secrets, and which are public.
var private = wire.Privacies{
	"call_sign":           wire.PrivateName,
	"motto":               wire.PrivateName,
	"url":                 wire.PrivateName, // identifies the server's owner
	"token":               wire.PrivateSecret,
	"message":             wire.PrivateChat,
	"MsgReject.text":      wire.PrivateChat,
	"BanText.text":        wire.PrivateChat,
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

	"target":           wire.PrivateTarget,
	"headers.value":    wire.PrivateHeader,
	"headers.name":     wire.Public,
	"HTTPRequest.body": wire.PrivateSecret, // a form with passwords and tokens
	"body":             wire.PrivateDocument,
	"method":           wire.Public,
	"extra":            wire.PrivateName,
	"reason":           wire.Public,
	"end_of_headers":   wire.Public,
	"blank_line":       wire.Public,
}

// people describes how messages identify players.
var people = &wire.People{
	Fields:  []string{"call_sign", "MsgAddPlayer.player"},
	Senders: []string{"sender"},
	Private: []string{
		"ServerHello", "TimeoutBanner", "MsgReject", "MsgSuperKill", "MsgLagPing", "MsgUDPLinkRequest",
		"MsgUDPLinkEstablished",
	},
}

// roles says which fields are part of a message's format, and which differ in each game. Expectations may rely on all
// other fields.
var roles = wire.Roles{
	"code":             wire.Structural,
	"length":           wire.Structural,
	"type":             wire.Structural,
	"version":          wire.Structural,
	"flight_time":      wire.Passing,
	"last_player":      wire.Passing,
	"max_player_score": wire.Passing,
	"max_time":         wire.Passing,
	"number":           wire.Passing,
	"order":            wire.Passing,
	"port":             wire.Passing,
	"sequence":         wire.Passing,
	"sequence_count":   wire.Passing,
	"shot_id":          wire.Passing,
	"time_elapsed":     wire.Passing,
	"time_left":        wire.Passing,
	"time_sent":        wire.Passing,
	"time_us":          wire.Passing,
	"timestamp":        wire.Passing,
	"token":            wire.Passing,
}
