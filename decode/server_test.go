package decode

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// The table of servers drops the least recently used server.
func TestServersAgainstModel(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for _, most := range []int{1, 3, 50, 600} {
		b := bounded.NewBudget(0)
		s := newServers(b)
		s.note(0, 1)
		b.Resize(most * b.Used())
		s.Forget()
		var list []knownServer // the most recently used is last
		for range 10_000 {
			over := b.Used() > b.Limit()
			b.Turn()
			if gone := len(list) - s.Len(); gone > 0 != over || gone < 0 {
				t.Fatalf("%d servers were dropped; over the limit: %t", gone, over)
			} else {
				list = list[gone:]
			}
			k := bounded.Endpoint(r.IntN(3 * most))
			at := slices.IndexFunc(list, func(x knownServer) bool { return x.endpoint() == k })
			want := knownServer(k)
			if at >= 0 {
				want = list[at]
				list = slices.Delete(list, at, at+1)
			}
			if r.IntN(2) == 0 {
				protocol := uint8(1 + r.IntN(3))
				want = knownServer(k) | knownServer(protocol)<<protocolShift
				s.note(k, protocol)
			} else if got := s.speaks(k); got != uint8(want>>protocolShift) {
				t.Fatalf("%v speaks %d, want %x", k, got, want)
			}
			if want != knownServer(k) {
				list = append(list, want)
			}
		}
		for _, want := range list {
			if got := *s.At(s.Stalest()); got != want {
				t.Fatalf("the oldest is %v, want %v", got, want)
			}
			s.Forget()
		}
		if s.Len() != 0 || b.Used() != 0 {
			t.Errorf("%d servers are left, %d bytes", s.Len(), b.Used())
		}
	}
}
