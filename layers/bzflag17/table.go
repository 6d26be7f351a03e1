package bzflag17

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

const (
	both = wire.Unknown
	c2s  = wire.ToServer
	s2c  = wire.FromServer
)

// entries has the messages in the order of the document, then those that it leaves out.
var entries = []bzflag.Entry{
	bzflag.Row(CodeGetWorld, "MsgGetWorld", c2s, bzflag.Exactly(2), bzflag.Fresh[WorldRequest]).InParts(),
	bzflag.Row(CodeGetWorld, "MsgGetWorld", s2c, bzflag.Between(2, MaxBody), bzflag.Fresh[WorldPart]).InParts(),
	bzflag.Row(CodeEnter, "MsgEnter", c2s, bzflag.Exactly(12+callSignSize+emailSize), bzflag.Fresh[Enter]),
	bzflag.Row(CodeAccept, "MsgAccept", s2c, bzflag.Exactly(0), bzflag.Fresh[Empty]),
	bzflag.Row(CodeReject, "MsgReject", s2c, bzflag.Exactly(2), bzflag.Fresh[Reject]),
	bzflag.Row(CodeSuperKill, "MsgSuperKill", s2c, bzflag.Exactly(0), bzflag.Fresh[Empty]),
	bzflag.Row(CodeExit, "MsgExit", c2s, bzflag.Exactly(0), bzflag.Fresh[Empty]),
	bzflag.Row(CodeTimeLeft, "MsgTimeLeft", s2c, bzflag.Exactly(2), bzflag.Fresh[TimeLeft]).Anytime(),
	bzflag.Row(CodeScoreOver, "MsgScoreOver", s2c, bzflag.Exactly(10), bzflag.Fresh[ScoreOver]).Anytime(),
	bzflag.Row(CodeSetTTL, "MsgSetTTL", both, bzflag.Exactly(2), bzflag.Fresh[SetTTL]),
	bzflag.Row(CodeNetworkRelay, "MsgNetworkRelay", both, bzflag.Exactly(0), bzflag.Fresh[Empty]),
	bzflag.Row(CodeAddPlayer, "MsgAddPlayer", s2c, bzflag.Either(addPlayerSize, addPlayerSize+playerIDSize), bzflag.Fresh[AddPlayer]).InParts(),
	bzflag.Row(CodeRemovePlayer, "MsgRemovePlayer", s2c, bzflag.Exactly(8), bzflag.Fresh[RemovePlayer]).Anytime(),
	bzflag.Row(CodeFlagUpdate, "MsgFlagUpdate", s2c, bzflag.Exactly(64), bzflag.Fresh[FlagUpdate]).Anytime(),
	bzflag.Row(CodeTeamUpdate, "MsgTeamUpdate", s2c, bzflag.Exactly(teamUpdateSize), bzflag.Fresh[TeamUpdate]).Anytime(),
	bzflag.Row(CodeAlive, "MsgAlive", c2s, bzflag.Exactly(24), bzflag.Fresh[Spawn]).Anytime(),
	bzflag.Row(CodeAlive, "MsgAlive", s2c, bzflag.Exactly(32), bzflag.Fresh[Spawn]).Anytime(),
	bzflag.Row(CodeKilled, "MsgKilled", c2s, bzflag.Exactly(10), bzflag.Fresh[Killed]).Anytime(),
	bzflag.Row(CodeKilled, "MsgKilled", s2c, bzflag.Exactly(18), bzflag.Fresh[Killed]).Anytime(),
	bzflag.Row(CodeGrabFlag, "MsgGrabFlag", c2s, bzflag.Exactly(2), bzflag.Fresh[GrabRequest]).Anytime(),
	bzflag.Row(CodeGrabFlag, "MsgGrabFlag", s2c, bzflag.Exactly(72), bzflag.Fresh[GrabFlag]).Anytime(),
	bzflag.Row(CodeDropFlag, "MsgDropFlag", c2s, bzflag.Exactly(12), bzflag.Fresh[DropRequest]).Anytime(),
	bzflag.Row(CodeDropFlag, "MsgDropFlag", s2c, bzflag.Exactly(72), bzflag.Fresh[DropFlag]).Anytime(),
	bzflag.Row(CodeCaptureFlag, "MsgCaptureFlag", c2s, bzflag.Exactly(2), bzflag.Fresh[CaptureRequest]).Anytime(),
	bzflag.Row(CodeCaptureFlag, "MsgCaptureFlag", s2c, bzflag.Exactly(12), bzflag.Fresh[CaptureFlag]).Anytime(),
	bzflag.Row(CodeShotBegin, "MsgShotBegin", both, bzflag.Exactly(44), bzflag.Fresh[ShotBegin]).Anytime(),
	bzflag.Row(CodeShotEnd, "MsgShotEnd", both, bzflag.Exactly(12), bzflag.Fresh[ShotEnd]).Anytime(),
	bzflag.Row(CodeScore, "MsgScore", c2s, bzflag.Exactly(4), bzflag.Fresh[Score]).Anytime(),
	bzflag.Row(CodeScore, "MsgScore", s2c, bzflag.Exactly(12), bzflag.Fresh[Score]).Anytime(),
	bzflag.Row(CodeTeleport, "MsgTeleport", c2s, bzflag.Exactly(4), bzflag.Fresh[Teleport]).Anytime(),
	bzflag.Row(CodeTeleport, "MsgTeleport", s2c, bzflag.Exactly(12), bzflag.Fresh[Teleport]).Anytime(),
	bzflag.Row(CodeMessage, "MsgMessage", c2s, bzflag.Exactly(10+messageSize), bzflag.Fresh[Message]).Anytime(),
	bzflag.Row(CodeMessage, "MsgMessage", s2c, bzflag.Exactly(18+messageSize), bzflag.Fresh[Message]).Anytime(),
	bzflag.Row(CodePlayerUpdate, "MsgPlayerUpdate", both, bzflag.Exactly(playerUpdateSize), bzflag.Fresh[PlayerUpdate]).Anytime(),
	bzflag.Row(CodeGMUpdate, "MsgGMUpdate", both, bzflag.Exactly(46), bzflag.Fresh[GuidedUpdate]).Anytime(),
	bzflag.Row(CodeLagPing, "MsgLagPing", both, bzflag.Exactly(2), bzflag.Fresh[LagPing]).Anytime(),

	bzflag.Row(CodeAcquireRadio, "MsgAcquireRadio", c2s, bzflag.Exactly(2), bzflag.Fresh[AcquireRadio]).Anytime(),
	bzflag.Row(CodeAcquireRadio, "MsgAcquireRadio", s2c, bzflag.Exactly(10), bzflag.Fresh[AcquireRadio]).Anytime(),
	bzflag.Row(CodeReleaseRadio, "MsgReleaseRadio", c2s, bzflag.Exactly(0), bzflag.Fresh[ReleaseRadio]).Anytime(),
	bzflag.Row(CodeReleaseRadio, "MsgReleaseRadio", s2c, bzflag.Exactly(8), bzflag.Fresh[ReleaseRadio]).Anytime(),
	bzflag.Row(CodeAudio, "MsgAudio", both, bzflag.Between(0, MaxBody), wire.NewUndefined).Anytime(),
	bzflag.Row(CodeVideo, "MsgVideo", both, bzflag.Between(0, MaxBody), wire.NewUndefined).Anytime(),
	bzflag.Row(CodeQueryGame, "MsgQueryGame", c2s, bzflag.Exactly(0), bzflag.Fresh[Empty]),
	bzflag.Row(CodeQueryGame, "MsgQueryGame", s2c, bzflag.Exactly(gameSize), bzflag.Fresh[Game]),
	bzflag.Row(CodeQueryPlayers, "MsgQueryPlayers", c2s, bzflag.Exactly(0), bzflag.Fresh[Empty]),
	bzflag.Row(CodeQueryPlayers, "MsgQueryPlayers", s2c, bzflag.Exactly(4), bzflag.Fresh[PlayerCounts]),
	bzflag.Row(CodeWantWHash, "MsgWantWHash", c2s, bzflag.Exactly(0), bzflag.Fresh[Empty]),
	bzflag.Row(CodeWantWHash, "MsgWantWHash", s2c, bzflag.Exactly(worldHashSize), bzflag.Fresh[WorldHash]),
	bzflag.Row(CodeIDAck, "MsgIdAck", c2s, bzflag.Exactly(0), bzflag.Fresh[Empty]),
	bzflag.Row(CodeUDPLinkRequest, "MsgUDPLinkRequest", both, bzflag.Exactly(2), bzflag.Fresh[LinkRequest]),
	bzflag.Row(CodeUDPLinkEstablished, "MsgUDPLinkEstablished", c2s, bzflag.Exactly(2), bzflag.Fresh[LinkEstablished]),
	bzflag.Row(CodeUDPLinkUpdate, "MsgUDPLinkUpdate", both, bzflag.Between(0, MaxBody), wire.NewUndefined),
	bzflag.Row(CodeServerControl, "MsgServerControl", both, bzflag.Between(0, MaxBody), wire.NewUndefined),
	bzflag.Row(CodeClientVersion, "MsgClientVersion", c2s, bzflag.Exactly(2), bzflag.Fresh[ClientVersion]),
	bzflag.Row(CodePingOldReply, "MsgPingCodeOldReply", s2c, bzflag.Between(0, MaxBody), wire.NewUndefined),
	bzflag.Row(CodePingOldRequest, "MsgPingCodeOldRequest", c2s, bzflag.Between(0, 2), wire.NewUndefined),
	bzflag.Row(CodePingReply, "MsgPingCodeReply", s2c, bzflag.Exactly(pingReplySize-headerSize), bzflag.Fresh[PingReply]),
	bzflag.Row(CodePingRequest, "MsgPingCodeRequest", c2s, bzflag.Exactly(2), bzflag.Fresh[PingRequest]),
	bzflag.Row(CodeNull, "MsgNull", both, bzflag.Between(0, MaxBody), wire.NewUndefined),
}

