package split

import (
	"encoding/binary"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A Splitter finds the components of a capture in bounded memory. It must not be used concurrently.
type Splitter struct {
	judge
	finder
	hosts *hosts
	names *names
	whole bool // everything is one component

	taking func(*parcel) // the method take
	first  uint32        // first host of the current frame
	last   [2]host       // hosts of the previous packet, if they are in one component
	source uint32        // number of a host of the current packet, to count the packet; 0: no known host
}

// New returns a Splitter for protocols. decodeAs assigns protocols to ports, as in decode.Options.
func New(protocols []*wire.Protocol, decodeAs []decode.DecodeAs) *Splitter {
	s := &Splitter{
		judge: judge{protocols: protocols, decodeAs: decodeAs}, hosts: newHosts(maxHosts), names: newNames(),
	}
	s.taking = s.take
	return s
}

// Frame processes the next frame of the first pass.
func (s *Splitter) Frame(f *decode.Frame) {
	if s.whole {
		return
	}
	if s.finder.each(f, s.taking) {
		s.first = 0
		// All hosts of a frame must be in one component, because one engine gets the frame.
		s.finder.each(f, func(p *parcel) { s.unite(p.ends()) })
	}
	if s.hosts.full || s.names.full {
		s.whole = true
		s.hosts, s.names = newHosts(0), newNames()
	}
}

// take processes a packet of a frame.
func (s *Splitter) take(p *parcel) {
	switch {
	case p.sealed:
		s.whole = true
	case p.Fragment:
		s.first = 0
		s.unite(p.ends()) // the content is unknown until the datagram is complete
	default:
		s.packet(p)
	}
}

// packet processes a complete packet.
func (s *Splitter) packet(p *parcel) {
	src, dst := p.ends()
	t, ok := s.judge.read(p.Packet)
	if !ok {
		return
	}
	if !s.joined(src, dst) {
		if s.judge.may(t) {
			s.first = 0
			s.unite(src, dst)
		}
		s.source = max(s.hosts.numbers[hostOf(p.Src)], s.hosts.numbers[hostOf(p.Dst)])
	}
	s.hosts.packets[s.source]++
	s.names.take(s, t, &s.judge.datagram)
	if p.carrier == nil {
		return
	}
	if outer := (parcel{Packet: p.carrier}); s.carries(&outer) {
		s.first = 0
		s.unite(src, dst)
		s.unite(outer.ends())
	}
}

// carries reports whether a datagram that contains another packet may itself belong to a game.
func (s *Splitter) carries(outer *parcel) bool {
	t, ok := s.judge.read(outer.Packet)
	return ok && s.judge.may(t)
}

// joined reports whether two hosts are already in one component.
func (s *Splitter) joined(src, dst netip.Addr) bool {
	last := s.last
	s.last = [2]host{}
	if !src.IsValid() || !dst.IsValid() {
		return false
	}
	pair := [2]host{hostOf(src), hostOf(dst)}
	if pair == last { // fast path: packets of two hosts often follow each other
		s.last = last
		return true
	}
	a := s.hosts.numbers[pair[0]]
	if a == 0 {
		return false
	}
	b := s.hosts.numbers[pair[1]]
	if b == 0 || s.hosts.root(a) != s.hosts.root(b) {
		return false
	}
	s.last, s.source = pair, a
	return true
}

// unite adds hosts to the component of the current frame.
func (s *Splitter) unite(src, dst netip.Addr) {
	for _, a := range [...]netip.Addr{src, dst} {
		if !a.IsValid() {
			continue
		}
		n := s.hosts.number(hostOf(a))
		switch {
		case n == 0:
			return // no room: everything becomes one component
		case s.first == 0:
			s.first = n
		default:
			s.hosts.join(s.first, n)
		}
	}
}

// Parts returns the components. No frame may follow.
func (s *Splitter) Parts() *Parts {
	if s.whole {
		return &Parts{whole: true, packets: make([]int64, 2)}
	}
	s.names.join(s.hosts)
	of, packets := s.hosts.components()
	return &Parts{numbers: s.hosts.numbers, of: of, packets: packets}
}

// Parts are the components of a capture. They do not change. Any number of goroutines may use them, each with its own
// Asker.
type Parts struct {
	numbers map[host]uint32
	of      []uint32
	packets []int64 // packets of each component
	whole   bool
}

// Count returns the number of components.
func (p *Parts) Count() int { return len(p.packets) - 1 }

// Packets returns the approximate number of packets of each component, as a measure of its work. Index 0 is for packets
// of no component.
func (p *Parts) Packets() []int64 { return p.packets }

// An Asker returns the components of frames. It must not be used concurrently.
type Asker struct {
	finder
	parts *Parts

	of   uint32
	take func(*parcel)
	asks [askedPairs]asked // cache, see place
}

// Asker returns a new Asker.
func (p *Parts) Asker() *Asker {
	a := &Asker{parts: p}
	a.take = a.parcel
	return a
}

// Of returns the component of a frame, from 1. It returns 0 for no component.
func (a *Asker) Of(f *decode.Frame) int {
	if a.parts.whole {
		return 1
	}
	a.of = 0
	a.finder.each(f, a.take)
	return int(a.of)
}

// parcel handles a packet of the current frame. If the packet's hosts are in two components, the packet does not belong
// to a game, and gets the lower of the two numbers, like all packets between these hosts.
func (a *Asker) parcel(p *parcel) {
	src, dst := p.ends()
	pair := [2]host{}
	if src.IsValid() {
		pair[0] = hostOf(src)
	}
	if dst.IsValid() {
		pair[1] = hostOf(dst)
	}
	was := &a.asks[place(&pair)]
	if !was.known || was.pair != pair {
		*was = asked{pair: pair, known: true}
		for _, h := range pair {
			if of := a.parts.of[a.parts.numbers[h]]; of > 0 && (was.of == 0 || of < was.of) {
				was.of = of
			}
		}
	}
	if was.of > 0 && (a.of == 0 || was.of < a.of) {
		a.of = was.of
	}
}

// asked caches the component of a pair of hosts, which is faster than two lookups in a map.
type asked struct {
	pair  [2]host
	of    uint32
	known bool
}

const askedPairs = 1 << 9

// place returns the index of a pair in the cache. A later pair with the same index replaces an earlier one.
func place(pair *[2]host) int {
	sum := binary.BigEndian.Uint32(pair[0][12:])*0x85ebca6b + binary.BigEndian.Uint32(pair[1][12:])
	return int(sum * 0x9e3779b1 % askedPairs)
}
