package decode

import (
	"fmt"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/tcp"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A protocol without a Probe recognises no datagrams and does not affect other protocols.
func TestNoProbe(t *testing.T) {
	p := *chess
	p.Probe = nil
	e := newTable(t, Options{Protocols: []*wire.Protocol{&p, poker}})
	e.say(client, server, saying("S>", "a"))
	e.say(client, "192.0.2.9:8000", saying("P>", "b"))
	e.expect("2@2 poker#1 40000>8000 c2s b")
}

// countingLayer counts the messages of its connection.
type countingLayer struct {
	toyLayer
	wire.State[int]
	said *string
}

func (l *countingLayer) Walk(c *wire.Cursor) {
	l.toyLayer.Walk(c)
	l.After = l.Before + 1
}

func (l *countingLayer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	err := l.Decode(l, data, df)
	*l.said += fmt.Sprint(l.After, " ")
	if l.Missed {
		*l.said += "missed "
	}
	return err
}

// If the capture has only one direction, the acknowledged bytes of the other direction are missing.
func TestStateOneWay(t *testing.T) {
	said, p := "", *toyStreams()
	p.New = func() wire.Layer { return &countingLayer{said: &said} }
	p.NewSession = wire.NewStates[int]
	w := newWired(t, client, offPort)
	w.table = newTable(t, Options{Protocols: []*wire.Protocol{&p}})
	w.at(1, w.seq[1]-1, tcp.SYN|tcp.ACK, "", 0)
	w.send(1, saying("S<", "a"))
	w.lose(0, 3)
	w.send(1, saying("S<", "b"))
	w.Close()
	if want := "1 2 missed "; said != want {
		t.Errorf("%q, want %q", said, want)
	}
}

// The state of messages belongs to one connection. A later connection with the same ports has a new state.
func TestStateEnds(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(*wired)
		want string
	}{
		{"goes on", func(*wired) {}, "1 2 3 "},
		{"reset, and the ports are used again", func(w *wired) {
			w.at(1, w.seq[1], tcp.RST, "", 0)
			w.seq = [2]uint32{90000, 80000}
			w.open()
		}, "1 2 1 "},
		{"the ports are used again", func(w *wired) { w.seq = [2]uint32{90000, 80000}; w.open() }, "1 2 1 "},
		{"acknowledged bytes never come", func(w *wired) { w.lose(0, 3); w.send(1, saying("S<", "d")) }, "1 2 3 missed "},
		{"bytes are lost", func(w *wired) { w.lose(0, 3); w.send(0, saying("S>", "d")+saying("S>", "e")) }, "1 2 3 missed 4 missed 5 missed "},
	} {
		said, p := "", *toyStreams()
		p.New = func() wire.Layer { return &countingLayer{said: &said} }
		p.NewSession = wire.NewStates[int]
		w := newWired(t, client, offPort)
		w.table = newTable(t, Options{Protocols: []*wire.Protocol{&p}})
		w.open()
		w.send(0, saying("S>", "a"))
		w.send(1, saying("S<", "b"))
		c.end(w)
		w.send(0, saying("S>", "c"))
		w.Close()
		if said != c.want {
			t.Errorf("%s: %q, want %q", c.name, said, c.want)
		}
	}
}
