package tribes

import (
	"fmt"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Version is the first byte of every matchmaking packet of Tribes 1.11.
const Version = 0x10

var versions = wire.Symbols{{Value: Version, Name: "Tribes 1.11"}}

// Type is the second byte of a matchmaking packet.
type Type uint8

// The types. The meaning of 0x03 and 0x07 depends on sender and receiver.
const (
	TypeQuery            Type = 0x03
	TypeGameInfoReply    Type = 0x04
	TypeHeartbeat        Type = 0x05
	TypeMasterListReply  Type = 0x06
	TypeGameInfoQuery    Type = 0x07
	TypeGameInfoResponse Type = 0x08
)

func (t Type) String() string { return types.Format(int64(t)) }

var types = wire.Symbols{
	{Value: int64(TypeQuery), Name: "Query"},
	{Value: int64(TypeGameInfoReply), Name: "GameInfoReply"},
	{Value: int64(TypeHeartbeat), Name: "Heartbeat"},
	{Value: int64(TypeMasterListReply), Name: "MasterListReply"},
	{Value: int64(TypeGameInfoQuery), Name: "GameInfoQuery"},
	{Value: int64(TypeGameInfoResponse), Name: "GameInfoResponse"},
}

// definedTypes is the range of the defined types, as text. The range has no gaps.
var definedTypes = fmt.Sprintf("0x%02x to 0x%02x", types[0].Value, types[len(types)-1].Value)

// AllPackets is the packet number with which a query requests the whole list.
const AllPackets = 0xff

var packetNumbers = wire.Symbols{{Value: AllPackets, Name: "All"}}

// GameType identifies a game. Several games share this protocol.
type GameType uint8

// The known game types. The protocol document lists only GameTribes.
const (
	GameTribes    GameType = 0xf0
	GameStarsiege GameType = 0xfd
)

func (g GameType) String() string { return gameTypes.Format(int64(g)) }

var gameTypes = wire.Symbols{
	{Value: int64(GameTribes), Name: "Tribes"},
	{Value: int64(GameStarsiege), Name: "Starsiege"},
}

// informationKeys are the names of the values that a verification may request.
var informationKeys = map[string]bool{
	"s_name": true, "g_name": true, "g_version": true, "g_id": true, "num_players": true, "max_players": true,
	"p_name": true, "p_id": true, "p_ping": true, "p_team": true,
}

// playerTeams names the only team number that is not an index. Players with this number only watch.
var playerTeams = wire.Symbols{{Value: 255, Name: "Observer"}}
