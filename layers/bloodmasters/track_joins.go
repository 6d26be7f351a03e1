package bloodmasters

import (
	"bytes"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
)

// The steps of a join.
const (
	stepRequest uint8 = iota
	stepConfirm
	stepLogin
	stepStart
)

// loginTime is how long a server waits for PlayerLogin. The server ignores a later PlayerLogin.
const loginTime = time.Second

// joins are attempts to play. A client repeats a message that is not answered.
var joins = &wire.AttemptKind{
	Name: "joins", Noun: "join", Goal: stepStart, Repeats: true, Refused: refused, Slow: 3 * time.Second,
	Steps: []wire.AttemptStep{
		{Name: "asked", Turn: wire.Asked, Awaits: "answer to ConnectRequest", Patience: time.Duration(patience)},
		{Name: "confirmed", Turn: wire.Asker, Awaits: "PlayerLogin", Patience: loginTime},
		{Name: "logged in", Turn: wire.Asked, Awaits: "answer to PlayerLogin", Patience: time.Duration(patience)},
		{Name: "started"},
	},
}

// joinTracker follows how clients join. It derives the sender's role from the type of the message. A message in the
// wrong direction therefore matches no attempt.
type joinTracker struct{ *attempt.Account }

// take handles a message of a running game or of a join.
func (t joinTracker) take(core *wire.Base, code Code, p *wire.Place) {
	if core.Fault() != nil {
		return
	}
	client, server := p.Src, p.Dst
	switch code &^ reliable {
	case codeConnectRequest:
		t.begin(p).Try(p, stepRequest)
	case codeConnectConfirm:
		t.Of(joins, server, client).Reach(p, stepConfirm)
	case codeConnectRefused:
		t.refuse(core, p)
	case codePlayerLogin:
		t.takeLogin(p)
	case codeDisconnect:
		t.takeDisconnect(core, p)
	case 0, CodeServerInfo: // a confirmation or ping of the gateway, or a query
	default:
		t.Of(joins, server, client).Reach(p, stepStart)
	}
}

// begin returns the attempt of a client to join. If an earlier attempt succeeded, begin ends that attempt and starts
// another.
func (t joinTracker) begin(p *wire.Place) *attempt.Attempt {
	if x := t.Of(joins, p.Src, p.Dst); x.Outcome() == wire.Done {
		x.End(p)
	}
	return t.Begin(joins, p, p.Src, p.Dst)
}

func (t joinTracker) refuse(core *wire.Base, p *wire.Place) {
	if core.Direction != wire.ToServer && !core.Truncated() {
		t.Begin(joins, p, p.Dst, p.Src).Refuse(p, wire.Asked, oneLine(core.Body.(*ConnectRefused)), "")
	}
}

func (t joinTracker) takeLogin(p *wire.Place) {
	x := t.Begin(joins, p, p.Src, p.Dst)
	late := x.Since(p, stepConfirm)
	if x.Try(p, stepLogin) && late > loginTime {
		x.Blame("PlayerLogin comes " + late.Round(time.Millisecond).String() + " after ConnectConfirm; 1 s is allowed")
	}
}

func (t joinTracker) takeDisconnect(core *wire.Base, p *wire.Place) {
	x := t.Of(joins, p.Src, p.Dst)
	if x != nil {
		x.Leave(p)
	} else {
		x = t.Of(joins, p.Dst, p.Src)
		x.Say(p, oneLine(&core.Body.(*Disconnect).ConnectRefused))
		x.Remove(p)
	}
	x.End(p)
}

// oneLine returns the reason on one line.
func oneLine(m *ConnectRefused) string {
	text := bytes.Join(bytes.Fields(m.Reason), []byte(" "))
	return string(text[:min(len(text), maxText)])
}
