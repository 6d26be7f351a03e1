package tribes_test

import (
	"encoding/binary"
	"math/rand/v2"
	"net/netip"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/tribes"
)

// said is a datagram between a client and a game server.
type said struct {
	back    bool // sent by the server
	payload string
}

// recognised passes datagrams to the protocol's Probe as the engine does, on the game's port. It returns the index of
// the datagram at which the conversation is recognised, or -1.
func recognised(datagrams []said) (at int) { return recognisedAt(datagrams, false) }

// recognisedAt is like recognised, but the server may already be known.
func recognisedAt(datagrams []said, known bool) (at int) {
	var earlier []wire.Datagram
	for i, s := range datagrams {
		d := wire.Datagram{Src: client, Dst: game, Payload: []byte(s.payload)}
		if s.back {
			d.Src, d.Dst = game, client
		}
		p := &wire.Probe{Datagram: &d, ToPort: !s.back, FromPort: s.back, Known: known, Earlier: earlier}
		switch tribes.Protocol.Probe(p).Confidence {
		case wire.Likely, wire.Sure:
			return i
		case wire.Maybe:
			if len(earlier) < 8 {
				earlier = append(earlier, d)
			}
		}
	}
	return -1
}

// gamePacket returns the header of a game packet, followed by other bytes.
func gamePacket(parity, sequence, acknowledged, pairs, kind int, behind string) string {
	bits, n := uint64(1), 1
	put := func(v, width int) {
		bits |= uint64(v) << n
		n += width
	}
	put(parity, 1)
	put(sequence%512, 9)
	put(acknowledged%32, 5)
	for i := range pairs {
		put(1, 3)
		put(i, 5)
	}
	put(0, 3)
	put(kind, 5)
	return string(binary.LittleEndian.AppendUint64(nil, bits)[:n/8]) + behind
}

const number = "\x12\x34\x56\x78"

func request(number string) string { return gamePacket(1, 0, 0, 0, 3, number+"name") }

// numbered returns n packets with data. The sequence numbers begin at first and increase by step.
func numbered(back bool, first, step, n int) (all []said) {
	for i := range n {
		all = append(all, said{back, gamePacket(1, first+i*step, i, i%3, 0, "what is said")})
	}
	return all
}

// A packet of a game connection cannot be recognised by itself, but several packets that fit together can.
func TestConnects(t *testing.T) {
	accept, reject := gamePacket(1, 0, 1, 0, 4, number), gamePacket(1, 0, 1, 1, 5, number+"no")
	ping := said{payload: gamePacket(1, 7, 0, 0, 7, "12345678")}
	for _, c := range []struct {
		name  string
		talk  []said
		taken int
	}{
		{"asked and accepted", []said{{false, request(number)}, {true, accept}}, 1},
		{"asked and refused", []said{{false, request(number)}, {true, reject}}, 1},
		{"asked again", []said{{false, request(number)}, {false, request(number)}}, 1},
		{"asked again, with pings between", []said{{false, request(number)}, ping, {false, request(number)}}, 2},
		{"asked once", []said{{false, request(number)}}, -1},
		{"asked for several", []said{{false, request("aaaa")}, {false, request("bbbb")}, {false, request("cccc")}}, -1},
		{"another one accepted", []said{{false, request("abcd")}, {true, accept}}, -1},
		{"accepted by oneself", []said{{false, request(number)}, {false, accept}}, -1},
		{"asked for no number", []said{{false, gamePacket(1, 0, 0, 0, 3, "")}, {true, gamePacket(1, 0, 0, 0, 4, "")}}, -1},
		{"it runs", numbered(false, 100, 1, 9), 3},
		{"it runs, numbers begin anew", numbered(true, 510, 1, 9), 3},
		{"some are lost", numbered(true, 100, 5, 9), 3},
		{"most are lost", numbered(true, 100, 9, 16), -1},
		{"one is repeated", numbered(false, 100, 512, 16), -1},
		{"it goes back", numbered(false, 100, 511, 16), -1},
		{"both talk", []said{numbered(false, 5, 1, 1)[0], numbered(true, 9, 1, 1)[0], numbered(false, 6, 1, 1)[0],
			numbered(true, 10, 1, 1)[0], numbered(false, 7, 1, 1)[0]}, 4},
		{"acknowledgements between", append([]said{ping, {true, gamePacket(1, 0, 0, 0, 16, "12345678")}}, numbered(true, 3, 1, 4)...), 5},
	} {
		if at := recognised(c.talk); at != c.taken {
			t.Errorf("%s: taken at datagram %d, want %d", c.name, at, c.taken)
		}
	}
}

// If the server is known, fewer packets are enough, but one packet with data is not.
func TestConnectsToKnown(t *testing.T) {
	data := numbered(false, 7, 1, 2)
	for _, c := range []struct {
		name  string
		talk  []said
		taken int
	}{
		{"asked", []said{{false, request(number)}}, 0},
		{"two in a row", data, 1},
		{"one", data[:1], -1},
		{"one again", []said{data[0], data[0]}, -1},
	} {
		if at := recognisedAt(c.talk, true); at != c.taken {
			t.Errorf("%s: taken at datagram %d, want %d", c.name, at, c.taken)
		}
	}
}

// claimed is like recognised, but a datagram that begins like a query or a matchmaking message does not count.
func claimed(datagrams []said) int {
	if at := recognised(datagrams); at >= 0 && datagrams[at].payload[0]&1 == 1 {
		return at
	}
	return -1
}