// The codes that the document draws for two messages, where those of other messages stand by
// mistake.
var (
	drawnTeamUpdate = bzflag.ByCode{
		FromServer: bzflag.Row(CodeTimeLeft, "MsgTeamUpdate", s2c, bzflag.Exactly(teamUpdateSize), bzflag.Fresh[TeamUpdate]).Anytime().Variant(),
	}
	drawnTeleport = bzflag.ByCode{
		ToServer:   bzflag.Row(CodeScore, "MsgTeleport", c2s, bzflag.Exactly(4), bzflag.Fresh[Teleport]).Anytime().Variant(),
		FromServer: bzflag.Row(CodeScore, "MsgTeleport", s2c, bzflag.Exactly(12), bzflag.Fresh[Teleport]).Anytime().Variant(),
	}
)

// What stands in no line of the table.
var (
	hello   = &wire.MessageType{Name: "ServerHello", Direction: s2c, New: bzflag.Fresh[ServerHello]}
	unknown = &bzflag.Variant{MessageType: &wire.MessageType{Name: "Unknown", New: wire.NewUndefined}, Lengths: bzflag.Between(0, MaxBody)}
)

var kinds, messages = tabulate()

// tabulate makes the table of codes and the list of messages.
func tabulate() (*bzflag.Table, *wire.Messages) {
	table, list := bzflag.Tabulate(entries)
	table.At(CodePlayerUpdate).Peers = true
	table.At(CodeGMUpdate).Peers = true
	list = append([]*wire.MessageType{hello}, list...)
	list = append(list, drawnTeamUpdate.FromServer.MessageType,
		drawnTeleport.ToServer.MessageType, drawnTeleport.FromServer.MessageType, unknown.MessageType)
	return table, wire.NewMessages(list...)
}

// lookup tells what a code stands for, nil if for nothing. The length tells the team update that
// the document draws with the code of MsgTimeLeft. Nothing in the bytes tells the teleport that it
// draws with the code of MsgScore; the dialect has to.
func lookup(h bzflag.Header, d wire.Dialect) *bzflag.ByCode {
	switch {
	case h.Code == CodeTimeLeft && h.Length == teamUpdateSize:
		return &drawnTeamUpdate
	case h.Code == CodeScore && d == wire.Document:
		return &drawnTeleport
	}
	return kinds.Of(h.Code)
}
