package bzflag17

import (
	"bytes"
	"cmp"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/dedup"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// newsTracker determines whether a message repeats a message on another connection.
type newsTracker struct {
	values  *valueTracker
	seen    *dedup.Events
	scratch []byte // buffer for encoded events
}

var keptEvents = bounded.Kind{Name: "events of BZFlag 1.07 games", Silent: "recognition of copies"}

// isNew reports whether a message is the first on any connection to show its event. Only the first one is counted and
// recorded. Call isNew once per message.
func (t *newsTracker) isNew(e *event) bool {
	c := e.conn
	if !t.values.enabled() || !e.tcp() || c.departed {
		return false
	}
	t.scratch = bzflag.AppendServer(appendEvent(t.scratch[:0], &e.message, &c.handshake), e.server)
	return !t.seen.Repeats(c.serial, e.place.Time, "", t.scratch)
}

// describe returns the event that a message reports; see wire.Relay.
func describe(room []byte, e *event) wire.Told {
	c, g, now := e.conn, e.game, e.place.Time
	d := wire.Told{Source: c.serial << 1}
	if e.fromClient() {
		d.Source |= 1
		d.Skip = c.serverSeen.Known() && isWish(e.layer)
	} else if g != nil {
		able := c.stage == playing && c.complete && !c.departed && !c.isRobot()
		reference := g.reference.Meet(c.serial, able, now)
		d.Skip = listsState(e.layer, &c.handshake) &&
			(reference && c.isNewcomer(now) || (reference || able) && c.mayHaveAsked(g, now))
	}
	if e.unreadable() {
		return wire.Told{}
	}
	if b := appendEvent(room, &e.message, &c.handshake); len(b) > len(room) {
		d.Event = bzflag.AppendServer(b, e.server)
	}
	return d
}

// isWish reports whether a message is a client's request, which the server announces to all players if it grants it.
func isWish(l *Layer) bool {
	switch l.Body.(type) {
	case *GrabRequest, *DropRequest, *CaptureRequest:
		return true
	}
	return false
}

// listsState reports whether a server's message may describe the current state instead of a change.
func listsState(l *Layer, h *handshake) bool {
	switch b := l.Body.(type) {
	case *AddPlayer:
		return !b.HasNewID && b.Player.ID != h.playerID
	case *TeamUpdate, *FlagUpdate, *TimeLeft:
		return true
	}
	return false
}

// appendEvent appends the event of a message in encoded form. A player's message and the server's relay of it have the
// same encoded event. If the message is for only one client, appendEvent appends nothing.
func appendEvent(room []byte, m *message, h *handshake) []byte {
	l := m.layer
	b := append(room, byte(l.Code>>8), byte(l.Code))
	body := l.Contents[min(headerSize, len(l.Contents)):]
	switch k := l.Body.(type) {
	case *PlayerUpdate, *GuidedUpdate, *ShotEnd:
	case *ShotBegin:
		const flag = 38 // offset of the flag; left out, because a server clears a flag that the player does not carry
		b = append(b, body[:flag]...)
		body = body[flag+2:]
	case *Spawn, *Killed, *Score, *Teleport, *Message, *AcquireRadio, *ReleaseRadio:
		if !m.fromServer() {
			sender := cmp.Or(h.playerID, h.enteredID)
			if sender.IsZero() {
				return room
			}
			id := sender.bytes()
			b = append(b, id[:]...)
		}
		if k, ok := k.(*Message); ok {
			body = body[:len(body)-len(k.Text)+len(wire.Trim(k.Text))]
		}
	case *AddPlayer:
		if k.HasNewID {
			body = body[:addPlayerSize]
		}
	case *RemovePlayer, *FlagUpdate, *TeamUpdate, *TimeLeft, *ScoreOver, *GrabFlag, *DropFlag, *CaptureFlag:
	default:
		return room
	}
	b = append(b, body...)
	if h.stage == playing && h.localID != h.playerID {
		replace(b[len(room):], h.localID.bytes(), h.playerID.bytes())
	}
	return b
}

// replace replaces all occurrences of an id with another id.
func replace(b []byte, old, id [playerIDSize]byte) {
	for {
		i := bytes.Index(b, old[:])
		if i < 0 {
			return
		}
		copy(b[i:], id[:])
		b = b[i+playerIDSize:]
	}
}
