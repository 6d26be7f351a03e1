package decode_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// others are foreign protocols, some of them similar to supported ones. Each function returns the next bytes of either
// side of a connection.
var others = map[string]func(r *rand.Rand) []byte{
	"noise": func(r *rand.Rand) []byte { return noise(r, 1+r.IntN(1400)) },
	"zeros": func(r *rand.Rand) []byte { return make([]byte, 1+r.IntN(1400)) },
	"steps": func(r *rand.Rand) (b []byte) { // small two-byte numbers
		for i := range uint16(600) {
			b = binary.BigEndian.AppendUint16(b, i%uint16(1+r.IntN(600)))
		}
		return b
	},
	"TLS": func(r *rand.Rand) []byte {
		n := 20 + r.IntN(1400)
		return append([]byte{0x17, 3, 3, byte(n >> 8), byte(n)}, noise(r, n)...)
	},
	"HTTP": func(r *rand.Rand) []byte {
		return fmt.Appendf(nil, "GET /%x HTTP/1.1\r\nHost: example.net\r\nAccept: */*\r\nCookie: %s\r\n\r\n", r.Uint64(), text(r, 200))
	},
	"HTTP answers": func(r *rand.Rand) []byte {
		page := text(r, r.IntN(1200))
		return fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: %d\r\n\r\n%s", len(page), page)
	},
	"SSH": func(r *rand.Rand) []byte {
		n := 16 + 16*r.IntN(8)
		return append([]byte{0, 0, byte(n >> 8), byte(n), 9}, noise(r, n-1)...)
	},
	"SMTP": func(r *rand.Rand) []byte { return []byte("250-" + text(r, 60) + "\r\n") },
	"frames of two letters": func(r *rand.Rand) []byte { // frames like BZFlag's, with any codes
		n := r.IntN(64)
		return append([]byte{byte(n >> 8), byte(n), letter(r), letter(r)}, noise(r, n)...)
	},
	"frames that count their header": func(r *rand.Rand) []byte {
		n := r.IntN(64)
		return append([]byte{0, byte(n + 4), letter(r), letter(r)}, noise(r, n)...)
	},
	"strings after their size": func(r *rand.Rand) []byte {
		n := 2 + r.IntN(20)
		return append([]byte{0, byte(n)}, text(r, n)...)
	},
	"frames of known codes": func(r *rand.Rand) []byte { // frames with known codes, as in another version
		n := r.IntN(200)
		codes := []string{"pu", "pi", "al", "kl", "sb", "se", "mg", "tp", "gf", "df", "gm", "fu", "tu", "ap", "rp", "sc"}
		return slices.Concat([]byte{0, byte(n)}, []byte(codes[r.IntN(len(codes))]), noise(r, n))
	},
	"letters in two bytes": func(r *rand.Rand) (b []byte) {
		for _, x := range text(r, 400) {
			b = append(b, 0, byte(x))
		}
		return b
	},
}

func noise(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func letter(r *rand.Rand) byte { return byte('a' + r.IntN(26)) }

func text(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		if b[i] = letter(r); r.IntN(6) == 0 {
			b[i] = ' '
		}
	}
	return string(b)
}

// runningOthers returns a connection that began before the capture. Both sides send bytes of the same protocol.
func runningOthers(r *rand.Rand, port uint16, says func(*rand.Rand) []byte, bytes int) (frames []decode.Frame) {
	seq := [2]uint32{r.Uint32(), r.Uint32()}
	for total := 0; total < bytes; {
		side := r.IntN(2)
		b := says(r)
		if total < 2*1400 {
			b = b[r.IntN(len(b)):] // the capture may begin at any byte
		}
		ports := [2]uint16{40000, port}
		p := make([]byte, 40, 40+len(b))
		p[0], p[8], p[9], p[12], p[15], p[16], p[19] = 0x45, 64, ip.ProtocolTCP, 10, byte(1+side), 10, byte(2-side)
		binary.BigEndian.PutUint16(p[2:], uint16(40+len(b)))
		binary.BigEndian.PutUint16(p[20:], ports[side])
		binary.BigEndian.PutUint16(p[22:], ports[1-side])
		binary.BigEndian.PutUint32(p[24:], seq[side])
		binary.BigEndian.PutUint32(p[28:], seq[1-side])
		p[32], p[33] = 5<<4, 0x10
		p = append(p, b...)
		frames = append(frames, decode.Frame{Data: p, Length: len(p), Time: int64(len(frames)) * 1e6, Link: ip.LinkRaw, Number: len(frames) + 1})
		seq[side] += uint32(len(b))
		total += len(b)
	}
	return frames
}

// TestMiddleOfOthers checks that foreign connections that began before the capture are not recognised, on ports of
// supported protocols and on other ports.
func TestMiddleOfOthers(t *testing.T) {
	wiretest.WithoutDetector(t)
	rounds := 10
	if wiretest.Full() {
		rounds = 100
	}
	for name, says := range others {
		for _, port := range []uint16{5154, 5155, 25154} {
			recognised := 0
			for seed := range uint64(rounds) {
				r := rand.New(rand.NewPCG(seed, uint64(port)))
				if l := listen(runningOthers(r, port, says, 32<<10), nil); len(l.messages) > 0 {
					recognised++
				}
			}
			if recognised > 0 {
				t.Errorf("%s on port %d: %d of %d connections are recognised", name, port, recognised, rounds)
			}
		}
	}
}
