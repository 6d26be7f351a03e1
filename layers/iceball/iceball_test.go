package iceball_test

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/iceball"
)

const samples = "../../testdata/iceball"

func TestSamples(t *testing.T) { wiretest.Run(t, iceball.Protocol, samples) }

func FuzzLayer(f *testing.F) { wiretest.Fuzz(f, iceball.Protocol, samples) }

// TestVersionString compares versions with the texts that the real heartbeat server writes.
func TestVersionString(t *testing.T) {
	for v, want := range map[iceball.Version]string{
		4227076:    "0.1.1-4",
		4259840:    "0.1.2",
		8388608:    "0.2",
		8389632:    "0.2a",
		8421411:    "0.2.1-35",
		8421413:    "0.2.1-37",
		5:          "0.0-5",
		0xffffffff: "31.31.127\x7f-1023",
	} {
		if got := v.String(); got != want {
			t.Errorf("%d is %q, want %q", v, got, want)
		}
	}
}

// TestProbe checks that the four letters are enough on the port. On other ports, the result is Sure only if the message
// has the exact length.
func TestProbe(t *testing.T) {
	announce := "1CEB" + string(make([]byte, 82))
	for _, test := range []struct {
		name             string
		toPort, fromPort bool
		payload          string
		want             wire.Verdict
	}{
		{"announce", true, false, announce, wire.Verdict{Confidence: wire.Sure}},
		{"announce on another port", false, false, announce, wire.Verdict{Confidence: wire.Sure, Direction: wire.ToServer}},
		{"short announce on another port", false, false, announce[:80], wire.Verdict{Confidence: wire.Likely,
			Direction: wire.ToServer}},
		{"cookie", false, true, "MSOK\x01\x02\x03\x04", wire.Verdict{Confidence: wire.Likely}},
		{"refusal on another port", false, false, "BADV\x02\x00\x00\x00\x00\x00", wire.Verdict{Confidence: wire.Sure,
			Direction: wire.FromServer}},
		{"other data to the port", true, false, "GET / HTTP", wire.Verdict{}},
		{"lower case", true, false, "1ceb", wire.Verdict{Confidence: wire.Likely}},
		{"other data from the port", false, true, "GET / HTTP", wire.Verdict{}},
		{"three bytes", true, false, "1CE", wire.Verdict{}},
	} {
		probe := &wire.Probe{Datagram: &wire.Datagram{Payload: []byte(test.payload)}, ToPort: test.toPort,
			FromPort: test.fromPort}
		if got := iceball.Protocol.Probe(probe); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
	known := &wire.Probe{Datagram: &wire.Datagram{Payload: []byte("GET / HTTP")}, ToPort: true, Known: true}
	if got := iceball.Protocol.Probe(known); got.Confidence != wire.Likely {
		t.Errorf("other data to a known server: %v, want confidence %d", got, wire.Likely)
	}
}
