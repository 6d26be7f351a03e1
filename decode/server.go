package decode

import (
	"hash/maphash"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// servers maps endpoints to the protocols that they spoke.
type servers struct {
	bounded.Rows[knownServer]
	seed maphash.Seed
}

// knownServer is an Endpoint, with the protocol in the highest byte: its index + 1, see protocolList.named.
type knownServer bounded.Endpoint

const protocolShift = 64 - 8

func (s knownServer) endpoint() bounded.Endpoint {
	return bounded.Endpoint(s &^ (0xff << protocolShift))
}

func newServers(b *bounded.Budget) *servers {
	t := &servers{Rows: bounded.NewRows[knownServer](b), seed: maphash.MakeSeed()}
	b.Join(t, bounded.Kind{Name: "servers of games"})
	return t
}

func (t *servers) note(k bounded.Endpoint, protocol uint8) {
	hash := t.hash(k)
	place := t.look(k, hash)
	if place == 0 {
		place = t.Add(hash)
	}
	*t.At(place) = knownServer(k) | knownServer(protocol)<<protocolShift
	t.Use(place)
}

// speaks returns the protocol of an endpoint, or 0 if it is unknown. It marks the endpoint as just used.
func (t *servers) speaks(k bounded.Endpoint) (protocol uint8) {
	if place := t.look(k, t.hash(k)); place != 0 {
		t.Use(place)
		return uint8(*t.At(place) >> protocolShift)
	}
	return 0
}

func (t *servers) hash(k bounded.Endpoint) uint32 { return uint32(maphash.Comparable(t.seed, k)) }

func (t *servers) look(k bounded.Endpoint, hash uint32) (place uint32) {
	return t.Places().Find(hash, func(place uint32) bool { return t.At(place).endpoint() == k })
}

func (t *servers) Forget() (loss bool) {
	t.Remove(t.Stalest())
	return true
}
