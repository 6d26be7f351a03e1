package bzflag24

import (
	"bytes"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

func (t *tracker) Told(room []byte, layer wire.Layer, p *wire.Place) wire.Told {
	l := layer.(*Layer)
	r, ok := bzflag.RouteOf(l.Direction, p.Src, p.Dst)
	if !ok || l.older {
		return wire.Told{}
	}
	c := t.knownConnection(p, r)
	if c == nil {
		return wire.Told{}
	}
	told := wire.Told{Source: c.serial << 1}
	if l.Direction == wire.ToServer {
		told.Source |= 1
		told.Skip = c.heard && wishes[l.Code]
	} else if g := t.games.Peek(c.Server); g != nil {
		c.heard = true
		reference := g.reference.Meet(c.serial, c.begun && c.joined && !c.killed.Known(), p.Time)
		told.Skip = reference && c.isNewcomer(p.Time) && c.isStanding(l)
	}
	if l.Fault() != nil || l.Truncated() || l.Direction == wire.ToServer && c.player == NoPlayer {
		return wire.Told{}
	}
	if b := appendEvent(room, l, c.player); len(b) > len(room) {
		told.Event = bzflag.AppendServer(b, c.Server)
	}
	return told
}

// wishes are what a client asks for. If it gets it the server tells everybody.
var wishes = map[Code]bool{
	CodeAlive: true, CodeGrabFlag: true, CodeDropFlag: true, CodeCaptureFlag: true, CodeTransferFlag: true,
	CodeNewRabbit: true,
}

// isNewcomer reports whether the server may still be telling the client how things stand.
func (c *connection) isNewcomer(now int64) bool {
	return c.begun && (!c.joined || c.accepted.Within(now, lagUDP))
}

// An audience is whom a message of the server is for.
type audience uint8

const (
	alone    audience = iota // to one client
	everyone                 // to all whom it concerns
	standing                 // likewise, and to a newcomer whatever it was that time
)

var audiences = map[Code]audience{
	CodeMessage: everyone, CodeRemovePlayer: everyone, CodeAdminInfo: everyone, CodeScoreOver: everyone,
	CodeAlive: everyone, CodeKilled: everyone, CodeTeleport: everyone, CodePlayerUpdate: everyone,
	CodePlayerUpdateSmall: everyone, CodeShotBegin: everyone, CodeGMUpdate: everyone, CodeShotEnd: everyone,
	CodeGrabFlag: everyone, CodeDropFlag: everyone, CodeCaptureFlag: everyone, CodeTransferFlag: everyone,
	CodeCustomSound: everyone,

	CodeAddPlayer: standing, CodePlayerInfo: standing, CodeHandicap: standing, CodeScore: standing,
	CodeTeamUpdate: standing, CodeTimeUpdate: standing, CodeNewRabbit: standing, CodePause: standing,
	CodeAutoPilot: standing, CodeFlagUpdate: standing, CodeSetVar: standing,
}

// isStanding reports whether a message tells a newcomer how things stand.
func (c *connection) isStanding(l *Layer) bool {
	if b, ok := l.Body.(*AddPlayer); ok && b.Player.ID == c.player {
		return false
	}
	return audiences[l.Code] == standing
}

// appendEvent appends what happens by a message, as bytes that are the same whether a player says it or the server
// passes it on; nothing if it is said to one alone.
func appendEvent(room []byte, l *Layer, own PlayerID) []byte {
	b := append(room, byte(l.Code>>8), byte(l.Code))
	body := l.Contents[min(bzflag.HeaderSize, len(l.Contents)):]
	fromServer := l.Direction == wire.FromServer
	switch m := l.Body.(type) {
	case *ChatFrom:
		if m.From.ID == ServerPlayer && int(m.To.ID) < maxTanks {
			return room
		}
		return appendChatEvent(b, m.From.ID, m.To.ID, m.Text)
	case *Chat:
		text, _ := bytes.CutPrefix(m.Text, []byte("/me ")) // the server says by the type what this is
		return appendChatEvent(b, own, m.To.ID, text)
	case *Killed, *Pause, *AutoPilot, *Teleport:
		if !fromServer {
			b = append(b, byte(own))
		}
		return append(b, body...)
	case *PlayerUpdate, *PlayerUpdateSmall, *ShotBegin, *GMUpdate, *ShotEnd:
		return append(b, body...)
	}
	if !fromServer || audiences[l.Code] == alone {
		return room
	}
	return append(b, body...)
}

// appendChatEvent appends who says what to whom.
func appendChatEvent(b []byte, from, to PlayerID, text []byte) []byte {
	return append(append(b, byte(from), byte(to)), wire.Trim(text)...)
}
