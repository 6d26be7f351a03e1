package bzflag17_test

import (
	"encoding/hex"
	"net/netip"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bzflag17"
)

// TestSerialize writes messages that were not decoded from bytes.
func TestSerialize(t *testing.T) {
	me := bzflag17.Player{ID: bzflag17.PlayerID{Host: [4]byte{127, 0, 0, 1}, Port: 5155}}
	for _, c := range []struct {
		name  string
		layer bzflag17.Layer
		want  string
	}{
		{"MsgKilled from a client",
			newLayer(bzflag17.CodeKilled, wire.ToServer, &bzflag17.Killed{Victim: me, Killer: me, ShotID: bzflag17.NoShot}),
			"000a6b6c" + "7f00000114230000" + "ffff"},
		{"MsgKilled from a server",
			newLayer(bzflag17.CodeKilled, wire.FromServer, &bzflag17.Killed{Victim: me, Killer: me, ShotID: 256}),
			"00126b6c" + "7f00000114230000" + "7f00000114230000" + "0100"},
		{"a hello", newLayer(0, wire.FromServer, &bzflag17.ServerHello{Version: []byte("BZFS107c"), ReconnectPort: 5156}),
			"425a465331303763" + "1424"},
		{"a ping", newLayer(bzflag17.CodePingRequest, wire.ToServer, &bzflag17.PingRequest{TTL: 8}), "000204040008"},
	} {
		t.Run(c.name, func(t *testing.T) {
			buf := gopacket.NewSerializeBuffer()
			if err := c.layer.SerializeTo(buf, gopacket.SerializeOptions{FixLengths: true}); err != nil {
				t.Fatal(err)
			}
			if got := hex.EncodeToString(buf.Bytes()); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func newLayer(code bzflag17.Code, way wire.Direction, body wire.Body) (l bzflag17.Layer) {
	l.Code, l.Body, l.Context.Direction = code, body, way
	return l
}

// TestSerializeTooLong checks that SerializeTo returns an error if the body is too long for the length field.
func TestSerializeTooLong(t *testing.T) {
	l := newLayer(bzflag17.CodeGetWorld, wire.FromServer, &bzflag17.WorldPart{Data: make([]byte, 1<<16)})
	if err := l.SerializeTo(gopacket.NewSerializeBuffer(), gopacket.SerializeOptions{FixLengths: true}); err == nil {
		t.Error("a body of 65538 bytes was written")
	}
}

// TestPacket decodes a packet with two messages, as gopacket does.
func TestPacket(t *testing.T) {
	p := gopacket.NewPacket(unhex(t, "0000 6163 0000 6e72"), bzflag17.LayerType, gopacket.Default)
	if n := len(p.Layers()); n != 2 {
		t.Errorf("%d layers, want 2: %v", n, p)
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{bzflag17.CodeKilled.String(), "kl"},
		{bzflag17.CodePingReply.String(), "0303"},
		{bzflag17.GuidedMissile.String(), "Guided Missile"},
		{bzflag17.NoTeam.String(), "NoTeam"},
		{bzflag17.Team(9).String(), "9"},
		{bzflag17.FlagID(29).Type().String(), "Sticky"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// TestProbe probes datagrams as the engine does, on the protocol's ports and on other ports.
func TestProbe(t *testing.T) {
	const (
		update = "002a 7075 7f00000114230000 0001 41200000c2c8000040a00000 41a000000000000041980000 3f800000 00000000"
		link   = "feed 0000 0006 0001 0002 7069 0001 ffff"
	)
	for _, c := range []struct {
		name, src, dst, data string
		confidence           wire.Confidence
		direction            wire.Direction
	}{
		{"an update to the group", "10.0.0.1:1031", "224.0.1.2:5154", update, wire.Sure, wire.PeerToPeer},
		{"an update to another address", "10.0.0.1:1031", "10.0.0.2:9", update, wire.Likely, wire.PeerToPeer},
		{"an update and another byte", "10.0.0.1:1031", "224.0.1.2:5154", update + "00", wire.No, wire.Unknown},
		{"the link", "10.0.0.1:17200", "10.0.0.2:5155", link, wire.Sure, wire.Unknown},
		{"a ping of a later version", "10.0.0.1:1031", "10.0.0.255:5154", "0002 0404 0000", wire.No, wire.Unknown},
		{"a ping", "10.0.0.1:1031", "224.0.1.2:5155", "0002 0404 0008", wire.Likely, wire.ToServer},
		{"something else", "10.0.0.1:1031", "10.0.0.2:5155", "ffffffff 73746174 7573", wire.No, wire.Unknown},
		{"nothing", "10.0.0.1:1031", "10.0.0.2:5155", "", wire.No, wire.Unknown},
	} {
		src, dst := netip.MustParseAddrPort(c.src), netip.MustParseAddrPort(c.dst)
		d := &wire.Datagram{Src: src, Dst: dst, Payload: unhex(t, c.data)}
		want := wire.Verdict{Confidence: c.confidence, Direction: c.direction}
		if got := bzflag17.Protocol.Probe(&wire.Probe{Datagram: d}); got != want {
			t.Errorf("%s: %+v, want %+v", c.name, got, want)
		}
	}
}
