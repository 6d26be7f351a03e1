package bzflag17

import (
	"fmt"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// lengths are those that a body may have.
type lengths struct {
	least, most int
	also        int // one more; 0: none
}

func exactly(n int) lengths       { return lengths{n, n, 0} }
func between(n, m int) lengths    { return lengths{n, m, 0} }
func either(n, m int) lengths     { return lengths{n, n, m} }
func (l lengths) fits(n int) bool { return n >= l.least && n <= l.most || l.also > 0 && n == l.also }

func (l lengths) String() string {
	switch {
	case l.also > 0:
		return fmt.Sprintf("%d or %d", l.least, l.also)
	case l.least == l.most:
		return fmt.Sprint(l.least)
	}
	return fmt.Sprintf("%d to %d", l.least, l.most)
}

// A form is a message as one side sends it.
type form struct {
	*wire.MessageType
	lengths
}

// ways are the directions in words, to follow others.
var ways = [...]string{
	wire.ToServer: " to the server", wire.FromServer: " from the server", wire.PeerToPeer: " from player to player",
}

func (f *form) String() string { return f.Name + ways[f.Direction] }

// A kind is all that goes by one code.
type kind struct {
	toServer, fromServer *form // nil: that side does not send it; the same: there is one layout
	peers                bool  // players send it to each other as well
}

// form tells how a message is laid out. Where its direction does not, its length has to.
func (k *kind) form(way wire.Direction, body int) *form {
	to, from := k.toServer, k.fromServer
	switch {
	case way == wire.ToServer && to != nil, from == nil:
		return to
	case way == wire.FromServer && from != nil, to == nil:
		return from
	case to.fits(body), !from.fits(body) && body < from.least:
		return to
	}
	return from
}

// allows tells whether a message may travel that way.
func (k *kind) allows(way wire.Direction) bool {
	switch way {
	case wire.ToServer:
		return k.toServer != nil
	case wire.FromServer:
		return k.fromServer != nil
	case wire.PeerToPeer:
		return k.peers
	}
	return true
}

// An entry is a line of the table of messages. With the direction unknown, both sides send the
// message with one layout.
type entry struct {
	code Code
	name string
	way  wire.Direction
	lengths
	new func() wire.Body
}

const (
	both = wire.Unknown
	c2s  = wire.ToServer
	s2c  = wire.FromServer
)

// entries has the messages in the order of the document, then those that it leaves out.
var entries = []entry{
	{CodeGetWorld, "MsgGetWorld", c2s, exactly(2), fresh[WorldRequest]},
	{CodeGetWorld, "MsgGetWorld", s2c, between(2, MaxBody), fresh[WorldPart]},
	{CodeEnter, "MsgEnter", c2s, exactly(12 + callSignSize + emailSize), fresh[Enter]},
	{CodeAccept, "MsgAccept", s2c, exactly(0), fresh[Empty]},
	{CodeReject, "MsgReject", s2c, exactly(2), fresh[Reject]},
	{CodeSuperKill, "MsgSuperKill", s2c, exactly(0), fresh[Empty]},
	{CodeExit, "MsgExit", c2s, exactly(0), fresh[Empty]},
	{CodeTimeLeft, "MsgTimeLeft", s2c, exactly(2), fresh[TimeLeft]},
	{CodeScoreOver, "MsgScoreOver", s2c, exactly(10), fresh[ScoreOver]},
	{CodeSetTTL, "MsgSetTTL", both, exactly(2), fresh[SetTTL]},
	{CodeNetworkRelay, "MsgNetworkRelay", both, exactly(0), fresh[Empty]},
	{CodeAddPlayer, "MsgAddPlayer", s2c, either(addPlayerSize, addPlayerSize+playerIDSize), fresh[AddPlayer]},
	{CodeRemovePlayer, "MsgRemovePlayer", s2c, exactly(8), fresh[RemovePlayer]},
	{CodeFlagUpdate, "MsgFlagUpdate", s2c, exactly(64), fresh[FlagUpdate]},
	{CodeTeamUpdate, "MsgTeamUpdate", s2c, exactly(teamUpdateSize), fresh[TeamUpdate]},
	{CodeAlive, "MsgAlive", c2s, exactly(24), fresh[Spawn]},
	{CodeAlive, "MsgAlive", s2c, exactly(32), fresh[Spawn]},
	{CodeKilled, "MsgKilled", c2s, exactly(10), fresh[Killed]},
	{CodeKilled, "MsgKilled", s2c, exactly(18), fresh[Killed]},
	{CodeGrabFlag, "MsgGrabFlag", c2s, exactly(2), fresh[GrabRequest]},
	{CodeGrabFlag, "MsgGrabFlag", s2c, exactly(72), fresh[GrabFlag]},
	{CodeDropFlag, "MsgDropFlag", c2s, exactly(12), fresh[DropRequest]},
	{CodeDropFlag, "MsgDropFlag", s2c, exactly(72), fresh[DropFlag]},
	{CodeCaptureFlag, "MsgCaptureFlag", c2s, exactly(2), fresh[CaptureRequest]},
	{CodeCaptureFlag, "MsgCaptureFlag", s2c, exactly(12), fresh[CaptureFlag]},
	{CodeShotBegin, "MsgShotBegin", both, exactly(44), fresh[ShotBegin]},
	{CodeShotEnd, "MsgShotEnd", both, exactly(12), fresh[ShotEnd]},
	{CodeScore, "MsgScore", c2s, exactly(4), fresh[Score]},
	{CodeScore, "MsgScore", s2c, exactly(12), fresh[Score]},
	{CodeTeleport, "MsgTeleport", c2s, exactly(4), fresh[Teleport]},
	{CodeTeleport, "MsgTeleport", s2c, exactly(12), fresh[Teleport]},
	{CodeMessage, "MsgMessage", c2s, exactly(10 + messageSize), fresh[Message]},
	{CodeMessage, "MsgMessage", s2c, exactly(18 + messageSize), fresh[Message]},
	{CodePlayerUpdate, "MsgPlayerUpdate", both, exactly(playerUpdateSize), fresh[PlayerUpdate]},
	{CodeGMUpdate, "MsgGMUpdate", both, exactly(46), fresh[GuidedUpdate]},
	{CodeLagPing, "MsgLagPing", both, exactly(2), fresh[LagPing]},

	{CodeAcquireRadio, "MsgAcquireRadio", c2s, exactly(2), fresh[AcquireRadio]},
	{CodeAcquireRadio, "MsgAcquireRadio", s2c, exactly(10), fresh[AcquireRadio]},
	{CodeReleaseRadio, "MsgReleaseRadio", c2s, exactly(0), fresh[ReleaseRadio]},
	{CodeReleaseRadio, "MsgReleaseRadio", s2c, exactly(8), fresh[ReleaseRadio]},
	{CodeAudio, "MsgAudio", both, between(0, MaxBody), wire.NewUndefined},
	{CodeVideo, "MsgVideo", both, between(0, MaxBody), wire.NewUndefined},
	{CodeQueryGame, "MsgQueryGame", c2s, exactly(0), fresh[Empty]},
	{CodeQueryGame, "MsgQueryGame", s2c, exactly(gameSize), fresh[Game]},
	{CodeQueryPlayers, "MsgQueryPlayers", c2s, exactly(0), fresh[Empty]},
	{CodeQueryPlayers, "MsgQueryPlayers", s2c, exactly(4), fresh[PlayerCounts]},
	{CodeWantWHash, "MsgWantWHash", c2s, exactly(0), fresh[Empty]},
	{CodeWantWHash, "MsgWantWHash", s2c, exactly(worldHashSize), fresh[WorldHash]},
	{CodeIDAck, "MsgIdAck", c2s, exactly(0), fresh[Empty]},
	{CodeUDPLinkRequest, "MsgUDPLinkRequest", both, exactly(2), fresh[LinkRequest]},
	{CodeUDPLinkEstablished, "MsgUDPLinkEstablished", c2s, exactly(2), fresh[LinkEstablished]},
	{CodeUDPLinkUpdate, "MsgUDPLinkUpdate", both, between(0, MaxBody), wire.NewUndefined},
	{CodeServerControl, "MsgServerControl", both, between(0, MaxBody), wire.NewUndefined},
	{CodeClientVersion, "MsgClientVersion", c2s, exactly(2), fresh[ClientVersion]},
	{CodePingOldReply, "MsgPingCodeOldReply", s2c, between(0, MaxBody), wire.NewUndefined},
	{CodePingOldRequest, "MsgPingCodeOldRequest", c2s, between(0, 2), wire.NewUndefined},
	{CodePingReply, "MsgPingCodeReply", s2c, exactly(pingReplySize - headerSize), fresh[PingReply]},
	{CodePingRequest, "MsgPingCodeRequest", c2s, exactly(2), fresh[PingRequest]},
	{CodeNull, "MsgNull", both, between(0, MaxBody), wire.NewUndefined},
}

// The codes that the document draws for two messages, where those of other messages stand by
// mistake.
var (
	drawnTeamUpdate = kind{
		fromServer: (&entry{CodeTimeLeft, "MsgTeamUpdate", s2c, exactly(teamUpdateSize), fresh[TeamUpdate]}).form(),
	}
	drawnTeleport = kind{
		toServer:   (&entry{CodeScore, "MsgTeleport", c2s, exactly(4), fresh[Teleport]}).form(),
		fromServer: (&entry{CodeScore, "MsgTeleport", s2c, exactly(12), fresh[Teleport]}).form(),
	}
)

// What stands in no line of the table.
var (
	hello   = &wire.MessageType{Name: "ServerHello", Direction: s2c, New: fresh[ServerHello]}
	unknown = &form{&wire.MessageType{Name: "Unknown", New: wire.NewUndefined}, between(0, MaxBody)}
)

var kinds, messages = tabulate()

// codeTable finds what goes by a code. Nearly all codes are two small letters, which a map would
// look up at a third of the cost of reading the message.
type codeTable struct {
	letters [26][26]*kind
	others  map[Code]*kind
}

func (t *codeTable) of(code Code) *kind {
	if a, b := code>>8-'a', code&0xff-'a'; a < 26 && b < 26 {
		return t.letters[a][b]
	}
	return t.others[code]
}

// at gives what goes by a code, to be filled in.
func (t *codeTable) at(code Code) *kind {
	k := t.of(code)
	if k != nil {
		return k
	}
	k = new(kind)
	if a, b := code>>8-'a', code&0xff-'a'; a < 26 && b < 26 {
		t.letters[a][b] = k
	} else {
		t.others[code] = k
	}
	return k
}

// tabulate makes the table of codes and the list of messages.
func tabulate() (*codeTable, *wire.Messages) {
	table := &codeTable{others: make(map[Code]*kind)}
	list := []*wire.MessageType{hello}
	for i := range entries {
		e := &entries[i]
		f := e.form()
		list = append(list, f.MessageType)
		k := table.at(e.code)
		if e.way != s2c {
			k.toServer = f
		}
		if e.way != c2s {
			k.fromServer = f
		}
	}
	table.at(CodePlayerUpdate).peers = true
	table.at(CodeGMUpdate).peers = true
	list = append(list, drawnTeamUpdate.fromServer.MessageType,
		drawnTeleport.toServer.MessageType, drawnTeleport.fromServer.MessageType, unknown.MessageType)
	return table, wire.NewMessages(list...)
}

func (e *entry) form() *form {
	return &form{&wire.MessageType{Name: e.name, Code: e.code.String(), Direction: e.way, New: e.new}, e.lengths}
}

// fresh makes a body.
func fresh[T any, P interface {
	*T
	wire.Body
}]() wire.Body {
	return P(new(T))
}

// lookup tells what a code stands for, nil if for nothing. The length tells the team update that
// the document draws with the code of MsgTimeLeft. Nothing in the bytes tells the teleport that it
// draws with the code of MsgScore; the dialect has to.
func lookup(code Code, body int, d wire.Dialect) *kind {
	switch {
	case code == CodeTimeLeft && body == teamUpdateSize:
		return &drawnTeamUpdate
	case code == CodeScore && d == wire.Document:
		return &drawnTeleport
	}
	return kinds.of(code)
}
