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

// TestProbeFlaw probes malformed answers that are sent to the server's port. Only a valid game type shows that a message
// is an answer.
func TestProbeFlaw(t *testing.T) {
	const valid = "\x17\x00\x0d\x00\x00\x03\xe8\x01S\x00\x00\x0a\x06\x00\x03map\x00\x00\x1b\x00\x05"
	const invalid = "\x17\x00\x0d\x00\x00\x03\xe8\x01S\x00\x00\x0a\x06\x41\x03map\x00\x00\x1b\x00\x05"
	for data, want := range map[string]wire.Direction{valid: wire.FromServer, invalid: wire.Unknown} {
		p := wire.Probe{Datagram: &wire.Datagram{Payload: []byte(data)}, ToPort: true}
		if v := bloodmasters.Protocol.Probe(&p); v.Confidence != wire.Likely || v.Direction != want {
			t.Errorf("%q: %v, want direction %v", data, v, want)
		}
	}
}

// TestProbe checks that only whole queries and answers are recognised on other ports. On the protocol's port, malformed
// messages may also be recognised.
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
		{"request with another byte", false, "\x08" + request[1:] + "\x00", 0, wire.Verdict{Confidence: wire.Likely}},
		{"request with a byte after its length", true, request + "\x00", 0, wire.Verdict{Confidence: wire.Maybe}},
		{"answer", false, reply, 0, wire.Verdict{Confidence: wire.Sure, Direction: wire.FromServer}},
		{"truncated answer", false, reply[:len(reply)-5], 5, wire.Verdict{Confidence: wire.Sure, Direction: wire.FromServer}},
		{"answer truncated before its title", false, reply[:7], len(reply) - 7, wire.Verdict{Confidence: wire.Likely}},
		{"malformed answer", false, reply[:9] + "\x02" + reply[10:], 0, wire.Verdict{Confidence: wire.Likely, Direction: wire.FromServer}},
		{"gateway message", true, "\x07\x00\x01\x00\x00\x00\x1d", 0, wire.Verdict{Confidence: wire.Likely}},
		{"two gateway messages", true, "\x07\x00\x01\x00\x00\x00\x1d\x03\x00\x04", 0, wire.Verdict{Confidence: wire.Likely}},
		{"RTP", true, "\x80\x00\x01\x00" + string(make([]byte, 168)), 0, wire.Verdict{}},
		{"QUIC", true, "\xc0\x00\x00\x00\x01\x08abcdefgh" + string(make([]byte, 1200)), 0, wire.Verdict{}},
		{"query of another game", true, "\xff\xff\xff\xffgetstatus", 0, wire.Verdict{}},
		{"two bytes", true, "\x07\x00", 0, wire.Verdict{}},
	} {
		probe := &wire.Probe{Datagram: &wire.Datagram{Payload: []byte(test.payload), Missing: test.missing},
			ToPort: test.onPort}
		if got := bloodmasters.Protocol.Probe(probe); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
