package wiretest

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// checkMany plays a talk many times at once, turn by turn, each time between hosts of their own. What is found and
// measured of each is what is found and measured of one: a tracker has nothing that all games of a capture share.
func checkMany(t reporter, p *wire.Protocol, k *talk) {
	copies := 50
	if Full() {
		copies = 1000
	}
	alone := newPlayer(k, p)
	alone.show(k.turns)
	alone.tracker.Close(alone.now)
	want := sortedLines(alone.said)
	for i, c := range playMany(p, k, copies) {
		if got := sortedLines(c.rewrite(c.said, true)); !slices.Equal(got, want) {
			t.Errorf("of %d at once number %d is another than alone (-alone +among others):\n%s", copies, i, cmp.Diff(want, got))
			return
		}
	}
}

// another is one of many copies of a talk.
type another struct {
	hosts []moved
	said  []byte
}

// moved is a host that has another address in a copy.
type moved struct{ from, to netip.Addr }

// playMany plays copies of a talk.
func playMany(p *wire.Protocol, k *talk, copies int) []*another {
	list := make([]*another, copies)
	of := make(map[netip.Addr]*another)
	names := make(map[netip.AddrPort]string)
	for i := range list {
		list[i] = &another{hosts: move(k, i)}
		for at, name := range k.names {
			names[list[i].host(at)] = name
		}
		for _, h := range list[i].hosts {
			of[h.to] = list[i]
		}
	}
	y := newPlayer(&talk{names: names}, p)
	// tell gives what is written of something to the copy that it is about.
	tell := func(about *wire.Place, write func()) {
		before := len(y.said)
		write()
		c := of[about.Src.Addr()]
		if c == nil {
			c = of[about.Dst.Addr()]
		}
		if c != nil {
			c.said = append(c.said, y.said[before:]...)
			y.said = y.said[:before]
		}
	}
	y.tracker = p.NewTracker(&wire.Reporter{Memory: y.memory,
		Finding: func(f *wire.TrafficFinding) { tell(&f.Place, func() { y.finding(f) }) },
		Value:   func(v *wire.Value) { tell(&v.Place, func() { y.value(v) }) },
	})
	for i, n := range k.turns {
		for _, c := range list {
			mine := n
			mine.src, mine.dst, mine.data = c.host(n.src), c.host(n.dst), c.rewrite(n.data, false)
			y.turn(i, &mine)
			c.said = append(c.said, y.said...)
			y.said = y.said[:0]
		}
	}
	y.tracker.Close(y.now)
	return list
}

// move gives the hosts of a talk other addresses: of the same kind, hosts of one network again in one, and broadcasts
// where they were. The first copy stays where it is.
func move(k *talk, number int) (hosts []moved) {
	networks := make(map[netip.Prefix]int)
	var all []netip.Addr
	for at := range k.names {
		if a := at.Addr(); !a.IsMulticast() && a != netip.AddrFrom4([4]byte{255, 255, 255, 255}) {
			all = append(all, a)
		}
	}
	slices.SortFunc(all, netip.Addr.Compare)
	for _, a := range slices.Compact(all) {
		network, _ := a.Prefix(24)
		n, ok := networks[network]
		if !ok {
			n = len(networks)
			networks[network] = n
		}
		to := a
		if number > 0 {
			to = moveTo(a, number*maxNetworks+n)
		}
		hosts = append(hosts, moved{a, to})
	}
	return hosts
}

const maxNetworks = 4 // of a talk

// moveTo gives the address of a host in another network. Where it may, in words it has the length of the old one.
func moveTo(a netip.Addr, number int) netip.Addr {
	if a.Is6() {
		b := a.As16()
		binary.BigEndian.PutUint16(b[6:], uint16(number))
		return netip.AddrFrom16(b)
	}
	b := a.As4()
	if a.IsPrivate() || a.IsLoopback() {
		if a.IsPrivate() {
			b[0] = 10
		}
		b[1], b[2] = byte(128+number/250), byte(number%250)
		return netip.AddrFrom4(b)
	}
	const first, last = 128, 168 // no network with a meaning of its own is there
	b[0] = byte(first + number%(last-first+1))
	number /= last - first + 1
	for i := 1; i <= 2; i++ {
		from, to := 0, 10
		switch {
		case b[i] >= 100:
			from, to = 100, 250
		case b[i] >= 10:
			from, to = 10, 100
		}
		b[i] = byte(from + number%(to-from))
		number /= to - from
	}
	return netip.AddrFrom4(b)
}

// host gives the endpoint that stands in a copy for one of the talk.
func (c *another) host(at netip.AddrPort) netip.AddrPort {
	for _, h := range c.hosts {
		if h.from == at.Addr() {
			return netip.AddrPortFrom(h.to, at.Port())
		}
	}
	return at
}

// rewrite gives what is said in a copy: addresses are others, in bytes and in words. Back it makes texts about the
// copy texts about the talk.
func (c *another) rewrite(data []byte, back bool) []byte {
	for _, h := range c.hosts {
		from, to := h.from, h.to
		if back {
			from, to = to, from
		}
		if from == to || len(data) == 0 {
			continue
		}
		if !back {
			data = bytes.ReplaceAll(data, from.AsSlice(), to.AsSlice())
		}
		data = replaceWord(data, from.String(), to.String())
	}
	return data
}

// replaceWord replaces an address in a text, but not where it is a part of a longer number.
func replaceWord(data []byte, from, to string) []byte {
	if !bytes.Contains(data, []byte(from)) {
		return data
	}
	isDigit := func(b byte) bool { return b >= '0' && b <= '9' }
	var out []byte
	for {
		i := bytes.Index(data, []byte(from))
		if i < 0 {
			return append(out, data...)
		}
		end := i + len(from)
		word := to
		if i > 0 && isDigit(data[i-1]) || end < len(data) && isDigit(data[end]) {
			word = from
		}
		out = append(append(out, data[:i]...), word...)
		data = data[end:]
	}
}

// sortedLines sorts what was said: what comes at the same time may come in any order.
func sortedLines(said []byte) []string {
	lines := strings.Split(string(said), "\n")
	slices.Sort(lines)
	return lines
}
