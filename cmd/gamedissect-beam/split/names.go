package split

import (
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// names are the addresses that messages name, with the host that names each. An address joins its host only if it
// belongs to a host with packets.
type names struct {
	known map[naming]struct{}
	ends  map[flow]*ending // of what streams said so far
	text  []byte
	full  bool

	// Scratch: these are passed to functions of protocols and would be allocated for each packet.
	who  host // the sender of the current datagram
	said wire.Datagram
	adds func(netip.Addr)
}

// naming is a host that names an address. Whether both play may show later, or elsewhere.
type naming struct{ who, whom host }

// flow is one direction of a connection, as a protocol may read it.
type flow struct {
	as       *wire.Protocol
	src, dst netip.AddrPort
}

// An ending is the last bytes of a piece of a stream. An address as text has room in them.
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

// take takes what a host says.
func (x *names) take(s *Splitter, t wire.Transport, d *wire.Datagram) {
	for _, p := range s.protocols {
		if p.Names == nil || t == wire.TCP && (p.ProbeStream == nil || isOthers(s.protocols, p, d)) {
			continue
		}
		x.who, x.said = hostOf(d.Src.Addr()), *d
		if t == wire.TCP {
			x.said.Payload = x.behind(flow{p, d.Src, d.Dst}, d.Payload)
		}
		p.Names(t, &x.said, x.adds)
	}
}

// isOthers reports whether a connection has a port of another protocol than one, and none of that one.
func isOthers(all []*wire.Protocol, one *wire.Protocol, d *wire.Datagram) bool {
	has := func(p *wire.Protocol) bool {
		return slices.Contains(p.TCP, d.Src.Port()) || slices.Contains(p.TCP, d.Dst.Port())
	}
	return !has(one) && slices.ContainsFunc(all, has)
}

// behind returns the piece of a stream that follows the previous one. It is valid until the next call.
func (x *names) behind(at flow, piece []byte) []byte {
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
