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
	if e.view = e.knownView(r); e.view == nil {
		return wire.Told{}
	}
	v := e.view
	told := wire.Told{Source: v.serial << 1}
	if l.Direction == c2s {
		told.Source |= 1
		told.Skip = v.serverSeen.Known() && e.isWish()
	} else if g := e.game(); g != nil {
		able := v.stage == playing && v.complete && !v.departed && !v.isRobot()
		reference := g.reference.Meet(v.serial, able, p.Time)
		told.Skip = e.isStanding() && (reference && v.isNewcomer(p.Time) || (reference || able) && v.asked(g, p.Time))
	}
	if e.unreadable() {
		return wire.Told{}
	}
	if b := e.appendEvent(room); len(b) > len(room) {
		told.Event = bzflag.AppendServer(b, e.server())
	}
	return told
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
func (v *view) isNewcomer(now int64) bool {
	switch v.stage {
	case fresh, entering, accepted:
		return true
	case playing:
		return v.joined.Within(now, listTime)
	}
	return false
}

// asked reports whether the client may have asked for it.
func (v *view) asked(g *game, now int64) bool {
	return v.queries&askedPlayers != 0 && g.queried.Within(now, queryTime)
}

// isStanding reports whether the message at hand may tell how things stand.
func (e *event) isStanding() bool {
	switch b := e.layer.Body.(type) {
	case *AddPlayer:
		return !b.HasNewID && b.Player.ID != e.view.own
	case *TeamUpdate, *FlagUpdate, *TimeLeft:
		return true
	}
	return false
}

// appendEvent appends what happens by the message at hand, as bytes that are the same whether a player says it or the
// server passes it on; nothing if it is said to one alone.
func (e *event) appendEvent(room []byte) []byte {
	l, v := e.layer, e.view
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
			own := cmp.Or(v.own, v.enteredAs)
			if own.IsZero() {
				return room
			}
			id := own.bytes()
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
	if v.stage == playing && v.alias != v.own {
		v.replaceAlias(b[len(room):])
	}
	return b
}

// replaceAlias makes the client's alias, wherever it stands, the id by which others know the client.
func (v *view) replaceAlias(b []byte) {
	alias, own := v.alias.bytes(), v.own.bytes()
	for {
		i := bytes.Index(b, alias[:])
		if i < 0 {
			return
		}
		copy(b[i:], own[:])
		b = b[i+playerIDSize:]
	}
}
