package main

import (
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"

	"a2s/a2s"
)

// TestCapture reads what gamedig, a program of others, asked a server and got: every packet is a message, none is
// unknown, and each is what it has to be at its place.
func TestCapture(t *testing.T) {
	f, err := capture.Open("testdata/gamedig.pcap")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var names []string
	e := decode.New(decode.Options{Protocols: []*wire.Protocol{a2s.Protocol}, Message: func(m *decode.Message) {
		names = append(names, m.Name)
		if len(m.Findings) > 0 {
			t.Errorf("frame %d: %v", m.Frame, m.Findings)
		}
	}})
	var p capture.Packet
	for f.Next(&p) == nil {
		e.Frame(&decode.Frame{Data: p.Data, Length: p.Length, Time: p.Time, Link: uint16(p.LinkType), Number: p.Number})
	}
	e.Close()
	want := []string{"InfoQuery", "Challenge", "InfoQuery", "Info", "PlayerQuery", "Players", "RulesQuery", "Rules"}
	if !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}
