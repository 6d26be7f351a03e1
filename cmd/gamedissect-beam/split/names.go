package split

import (
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// names are the addresses that messages contain, each with the host that sent it. An address joins that host only if
// the address belongs to a host with packets.
type names struct {
	known map[naming]struct{}
	ends  map[flow]*ending // last bytes of streams
	text  []byte
	full  bool

	// These fields are scratch memory. Functions of protocols get pointers to them, so local variables would be
	// allocated for each packet.
	who  host // sender of the current datagram
	said wire.Datagram
	adds func(netip.Addr)
}

// naming is a pair of a host and an address that it names. Whether both may belong to games is perhaps known only
// later, or only in another part of the capture.
type naming struct{ who, whom host }

// flow is one direction of a connection, as one protocol may interpret it.
type flow struct {
	as       *wire.Protocol
	src, dst netip.AddrPort
}

// An ending has the last bytes of a piece of a stream. It is large enough for an address as text.
type ending struct {
	size  int
	bytes [64]byte
}

const (
	maxNamings = 1 << 20
	maxEnds    = 1 << 14
)

func newNames() *names {
	x := &names{known: make(map[naming]struct{}), ends: make(map[flow]*ending)}
	x.adds = func(whom netip.Addr) { x.add(naming{x.who, hostOf(whom)}) }
	return x
}

// take finds the addresses in a datagram or a piece of a stream.
func (x *names) take(s *Splitter, t wire.Transport, d *wire.Datagram) {
	for _, p := range s.protocols {
		if p.Names == nil || t == wire.TCP && (p.ProbeStream == nil || isOthers(s.protocols, p, d)) {
			continue
		}
		x.who, x.said = hostOf(d.Src.Addr()), *d
		if t == wire.TCP {
			x.said.Payload = x.withEnd(flow{p, d.Src, d.Dst}, d.Payload)
		}
		p.Names(t, &x.said, x.adds)
	}
}

// isOthers reports whether a connection has a port of another protocol, but none of the protocol one.
func isOthers(all []*wire.Protocol, one *wire.Protocol, d *wire.Datagram) bool {
	has := func(p *wire.Protocol) bool {
		return slices.Contains(p.TCP, d.Src.Port()) || slices.Contains(p.TCP, d.Dst.Port())
	}
	return !has(one) && slices.ContainsFunc(all, has)
}

// withEnd returns a piece of a stream, preceded by the end of the previous piece. The result is valid until the next
// call.
func (x *names) withEnd(at flow, piece []byte) []byte {
	end := x.ends[at]
	if end == nil {
		if len(x.ends) >= maxEnds {
			clear(x.ends)
		}
		end = new(ending)
		x.ends[at] = end
	}
	x.text = append(append(x.text[:0], end.bytes[:end.size]...), piece...)
	end.size = copy(end.bytes[:], x.text[max(0, len(x.text)-len(end.bytes)):])
	return x.text
}

func (x *names) add(n naming) {
	if _, known := x.known[n]; known || !single(netip.AddrFrom16(n.whom).Unmap()) {
		return
	}
	if len(x.known) >= maxNamings {
		x.full = true
		return
	}
	x.known[n] = struct{}{}
}

// join joins hosts with the known hosts that they name. The order does not matter.
func (x *names) join(h *hosts) {
	for n := range x.known {
		if who, whom := h.numbers[n.who], h.numbers[n.whom]; who > 0 && whom > 0 {
			h.join(who, whom)
		}
	}
}
