package anonymize

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/gamedissect/gamedissect/decode/ip"
)

// TestPlan compares a plan with a simple array that has every byte of the result.
func TestPlan(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		var p plan
		const size = 20000
		old, want := make([]byte, size), bytes.Repeat([]byte{filler}, size)
		for i := range old {
			old[i] = byte(r.Uint32())
		}
		for at := 0; at < size; {
			at += r.IntN(50) // bytes of no message
			n := min(1+r.IntN(1+round*round), size-at)
			if n <= 0 {
				break
			}
			changed := bytes.Clone(old[at : at+n])
			for range r.IntN(4) {
				for i := r.IntN(n); i < n && r.IntN(60) > 0; i++ {
					changed[i] ^= byte(1 + r.IntN(255))
				}
			}
			p.add(8, int64(at), old[at:at+n], changed)
			copy(want[at:], changed)
			at += n
		}
		p.add(9, 0, []byte{1}, []byte{2})
		p.sort()
		for range 20 {
			from := r.IntN(size)
			to := from + r.IntN(size-from)
			got := bytes.Clone(old[from:to])
			p.apply(8, int64(from), got)
			if !bytes.Equal(got, want[from:to]) {
				t.Fatalf("round %d: bytes %d to %d differ", round, from, to)
			}
		}
	}
}

func TestDifferencesStay(t *testing.T) {
	var p plan
	p.add(1, 100, []byte("secret"), []byte("public"))
	p.add(1, 100, []byte("sec"), []byte("sec")) // the same bytes in an incomplete message
	p.sort()
	b := []byte("SecretX")
	p.apply(1, 100, b)
	if string(b[1:]) != "ublicx" || b[0] == 'p' {
		t.Errorf("got %q", b)
	}
}

// sum returns the checksum of bytes according to RFC 1071.
func sum(b []byte) uint16 {
	total := uint32(0)
	for i := range b {
		total += uint32(b[i]) << (8 * (1 - i%2))
	}
	for total > 0xffff {
		total = total>>16 + total&0xffff
	}
	return ^uint16(total)
}

func FuzzAdjust(f *testing.F) {
	f.Add([]byte{1, 2, 3}, []byte{4, 5, 6})
	f.Add([]byte{0xff, 0xff, 0, 1}, []byte{0, 1, 0xff, 0xfe})
	f.Fuzz(func(t *testing.T, a, b []byte) {
		n := min(len(a), len(b))
		a, b = a[:n], b[:n]
		got := binary.BigEndian.AppendUint16(make([]byte, n%2), ip.UpdateChecksum(sum(a), string(a), string(b)))
		if rest := sum(append(bytes.Clone(b), got...)); rest != 0 && rest != 0xffff {
			t.Errorf("%x with the checksum %x adds up to %x", b, got, rest)
		}
	})
}
