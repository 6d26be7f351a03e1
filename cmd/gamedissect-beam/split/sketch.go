package split

import (
	"bytes"
	"cmp"
	"maps"
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A Sketch is what the first pass over a part of a capture, such as a file, finds. It is plain data, to be sent and
// merged, so the first pass may run in many places, in any order. Addresses have 16 bytes each.
//
// Merged sketches equal what one Splitter finds in all parts, except for an address in a text that is cut in two where
// the parts meet. Other traffic usually shows the same.
type Sketch struct {
	Whole   bool    // all is one component
	Hosts   []byte  // that may play, in rising order
	Of      []int32 // of each of these, the place of the first of its component
	Packets []int64 // of each of these, about
	Rest    int64   // packets of no host, about
	Names   []byte  // pairs of a host and an address that it names, in rising order

	// Seen are all hosts that sent something or got it, in rising order. Everybody: there were too many.
	Seen      []byte
	Everybody bool
}

const (
	hostSize = len(host{})
	maxSeen  = 1 << 16
)

// A Sketcher makes the Sketch of a part of a capture. It is for one goroutine.
type Sketcher struct {
	splitter *Splitter
	finder
	seen      map[host]struct{}
	last      [2]netip.Addr
	everybody bool
}

// NewSketcher makes one, for the same as New.
func NewSketcher(protocols []*wire.Protocol, decodeAs []decode.DecodeAs) *Sketcher {
	return &Sketcher{splitter: New(protocols, decodeAs), seen: make(map[host]struct{})}
}

// Frame takes the next frame of the part.
func (s *Sketcher) Frame(f *decode.Frame) {
	s.splitter.Frame(f)
	if !s.everybody {
		s.finder.each(f, s.note)
	}
}

// note notes the hosts of a packet.
func (s *Sketcher) note(p *parcel) {
	src, dst := p.ends()
	if s.everybody || s.last == [2]netip.Addr{src, dst} { // a frame may have packets behind the one that was too many
		return
	}
	s.last = [2]netip.Addr{src, dst}
	for _, a := range s.last {
		if a.IsValid() {
			s.seen[hostOf(a)] = struct{}{}
		}
	}
	if len(s.seen) > maxSeen {
		s.everybody, s.seen = true, nil
	}
}

// Sketch gives what was found. No frame may follow.
func (s *Sketcher) Sketch() *Sketch {
	k := &Sketch{Everybody: s.everybody}
	for _, h := range slices.SortedFunc(maps.Keys(s.seen), compareHosts) {
		k.Seen = append(k.Seen, h[:]...)
	}
	k.take(s.splitter.hosts, s.splitter.names.known, s.splitter.whole)
	return k
}

func compareHosts(a, b host) int { return bytes.Compare(a[:], b[:]) }

// take makes plain data of a forest and of names.
func (k *Sketch) take(h *hosts, known map[naming]struct{}, whole bool) {
	k.Hosts, k.Of, k.Packets, k.Names, k.Rest = nil, nil, nil, nil, 0
	if k.Whole = whole; whole {
		return
	}
	k.Rest = h.packets[0]
	order := slices.SortedFunc(maps.Keys(h.numbers), compareHosts)
	first := make(map[uint32]int32) // the place of the first host of a component, by its root
	for i, a := range order {
		n := h.numbers[a]
		root := h.root(n)
		if _, met := first[root]; !met {
			first[root] = int32(i)
		}
		k.Hosts = append(k.Hosts, a[:]...)
		k.Of, k.Packets = append(k.Of, first[root]), append(k.Packets, h.packets[n])
	}
	for _, n := range slices.SortedFunc(maps.Keys(known), func(a, b naming) int {
		return cmp.Or(compareHosts(a.who, b.who), compareHosts(a.whom, b.whom))
	}) {
		k.Names = append(append(k.Names, n.who[:]...), n.whom[:]...)
	}
}

// put adds the sketch to a forest and to names.
func (k *Sketch) put(h *hosts, n *names) {
	h.packets[0] += k.Rest
	for i, of := range k.Of {
		number := h.number(host(k.Hosts[i*hostSize:]))
		if number == 0 {
			return
		}
		h.packets[number] += k.Packets[i]
		h.join(h.number(host(k.Hosts[int(of)*hostSize:])), number)
	}
	for pair := range slices.Chunk(k.Names, 2*hostSize) {
		n.add(naming{host(pair), host(pair[hostSize:])})
	}
}

// Merge adds the sketch of another part of the same capture. The result is the same in whatever order and
// groups parts are merged. Who was seen stays what it is: that is for single parts.
func (k *Sketch) Merge(o *Sketch) {
	h, n := newHosts(maxHosts), newNames()
	if !k.Whole && !o.Whole {
		k.put(h, n)
		o.put(h, n)
	}
	k.take(h, n.known, k.Whole || o.Whole || h.full || n.full)
}

// Parts gives the components. They are numbered in the order of their lowest addresses.
func (k *Sketch) Parts() *Parts {
	if k.Whole {
		return &Parts{whole: true, packets: make([]int64, 2)}
	}
	h, n := newHosts(maxHosts), newNames()
	k.put(h, n)
	n.join(h)
	of, packets := h.components()
	return &Parts{numbers: h.numbers, of: of, packets: packets}
}

// Seen gives the components that may have packets in a part of the capture, in rising order.
func (p *Parts) Seen(k *Sketch) []int32 {
	var list []int32
	switch {
	case p.whole:
		return []int32{1}
	case k.Everybody:
		for c := range p.Count() {
			list = append(list, int32(c+1))
		}
		return list
	}
	for a := range slices.Chunk(k.Seen, hostSize) {
		if c := p.of[p.numbers[host(a)]]; c > 0 {
			list = append(list, int32(c))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
