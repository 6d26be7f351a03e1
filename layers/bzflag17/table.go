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
	bzflag.Row(CodeGetWorld, "MsgGetWorld", c2s, bzflag.Exactly(2), wire.Like(WorldRequest{})).InParts(),
	bzflag.Row(CodeGetWorld, "MsgGetWorld", s2c, bzflag.Between(2, MaxBody), wire.Like(WorldPart{})).InParts(),
	bzflag.Row(CodeEnter, "MsgEnter", c2s, bzflag.Exactly(12+callSignSize+emailSize), wire.Like(Enter{})),
	bzflag.Row(CodeAccept, "MsgAccept", s2c, bzflag.Exactly(0), wire.Like(Empty{})),
	bzflag.Row(CodeReject, "MsgReject", s2c, bzflag.Exactly(2), wire.Like(Reject{})),
	bzflag.Row(CodeSuperKill, "MsgSuperKill", s2c, bzflag.Exactly(0), wire.Like(Empty{})),
	bzflag.Row(CodeExit, "MsgExit", c2s, bzflag.Exactly(0), wire.Like(Empty{})),
	bzflag.Row(CodeTimeLeft, "MsgTimeLeft", s2c, bzflag.Exactly(2), wire.Like(TimeLeft{})).Anytime(),
	bzflag.Row(CodeScoreOver, "MsgScoreOver", s2c, bzflag.Exactly(10), wire.Like(ScoreOver{})).Anytime(),
	bzflag.Row(CodeSetTTL, "MsgSetTTL", both, bzflag.Exactly(2), wire.Like(SetTTL{})),
	bzflag.Row(CodeNetworkRelay, "MsgNetworkRelay", both, bzflag.Exactly(0), wire.Like(Empty{})),
	bzflag.Row(CodeAddPlayer, "MsgAddPlayer", s2c, bzflag.Either(addPlayerSize, addPlayerSize+playerIDSize), wire.Like(AddPlayer{})).InParts(),
	bzflag.Row(CodeRemovePlayer, "MsgRemovePlayer", s2c, bzflag.Exactly(8), wire.Like(RemovePlayer{})).Anytime(),
	bzflag.Row(CodeFlagUpdate, "MsgFlagUpdate", s2c, bzflag.Exactly(64), wire.Like(FlagUpdate{})).Anytime(),
	bzflag.Row(CodeTeamUpdate, "MsgTeamUpdate", s2c, bzflag.Exactly(teamUpdateSize), wire.Like(TeamUpdate{})).Anytime(),
	bzflag.Row(CodeAlive, "MsgAlive", c2s, bzflag.Exactly(24), wire.Like(Spawn{})).Anytime(),
	bzflag.Row(CodeAlive, "MsgAlive", s2c, bzflag.Exactly(32), wire.Like(Spawn{})).Anytime(),
	bzflag.Row(CodeKilled, "MsgKilled", c2s, bzflag.Exactly(10), wire.Like(Killed{})).Anytime(),
	bzflag.Row(CodeKilled, "MsgKilled", s2c, bzflag.Exactly(18), wire.Like(Killed{})).Anytime(),
	bzflag.Row(CodeGrabFlag, "MsgGrabFlag", c2s, bzflag.Exactly(2), wire.Like(GrabRequest{})).Anytime(),
	bzflag.Row(CodeGrabFlag, "MsgGrabFlag", s2c, bzflag.Exactly(72), wire.Like(GrabFlag{})).Anytime(),
	bzflag.Row(CodeDropFlag, "MsgDropFlag", c2s, bzflag.Exactly(12), wire.Like(DropRequest{})).Anytime(),
	bzflag.Row(CodeDropFlag, "MsgDropFlag", s2c, bzflag.Exactly(72), wire.Like(DropFlag{})).Anytime(),
	bzflag.Row(CodeCaptureFlag, "MsgCaptureFlag", c2s, bzflag.Exactly(2), wire.Like(CaptureRequest{})).Anytime(),
	bzflag.Row(CodeCaptureFlag, "MsgCaptureFlag", s2c, bzflag.Exactly(12), wire.Like(CaptureFlag{})).Anytime(),
	bzflag.Row(CodeShotBegin, "MsgShotBegin", both, bzflag.Exactly(44), wire.Like(ShotBegin{})).Anytime(),
	bzflag.Row(CodeShotEnd, "MsgShotEnd", both, bzflag.Exactly(12), wire.Like(ShotEnd{})).Anytime(),
	bzflag.Row(CodeScore, "MsgScore", c2s, bzflag.Exactly(4), wire.Like(Score{})).Anytime(),
	bzflag.Row(CodeScore, "MsgScore", s2c, bzflag.Exactly(12), wire.Like(Score{})).Anytime(),
	bzflag.Row(CodeTeleport, "MsgTeleport", c2s, bzflag.Exactly(4), wire.Like(Teleport{})).Anytime(),
	bzflag.Row(CodeTeleport, "MsgTeleport", s2c, bzflag.Exactly(12), wire.Like(Teleport{})).Anytime(),
	bzflag.Row(CodeMessage, "MsgMessage", c2s, bzflag.Exactly(10+messageSize), wire.Like(Message{})).Anytime(),
	bzflag.Row(CodeMessage, "MsgMessage", s2c, bzflag.Exactly(18+messageSize), wire.Like(Message{})).Anytime(),
	bzflag.Row(CodePlayerUpdate, "MsgPlayerUpdate", both, bzflag.Exactly(playerUpdateSize), wire.Like(PlayerUpdate{})).Anytime(),
	bzflag.Row(CodeGMUpdate, "MsgGMUpdate", both, bzflag.Exactly(46), wire.Like(GuidedUpdate{})).Anytime(),
	bzflag.Row(CodeLagPing, "MsgLagPing", both, bzflag.Exactly(2), wire.Like(LagPing{})).Anytime(),

	bzflag.Row(CodeAcquireRadio, "MsgAcquireRadio", c2s, bzflag.Exactly(2), wire.Like(AcquireRadio{})).Anytime(),
	bzflag.Row(CodeAcquireRadio, "MsgAcquireRadio", s2c, bzflag.Exactly(10), wire.Like(AcquireRadio{})).Anytime(),
	bzflag.Row(CodeReleaseRadio, "MsgReleaseRadio", c2s, bzflag.Exactly(0), wire.Like(ReleaseRadio{})).Anytime(),
	bzflag.Row(CodeReleaseRadio, "MsgReleaseRadio", s2c, bzflag.Exactly(8), wire.Like(ReleaseRadio{})).Anytime(),
	bzflag.Row(CodeAudio, "MsgAudio", both, bzflag.Between(0, MaxBody), wire.Like(wire.Undefined{})).Anytime(),
	bzflag.Row(CodeVideo, "MsgVideo", both, bzflag.Between(0, MaxBody), wire.Like(wire.Undefined{})).Anytime(),
	bzflag.Row(CodeQueryGame, "MsgQueryGame", c2s, bzflag.Exactly(0), wire.Like(Empty{})),
	bzflag.Row(CodeQueryGame, "MsgQueryGame", s2c, bzflag.Exactly(gameSize), wire.Like(Game{})),
	bzflag.Row(CodeQueryPlayers, "MsgQueryPlayers", c2s, bzflag.Exactly(0), wire.Like(Empty{})),
	bzflag.Row(CodeQueryPlayers, "MsgQueryPlayers", s2c, bzflag.Exactly(4), wire.Like(PlayerCounts{})),
	bzflag.Row(CodeWantWHash, "MsgWantWHash", c2s, bzflag.Exactly(0), wire.Like(Empty{})),
	bzflag.Row(CodeWantWHash, "MsgWantWHash", s2c, bzflag.Exactly(worldHashSize), wire.Like(WorldHash{})),
	bzflag.Row(CodeIDAck, "MsgIdAck", c2s, bzflag.Exactly(0), wire.Like(Empty{})),
	bzflag.Row(CodeUDPLinkRequest, "MsgUDPLinkRequest", both, bzflag.Exactly(2), wire.Like(LinkRequest{})),
	bzflag.Row(CodeUDPLinkEstablished, "MsgUDPLinkEstablished", c2s, bzflag.Exactly(2), wire.Like(LinkEstablished{})),
	bzflag.Row(CodeUDPLinkUpdate, "MsgUDPLinkUpdate", both, bzflag.Between(0, MaxBody), wire.Like(wire.Undefined{})),
	bzflag.Row(CodeServerControl, "MsgServerControl", both, bzflag.Between(0, MaxBody), wire.Like(wire.Undefined{})),
	bzflag.Row(CodeClientVersion, "MsgClientVersion", c2s, bzflag.Exactly(2), wire.Like(ClientVersion{})),
	bzflag.Row(CodePingOldReply, "MsgPingCodeOldReply", s2c, bzflag.Between(0, MaxBody), wire.Like(wire.Undefined{})),
	bzflag.Row(CodePingOldRequest, "MsgPingCodeOldRequest", c2s, bzflag.Between(0, 2), wire.Like(wire.Undefined{})),
	bzflag.Row(CodePingReply, "MsgPingCodeReply", s2c, bzflag.Exactly(pingReplySize-headerSize), wire.Like(PingReply{})),
	bzflag.Row(CodePingRequest, "MsgPingCodeRequest", c2s, bzflag.Exactly(2), wire.Like(PingRequest{})),
	bzflag.Row(CodeNull, "MsgNull", both, bzflag.Between(0, MaxBody), wire.Like(wire.Undefined{})),
}

// The codes that the document draws for two messages, where those of other messages stand by
// mistake.
var (
	drawnTeamUpdate = bzflag.ByCode{
		FromServer: bzflag.Row(CodeTimeLeft, "MsgTeamUpdate", s2c, bzflag.Exactly(teamUpdateSize), wire.Like(TeamUpdate{})).Anytime().Variant(),
	}
	drawnTeleport = bzflag.ByCode{
		ToServer:   bzflag.Row(CodeScore, "MsgTeleport", c2s, bzflag.Exactly(4), wire.Like(Teleport{})).Anytime().Variant(),
		FromServer: bzflag.Row(CodeScore, "MsgTeleport", s2c, bzflag.Exactly(12), wire.Like(Teleport{})).Anytime().Variant(),
	}
)

// What stands in no line of the table.
var (
	hello   = &wire.MessageType{Name: "ServerHello", Direction: s2c, Body: wire.Like(ServerHello{})}
	unknown = &bzflag.Variant{MessageType: &wire.MessageType{Name: "Unknown", Body: wire.Like(wire.Undefined{})}, Lengths: bzflag.Between(0, MaxBody)}
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
