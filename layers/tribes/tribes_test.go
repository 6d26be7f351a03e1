package tribes_test

import (
	"net/netip"
	"strconv"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/layers/tribes"
)

const samples = "../../testdata/tribes"

func TestSamples(t *testing.T) { wiretest.Run(t, tribes.Protocol, samples) }

func FuzzLayer(f *testing.F) { wiretest.Fuzz(f, tribes.Protocol, samples) }

var (
	client = netip.MustParseAddrPort("10.0.0.1:4000")
	game   = netip.MustParseAddrPort("10.0.0.2:28001")
	master = netip.MustParseAddrPort("10.0.0.9:2222") // the port does not show that this is a master
)

// TestTypes checks that a type has a message if and only if it has a name.
func TestTypes(t *testing.T) {
	l := tribes.Protocol.New()
	for i := range 256 {
		packet := make([]byte, 40)
		packet[0], packet[1] = tribes.Version, byte(i)
		_ = l.DecodeFromBytes(packet, gopacket.NilDecodeFeedback) // zeros are invalid for some types
		named := tribes.Type(i).String() != strconv.Itoa(i)
		if message := l.Core().Message.Name; named != (message != "Unknown") {
			t.Errorf("type %v is decoded as %s", tribes.Type(i), message)
		}
	}
}

// TestSessionLearnsMasters checks that a master on an unusual port is recognised by the heartbeats that it receives or
// the lists that it sends.
func TestSessionLearnsMasters(t *testing.T) {
	const (
		query     = "\x10\x03\xff\x00\x01\x00\x00\x00"
		heartbeat = "\x10\x05\xff\x00\x00\x00\x00\x00"
		list      = "\x10\x06\x02\x02\x01\x00\x00\x66\x00\x00"
	)
	type packet struct {
		src, dst netip.AddrPort
		payload  string
		want     string
	}
	for name, packets := range map[string][]packet{
		"heartbeat": {
			{client, master, query, "PingQuery"},
			{game, master, heartbeat, "Heartbeat"},
			{client, master, query, "MasterQuery"},
			{master, game, query, "VerificationRequest"},
			{client, game, query, "PingQuery"},
		},
		"list": {
			{client, master, query, "PingQuery"},
			{master, client, list, "MasterListReply"},
			{client, master, query, "MasterQuery"},
			{master, game, query, "VerificationRequest"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			layer, session := tribes.Protocol.New(), tribes.Protocol.NewSession(nil)
			for i, p := range packets {
				d := &wire.Datagram{Src: p.src, Dst: p.dst, Payload: []byte(p.payload)}
				session.Before(layer, d)
				if err := layer.DecodeFromBytes(d.Payload, gopacket.NilDecodeFeedback); err != nil {
					t.Fatal(err)
				}
				session.After(layer, d)
				if got := layer.Core().Message.Name; got != p.want {
					t.Errorf("packet %d is a %s, want %s", i, got, p.want)
				}
			}
		})
	}
}

// TestProbe includes packets of other games that use the same ports.
func TestProbe(t *testing.T) {
	toMaster := netip.MustParseAddrPort("10.0.0.9:28000")
	elsewhere := netip.MustParseAddrPort("10.0.0.9:1234")
	for _, test := range []struct {
		name    string
		dst     netip.AddrPort
		payload string
		want    wire.Confidence
	}{
		{"query", elsewhere, "\x10\x03\xff\x00\x01\x00\x00\x00", wire.Sure},
		{"query of five bytes", toMaster, "\x10\x03\xff\x00\x02", wire.Likely},
		{"list", elsewhere, "\x10\x06\x02\x02\x01\x00\x00\x66\x00\x00", wire.Sure},
		{"GameSpy answer", elsewhere, "\x61\x00\x01\x62\x06Tribes\x041.11\x00\x00\x00\x00\x00", wire.Sure},
		{"connection", game, "\x01\x00\x18\x00", wire.Maybe},
		{"connection on another port", elsewhere, "\x01\x00\x18\x00", wire.No},
		{"wrong version to a master", toMaster, "\x69\x03\xff\x00\x01\x00\x00\x00", wire.Likely},
		{"wrong version on another port", elsewhere, "\x69\x03\xff\x00\x01\x00\x00\x00", wire.No},
		{"Quake", toMaster, "\x80\x00\x00\x0c\x02QUAKE\x00\x03", wire.No},
		{"Quake III", toMaster, "\xff\xff\xff\xffgetinfo\n", wire.No},
		{"Tribes 2", toMaster, "\x0e\x02\x01\x02\x03\x04", wire.No},
		{"empty packet", toMaster, "", wire.No},
	} {
		probe := &wire.Probe{Datagram: &wire.Datagram{Src: client, Dst: test.dst, Payload: []byte(test.payload)}}
		probe.ToPort = test.dst != elsewhere
		if got := tribes.Protocol.Probe(probe).Confidence; got != test.want {
			t.Errorf("%s: confidence %d, want %d", test.name, got, test.want)
		}
	}
}
