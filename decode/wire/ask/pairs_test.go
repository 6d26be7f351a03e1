package ask_test

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/ask"
)

// AnswerKey implements wire.Keyed, for a Pong as well.
func (p *Ping) AnswerKey() []byte { return binary.BigEndian.AppendUint16(nil, p.Number) }

var (
	pingType = &wire.MessageType{Name: "Ping", Body: wire.Like(Ping{})}
	pongType = &wire.MessageType{Name: "Pong", Body: wire.Like(Pong{}), Answers: []string{"Ping"}}
	_        = wire.NewMessages(pingType, pongType)
)

// Pairs are the tracker of a protocol in which an answer has the number of its question.
func ExamplePairs() {
	pairs := &ask.Pairs{Patience: int64(5 * time.Second), Unanswered: rulePing, Unasked: rulePong, Table: "servers"}
	t := pairs.NewTracker(&wire.Reporter{
		Finding: func(f *wire.TrafficFinding) { fmt.Printf("%s: %s\n", f.Rule.ID, f.Text) },
		Value:   func(v *wire.Value) { fmt.Printf("%s of %s: %g %s\n", v.What, v.Server, v.Number, v.Unit) },
	})
	client, server := netip.MustParseAddrPort("192.0.2.1:4000"), netip.MustParseAddrPort("192.0.2.2:27960")
	say := func(seconds float64, src, dst netip.AddrPort, m *wire.MessageType, body wire.Body) {
		now := int64(seconds * float64(time.Second))
		message := &said{core: wire.Base{Message: m, Body: body}}
		t.Time(now)
		t.Message(message, &wire.Place{Time: now, Src: src, Dst: dst})
		for _, f := range message.core.Findings() {
			fmt.Printf("%s: %s\n", f.Rule.ID, f.Text)
		}
	}
	say(0, server, client, pongType, &Pong{Ping{6}}) // nothing of who asks is known yet
	say(1, client, server, pingType, &Ping{7})
	say(1.1, client, server, pingType, &Ping{8})
	say(1.25, server, client, pongType, &Pong{Ping{7}})
	say(1.26, server, client, pongType, &Pong{Ping{7}}) // the network doubled it
	say(2, server, client, pongType, &Pong{Ping{9}})
	say(3, client, server, pingType, &Ping{10})
	t.Lost(&wire.Place{Src: client, Dst: server})
	say(4, client, server, pingType, &Ping{11})
	t.Close(int64(20 * time.Second))
	// Output:
	// ping of 192.0.2.2:27960: 0.25 s
	// quiz.unasked-pong: 192.0.2.1:4000 asked nothing of the kind
	// quiz.unanswered-ping: no answer from 192.0.2.2:27960
}
