package main

import (
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"

	"a2s/a2s"
)

// TestCaptures reads captures of queries by gamedig, a third-party program. Every packet must be the expected message.
// In the second capture, the server sends its rules in parts. The second time, the server compresses the rules, and the
// parts come in reverse order.
func TestCaptures(t *testing.T) {
	opening := []string{"InfoQuery", "Challenge", "InfoQuery", "Info", "PlayerQuery", "Players", "RulesQuery"}
	for path, want := range map[string][]string{
		"testdata/gamedig.pcap": append(slices.Clip(opening), "Rules"),
		"testdata/gamedig-split.pcap": slices.Concat(opening, []string{"Part", "Part", "Rules"},
			opening, []string{"Part", "Rules"}),
	} {
		t.Run(path, func(t *testing.T) { checkCapture(t, path, want) })
	}
}

func checkCapture(t *testing.T, path string, want []string) {
	f, err := capture.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var names []string
	e := decode.New(decode.Options{Protocols: []*wire.Protocol{a2s.Protocol}, Message: func(m *decode.Message) {
		names = append(names, m.Name)
		if r, ok := m.Layer.Core().Body.(*a2s.Rules); ok && len(r.Rules) != int(r.Count) {
			t.Errorf("frame %d: %d of %d rules", m.Frame, len(r.Rules), r.Count)
		}
		if len(m.Findings) > 0 {
			t.Errorf("frame %d: %v", m.Frame, m.Findings)
		}
	}})
	var p capture.Packet
	for f.Next(&p) == nil {
		e.Frame(&decode.Frame{Data: p.Data, Length: p.Length, Time: p.Time, Link: uint16(p.LinkType), Number: p.Number})
	}
	e.Close()
	if !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}
