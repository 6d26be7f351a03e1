package bzflag17

import (
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// Protocol describes the protocol to the engine.
var Protocol = &wire.Protocol{
	Name:        "bzflag17",
	Title:       "BZFlag 1.07",
	Type:        LayerType,
	UDP:         []uint16{ServerPort, BroadcastPort},
	Messages:    messages,
	New:         newLayer,
	Probe:       probe,
	NewSession:  newSession,
	TCP:         []uint16{ServerPort},
	FurtherTCP:  []uint16{gamePort},
	AnyPort:     true,
	Unwrap:      unwrap,
	ProbeStream: probeStream,
	NewSplitter: func() wire.Splitter { return framing },
	NewTracker:  newTracker,
	Attempts:    []*wire.AttemptKind{joins},
	Tables: []wire.Table{
		{Name: bzflag.Players, Columns: append(slices.Clone(bzflag.PlayersTable.Columns), "id", "udp"),
			Shares: bzflag.PlayersTable.Shares, Meanings: bzflag.PlayersTable.Meanings},
		bzflag.KillsTable, bzflag.TeamsTable, joins.TableOf(), bzflag.RefusedTable, bzflag.QueriesTable,
		{Name: bzflag.Servers, Columns: []string{"players", "world size", "version", "match"}},
	},
	Events: append(joins.Events(),
		bzflag.Join, bzflag.Present, bzflag.Leave, bzflag.Kill, bzflag.Grab, bzflag.Drop, bzflag.Capture,
		bzflag.Says, bzflag.Pausing, bzflag.Resuming, bzflag.Start, bzflag.GameOver, bzflag.Shutdown,
		bzflag.Denied, bzflag.Warned,
	),
	Rules: append([]*wire.Rule{
		ruleLength, ruleTooLong, ruleCode, ruleDirection, ruleVersion, ruleWorld, ruleEnum, rulePadding, ruleASCII,
		ruleForward, ruleGrabStatus, ruleFlagType, ruleEndReason, ruleStatus, ruleNumber, ruleMotion, ruleActive, ruleTTL,
	}, trackerRules...),
	Private: private,
	Roles:   roles,
	People:  people,
	Secret:  bzflag.FindSecret,
	Differences: []string{
		"The document shows MsgTeleport with the code and the lengths of MsgScore (sc); its real code is tp. With `--dialect document`, sc is read as MsgTeleport, and no message as MsgScore.",
		"The document shows MsgTeamUpdate with the code of MsgTimeLeft (to); its real code is tu. The two have different lengths.",
		"In MsgShotEnd, the reason is 1 for a shot that hit a tank, and 0 for a shot whose explosion the clients draw; the document exchanges the two (`--dialect document`).",
		"`remaining` of MsgGetWorld includes the current part; in the document it counts only the bytes after it. Parts have 256 bytes, not up to 1018.",
		"MsgCaptureFlag names the team of the base; in the document it names the team that lost its flag.",
		"The client must connect again before it closes the first connection; with the order in the document, real servers refuse it.",
		"1.07e announces the same port to all clients, and assigns player ids itself: a player's own MsgAddPlayer has eight more bytes with the new id.",
		"If a flag is Coming, `position` has its place; the launch and landing positions are not set.",
		"Messages that the document lacks: MsgAcquireRadio, MsgReleaseRadio, MsgAudio, MsgVideo, MsgQueryGame, MsgQueryPlayers, the pings, and those of 1.07e (id, wh, of, og, oh, oi, oj). Clients also send MsgSetTTL, and MsgAccept also answers MsgNetworkRelay.",
		"The length field of a ping reply includes the header; all other length fields do not.",
		"The document is for version 107b, but describes MsgLagPing, which no server before 1.07e sends.",
	},
}

// private lists the fields that must be hidden before a capture is published. A player's id contains an address.
var private = wire.Privacies{
	"call_sign":        wire.PrivateName,
	"email":            wire.PrivateName,
	"message":          wire.PrivateChat,
	"data":             wire.PrivateBytes, // includes audio and video
	"trailing":         wire.PrivateBytes,
	"MsgGetWorld.data": wire.Public,
	"code":             wire.Public,
	"version":          wire.Public,
	"hash":             wire.Public,
	"world":            wire.Public,
}

// people describes how messages identify players.
var people = &wire.People{
	Fields:  []string{"call_sign"},
	Senders: []string{"MsgPlayerUpdate.player", "MsgShotBegin.shooter", "MsgShotEnd.shooter"},
	Private: []string{
		"ServerHello", "MsgAccept", "MsgReject", "MsgSuperKill", "MsgLagPing", "MsgNetworkRelay", "MsgUDPLinkRequest",
		"MsgUDPLinkEstablished",
	},
}

// roles lists the fields whose values differ between captures (Passing) or belong to the format of a message
// (Structural).
var roles = wire.Roles{
	"code":             wire.Structural,
	"length":           wire.Structural,
	"type":             wire.Structural,
	"version":          wire.Structural,
	"flight_time":      wire.Passing,
	"max_player_score": wire.Passing,
	"max_time":         wire.Passing,
	"port":             wire.Passing,
	"reconnect_port":   wire.Passing,
	"server_time":      wire.Passing,
	"shot_id":          wire.Passing,
	"time":             wire.Passing,
	"time_left":        wire.Passing,
}