// Other traffic on the port is not recognised: noise, counters, and queries of other games.
func TestConnectsNotOthers(t *testing.T) {
	const most = 16 // maximum number of datagrams that the engine probes
	rng := rand.New(rand.NewPCG(1, 2))
	taken := 0
	for range 20_000 {
		var talk []said
		for range most {
			b := make([]byte, 1+rng.IntN(60))
			for i := range b {
				b[i] = byte(rng.Uint32())
			}
			talk = append(talk, said{rng.IntN(2) == 0, string(b)})
		}
		if claimed(talk) >= 0 {
			taken++
		}
	}
	if taken > 2 {
		t.Errorf("%d of 20000 conversations of noise are taken", taken)
	}
	for first := range 1 << 12 { // all possible first values of a counter
		for _, b := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			for _, width := range []int{2, 4} {
				var talk []said
				for i := range most {
					var p []byte
					if n := first<<4 + i; width == 2 {
						p = b.AppendUint16(nil, uint16(n))
					} else {
						p = b.AppendUint32(nil, uint32(n))
					}
					talk = append(talk, said{i%2 == 1, string(p) + "\x00\x01\x00\x00\x00\x00\x00\x00\x03www"})
				}
				if at := claimed(talk); at >= 0 {
					t.Fatalf("%d bytes that count from %#x on (%T) are taken at datagram %d", width, first<<4, b, at)
				}
			}
		}
	}
	for _, query := range []string{
		"\xff\xff\xff\xffgetstatus\n", "\xff\xff\xff\xffTSource Engine Query\x00", "\\status\\", "\xfe\xfd\x00\x01\x02\x03\x04\xff\x00\x00",
		"\x80\x00\x00\x0c\x02QUAKE\x00\x03", "\x0e\x02\x01\x02\x03\x04", "\x01\x01\x00\x08\x21\x12\xa4\x42abcdefghijkl", "\x01\x00\x00\x14pass",
	} {
		var talk []said
		for range most / 2 {
			talk = append(talk, said{false, query}, said{true, "\xff" + query})
		}
		if at := recognised(talk); at >= 0 {
			t.Errorf("%q is taken at datagram %d", query, at)
		}
	}
}

// An answer to a GameSpy-style query is recognised by its query, whatever follows its sequence number.
func TestSessionKnowsAnswers(t *testing.T) {
	type packet struct {
		said
		want string
	}
	other := netip.MustParseAddrPort("10.0.0.3:4000")
	for name, packets := range map[string][]packet{
		"in full": {{said{false, "\x62\x2a\x2b"}, "GameSpyQuery"}, {said{true, "\x63\x2a\x2b\x00\x06Tribes"}, "GameSpyReply"}},
		"brief":   {{said{false, "\x60\x2a\x2b"}, "GameSpyPingQuery"}, {said{true, "\x61\x2a\x2b\x00\x06Tribes"}, "GameSpyPingReply"}},
		"longer":  {{said{false, "\x60\x2a\x2bmore"}, "GameSpyPingQuery"}, {said{true, "\x61\x2a\x2b\x00\x06Tribes"}, "GameSpyPingReply"}},
		"bare":    {{said{false, "\x60"}, "GameSpyPingQuery"}, {said{true, "\x61\x2a\x2b\x00\x06Tribes"}, "GameSpyPingReply"}},
		"short":   {{said{false, "\x62\x2a\x2b"}, "GameSpyQuery"}, {said{true, "\x63\x2a\x2b"}, "GameSpyReply"}},
		"of several": {{said{false, "\x62\x00\x01"}, "GameSpyQuery"}, {said{false, "\x62\x00\x02"}, "GameSpyQuery"},
			{said{true, "\x63\x00\x01\x00\x06Tribes"}, "GameSpyReply"}, {said{true, "\x63\x00\x02\x00\x06Tribes"}, "GameSpyReply"}},
		"not asked":      {{said{true, "\x63\x2a\x2b\x00\x06Tribes"}, "GameConnection"}},
		"asked briefly":  {{said{false, "\x60\x2a\x2b"}, "GameSpyPingQuery"}, {said{true, "\x63\x2a\x2b\x00\x06Tribes"}, "GameConnection"}},
		"other sequence": {{said{false, "\x62\x2a\x2b"}, "GameSpyQuery"}, {said{true, "\x63\x2a\x2c\x00\x06Tribes"}, "GameConnection"}},
		"by the client":  {{said{false, "\x62\x2a\x2b"}, "GameSpyQuery"}, {said{false, "\x63\x2a\x2b\x00\x06Tribes"}, "GameConnection"}},
	} {
		layer, session := tribes.Protocol.New(), tribes.Protocol.NewSession(nil)
		see := func(d wire.Datagram) string {
			session.Before(layer, &d)
			_ = layer.DecodeFromBytes(d.Payload, gopacket.NilDecodeFeedback) // most datagrams are incomplete
			session.After(layer, &d)
			return layer.Core().Message.Name
		}
		see(wire.Datagram{Src: other, Dst: game, Payload: []byte("\x62\x2a\x2c")}) // a query by another host
		for i, p := range packets {
			d := wire.Datagram{Src: client, Dst: game, Payload: []byte(p.payload)}
			if p.back {
				d.Src, d.Dst = game, client
			}
			if got := see(d); got != p.want {
				t.Errorf("%s: packet %d is a %s, want %s", name, i, got, p.want)
			}
		}
	}
	if at := recognised([]said{{false, "\x60\x2a\x2bmore"}, {true, "\x61\x2a\x2b\x00\x06Tribes"}}); at != 1 {
		t.Errorf("a query of another length and its answer are taken at datagram %d", at)
	}
}
