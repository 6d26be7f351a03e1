package bounded_test

import (
	"encoding/binary"
	"math/rand/v2"
	"net/netip"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// Endpoints are equal if their addresses and ports are equal. An Endpoint represents the same address and port as long
// as a key contains it.
func TestEndpoints(t *testing.T) {
	budget := bounded.NewBudget(20_000)
	ends := bounded.NewEndpoints(budget, bounded.Kind{Name: "hosts"})
	keys := bounded.NewLRU(budget, bounded.Kind{Name: "keys"}, bounded.Values[[2]bounded.Endpoint, [2]netip.AddrPort]{})
	r := rand.New(rand.NewPCG(3, 4))
	random := func() netip.AddrPort {
		var b [16]byte
		binary.BigEndian.PutUint16(b[14:], uint16(r.IntN(300)))
		ip := netip.AddrFrom16(b)
		switch r.IntN(3) {
		case 0:
			ip = netip.AddrFrom4([4]byte(b[12:]))
		case 1:
			ip = netip.AddrFrom16(netip.AddrFrom4([4]byte(b[12:])).As16()) // in an IPv6 packet
		}
		return netip.AddrPortFrom(ip, uint16(65534+r.IntN(2)))
	}
	for range 5000 {
		budget.Turn()
		a, b := random(), random()
		value := keys.Make([2]bounded.Endpoint{ends.Of(a), ends.Of(b)})
		if was := *value; was[0].IsValid() && was != [2]netip.AddrPort{a, b} {
			t.Fatalf("%v and %v have the key of %v", a, b, was)
		}
		*value = [2]netip.AddrPort{a, b}
		keys.Each(func(k [2]bounded.Endpoint, v *[2]netip.AddrPort) {
			for i := range k {
				if got := ends.AddrPort(k[i]); got != v[i] {
					t.Fatalf("%v represents %v, want %v", k[i], got, v[i])
				}
			}
		})
	}
	if n := budget.Forgotten(); len(n) != 2 {
		t.Errorf("%v were dropped, want hosts and keys", n)
	}
}
