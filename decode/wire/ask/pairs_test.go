package ask_test

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/ask"
)

func (p *Ping) AnswerKey() []byte { return binary.BigEndian.AppendUint16(nil, p.Number) }

var (
	pingType = &wire.MessageType{Name: "Ping", Body: wire.Like(Ping{})}
	pongType = &wire.MessageType{Name: "Pong", Body: wire.Like(Pong{}), Answers: []string{"Ping"}}
	_        = wire.NewMessages(pingType, pongType)
)

// Pairs makes the tracker of a protocol in which an answer contains the number of its question.
func ExamplePairs() {
	pairs := &ask.Pairs{Patience: int64(5 * time.Second), Unanswered: rulePing, Unasked: rulePong, Table: "servers",
		Measure: func(r *wire.Reporter, l wire.Layer, p *wire.Place) {
			if m, ok := l.Core().Body.(*Pong); ok {
				r.Measured(wire.Value{Place: *p, Table: "servers", Server: p.Src, What: "number", Number: float64(m.Number)})
			}
		},
	}
	t := pairs.NewTracker(&wire.Reporter{
		Finding: func(f *wire.TrafficFinding) { fmt.Printf("%s: %s\n", f.Rule.ID, f.Text) },
		Value:   func(v *wire.Value) { fmt.Printf("%s of %s: %g%s\n", v.What, v.Server, v.Number, v.Unit) },
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
	say(0, server, client, pongType, &Pong{Ping{6}}) // no question from this client is known yet
	say(1, client, server, pingType, &Ping{7})
	say(1.1, client, server, pingType, &Ping{8})
	say(1.25, server, client, pongType, &Pong{Ping{7}})
	say(1.26, server, client, pongType, &Pong{Ping{7}}) // the network duplicated it
	say(2, server, client, pongType, &Pong{Ping{9}})
	say(3, client, server, pingType, &Ping{10})
	t.Lost(&wire.Place{Src: client, Dst: server})
	say(4, client, server, pingType, &Ping{11})
	t.Close(int64(20 * time.Second))
	// Output:
	// number of 192.0.2.2:27960: 6
	// number of 192.0.2.2:27960: 7
	// ping of 192.0.2.2:27960: 0.25s
	// number of 192.0.2.2:27960: 7
	// number of 192.0.2.2:27960: 9
	// quiz.unasked-pong: 192.0.2.1:4000 asked nothing of the kind
	// quiz.unanswered-ping: no answer from 192.0.2.2:27960
}

// If a side closes its connection, the open questions to it are reported, unless bytes are lost. Only servers have rows
// with a ping.
func TestPairsEnd(t *testing.T) {
	client, server := netip.MustParseAddrPort("192.0.2.1:4000"), netip.MustParseAddrPort("192.0.2.2:27960")
	up, down := wire.Place{Src: client, Dst: server}, wire.Place{Src: server, Dst: client}
	lossy := down
	lossy.Lossy = true
	pairs := &ask.Pairs{Patience: int64(5 * time.Second), Unanswered: rulePing, Unasked: rulePong, Table: "servers"}
	for _, c := range []struct {
		name string
		does func(track wire.Tracker, ask, answer func(wire.Place))
		want []string
	}{
		{"answered", func(k wire.Tracker, ask, answer func(wire.Place)) { ask(up); answer(down); k.(wire.Ender).Ended(&down) },
			[]string{"ping of 192.0.2.2:27960"}},
		{"the server closes", func(k wire.Tracker, ask, _ func(wire.Place)) { ask(up); k.(wire.Ender).Ended(&down); k.Time(9e9) },
			[]string{"192.0.2.2:27960 closed the connection without an answer"}},
		{"the asker closes first", func(k wire.Tracker, ask, _ func(wire.Place)) {
			ask(up)
			k.(wire.Ender).Ended(&up)
			k.(wire.Ender).Ended(&down)
		}, nil},
		{"the answer is overdue", func(k wire.Tracker, ask, _ func(wire.Place)) { ask(up); k.Time(9e9); k.(wire.Ender).Ended(&down) },
			[]string{"no answer from 192.0.2.2:27960"}},
		{"bytes are lost", func(k wire.Tracker, ask, _ func(wire.Place)) { ask(up); k.Lost(&down); k.(wire.Ender).Ended(&down) }, nil},
		{"bytes were lost earlier", func(k wire.Tracker, ask, _ func(wire.Place)) { ask(up); k.(wire.Ender).Ended(&lossy) }, nil},
		{"the server asks", func(_ wire.Tracker, ask, answer func(wire.Place)) { ask(down); answer(up) }, nil},
		{"the client closes", func(k wire.Tracker, ask, _ func(wire.Place)) { ask(down); k.(wire.Ender).Ended(&up) },
			[]string{"192.0.2.1:4000 closed the connection without an answer"}},
	} {
		var got []string
		k := pairs.NewTracker(&wire.Reporter{
			Finding: func(f *wire.TrafficFinding) { got = append(got, f.Text) },
			Value:   func(v *wire.Value) { got = append(got, fmt.Sprintf("%s of %s", v.What, v.Server)) },
		})
		say := func(m *wire.MessageType, body wire.Body) func(wire.Place) {
			return func(p wire.Place) {
				way := wire.ToServer
				if p.Src == server {
					way = wire.FromServer
				}
				k.Message(&said{core: wire.Base{Message: m, Body: body, Direction: way}}, &p)
			}
		}
		c.does(k, say(pingType, &Ping{1}), say(pongType, &Pong{Ping{1}}))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
