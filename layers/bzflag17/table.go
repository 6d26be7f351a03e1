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

// Short names for the rows below.
var (
	row     = bzflag.NewRow
	exactly = bzflag.Exactly
	either  = bzflag.Either
	between = bzflag.Between
)

// rows lists the messages in the order of the protocol document, then the messages that the document omits.
var rows = []bzflag.Row{
	row(CodeGetWorld, "MsgGetWorld", c2s, exactly(2), wire.Like(WorldRequest{})).InParts(),
	row(CodeGetWorld, "MsgGetWorld", s2c, between(2, MaxBody), wire.Like(WorldPart{})).InParts().Answers("MsgGetWorld"),
	row(CodeEnter, "MsgEnter", c2s, exactly(12+callSignSize+emailSize), wire.Like(Enter{})),
	row(CodeAccept, "MsgAccept", s2c, exactly(0), wire.Like(wire.Empty{})).Answers("MsgEnter"),
	row(CodeReject, "MsgReject", s2c, exactly(2), wire.Like(Reject{})).Answers("MsgEnter"),
	row(CodeSuperKill, "MsgSuperKill", s2c, exactly(0), wire.Like(wire.Empty{})),
	row(CodeExit, "MsgExit", c2s, exactly(0), wire.Like(wire.Empty{})).Anytime(),
	row(CodeTimeLeft, "MsgTimeLeft", s2c, exactly(2), wire.Like(TimeLeft{})).Anytime(),
	row(CodeScoreOver, "MsgScoreOver", s2c, exactly(10), wire.Like(ScoreOver{})).Anytime(),
	row(CodeSetTTL, "MsgSetTTL", both, exactly(2), wire.Like(SetTTL{})),
	row(CodeNetworkRelay, "MsgNetworkRelay", both, exactly(0), wire.Like(wire.Empty{})),
	row(CodeAddPlayer, "MsgAddPlayer", s2c, either(addPlayerSize, addPlayerSize+playerIDSize),
		wire.Like(AddPlayer{})).Anytime(),
	row(CodeRemovePlayer, "MsgRemovePlayer", s2c, exactly(8), wire.Like(RemovePlayer{})).Anytime(),
	row(CodeFlagUpdate, "MsgFlagUpdate", s2c, exactly(64), wire.Like(FlagUpdate{})).Anytime(),
	row(CodeTeamUpdate, "MsgTeamUpdate", s2c, exactly(teamUpdateSize), wire.Like(TeamUpdate{})).Anytime(),
	row(CodeAlive, "MsgAlive", c2s, exactly(24), wire.Like(Spawn{})).Anytime(),
	row(CodeAlive, "MsgAlive", s2c, exactly(32), wire.Like(Spawn{})).Anytime(),
	row(CodeKilled, "MsgKilled", c2s, exactly(10), wire.Like(Killed{})).Anytime(),
	row(CodeKilled, "MsgKilled", s2c, exactly(18), wire.Like(Killed{})).Anytime(),
	row(CodeGrabFlag, "MsgGrabFlag", c2s, exactly(2), wire.Like(GrabRequest{})).Anytime(),
	row(CodeGrabFlag, "MsgGrabFlag", s2c, exactly(72), wire.Like(GrabFlag{})).Anytime(),
	row(CodeDropFlag, "MsgDropFlag", c2s, exactly(12), wire.Like(DropRequest{})).Anytime(),
	row(CodeDropFlag, "MsgDropFlag", s2c, exactly(72), wire.Like(DropFlag{})).Anytime(),
	row(CodeCaptureFlag, "MsgCaptureFlag", c2s, exactly(2), wire.Like(CaptureRequest{})).Anytime(),
	row(CodeCaptureFlag, "MsgCaptureFlag", s2c, exactly(12), wire.Like(CaptureFlag{})).Anytime(),
	row(CodeShotBegin, "MsgShotBegin", both, exactly(44), wire.Like(ShotBegin{})).Anytime(),
	row(CodeShotEnd, "MsgShotEnd", both, exactly(12), wire.Like(ShotEnd{})).Anytime(),
	row(CodeScore, "MsgScore", c2s, exactly(4), wire.Like(Score{})).Anytime(),
	row(CodeScore, "MsgScore", s2c, exactly(12), wire.Like(Score{})).Anytime(),
	row(CodeTeleport, "MsgTeleport", c2s, exactly(4), wire.Like(Teleport{})).Anytime(),
	row(CodeTeleport, "MsgTeleport", s2c, exactly(12), wire.Like(Teleport{})).Anytime(),
	row(CodeMessage, "MsgMessage", c2s, exactly(10+messageSize), wire.Like(Message{})).Anytime(),
	row(CodeMessage, "MsgMessage", s2c, exactly(18+messageSize), wire.Like(Message{})).Anytime(),
	row(CodePlayerUpdate, "MsgPlayerUpdate", both, exactly(playerUpdateSize), wire.Like(PlayerUpdate{})).Anytime(),
	row(CodeGMUpdate, "MsgGMUpdate", both, exactly(46), wire.Like(GuidedUpdate{})).Anytime(),
	row(CodeLagPing, "MsgLagPing", both, exactly(2), wire.Like(LagPing{})).Anytime(),

	row(CodeAcquireRadio, "MsgAcquireRadio", c2s, exactly(2), wire.Like(AcquireRadio{})).Anytime(),
	row(CodeAcquireRadio, "MsgAcquireRadio", s2c, exactly(10), wire.Like(AcquireRadio{})).Anytime(),
	row(CodeReleaseRadio, "MsgReleaseRadio", c2s, exactly(0), wire.Like(ReleaseRadio{})).Anytime(),
	row(CodeReleaseRadio, "MsgReleaseRadio", s2c, exactly(8), wire.Like(ReleaseRadio{})).Anytime(),
	row(CodeAudio, "MsgAudio", both, between(0, MaxBody), wire.Like(wire.Undefined{})).Anytime(),
	row(CodeVideo, "MsgVideo", both, between(0, MaxBody), wire.Like(wire.Undefined{})).Anytime(),
	row(CodeQueryGame, "MsgQueryGame", c2s, exactly(0), wire.Like(wire.Empty{})),
	row(CodeQueryGame, "MsgQueryGame", s2c, exactly(gameSize), wire.Like(Game{})).Answers("MsgQueryGame"),
	row(CodeQueryPlayers, "MsgQueryPlayers", c2s, exactly(0), wire.Like(wire.Empty{})),
	row(CodeQueryPlayers, "MsgQueryPlayers", s2c, exactly(4), wire.Like(PlayerCounts{})).Answers("MsgQueryPlayers"),
	row(CodeWantWHash, "MsgWantWHash", c2s, exactly(0), wire.Like(wire.Empty{})),
	row(CodeWantWHash, "MsgWantWHash", s2c, exactly(worldHashSize), wire.Like(WorldHash{})).Answers("MsgWantWHash"),
	row(CodeIDAck, "MsgIdAck", c2s, exactly(0), wire.Like(wire.Empty{})),
	row(CodeUDPLinkRequest, "MsgUDPLinkRequest", both, exactly(2), wire.Like(LinkRequest{})),
	row(CodeUDPLinkEstablished, "MsgUDPLinkEstablished", c2s, exactly(2), wire.Like(LinkEstablished{})),
	row(CodeUDPLinkUpdate, "MsgUDPLinkUpdate", both, between(0, MaxBody), wire.Like(wire.Undefined{})),
	row(CodeServerControl, "MsgServerControl", both, between(0, MaxBody), wire.Like(wire.Undefined{})),
	row(CodeClientVersion, "MsgClientVersion", c2s, exactly(2), wire.Like(ClientVersion{})),
	row(CodePingOldReply, "MsgPingCodeOldReply", s2c, between(0, MaxBody), wire.Like(wire.Undefined{})).
		Answers("MsgPingCodeOldRequest"),
	row(CodePingOldRequest, "MsgPingCodeOldRequest", c2s, between(0, 2), wire.Like(wire.Undefined{})),
	row(CodePingReply, "MsgPingCodeReply", s2c, exactly(pingReplySize-headerSize), wire.Like(PingReply{})).
		Answers("MsgPingCodeRequest"),
	row(CodePingRequest, "MsgPingCodeRequest", c2s, exactly(2), wire.Like(PingRequest{})),
	row(CodeNull, "MsgNull", both, between(0, MaxBody), wire.Like(wire.Undefined{})),
}

