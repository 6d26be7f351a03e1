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

// sent is a datagram between a client and a game server.
type sent struct {
	back    bool // from the server to the client
	payload string
}

// recognised passes datagrams on the game's port to the protocol's Probe, as the engine does. It returns the index of
// the datagram with which Probe recognises the conversation, or -1.
func recognised(datagrams []sent) (at int) { return recognisedAt(datagrams, false) }

// recognisedAt is like recognised, but the server may already be known.
func recognisedAt(datagrams []sent, known bool) (at int) {
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
func gamePacket(parity, sequence, acknowledged, pairs, kind int, rest string) string {
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
	return string(binary.LittleEndian.AppendUint64(nil, bits)[:n/8]) + rest
}

const number = "\x12\x34\x56\x78"

func request(number string) string { return gamePacket(1, 0, 0, 0, 3, number+"name") }

// numbered returns n packets with data. The sequence numbers begin at first and increase by step.
func numbered(back bool, first, step, n int) (all []sent) {
	for i := range n {
		all = append(all, sent{back, gamePacket(1, first+i*step, i, i%3, 0, "some data")})
	}
	return all
}

// TestConnects checks that several matching packets of a game connection are recognised, but that a single packet is
// not.
func TestConnects(t *testing.T) {
	accept, reject := gamePacket(1, 0, 1, 0, 4, number), gamePacket(1, 0, 1, 1, 5, number+"no")
	ping := sent{payload: gamePacket(1, 7, 0, 0, 7, "12345678")}
	for _, c := range []struct {
		name string
		list []sent
		at   int
	}{
		{"request and accept", []sent{{false, request(number)}, {true, accept}}, 1},
		{"request and reject", []sent{{false, request(number)}, {true, reject}}, 1},
		{"repeated request", []sent{{false, request(number)}, {false, request(number)}}, 1},
		{"repeated request with a ping in between", []sent{{false, request(number)}, ping, {false, request(number)}}, 2},
		{"single request", []sent{{false, request(number)}}, -1},
		{"requests with different numbers", []sent{{false, request("aaaa")}, {false, request("bbbb")}, {false, request("cccc")}}, -1},
		{"accept with another number", []sent{{false, request("abcd")}, {true, accept}}, -1},
		{"request and accept from the same side", []sent{{false, request(number)}, {false, accept}}, -1},
		{"request and accept without a number", []sent{{false, gamePacket(1, 0, 0, 0, 3, "")}, {true, gamePacket(1, 0, 0, 0, 4, "")}}, -1},
		{"data", numbered(false, 100, 1, 9), 3},
		{"data, the numbers wrap around", numbered(true, 510, 1, 9), 3},
		{"data, some packets are lost", numbered(true, 100, 5, 9), 3},
		{"data, most packets are lost", numbered(true, 100, 9, 16), -1},
		{"data, always the same number", numbered(false, 100, 512, 16), -1},
		{"data, the numbers decrease", numbered(false, 100, 511, 16), -1},
		{"data in both directions", []sent{numbered(false, 5, 1, 1)[0], numbered(true, 9, 1, 1)[0], numbered(false, 6, 1, 1)[0],
			numbered(true, 10, 1, 1)[0], numbered(false, 7, 1, 1)[0]}, 4},
		{"data after acknowledgements", append([]sent{ping, {true, gamePacket(1, 0, 0, 0, 16, "12345678")}}, numbered(true, 3, 1, 4)...), 5},
	} {
		if at := recognised(c.list); at != c.at {
			t.Errorf("%s: recognised at datagram %d, want %d", c.name, at, c.at)
		}
	}
}

// TestConnectsToKnown checks that fewer packets are enough if the server is known, but that one data packet is not.
func TestConnectsToKnown(t *testing.T) {
	data := numbered(false, 7, 1, 2)
	for _, c := range []struct {
		name string
		list []sent
		at   int
	}{
		{"request", []sent{{false, request(number)}}, 0},
		{"two data packets", data, 1},
		{"one data packet", data[:1], -1},
		{"a repeated data packet", []sent{data[0], data[0]}, -1},
	} {
		if at := recognisedAt(c.list, true); at != c.at {
			t.Errorf("%s: recognised at datagram %d, want %d", c.name, at, c.at)
		}
	}
}

// recognisedAsGame is like recognised, but returns -1 if Probe recognised a query or a matchmaking message.
func recognisedAsGame(datagrams []sent) int {
	if at := recognised(datagrams); at >= 0 && datagrams[at].payload[0]&1 == 1 {
		return at
	}
	return -1
}

// TestConnectsNotOthers checks that other traffic on the port is not recognised: random bytes, packets that begin with
// a counter, and queries of other games.
func TestConnectsNotOthers(t *testing.T) {
	const most = 16 // maximum number of datagrams that the engine probes
	rng := rand.New(rand.NewPCG(1, 2))
	count := 0
	for range 20_000 {
		var list []sent
		for range most {
			b := make([]byte, 1+rng.IntN(60))
			for i := range b {
				b[i] = byte(rng.Uint32())
			}
			list = append(list, sent{rng.IntN(2) == 0, string(b)})
		}
		if recognisedAsGame(list) >= 0 {
			count++
		}
	}
	if count > 2 {
		t.Errorf("%d of 20000 random conversations were recognised", count)
	}
	for first := range 1 << 12 { // all possible first values of a counter
		for _, b := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			for _, width := range []int{2, 4} {
				var list []sent
				for i := range most {
					var p []byte
					if n := first<<4 + i; width == 2 {
						p = b.AppendUint16(nil, uint16(n))
					} else {
						p = b.AppendUint32(nil, uint32(n))
					}
					list = append(list, sent{i%2 == 1, string(p) + "\x00\x01\x00\x00\x00\x00\x00\x00\x03www"})
				}
				if at := recognisedAsGame(list); at >= 0 {
					t.Fatalf("a counter of %d bytes from %#x (%T) was recognised at datagram %d", width, first<<4, b, at)
				}
			}
		}
	}
	for _, query := range []string{
		"\xff\xff\xff\xffgetstatus\n", "\xff\xff\xff\xffTSource Engine Query\x00", "\\status\\", "\xfe\xfd\x00\x01\x02\x03\x04\xff\x00\x00",
		"\x80\x00\x00\x0c\x02QUAKE\x00\x03", "\x0e\x02\x01\x02\x03\x04", "\x01\x01\x00\x08\x21\x12\xa4\x42abcdefghijkl", "\x01\x00\x00\x14pass",
	} {
		var list []sent
		for range most / 2 {
			list = append(list, sent{false, query}, sent{true, "\xff" + query})
		}
		if at := recognised(list); at >= 0 {
			t.Errorf("%q was recognised at datagram %d", query, at)
		}
	}
}

