package bzflag24

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

const (
	both = wire.Unknown
	c2s  = wire.ToServer
	s2c  = wire.FromServer
)

const maxBody = bzflag.MaxBody

// exactly and the like save the table below from being wider than a screen.
var (
	row     = bzflag.Row
	exactly = bzflag.Exactly
	either  = bzflag.Either
	between = bzflag.Between
	each    = bzflag.Each
)

// entries has the messages in the order in which a player meets them.
var entries = []bzflag.Entry{
	row(CodeNegotiateFlags, "MsgNegotiateFlags", both, each(0, abbreviation), bzflag.Fresh[NegotiateFlags]),
	row(CodeFlagType, "MsgFlagType", s2c, between(12, maxBody), bzflag.Fresh[CustomFlag]).InParts(),
	row(CodeWantSettings, "MsgWantSettings", c2s, exactly(0), bzflag.Fresh[Empty]),
	row(CodeGameSettings, "MsgGameSettings", s2c, exactly(settingsSize), bzflag.Fresh[Settings]),
	row(CodeWantWHash, "MsgWantWHash", c2s, exactly(0), bzflag.Fresh[Empty]),
	row(CodeWantWHash, "MsgWantWHash", s2c, exactly(worldHashSize), bzflag.Fresh[WorldHash]),
	row(CodeCacheURL, "MsgCacheURL", s2c, between(1, maxBody), bzflag.Fresh[CacheURL]),
	row(CodeGetWorld, "MsgGetWorld", c2s, exactly(4), bzflag.Fresh[WorldRequest]).InParts(),
	row(CodeGetWorld, "MsgGetWorld", s2c, between(4, maxBody), bzflag.Fresh[WorldPart]).InParts(),
	row(CodeQueryGame, "MsgQueryGame", c2s, exactly(0), bzflag.Fresh[Empty]),
	row(CodeQueryGame, "MsgQueryGame", s2c, exactly(gameSize), bzflag.Fresh[Game]),
	row(CodeQueryPlayers, "MsgQueryPlayers", c2s, exactly(0), bzflag.Fresh[Empty]),
	row(CodeQueryPlayers, "MsgQueryPlayers", s2c, exactly(4), bzflag.Fresh[PlayerCounts]),

	row(CodeEnter, "MsgEnter", c2s, exactly(enterSize), bzflag.Fresh[Enter]),
	row(CodeAccept, "MsgAccept", s2c, exactly(1), bzflag.Fresh[OnePlayer]),
	row(CodeReject, "MsgReject", s2c, exactly(rejectSize), bzflag.Fresh[Reject]),
	row(CodeSuperKill, "MsgSuperKill", s2c, exactly(0), bzflag.Fresh[Empty]),
	row(CodeExit, "MsgExit", c2s, exactly(0), bzflag.Fresh[Empty]),
	row(CodeUDPLinkRequest, "MsgUDPLinkRequest", c2s, exactly(1), bzflag.Fresh[LinkRequest]),
	row(CodeUDPLinkRequest, "MsgUDPLinkRequest", s2c, exactly(0), bzflag.Fresh[Empty]),
	row(CodeUDPLinkEstablished, "MsgUDPLinkEstablished", both, exactly(0), bzflag.Fresh[Empty]),
	row(CodeSetVar, "MsgSetVar", s2c, between(2, maxBody), bzflag.Fresh[SetVar]).Sized(sizeSetVar).InParts(),
	row(CodeLagPing, "MsgLagPing", both, exactly(2), bzflag.Fresh[LagPing]).Anytime(),
	row(CodeGameTime, "MsgGameTime", s2c, exactly(8), bzflag.Fresh[GameTime]).Anytime(),
	row(CodeMessage, "MsgMessage", c2s, exactly(1+messageSize), bzflag.Fresh[Chat]).Anytime(),
	row(CodeMessage, "MsgMessage", s2c, between(3, 3+messageSize), bzflag.Fresh[ChatFrom]).Anytime(),

	row(CodeAddPlayer, "MsgAddPlayer", s2c, exactly(addPlayerSize), bzflag.Fresh[AddPlayer]).InParts(),
	row(CodeRemovePlayer, "MsgRemovePlayer", s2c, exactly(1), bzflag.Fresh[OnePlayer]).Anytime(),
	row(CodePlayerInfo, "MsgPlayerInfo", s2c, each(1, playerFactsSize), bzflag.Fresh[PlayerInfo]).Sized(sizeList(playerFactsSize)).Anytime(),
	row(CodeAdminInfo, "MsgAdminInfo", s2c, each(1, playerAddressSize), bzflag.Fresh[AdminInfo]).Sized(sizeList(playerAddressSize)).Anytime(),
	row(CodeHandicap, "MsgHandicap", s2c, each(1, playerHandicapSize), bzflag.Fresh[Handicaps]).Sized(sizeList(playerHandicapSize)).Anytime(),
	row(CodeScore, "MsgScore", s2c, each(1, playerScoreSize), bzflag.Fresh[Score]).Sized(sizeList(playerScoreSize)).Anytime(),
	row(CodeTeamUpdate, "MsgTeamUpdate", s2c, each(1, teamScoreSize), bzflag.Fresh[TeamUpdate]).Sized(sizeList(teamScoreSize)).Anytime(),
	row(CodeTimeUpdate, "MsgTimeUpdate", s2c, exactly(4), bzflag.Fresh[TimeUpdate]).Anytime(),
	row(CodeScoreOver, "MsgScoreOver", s2c, exactly(3), bzflag.Fresh[ScoreOver]).Anytime(),
	row(CodeNewRabbit, "MsgNewRabbit", c2s, exactly(0), bzflag.Fresh[Empty]).Anytime(),
	row(CodeNewRabbit, "MsgNewRabbit", s2c, exactly(1), bzflag.Fresh[OnePlayer]).Anytime(),

	row(CodeAlive, "MsgAlive", c2s, exactly(0), bzflag.Fresh[Empty]).Anytime(),
	row(CodeAlive, "MsgAlive", s2c, exactly(17), bzflag.Fresh[Spawn]).Anytime(),
	row(CodeKilled, "MsgKilled", c2s, either(killedSize, killedSize+4), bzflag.Fresh[Killed]).Sized(sizeKilled(0)).Anytime(),
	row(CodeKilled, "MsgKilled", s2c, either(1+killedSize, 1+killedSize+4), bzflag.Fresh[Killed]).Sized(sizeKilled(1)).Anytime(),
	row(CodePause, "MsgPause", c2s, exactly(1), bzflag.Fresh[Pause]).Anytime(),
	row(CodePause, "MsgPause", s2c, exactly(2), bzflag.Fresh[Pause]).Anytime(),
	row(CodeAutoPilot, "MsgAutoPilot", c2s, exactly(1), bzflag.Fresh[AutoPilot]).Anytime(),
	row(CodeAutoPilot, "MsgAutoPilot", s2c, exactly(2), bzflag.Fresh[AutoPilot]).Anytime(),
	row(CodeTeleport, "MsgTeleport", c2s, exactly(4), bzflag.Fresh[Teleport]).Anytime(),
	row(CodeTeleport, "MsgTeleport", s2c, exactly(5), bzflag.Fresh[Teleport]).Anytime(),
	row(CodePlayerUpdate, "MsgPlayerUpdate", both, between(updateSize, updateSize+updateTail), bzflag.Fresh[PlayerUpdate]).Sized(sizeUpdate(updateSize)).Anytime(),
	row(CodePlayerUpdateSmall, "MsgPlayerUpdateSmall", both, between(updateSmallSize, updateSmallSize+updateTail), bzflag.Fresh[PlayerUpdateSmall]).Sized(sizeUpdate(updateSmallSize)).Anytime(),

	row(CodeShotBegin, "MsgShotBegin", both, exactly(4+shotSize+abbreviation+4), bzflag.Fresh[ShotBegin]).Anytime(),
	row(CodeGMUpdate, "MsgGMUpdate", both, exactly(shotSize+1), bzflag.Fresh[GMUpdate]).Anytime(),
	row(CodeShotEnd, "MsgShotEnd", both, exactly(5), bzflag.Fresh[ShotEnd]).Anytime(),
	row(CodeFlagUpdate, "MsgFlagUpdate", s2c, each(2, flagSize), bzflag.Fresh[FlagUpdate]).Sized(sizeFlags).Anytime(),
	row(CodeGrabFlag, "MsgGrabFlag", c2s, exactly(2), bzflag.Fresh[FlagRequest]).Anytime(),
	row(CodeGrabFlag, "MsgGrabFlag", s2c, exactly(1+flagSize), bzflag.Fresh[GrabFlag]).Anytime(),
	row(CodeDropFlag, "MsgDropFlag", c2s, exactly(12), bzflag.Fresh[DropRequest]).Anytime(),
	row(CodeDropFlag, "MsgDropFlag", s2c, exactly(1+flagSize), bzflag.Fresh[DropFlag]).Anytime(),
	row(CodeCaptureFlag, "MsgCaptureFlag", c2s, exactly(2), bzflag.Fresh[CaptureRequest]).Anytime(),
	row(CodeCaptureFlag, "MsgCaptureFlag", s2c, exactly(5), bzflag.Fresh[CaptureFlag]).Anytime(),
	row(CodeTransferFlag, "MsgTransferFlag", c2s, exactly(2), bzflag.Fresh[TransferRequest]).Anytime(),
	row(CodeTransferFlag, "MsgTransferFlag", s2c, exactly(2+flagSize), bzflag.Fresh[TransferFlag]).Anytime(),
	row(CodeNearFlag, "MsgNearFlag", s2c, between(16, maxBody), bzflag.Fresh[NearFlag]).Anytime(),

	row(CodeReplayReset, "MsgReplayReset", s2c, exactly(1), bzflag.Fresh[ReplayReset]),
	row(CodeFetchResources, "MsgFetchResources", s2c, between(2, maxBody), bzflag.Fresh[FetchResources]),
	row(CodeCustomSound, "MsgCustomSound", s2c, between(4, maxBody), bzflag.Fresh[CustomSound]).Anytime(),
	row(CodePingRequest, "MsgPingCodeRequest", c2s, exactly(2), bzflag.Fresh[PingRequest]),
	row(CodePingReply, "MsgPingCodeReply", s2c, exactly(pingReplySize), bzflag.Fresh[PingReply]),

	// Defined, and sent by nobody.
	row(CodeLagState, "MsgLagState", s2c, between(0, maxBody), wire.NewUndefined),
	row(CodePortalAdd, "MsgPortalAdd", s2c, between(0, maxBody), wire.NewUndefined),
	row(CodePortalRemove, "MsgPortalRemove", s2c, between(0, maxBody), wire.NewUndefined),
	row(CodePortalUpdate, "MsgPortalUpdate", s2c, between(0, maxBody), wire.NewUndefined),
	row(CodeNull, "MsgNull", both, between(0, maxBody), wire.NewUndefined),
}

