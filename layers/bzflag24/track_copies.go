package bzflag24

import (
	"bytes"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// copyTracker finds the messages that report the same event, see wire.Relay.
type copyTracker struct {
	connections *connectionTable
}

// describe returns the event that a message reports. room is a buffer for the encoded event.
func (t copyTracker) describe(room []byte, m message) wire.Told {
	l, p := m.layer, m.place
	r, ok := bzflag.RouteOf(l.Direction, p.Src, p.Dst)
	if !ok || l.older {
		return wire.Told{}
	}
	c := t.connections.known(p, &r)
	if c == nil {
		return wire.Told{}
	}
	copied := wire.Told{Source: c.serial << 1}
	if l.Direction == wire.ToServer {
		copied.Source |= 1
		copied.Skip = c.heard && requests[l.Code]
	} else if g := t.connections.games.Peek(c.Server); g != nil {
		c.heard = true
		reference := g.reference.Meet(c.serial, c.begun && c.joined && !c.killed.Known(), p.Time)
		copied.Skip = reference && c.isNewcomer(p.Time) && isStanding(l, c.player)
	}
	if m.unreadable() || l.Direction == wire.ToServer && c.player == NoPlayer {
		return wire.Told{}
	}
	if b := appendEvent(room, l, c.player); len(b) > len(room) {
		copied.Event = bzflag.AppendServer(b, c.Server)
	}
	return copied
}

// requests are the client messages that the server grants by sending a message to all players.
var requests = map[Code]bool{
	CodeAlive: true, CodeGrabFlag: true, CodeDropFlag: true, CodeCaptureFlag: true, CodeTransferFlag: true,
	CodeNewRabbit: true,
}

// audience says which clients receive a message from the server.
type audience uint8

const (
	alone    audience = iota // one client
	everyone                 // all clients that need it
	standing                 // all clients that need it, and new clients to which the server describes the game
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

// isStanding reports whether a message may describe the state of the game to a new client.
func isStanding(l *Layer, newcomer PlayerID) bool {
	if b, ok := l.Body.(*AddPlayer); ok && b.Player.ID == newcomer {
		return false
	}
	return audiences[l.Code] == standing
}

// appendEvent appends the encoded event of a message. A player's message has the same encoded event as the server's
// relay of that message. If the message is for only one client, appendEvent appends nothing.
func appendEvent(room []byte, l *Layer, client PlayerID) []byte {
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
		text, _ := bytes.CutPrefix(m.Text, []byte("/me ")) // the server replaces "/me " with a type
		return appendChatEvent(b, client, m.To.ID, text)
	case *Killed, *Pause, *AutoPilot, *Teleport:
		if !fromServer {
			b = append(b, byte(client))
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

// appendChatEvent appends the event of a line of chat, including its sender and receiver.
func appendChatEvent(b []byte, from, to PlayerID, text []byte) []byte {
	return append(append(b, byte(from), byte(to)), wire.Trim(text)...)
}
