package tribes

import "github.com/gamedissect/gamedissect/decode/wire"

// private lists the fields that must be hidden before a capture is published. Packets of the game itself contain names
// and passwords in bits that this package does not decode.
var private = wire.Privacies{
	"master_name":      wire.PrivateName,
	"motd":             wire.PrivateName,
	"server_name":      wire.PrivateName,
	"info":             wire.PrivateName,
	"information":      wire.PrivateName,
	"teams.name":       wire.PrivateName,
	"player_list.name": wire.PrivateName,
	"data":             wire.PrivateBytes,
	"trailing":         wire.PrivateBytes,
	"information_keys": wire.Public,
	"game":             wire.Public,
	"version":          wire.Public,
	"mods":             wire.Public,
	"mission":          wire.Public,
	"mission_type":     wire.Public,
	"team_heading":     wire.Public,
	"player_heading":   wire.Public,
	"score":            wire.Public,
	"key":              wire.Public, // valid for one exchange
	"sequence":         wire.Public,
}

// roles lists the fields whose values differ between captures (Passing) or belong to the format of a message
// (Structural).
var roles = wire.Roles{
	"code":                  wire.Structural,
	"type":                  wire.Structural,
	"version":               wire.Structural,
	"id":                    wire.Passing,
	"key":                   wire.Passing,
	"sequence":              wire.Passing,
	"master_id":             wire.Passing,
	"number_of_keys":        wire.Passing,
	"number_of_servers":     wire.Passing,
	"number_of_teams":       wire.Passing,
	"number_of_values":      wire.Passing,
	"packet_number_to_send": wire.Passing,
	"packet_number":         wire.Passing,
	"player_heading":        wire.Passing,
	"port":                  wire.Passing,
}
