package bloodmasters_test

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/bloodmasters"
)

const samples = "../../testdata/bloodmasters"

func TestSamples(t *testing.T) { wiretest.Run(t, bloodmasters.Protocol, samples) }

func FuzzLayer(f *testing.F) { wiretest.Fuzz(f, bloodmasters.Protocol, samples) }

// A reply with a flaw at its end is recognised as a reply in either direction.
func TestProbeFlaw(t *testing.T) {
	const reply = "\x17\x00\x0d\x00\x00\x03\xe8\x01S\x00\x00\x0a\x06\x00\x03map\x00\x00\x1b\x00\x05"
	const request = "\x17\x00\x0d\x00\x00\x03\xe8\x01S\x00\x00\x0a\x06\x41\x03map\x00\x00\x1b\x00\x05"
	for data, want := range map[string]wire.Direction{reply: wire.FromServer, request: wire.Unknown} {
		p := wire.Probe{Datagram: &wire.Datagram{Payload: []byte(data)}, ToPort: true}
		if v := bloodmasters.Protocol.Probe(&p); v.Confidence != wire.Likely || v.Direction != want {
			t.Errorf("%q: %v, want direction %v", data, v, want)
		}
	}
}

// On other ports, only whole queries count. On the port, anything that could be a message counts.
func TestProbe(t *testing.T) {
	const (
		request = "\x07\x00\x0d\x00\x00\x03\xe8"
		reply   = "\x15\x00\x0d\x00\x00\x03\xe8\x01S\x00\x00\x0a\x06\x00\x03map\x00\x00\x1a"
	)
	for _, test := range []struct {
		name    string
		onPort  bool
		payload string
		missing int
		want    wire.Verdict
	}{
		{"request", false, request, 0, wire.Verdict{Confidence: wire.Sure, Direction: wire.ToServer}},
		{"request with more", false, "\x08" + request[1:] + "\x00", 0, wire.Verdict{Confidence: wire.Likely}},
		{"request that is too long for its length", true, request + "\x00", 0, wire.Verdict{Confidence: wire.Maybe}},
		{"answer", false, reply, 0, wire.Verdict{Confidence: wire.Sure, Direction: wire.FromServer}},
		{"answer, cut", false, reply[:len(reply)-5], 5, wire.Verdict{Confidence: wire.Sure, Direction: wire.FromServer}},
		{"answer, cut before its title", false, reply[:7], len(reply) - 7, wire.Verdict{Confidence: wire.Likely}},
		{"answer with a flaw", false, reply[:9] + "\x02" + reply[10:], 0, wire.Verdict{Confidence: wire.Likely, Direction: wire.FromServer}},
		{"gateway", true, "\x07\x00\x01\x00\x00\x00\x1d", 0, wire.Verdict{Confidence: wire.Likely}},
		{"two of the gateway", true, "\x07\x00\x01\x00\x00\x00\x1d\x03\x00\x04", 0, wire.Verdict{Confidence: wire.Likely}},
		{"RTP", true, "\x80\x00\x01\x00" + string(make([]byte, 168)), 0, wire.Verdict{}},
		{"QUIC", true, "\xc0\x00\x00\x00\x01\x08abcdefgh" + string(make([]byte, 1200)), 0, wire.Verdict{}},
		{"other games' queries", true, "\xff\xff\xff\xffgetstatus", 0, wire.Verdict{}},
		{"two bytes", true, "\x07\x00", 0, wire.Verdict{}},
	} {
		probe := &wire.Probe{Datagram: &wire.Datagram{Payload: []byte(test.payload), Missing: test.missing},
			ToPort: test.onPort}
		if got := bloodmasters.Protocol.Probe(probe); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
