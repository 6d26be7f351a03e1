package bzflag24

import (
	"fmt"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// attemptTracker informs an attempt.Account of what clients attempt and how servers respond.
type attemptTracker struct {
	reporter *wire.Reporter
	account  *attempt.Account
}

func newAttemptTracker(r *wire.Reporter) *attemptTracker {
	return &attemptTracker{r, attempt.New(r, "attempts to join BZFlag 2.4 games", joins, logins, links)}
}

// of returns the client's join, or nil if there is none.
func (t *attemptTracker) of(e event) *attempt.Attempt {
	if !e.tcp() {
		return nil
	}
	return t.account.Of(joins, e.connection.Client, e.connection.Server)
}

// begin returns the client's join. It adds one if the capture lacks the beginning of the join.
func (t *attemptTracker) begin(e event) *attempt.Attempt {
	if !e.tcp() {
		return nil
	}
	return t.account.Begin(joins, e.place, e.connection.Client, e.connection.Server)
}

// takeHeader handles the header that a client sends first. If the client sends it again, the capture lacks the end of
// an earlier connection between the same ports.
func (t *attemptTracker) takeHeader(e event) {
	if x := t.of(e); x.Reached(stepGreeting) || x.Reached(stepHello) {
		x.End(e.place)
	}
	t.begin(e).Reach(e.place, stepGreeting)
}

// takeHello handles the hello.
func (t *attemptTracker) takeHello(e event) { t.begin(e).Reach(e.place, stepHello) }

// takeBanner handles the message that a server sends if it does not recognise a client.
func (t *attemptTracker) takeBanner(e event) {
	t.begin(e).Fail(e.place, wire.Asker, "no BZFLAG header within the time limit", "")
}

// takeFlags handles the server's list of the kinds of flags that the client does not know.
func (t *attemptTracker) takeFlags(e event, b *NegotiateFlags) {
	if len(b.Flags) == 0 {
		return
	}
	names := make([]string, 0, 8)
	for _, f := range b.Flags[:min(len(b.Flags), cap(names))] {
		names = append(names, f.String())
	}
	t.begin(e).Refuse(e.place, wire.Asker, "the client does not know all flags of the game", strings.Join(names, " "))
}

// takeWorldRequest handles a request for a part of the world.
func (t *attemptTracker) takeWorldRequest(e event) {
	if x := t.begin(e); !x.Reached(stepRequest) {
		x.Try(e.place, stepRequest)
	} else {
		x.Reach(e.place, stepRequest)
	}
}

// takeWorldPart handles a part of the world. bytes is the number of bytes that the client has received so far, or 0 if
// it is not known.
func (t *attemptTracker) takeWorldPart(e event, b *WorldPart, bytes int64) {
	x := t.of(e)
	if b.BytesLeft == 0 {
		x.Reach(e.place, stepWorld)
		x.Note("")
		return
	}
	x.Stop() // it is the client's turn to request the next part
	if bytes > 0 {
		x.Note(fmt.Sprintf("%d of %d bytes", bytes, bytes-int64(len(b.Data))+int64(b.BytesLeft)))
	}
}

// takeEnter handles MsgEnter.
func (t *attemptTracker) takeEnter(e event) {
	x := t.begin(e)
	if x.Call(askerName(e.connection)); x.Who() != askerName(e.connection) { // the join already has a row
		x.Name(e.place, e.connection.callSign)
	}
	t.link(e.connection).Call(askerName(e.connection))
	x.Try(e.place, stepEnter)
}

// askerName returns the name of a client for tables of attempts.
func askerName(c *connection) string {
	if c.callSign == "" {
		return c.Client.String()
	}
	return c.Client.String() + " " + c.callSign
}

// takeAccept handles MsgAccept.
func (t *attemptTracker) takeAccept(e event) { t.begin(e).Reach(e.place, stepAccepted) }

// takeSpawn handles a spawn of the client's tank.
func (t *attemptTracker) takeSpawn(e event) { t.of(e).Reach(e.place, stepSpawned) }

// refuse records that the server refuses the client, with the reason.
func (t *attemptTracker) refuse(e event, reason string) {
	x := t.begin(e)
	x.Refuse(e.place, wire.Asked, reason, "")
	if v := e.connection.version; x != nil && v != "" {
		bzflag.Recorder{Reporter: t.reporter, Place: e.place, Server: e.server()}.
			State(bzflag.Refused, x.Who(), "version", v)
	}
}

// dismiss records that the server ends a client's connection. If the server thereby removes a player from the game,
// dismiss returns the reason.
func (t *attemptTracker) dismiss(e event) (reason string) {
	x := t.begin(e)
	if !e.place.Lossy && x.Reached(stepHello) && !x.Reached(stepAccepted) {
		if x.Outcome() != wire.Refused {
			t.refuse(e, "MsgSuperKill, no reason given")
		}
		return ""
	}
	return x.Remove(e.place)
}

// leave notes that the client says goodbye.
func (t *attemptTracker) leave(e event) { t.of(e).Leave(e.place) }

// takeWords handles a private message from the server to the client.
func (t *attemptTracker) takeWords(e event, text string) {
	t.of(e).Say(e.place, text)
	if c := e.connection; c.entered.Known() && !c.accepted.Known() {
		t.takeLogin(e, text)
	}
}

// takeLogin handles a message from the server about the client's login.
func (t *attemptTracker) takeLogin(e event, text string) {
	approved := strings.HasPrefix(text, "Global login approved")
	if !approved && !strings.HasPrefix(text, "Global login rejected") && text != "This callsign is not registered." {
		return
	}
	x := t.account.Begin(logins, e.place, e.connection.Client, e.connection.Server)
	x.Call(askerName(e.connection))
	if approved {
		x.Succeed(e.place)
	} else {
		x.Refuse(e.place, wire.Asked, text, "")
	}
}

// vanish records that the client no longer sends anything. The current message may be a datagram, but the join belongs
// to the TCP connection.
func (t *attemptTracker) vanish(e event, detail string) {
	c, p := e.connection, *e.place
	p.Transport, p.Conversation = wire.TCP, c.conversation
	if x := t.account.Of(joins, c.Client, c.Server); x.Outcome() == wire.Done {
		x.Fail(&p, wire.Asker, "nothing more comes from the player", detail)
	}
}

// link returns the client's attempt to use UDP, or nil if there is none.
func (t *attemptTracker) link(c *connection) *attempt.Attempt {
	if !c.link.from.IsValid() || c.link.in {
		return nil
	}
	return t.account.Of(links, c.link.from, c.Server)
}

// bzfs drops all datagrams from source ports whose low byte is below unheardPorts. It is meant to drop only those from
// ports below 1024, but compares the port in network byte order.
const unheardPorts = 4

// askLink handles a request for a UDP link.
func (t *attemptTracker) askLink(e event) {
	c := e.connection
	x := t.account.Begin(links, e.place, c.link.from, c.Server)
	x.Call(askerName(c))
	if port := c.link.from.Port(); port%256 < unheardPorts {
		x.Suspect("no UDP link, bzfs drops datagrams from ports whose low byte is below 4", "")
	}
	x.Try(e.place, 0)
}

// grantLink handles the answer to a request for a UDP link.
func (t *attemptTracker) grantLink(e event) {
	if c := e.connection; c.link.from.IsValid() {
		t.account.Of(links, c.link.from, c.Server).Succeed(e.place)
	}
}

// doubtLink records that the capture may lack the answer to the request for a link.
func (t *attemptTracker) doubtLink(p *wire.Place, c *connection) {
	t.link(c).Doubt(p, "the capture lacks messages of the connection")
}

// endLink ends a connection's attempt to get a link. If the server's stream continued without an answer, the client has
// given up. Otherwise, the capture may lack the answer.
func (t *attemptTracker) endLink(p *wire.Place, c *connection) {
	x := t.link(c)
	if clock.Elapsed(c.link.asked, c.streamed) > 0 {
		x.GiveUp(p)
	}
	x.End(p)
}
