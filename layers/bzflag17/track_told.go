package bzflag17

import (
	"bytes"
	"cmp"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

func (t *tracker) Told(room []byte, layer wire.Layer, p *wire.Place) wire.Told {
	l := layer.(*Layer)
	r, ok := bzflag.RouteOf(l.Direction, p.Src, p.Dst)
	if !ok {
		return wire.Told{}
	}
	e := event{tracker: t, layer: l, place: p}
	if e.conn = e.knownConnection(r); e.conn == nil {
		return wire.Told{}
	}
	c := e.conn
	result := wire.Told{Source: c.serial << 1}
	if l.Direction == c2s {
		result.Source |= 1
		result.Skip = c.serverSeen.Known() && e.isWish()
	} else if g := e.game(); g != nil {
		able := c.stage == playing && c.complete && !c.departed && !c.isRobot()
		reference := g.reference.Meet(c.serial, able, p.Time)
		result.Skip = e.isStanding() && (reference && c.isNewcomer(p.Time) || (reference || able) && c.asked(g, p.Time))
	}
	if e.unreadable() {
		return wire.Told{}
	}
	if b := e.appendEvent(room); len(b) > len(room) {
		result.Event = bzflag.AppendServer(b, e.server())
	}
	return result
}

// isWish reports whether a client asks for what the server tells everybody if it comes true.
func (e *event) isWish() bool {
	switch e.layer.Body.(type) {
	case *GrabRequest, *DropRequest, *CaptureRequest:
		return true
	}
	return false
}

// isNewcomer reports whether the server may still be telling the client how things stand.
func (c *connection) isNewcomer(now int64) bool {
	switch c.stage {
	case fresh, entering, accepted:
		return true
	case playing:
		return c.joined.Within(now, listTime)
	}
	return false
}

// asked reports whether the client may have asked for it.
func (c *connection) asked(g *game, now int64) bool {
	return c.queries&askedPlayers != 0 && g.queried.Within(now, queryTime)
}

// isStanding reports whether the message at hand may tell how things stand.
func (e *event) isStanding() bool {
	switch b := e.layer.Body.(type) {
	case *AddPlayer:
		return !b.HasNewID && b.Player.ID != e.conn.playerID
	case *TeamUpdate, *FlagUpdate, *TimeLeft:
		return true
	}
	return false
}

// appendEvent appends what happens by the message at hand, as bytes that are the same whether a player says it or the
// server passes it on; nothing if it is said to one alone.
func (e *event) appendEvent(room []byte) []byte {
	l, c := e.layer, e.conn
	b := append(room, byte(l.Code>>8), byte(l.Code))
	body := l.Contents[min(headerSize, len(l.Contents)):]
	fromServer := l.Direction == s2c
	switch m := l.Body.(type) {
	case *PlayerUpdate, *GuidedUpdate, *ShotEnd:
	case *ShotBegin:
		const flag = 38 // a server puts none for what the player does not carry
		b = append(b, body[:flag]...)
		body = body[flag+2:]
	case *Spawn, *Killed, *Score, *Teleport, *Message, *AcquireRadio, *ReleaseRadio:
		if !fromServer {
			sender := cmp.Or(c.playerID, c.enteredID)
			if sender.IsZero() {
				return room
			}
			id := sender.bytes()
			b = append(b, id[:]...)
		}
		if m, ok := m.(*Message); ok {
			body = body[:len(body)-len(m.Text)+len(wire.Trim(m.Text))]
		}
	case *AddPlayer:
		if m.HasNewID {
			body = body[:addPlayerSize]
		}
	case *RemovePlayer, *FlagUpdate, *TeamUpdate, *TimeLeft, *ScoreOver, *GrabFlag, *DropFlag, *CaptureFlag:
	default:
		return room
	}
	b = append(b, body...)
	if c.stage == playing && c.localID != c.playerID {
		c.replaceLocalID(b[len(room):])
	}
	return b
}

// replaceLocalID replaces the id that the client has for itself, wherever it stands, by that by which others know the client.
func (c *connection) replaceLocalID(b []byte) {
	localID, playerID := c.localID.bytes(), c.playerID.bytes()
	for {
		i := bytes.Index(b, localID[:])
		if i < 0 {
			return
		}
		copy(b[i:], playerID[:])
		b = b[i+playerIDSize:]
	}
}
