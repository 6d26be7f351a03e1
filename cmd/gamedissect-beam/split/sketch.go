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

// A Sketch is what the first pass finds in a part of a capture, such as a file. It is plain data that can be sent and
// merged, so the first pass may run in many places and in any order. Addresses have 16 bytes each.
//
// Merging the sketches of all parts has the same result as one Splitter for all parts, with one exception. If a text
// that contains an address is cut by the boundary of two parts, the address is missing. Other traffic usually joins the
// same hosts.
type Sketch struct {
	Whole   bool    // all hosts are one component
	Hosts   []byte  // hosts that may belong to games, in ascending order
	Of      []int32 // for each host in Hosts: index of the first host of its component
	Packets []int64 // for each host in Hosts: approximate number of its packets
	Rest    int64   // approximate number of packets that belong to no host in Hosts
	Names   []byte  // pairs of a host and an address that it names, in ascending order

	// Seen has all hosts that sent or received something, in ascending order. If Everybody is set, there were too many.
	Seen      []byte
	Everybody bool
}

const (
	hostSize = len(host{})
	maxSeen  = 1 << 16
)

// A Sketcher makes the Sketch of a part of a capture. It must not be used concurrently.
type Sketcher struct {
	splitter *Splitter
	finder
	seen      map[host]struct{}
	last      [2]netip.Addr
	everybody bool
}

// NewSketcher returns a Sketcher. See New for the arguments.
func NewSketcher(protocols []*wire.Protocol, decodeAs []decode.DecodeAs) *Sketcher {
	return &Sketcher{splitter: New(protocols, decodeAs), seen: make(map[host]struct{})}
}

// Frame processes the next frame of the part.
func (s *Sketcher) Frame(f *decode.Frame) {
	s.splitter.Frame(f)
	if !s.everybody {
		s.finder.each(f, s.note)
	}
}

// note records the hosts of a packet.
func (s *Sketcher) note(p *parcel) {
	src, dst := p.ends()
	if s.everybody || s.last == [2]netip.Addr{src, dst} { // everybody may be set by an earlier packet of the frame
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

// Sketch returns the result. No frame may follow.
func (s *Sketcher) Sketch() *Sketch {
	k := &Sketch{Everybody: s.everybody}
	for _, h := range slices.SortedFunc(maps.Keys(s.seen), compareHosts) {
		k.Seen = append(k.Seen, h[:]...)
	}
	k.take(s.splitter.hosts, s.splitter.names.known, s.splitter.whole)
	return k
}

func compareHosts(a, b host) int { return bytes.Compare(a[:], b[:]) }

// take sets the sketch from a forest and names.
func (k *Sketch) take(h *hosts, known map[naming]struct{}, whole bool) {
	k.Hosts, k.Of, k.Packets, k.Names, k.Rest = nil, nil, nil, nil, 0
	if k.Whole = whole; whole {
		return
	}
	k.Rest = h.packets[0]
	order := slices.SortedFunc(maps.Keys(h.numbers), compareHosts)
	first := make(map[uint32]int32) // index of the first host of a component, by the component's root
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

// Merge adds the sketch of another part of the same capture. The result does not depend on the order and grouping in
// which parts are merged. Merge does not change Seen and Everybody, because they are about single parts.
func (k *Sketch) Merge(o *Sketch) {
	h, n := newHosts(maxHosts), newNames()
	if !k.Whole && !o.Whole {
		k.put(h, n)
		o.put(h, n)
	}
	k.take(h, n.known, k.Whole || o.Whole || h.full || n.full)
}

// Parts returns the components, numbered in the order of their lowest addresses.
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

// Seen returns the numbers of the components that may have packets in a part of the capture, in ascending order.
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
