package bzflag24

import (
	"fmt"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// attemptTracker reports to the account of attempts what clients want and what servers do about it.
type attemptTracker struct {
	reporter *wire.Reporter
	account  *attempt.Account
}

func newAttemptTracker(r *wire.Reporter) *attemptTracker {
	return &attemptTracker{r, attempt.New(r, "attempts to join BZFlag 2.4 games", joins, logins, links)}
}

// of returns the client's join, or nil.
func (t *attemptTracker) of(e event) *attempt.Attempt {
	if !e.tcp() {
		return nil
	}
	return t.account.Of(joins, e.connection.Client, e.connection.Server)
}

// begin returns the client's join, a new one if the capture lacks its beginning.
func (t *attemptTracker) begin(e event) *attempt.Attempt {
	if !e.tcp() {
		return nil
	}
	return t.account.Begin(joins, e.place, e.connection.Client, e.connection.Server)
}

// takeHeader takes the first words of a client. If the client has said them already, the end of a connection between
// the same ports is not in the capture.
func (t *attemptTracker) takeHeader(e event) {
	if x := t.of(e); x.Reached(stepGreeting) || x.Reached(stepHello) {
		x.End(e.place)
	}
	t.begin(e).Reach(e.place, stepGreeting)
}

// takeHello takes the hello.
func (t *attemptTracker) takeHello(e event) { t.begin(e).Reach(e.place, stepHello) }

// takeBanner takes what a server says to who has not spoken as a client does.
func (t *attemptTracker) takeBanner(e event) {
	t.begin(e).Fail(e.place, wire.Asker, "no BZFLAG header within the time limit", "")
}

// takeFlags takes the kinds of flags of the game that the client has not named.
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

// takeWorldRequest takes a request for a part of the world.
func (t *attemptTracker) takeWorldRequest(e event) {
	if x := t.begin(e); !x.Reached(stepRequest) {
		x.Try(e.place, stepRequest)
	} else {
		x.Reach(e.place, stepRequest)
	}
}

// takeWorldPart takes a part of the world; bytes is how many the client has, 0 if that is not known.
func (t *attemptTracker) takeWorldPart(e event, b *WorldPart, bytes int64) {
	x := t.of(e)
	if b.BytesLeft == 0 {
		x.Reach(e.place, stepWorld)
		x.Note("")
		return
	}
	x.Stop() // it is the client's turn
	if bytes > 0 {
		x.Note(fmt.Sprintf("%d of %d bytes", bytes, bytes-int64(len(b.Data))+int64(b.BytesLeft)))
	}
}

// takeEnter takes MsgEnter.
func (t *attemptTracker) takeEnter(e event) {
	x := t.begin(e)
	if x.Call(askerName(e.connection)); x.Who() != askerName(e.connection) { // its row is there already
		x.Name(e.place, e.connection.callSign)
	}
	t.link(e.connection).Call(askerName(e.connection))
	x.Try(e.place, stepEnter)
}

// askerName names a client in tables of attempts.
func askerName(c *connection) string {
	if c.callSign == "" {
		return c.Client.String()
	}
	return c.Client.String() + " " + c.callSign
}

// takeAccept takes MsgAccept.
func (t *attemptTracker) takeAccept(e event) { t.begin(e).Reach(e.place, stepAccepted) }

// takeSpawn takes a spawn of the client's tank.
func (t *attemptTracker) takeSpawn(e event) { t.of(e).Reach(e.place, stepSpawned) }

// refuse takes note that the server refuses the client, and why.
func (t *attemptTracker) refuse(e event, reason string) {
	x := t.begin(e)
	x.Refuse(e.place, wire.Asked, reason, "")
	if v := e.connection.version; x != nil && v != "" {
		bzflag.Recorder{Reporter: t.reporter, Place: e.place, Server: e.server()}.
			State(bzflag.Refused, x.Who(), "version", v)
	}
}

// dismiss takes note that the server ends the connection of a client, and returns why if that is a removal from the
// game.
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

// leave takes note that the client says goodbye.
func (t *attemptTracker) leave(e event) { t.of(e).Leave(e.place) }

// takeWords takes what a server says to the client alone.
func (t *attemptTracker) takeWords(e event, text string) {
	t.of(e).Say(e.place, text)
	if c := e.connection; c.entered.Known() && !c.accepted.Known() {
		t.takeLogin(e, text)
	}
}

// takeLogin takes what a server says of the login of the client.
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

// vanish takes note that nothing comes from the client any more. The message at hand may be a datagram.
func (t *attemptTracker) vanish(e event, detail string) {
	c, p := e.connection, *e.place
	p.Transport, p.Conversation = wire.TCP, c.conversation
	if x := t.account.Of(joins, c.Client, c.Server); x.Outcome() == wire.Done {
		x.Fail(&p, wire.Asker, "nothing more comes from the player", detail)
	}
}

// link returns the attempt of a client to send by UDP, or nil.
func (t *attemptTracker) link(c *connection) *attempt.Attempt {
	if !c.link.from.IsValid() || c.link.in {
		return nil
	}
	return t.account.Of(links, c.link.from, c.Server)
}

// unheardPorts are the numbers of source ports, in their low byte, of which bzfs drops all datagrams: it means ports
// below 1024, and compares the bytes in the order in which the network has them.
const unheardPorts = 4

// askLink takes a request for a UDP link.
func (t *attemptTracker) askLink(e event) {
	c := e.connection
	x := t.account.Begin(links, e.place, c.link.from, c.Server)
	x.Call(askerName(c))
	if port := c.link.from.Port(); port%256 < unheardPorts {
		x.Suspect("no UDP link, bzfs drops datagrams from ports whose low byte is below 4", "")
	}
	x.Try(e.place, 0)
}

// grantLink takes the answer to a request for a UDP link.
func (t *attemptTracker) grantLink(e event) {
	if c := e.connection; c.link.from.IsValid() {
		t.account.Of(links, c.link.from, c.Server).Succeed(e.place)
	}
}

// doubtLink takes note that the capture may lack the answer.
func (t *attemptTracker) doubtLink(p *wire.Place, c *connection) {
	t.link(c).Doubt(p, "the capture lacks messages of the connection")
}

// endLink takes note that the connection of who asked has ended. An answer may wait for a segment that the capture
// lacks.
func (t *attemptTracker) endLink(p *wire.Place, c *connection) {
	x := t.link(c)
	if clock.Elapsed(c.link.asked, c.streamed) > 0 {
		x.GiveUp(p)
	}
	x.End(p)
}
