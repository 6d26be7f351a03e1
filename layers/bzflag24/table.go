package bzflag24

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bzflag24/world"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

const (
	both = wire.Unknown
	c2s  = wire.ToServer
	s2c  = wire.FromServer
)

const maxBody = bzflag.MaxBody

// Short names for the rows of the table.
var (
	row     = bzflag.NewRow
	exactly = bzflag.Exactly
	either  = bzflag.Either
	between = bzflag.Between
	each    = bzflag.Each
)

// list returns the row of a server's message that contains a list. The count of the list has one byte.
func list(code Code, name string, element int, body wire.Prototype) bzflag.Row {
	return row(code, name, s2c, each(1, element), body).Sized(sizeList(element)).Anytime()
}

// rows lists the messages in the order in which they usually occur.
var rows = []bzflag.Row{
	row(CodeNegotiateFlags, "MsgNegotiateFlags", both, each(0, abbreviation), wire.Like(NegotiateFlags{})).
		Answers("MsgNegotiateFlags"),
	row(CodeFlagType, "MsgFlagType", s2c, between(12, maxBody), wire.Like(CustomFlag{})).InParts(),
	row(CodeWantSettings, "MsgWantSettings", c2s, exactly(0), wire.Like(wire.Empty{})),
	row(CodeGameSettings, "MsgGameSettings", s2c, exactly(settingsSize), wire.Like(Settings{})).
		Answers("MsgWantSettings"),
	row(CodeWantWHash, "MsgWantWHash", c2s, exactly(0), wire.Like(wire.Empty{})),
	row(CodeWantWHash, "MsgWantWHash", s2c, exactly(world.HashSize), wire.Like(WorldHash{})).Answers("MsgWantWHash"),
	row(CodeCacheURL, "MsgCacheURL", s2c, between(1, maxBody), wire.Like(CacheURL{})),
	row(CodeGetWorld, "MsgGetWorld", c2s, exactly(4), wire.Like(WorldRequest{})).InParts(),
	row(CodeGetWorld, "MsgGetWorld", s2c, between(4, maxBody), wire.Like(WorldPart{})).InParts().Answers("MsgGetWorld"),
	row(CodeQueryGame, "MsgQueryGame", c2s, exactly(0), wire.Like(wire.Empty{})),
	row(CodeQueryGame, "MsgQueryGame", s2c, exactly(gameSize), wire.Like(Game{})).Answers("MsgQueryGame"),
	row(CodeQueryPlayers, "MsgQueryPlayers", c2s, exactly(0), wire.Like(wire.Empty{})),
	row(CodeQueryPlayers, "MsgQueryPlayers", s2c, exactly(4), wire.Like(PlayerCounts{})).Answers("MsgQueryPlayers"),

	row(CodeEnter, "MsgEnter", c2s, exactly(enterSize), wire.Like(Enter{})),
	row(CodeAccept, "MsgAccept", s2c, exactly(1), wire.Like(OnePlayer{})).Answers("MsgEnter"),
	row(CodeReject, "MsgReject", s2c, exactly(rejectSize), wire.Like(Reject{})).Answers("MsgEnter"),
	row(CodeSuperKill, "MsgSuperKill", s2c, exactly(0), wire.Like(wire.Empty{})),
	row(CodeExit, "MsgExit", c2s, exactly(0), wire.Like(wire.Empty{})).Anytime(),
	row(CodeUDPLinkRequest, "MsgUDPLinkRequest", c2s, exactly(1), wire.Like(LinkRequest{})),
	row(CodeUDPLinkRequest, "MsgUDPLinkRequest", s2c, exactly(0), wire.Like(wire.Empty{})),
	row(CodeUDPLinkEstablished, "MsgUDPLinkEstablished", both, exactly(0), wire.Like(wire.Empty{})).
		Answers("MsgUDPLinkRequest"),
	row(CodeSetVar, "MsgSetVar", s2c, between(2, maxBody), wire.Like(SetVar{})).Sized(sizeSetVar).Anytime(),
	row(CodeLagPing, "MsgLagPing", both, exactly(2), wire.Like(LagPing{})).Anytime(),
	row(CodeGameTime, "MsgGameTime", s2c, exactly(8), wire.Like(GameTime{})).Anytime(),
	row(CodeMessage, "MsgMessage", c2s, exactly(1+messageSize), wire.Like(Chat{})).Anytime(),
	row(CodeMessage, "MsgMessage", s2c, between(3, 3+messageSize), wire.Like(ChatFrom{})).Anytime(),

	row(CodeAddPlayer, "MsgAddPlayer", s2c, exactly(addPlayerSize), wire.Like(AddPlayer{})).Anytime(),
	row(CodeRemovePlayer, "MsgRemovePlayer", s2c, exactly(1), wire.Like(OnePlayer{})).Anytime(),
	list(CodePlayerInfo, "MsgPlayerInfo", playerFactsSize, wire.Like(PlayerInfo{})),
	list(CodeAdminInfo, "MsgAdminInfo", playerAddressSize, wire.Like(AdminInfo{})),
	list(CodeHandicap, "MsgHandicap", playerHandicapSize, wire.Like(Handicaps{})),
	list(CodeScore, "MsgScore", playerScoreSize, wire.Like(Score{})),
	list(CodeTeamUpdate, "MsgTeamUpdate", teamScoreSize, wire.Like(TeamUpdate{})),
	row(CodeTimeUpdate, "MsgTimeUpdate", s2c, exactly(4), wire.Like(TimeUpdate{})).Anytime(),
	row(CodeScoreOver, "MsgScoreOver", s2c, exactly(3), wire.Like(ScoreOver{})).Anytime(),
	row(CodeNewRabbit, "MsgNewRabbit", c2s, exactly(0), wire.Like(wire.Empty{})).Anytime(),
	row(CodeNewRabbit, "MsgNewRabbit", s2c, exactly(1), wire.Like(OnePlayer{})).Anytime(),

	row(CodeAlive, "MsgAlive", c2s, exactly(0), wire.Like(wire.Empty{})).Anytime(),
	row(CodeAlive, "MsgAlive", s2c, exactly(17), wire.Like(Spawn{})).Anytime(),
	row(CodeKilled, "MsgKilled", c2s, either(killedSize, killedSize+4), wire.Like(Killed{})).
		Sized(sizeKilled(0)).Anytime(),
	row(CodeKilled, "MsgKilled", s2c, either(1+killedSize, 1+killedSize+4), wire.Like(Killed{})).
		Sized(sizeKilled(1)).Anytime(),
	row(CodePause, "MsgPause", c2s, exactly(1), wire.Like(Pause{})).Anytime(),
	row(CodePause, "MsgPause", s2c, exactly(2), wire.Like(Pause{})).Anytime(),
	row(CodeAutoPilot, "MsgAutoPilot", c2s, exactly(1), wire.Like(AutoPilot{})).Anytime(),
	row(CodeAutoPilot, "MsgAutoPilot", s2c, exactly(2), wire.Like(AutoPilot{})).Anytime(),
	row(CodeTeleport, "MsgTeleport", c2s, exactly(4), wire.Like(Teleport{})).Anytime(),
	row(CodeTeleport, "MsgTeleport", s2c, exactly(5), wire.Like(Teleport{})).Anytime(),
	row(CodePlayerUpdate, "MsgPlayerUpdate", both, between(updateSize, updateSize+updateTail), wire.Like(PlayerUpdate{})).
		Sized(sizeUpdate(updateSize)).Anytime(),
	row(CodePlayerUpdateSmall, "MsgPlayerUpdateSmall", both,
		between(updateSmallSize, updateSmallSize+updateTail), wire.Like(PlayerUpdateSmall{})).
		Sized(sizeUpdate(updateSmallSize)).Anytime(),

	row(CodeShotBegin, "MsgShotBegin", both, exactly(4+shotSize+abbreviation+4), wire.Like(ShotBegin{})).Anytime(),
	row(CodeGMUpdate, "MsgGMUpdate", both, exactly(shotSize+1), wire.Like(GMUpdate{})).Anytime(),
	row(CodeShotEnd, "MsgShotEnd", both, exactly(5), wire.Like(ShotEnd{})).Anytime(),
	row(CodeFlagUpdate, "MsgFlagUpdate", s2c, each(2, flagSize), wire.Like(FlagUpdate{})).Sized(sizeFlags).Anytime(),
	row(CodeGrabFlag, "MsgGrabFlag", c2s, exactly(2), wire.Like(FlagRequest{})).Anytime(),
	row(CodeGrabFlag, "MsgGrabFlag", s2c, exactly(1+flagSize), wire.Like(GrabFlag{})).Anytime(),
	row(CodeDropFlag, "MsgDropFlag", c2s, exactly(12), wire.Like(DropRequest{})).Anytime(),
	row(CodeDropFlag, "MsgDropFlag", s2c, exactly(1+flagSize), wire.Like(DropFlag{})).Anytime(),
	row(CodeCaptureFlag, "MsgCaptureFlag", c2s, exactly(2), wire.Like(CaptureRequest{})).Anytime(),
	row(CodeCaptureFlag, "MsgCaptureFlag", s2c, exactly(5), wire.Like(CaptureFlag{})).Anytime(),
	row(CodeTransferFlag, "MsgTransferFlag", c2s, exactly(2), wire.Like(TransferRequest{})).Anytime(),
	row(CodeTransferFlag, "MsgTransferFlag", s2c, exactly(2+flagSize), wire.Like(TransferFlag{})).Anytime(),
	row(CodeNearFlag, "MsgNearFlag", s2c, between(16, maxBody), wire.Like(NearFlag{})).Anytime(),

	row(CodeReplayReset, "MsgReplayReset", s2c, exactly(1), wire.Like(ReplayReset{})),
	row(CodeFetchResources, "MsgFetchResources", s2c, between(2, maxBody), wire.Like(FetchResources{})),
	row(CodeCustomSound, "MsgCustomSound", s2c, between(4, maxBody), wire.Like(CustomSound{})).Anytime(),
	row(CodePingRequest, "MsgPingCodeRequest", c2s, exactly(2), wire.Like(PingRequest{})),
	row(CodePingReply, "MsgPingCodeReply", s2c, exactly(pingReplySize), wire.Like(PingReply{})).
		Answers("MsgPingCodeRequest"),

	// These messages are defined, but no program sends them.
	row(CodeLagState, "MsgLagState", s2c, between(0, maxBody), wire.Like(wire.Undefined{})),
	row(CodePortalAdd, "MsgPortalAdd", s2c, between(0, maxBody), wire.Like(wire.Undefined{})),
	row(CodePortalRemove, "MsgPortalRemove", s2c, between(0, maxBody), wire.Like(wire.Undefined{})),
	row(CodePortalUpdate, "MsgPortalUpdate", s2c, between(0, maxBody), wire.Like(wire.Undefined{})),
	row(CodeNull, "MsgNull", both, between(0, maxBody), wire.Like(wire.Undefined{})),
}

