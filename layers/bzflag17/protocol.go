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
		"In the document, MsgTeleport has the code and the length of MsgScore (`sc`). In real programs, its code is `tp`. With `--dialect document`, gamedissect reads `sc` as MsgTeleport, and never as MsgScore.",
		"In the document, MsgTeamUpdate has the code of MsgTimeLeft (`to`). In real programs, its code is `tu`. If a message has the code `to`, gamedissect decides by its length which of the two it is.",
		"In MsgShotEnd, reason 1 means that the shot hit a tank, and reason 0 that clients draw an explosion. The document swaps the two, and so does `--dialect document`.",
		"`remaining` of MsgGetWorld includes the bytes of the current part. In the document, it counts only the bytes after this part. Real parts have 256 bytes, not up to 1018 as in the document.",
		"MsgCaptureFlag contains the team of the base. In the document, it contains the team that lost its flag.",
		"A client must open its second connection before it closes the first. In the document, it closes the first connection before it opens the second; real servers refuse such a client.",
		"A server of 1.07e announces the same port for the second connection to all clients, and it assigns the player ids: a player's own MsgAddPlayer has eight more bytes, which contain the new id.",
		"If the status of a flag is Coming, the flag lands at `position`; `launch` and `landing` contain old values.",
		"The document lacks MsgAcquireRadio, MsgReleaseRadio, MsgAudio, MsgVideo, MsgQueryGame, MsgQueryPlayers, the pings, and the messages that 1.07e added (codes `id`, `wh`, `of`, `og`, `oh`, `oi`, `oj`). It also does not say that clients send MsgSetTTL, and that a server answers MsgNetworkRelay with MsgAccept.",
		"The length field of a ping reply counts the header too. In all other messages, it counts only the body.",
		"The document is about version 107b, but describes MsgLagPing, which no server before 1.07e sends.",
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
