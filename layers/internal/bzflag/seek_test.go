package bzflag

import (
	"math/rand/v2"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Seek never skips a plausible message. It stops where a message may begin, or where too few bytes are left to decide.
func TestSeek(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	f := toyFraming
	stops := 0
	for range 2000 {
		data := make([]byte, r.IntN(40))
		for i := range data {
			data[i] = "\x00\x01\x02\x03\x04abcdeBZFSNx"[r.IntN(16)]
		}
		n := f.Seek(data)
		for at := range n {
			if size := f.Plausible(wire.Unknown, data[at:], new(wire.Progress)); size != wire.NoMessage {
				t.Fatalf("% x: Seek skips offset %d, where a message of %d bytes begins", data, at, size)
			}
		}
		if n > len(data) || n == len(data) && n > 0 {
			t.Fatalf("% x: Seek returns %d", data, n)
		}
		if n+HeaderSize <= len(data) {
			stops++
		}
	}
	if stops == 0 {
		t.Error("Seek never stops before the end")
	}
}
