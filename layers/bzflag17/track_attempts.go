package bzflag17

import (
	"bytes"
	"fmt"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
)

// attemptTracker passes the attempts of clients, and the responses of servers, to the account of attempts.
type attemptTracker struct{ *attempt.Account }

// of returns the client's join, or nil if there is none.
func (t attemptTracker) of(e *event) *attempt.Attempt {
	if !e.tcp() {
		return nil
	}
	return t.Of(joins, e.route.Client, e.route.Server)
}

// begin returns the client's join. It adds one if the capture lacks the beginning of the join.
func (t attemptTracker) begin(e *event) *attempt.Attempt {
	if !e.tcp() {
		return nil
	}
	x := t.Begin(joins, e.place, e.route.Client, e.route.Server)
	x.Port(e.server.Port())
	return x
}

// refuseAtOnce handles a hello with port 0, which refuses the client.
func (t attemptTracker) refuseAtOnce(m *message) {
	x := t.Begin(joins, m.place, m.place.Dst, m.place.Src)
	x.Reach(m.place, stepHello)
	x.Refuse(m.place, wire.Asked, "the server is full, its game is over, or the address is banned", "")
}

// takeHello handles the first message on a connection whose port a hello announced.
func (t attemptTracker) takeHello(e *event) {
	if e.conn.announced {
		t.begin(e).Reach(e.place, stepHello)
	}
}

// takeRequest handles a request for a part of the world.
func (t attemptTracker) takeRequest(e *event) {
	if x := t.begin(e); !x.Reached(stepRequest) {
		x.Try(e.place, stepRequest)
	} else {
		x.Reach(e.place, stepRequest)
	}
}

// takePart handles a part of the world.
func (t attemptTracker) takePart(e *event, b *WorldPart) {
	x := t.of(e)
	d := &e.conn.download
	if x == nil {
		return
	}
	if e.layer.World != nil || b.Remaining == 0 || d.size >= 0 && d.next >= d.size {
		x.Reach(e.place, stepWorld)
		x.Note("")
		return
	}
	x.Stop() // it is the client's turn
	if d.begun && !d.lost && d.compared {
		x.Note(fmt.Sprintf("%d of %d bytes", d.next, d.realSize))
	}
}

// takeEnter handles MsgEnter.
func (t attemptTracker) takeEnter(e *event) {
	who := e.route.Client.String()
	if name := e.conn.callSign; name != "" {
		who += " " + name
	}
	x := t.begin(e)
	if x.Call(who); x.Who() != who { // the table already has a row for the join, under another name
		x.Name(e.place, e.conn.callSign)
	}
	x.Try(e.place, stepEnter)
}

// takeAccept handles MsgAccept, which is also the answer to MsgNetworkRelay.
func (t attemptTracker) takeAccept(e *event) {
	if e.conn.stage == accepted {
		t.begin(e).Reach(e.place, stepAccepted)
	}
}

// takeSpawn handles the MsgAlive of the client.
func (t attemptTracker) takeSpawn(e *event) {
	if x := t.of(e); x.Reached(stepAccepted) {
		x.Reach(e.place, stepSpawned)
	}
}

// refuse records that the server refuses the client, with the reason.
func (t attemptTracker) refuse(e *event, why string) { t.begin(e).Refuse(e.place, wire.Asked, why, "") }

// takeWords handles a private message from the server to the client.
func (t attemptTracker) takeWords(e *event, text []byte) {
	if x := t.of(e); x != nil {
		x.Say(e.place, string(bytes.TrimSpace(wire.Trim(text))))
	}
}

// takeCommand handles a line from a client. With /part or /quit, the client announces that it leaves.
func (t attemptTracker) takeCommand(e *event, b *Message) {
	switch text := wire.Trim(b.Text); {
	case bytes.HasPrefix(text, []byte("/part")), bytes.HasPrefix(text, []byte("/quit")):
		t.leave(e)
	case bytes.HasPrefix(text, []byte("/")):
		t.of(e).Command(e.place)
	}
}

// dismiss handles MsgSuperKill. If the server thereby removes a player from the game, dismiss returns the reason.
func (t attemptTracker) dismiss(e *event) (reason string) {
	x := t.begin(e)
	if e.conn.stage == fresh || e.conn.stage == entering {
		if x.Outcome() != wire.Refused {
			x.Refuse(e.place, wire.Asked, "MsgSuperKill, "+attempt.NoReason, "")
		}
		return ""
	}
	return x.Remove(e.place)
}

// leave records that the client announces that it leaves.
func (t attemptTracker) leave(e *event) { t.of(e).Leave(e.place) }