// sizeList tells the length of a list behind a count in one byte.
func sizeList(element int) func(body []byte) int {
	return func(body []byte) int {
		if len(body) == 0 {
			return -1
		}
		return 1 + element*int(body[0])
	}
}

// sizeFlags tells the length of a list of flags.
func sizeFlags(body []byte) int {
	if len(body) < 2 {
		return -1
	}
	return 2 + flagSize*(int(body[0])<<8|int(body[1]))
}

// byUDP tells which codes may travel over the UDP link, each way.
var byUDP = map[Code][3]bool{
	CodeShotBegin:          {c2s: true, s2c: true},
	CodeShotEnd:            {c2s: true, s2c: true},
	CodePlayerUpdate:       {c2s: true, s2c: true},
	CodePlayerUpdateSmall:  {c2s: true, s2c: true},
	CodeGMUpdate:           {c2s: true, s2c: true},
	CodeUDPLinkRequest:     {c2s: true, s2c: true},
	CodeUDPLinkEstablished: {c2s: true},
	CodeLagPing:            {s2c: true},
	CodeGameTime:           {s2c: true},
	CodePingRequest:        {c2s: true},
	CodePingReply:          {s2c: true},
}

// What stands in no line of the table.
var (
	header  = &wire.MessageType{Name: "ConnectHeader", Direction: c2s, New: bzflag.Fresh[ConnectHeader]}
	hello   = &wire.MessageType{Name: "ServerHello", Direction: s2c, New: bzflag.Fresh[ServerHello]}
	banner  = &wire.MessageType{Name: "TimeoutBanner", Direction: s2c, New: bzflag.Fresh[TimeoutBanner]}
	unknown = row(0, "Unknown", both, between(0, maxBody), wire.NewUndefined).Variant()
)

var kinds, messages = tabulate()

// tabulate makes the table of codes and the list of messages.
func tabulate() (*bzflag.Table, *wire.Messages) {
	table, list := bzflag.Tabulate(entries)
	list = append([]*wire.MessageType{header, hello, banner}, list...)
	unknown.Code = ""
	return table, wire.NewMessages(append(list, unknown.MessageType)...)
}