// sizeList returns a function that computes the length of a list from its count, which has one byte.
func sizeList(element int) func(body []byte) int {
	return func(body []byte) int {
		if len(body) == 0 {
			return -1
		}
		return 1 + element*int(body[0])
	}
}

func sizeFlags(body []byte) int {
	if len(body) < 2 {
		return -1
	}
	return 2 + flagSize*(int(body[0])<<8|int(body[1]))
}

// byUDP reports in which directions the UDP link may carry messages with a code.
func byUDP(code Code) (toServer, fromServer bool) {
	switch code {
	case CodePlayerUpdateSmall, CodePlayerUpdate, CodeShotBegin, CodeShotEnd, CodeGMUpdate, CodeUDPLinkRequest:
		return true, true
	case CodeUDPLinkEstablished, CodePingRequest:
		return true, false
	case CodeLagPing, CodeGameTime, CodePingReply:
		return false, true
	}
	return false, false
}

// Messages without a code.
var (
	header = &wire.MessageType{Name: "ConnectHeader", Direction: c2s, Body: wire.Like(ConnectHeader{})}
	hello  = &wire.MessageType{Name: "ServerHello", Direction: s2c, Body: wire.Like(ServerHello{}),
		Answers: []string{"ConnectHeader"}}
	banner  = &wire.MessageType{Name: "TimeoutBanner", Direction: s2c, Body: wire.Like(TimeoutBanner{})}
	banText = &wire.MessageType{Name: "BanText", Direction: s2c, Body: wire.Like(BanText{})}
	unknown = row(0, "Unknown", both, between(0, maxBody), wire.Like(wire.Undefined{})).Variant
)

var byCode, messages = tabulate()

func tabulate() (*bzflag.Table, *wire.Messages) {
	table, list := bzflag.NewTable(rows)
	list = append([]*wire.MessageType{header, hello, banner, banText, httpRequest, httpResponse}, list...)
	unknown.Code = ""
	return table, wire.NewMessages(append(list, unknown.MessageType)...)
}