// In the document, these messages have the codes of other messages by mistake.
var (
	documentTeamUpdate = bzflag.ByCode{
		FromServer: documentRow(CodeTimeLeft, "MsgTeamUpdate", s2c, teamUpdateSize, wire.Like(TeamUpdate{})),
	}
	documentTeleport = bzflag.ByCode{
		ToServer:   documentRow(CodeScore, "MsgTeleport", c2s, 4, wire.Like(Teleport{})),
		FromServer: documentRow(CodeScore, "MsgTeleport", s2c, 12, wire.Like(Teleport{})),
	}
)

func documentRow(code Code, name string, way wire.Direction, size int, body wire.Prototype) *bzflag.Variant {
	return row(code, name, way, exactly(size), body).Anytime().Variant
}

// Messages without a code.
var (
	hello   = &wire.MessageType{Name: "ServerHello", Direction: s2c, Body: wire.Like(ServerHello{})}
	unknown = &bzflag.Variant{
		MessageType: &wire.MessageType{Name: "Unknown", Body: wire.Like(wire.Undefined{})},
		Lengths:     between(0, MaxBody),
	}
)

var byCode, messages = tabulate()

func tabulate() (*bzflag.Table, *wire.Messages) {
	table, list := bzflag.NewTable(rows)
	table.Make(CodePlayerUpdate).Peers = true
	table.Make(CodeGMUpdate).Peers = true
	list = append([]*wire.MessageType{hello}, list...)
	list = append(list, documentTeamUpdate.FromServer.MessageType,
		documentTeleport.ToServer.MessageType, documentTeleport.FromServer.MessageType, unknown.MessageType)
	return table, wire.NewMessages(list...)
}

// lookup returns the messages with a code, or nil if the code is undefined. In the document, two pairs of messages
// share a code. The length distinguishes MsgTeamUpdate from MsgTimeLeft. Nothing distinguishes MsgTeleport from
// MsgScore, so the dialect decides.
func lookup(h bzflag.Header, d wire.Dialect) *bzflag.ByCode {
	switch {
	case h.Code == CodeTimeLeft && h.Length == teamUpdateSize:
		return &documentTeamUpdate
	case h.Code == CodeScore && d == wire.Document:
		return &documentTeleport
	}
	return byCode.Get(h.Code)
}