// TestSessionKnowsAnswers checks that a GameSpy-style answer is recognised if its query has the same sequence, no
// matter what follows the sequence.
func TestSessionKnowsAnswers(t *testing.T) {
	type packet struct {
		sent
		want string
	}
	other := netip.MustParseAddrPort("10.0.0.3:4000")
	for name, packets := range map[string][]packet{
		"full":                     {{sent{false, "\x62\x2a\x2b"}, "GameSpyQuery"}, {sent{true, "\x63\x2a\x2b\x00\x06Tribes"}, "GameSpyReply"}},
		"brief":                    {{sent{false, "\x60\x2a\x2b"}, "GameSpyPingQuery"}, {sent{true, "\x61\x2a\x2b\x00\x06Tribes"}, "GameSpyPingReply"}},
		"longer query":             {{sent{false, "\x60\x2a\x2bmore"}, "GameSpyPingQuery"}, {sent{true, "\x61\x2a\x2b\x00\x06Tribes"}, "GameSpyPingReply"}},
		"query without a sequence": {{sent{false, "\x60"}, "GameSpyPingQuery"}, {sent{true, "\x61\x2a\x2b\x00\x06Tribes"}, "GameSpyPingReply"}},
		"short answer":             {{sent{false, "\x62\x2a\x2b"}, "GameSpyQuery"}, {sent{true, "\x63\x2a\x2b"}, "GameSpyReply"}},
		"two queries": {{sent{false, "\x62\x00\x01"}, "GameSpyQuery"}, {sent{false, "\x62\x00\x02"}, "GameSpyQuery"},
			{sent{true, "\x63\x00\x01\x00\x06Tribes"}, "GameSpyReply"}, {sent{true, "\x63\x00\x02\x00\x06Tribes"}, "GameSpyReply"}},
		"no query":                     {{sent{true, "\x63\x2a\x2b\x00\x06Tribes"}, "GameConnection"}},
		"answer with another code":     {{sent{false, "\x60\x2a\x2b"}, "GameSpyPingQuery"}, {sent{true, "\x63\x2a\x2b\x00\x06Tribes"}, "GameConnection"}},
		"answer with another sequence": {{sent{false, "\x62\x2a\x2b"}, "GameSpyQuery"}, {sent{true, "\x63\x2a\x2c\x00\x06Tribes"}, "GameConnection"}},
		"answer from the client":       {{sent{false, "\x62\x2a\x2b"}, "GameSpyQuery"}, {sent{false, "\x63\x2a\x2b\x00\x06Tribes"}, "GameConnection"}},
	} {
		layer, session := tribes.Protocol.New(), tribes.Protocol.NewSession(nil)
		receive := func(d wire.Datagram) string {
			session.Before(layer, &d)
			_ = layer.DecodeFromBytes(d.Payload, gopacket.NilDecodeFeedback) // most datagrams are incomplete
			session.After(layer, &d)
			return layer.Core().Message.Name
		}
		receive(wire.Datagram{Src: other, Dst: game, Payload: []byte("\x62\x2a\x2c")}) // a query by another host
		for i, p := range packets {
			d := wire.Datagram{Src: client, Dst: game, Payload: []byte(p.payload)}
			if p.back {
				d.Src, d.Dst = game, client
			}
			if got := receive(d); got != p.want {
				t.Errorf("%s: packet %d is a %s, want %s", name, i, got, p.want)
			}
		}
	}
	if at := recognised([]sent{{false, "\x60\x2a\x2bmore"}, {true, "\x61\x2a\x2b\x00\x06Tribes"}}); at != 1 {
		t.Errorf("a long query and its answer were recognised at datagram %d, want 1", at)
	}
}
