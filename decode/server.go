package decode

import (
	"hash/maphash"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// servers maps endpoints to the protocols that they spoke.
type servers struct {
	bounded.Rows[knownServer]
	seed maphash.Seed
}

type knownServer struct {
	serverKey
	protocol uint8 // index + 1, see protocolList.named
}

type serverKey struct {
	host [16]byte
	port uint16
}

func newServers(b *bounded.Budget) *servers {
	t := &servers{Rows: bounded.NewRows[knownServer](b), seed: maphash.MakeSeed()}
	b.Join(t, bounded.Kind{Name: "servers of games"})
	return t
}

func makeServerKey(a netip.AddrPort) serverKey { return serverKey{a.Addr().As16(), a.Port()} }

func (t *servers) note(k serverKey, protocol uint8) {
	hash := t.hash(k)
	place := t.look(k, hash)
	if place == 0 {
		place = t.Add(hash)
	}
	*t.At(place) = knownServer{k, protocol}
	t.Use(place)
}

// speaks returns the protocol of an endpoint, or 0 if it is unknown. It marks the endpoint as just used.
func (t *servers) speaks(k serverKey) (protocol uint8) {
	if place := t.look(k, t.hash(k)); place != 0 {
		t.Use(place)
		return t.At(place).protocol
	}
	return 0
}

func (t *servers) hash(k serverKey) uint32 { return uint32(maphash.Comparable(t.seed, k)) }

func (t *servers) look(k serverKey, hash uint32) (place uint32) {
	return t.Places().Find(hash, func(place uint32) bool { return t.At(place).serverKey == k })
}

func (t *servers) Forget() (loss bool) {
	t.Remove(t.Stalest())
	return true
}
