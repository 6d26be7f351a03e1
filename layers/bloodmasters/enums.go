package bloodmasters

import "github.com/gamedissect/gamedissect/decode/wire"

// Code is the kind of a message. Its highest bit asks for a confirmation.
type Code uint8

// The codes of the server query. CodeReliableServerInfo is CodeServerInfo with the highest bit set, so a packet id
// follows.
const (
	CodeServerInfo         Code = 13
	CodeReliableServerInfo Code = 13 | reliable
)

// The codes of the messages by which a client joins and leaves. A confirmation has code 0; a ping has only the highest
// bit set.
const (
	codeConnectRequest Code = 1 + iota
	codeConnectConfirm
	codeConnectRefused
	codeDisconnect
	codePlayerLogin
)

const reliable = 0x80

func (c Code) String() string { return codeNames.Format(int64(c)) }

// hasPacketID reports whether four bytes of packet id follow the code.
func (c Code) hasPacketID() bool { return c == 0 || c >= reliable }

// GameType is the kind of game that a server plays.
type GameType uint8

func (g GameType) String() string { return gameTypes.Format(int64(g)) }

// gameTypes are the names of the game types. See "Game types" in the protocol document.
var gameTypes = wire.Names("Deathmatch", "TeamDeathmatch", "CaptureTheFlag", "Scavenger", "TeamScavenger")

// Team is a player's team. The document does not number the teams.
type Team uint8

func (t Team) String() string { return teams.Format(int64(t)) }

var teams = wire.Names("None", "Red", "Blue")

// gatewayNames are the names of the messages of the gateway, the part of the server that players' games talk to. The
// index is the code without the highest bit. Code 0 is a confirmation, or a ping if the highest bit is set. Code 13 is
// the server query. Code 40 is unused.
var gatewayNames = [...]string{
	1: "ConnectRequest", "ConnectConfirm", "ConnectRefused", "Disconnect", "PlayerLogin", "StartGameInfo",
	"GameStarted", "GameSnapshot", "Command", "SayMessage", "ShowMessage", "ClientUpdate",
	14: "ChangeTeam", "ClientDisposed", "SpawnActor", "Snapshot", "SectorMovement", "ClientMove",
	"ClientCorrection", "ItemPickup", "StatusUpdate", "TakeDamage", "ClientDead", "RespawnRequest",
	"GameStateChange", "TeleportClient", "Suicide", "SwitchWeapon", "SpawnProjectile", "UpdateProjectile",
	"TeleportProjectile", "DestroyProjectile", "ShieldHit", "DamageGiven", "PowerupCountUpdate",
	"FireIntensity", "ScoreFlag", "ReturnFlag",
	41: "MapChange", "FirePowerup", "SayTeamMessage", "PlayerNameChange", "NeedActor", "CallvoteStatus",
	"CallvoteEnd", "CallvoteSubmit", "CallvoteRequest",
}

var codeNames = func() wire.Symbols {
	s := wire.Symbols{{Value: 0, Name: "Confirm"}}
	for _, bit := range []int{0, reliable} {
		if bit != 0 {
			s = append(s, wire.Symbol{Value: reliable, Name: "Ping"})
		}
		for code, name := range gatewayNames {
			if code == int(CodeServerInfo) {
				name = "ServerInfo"
			}
			if name != "" {
				s = append(s, wire.Symbol{Value: int64(code | bit), Name: name})
			}
		}
	}
	return s
}()
