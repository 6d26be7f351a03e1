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

// checkMany plays many copies of a talk (see Talks) at the same time, turn by turn, each with its own hosts. Each copy
// must produce the same findings and values as the single talk, because the games in a capture must not share state.
func checkMany(t reporter, p *wire.Protocol, k *talk) {
	copies := 50
	if Full() {
		copies = 1000
	}
	alone := newPlayer(k, p)
	alone.show(k.turns)
	alone.tracker.Close(alone.now)
	want := sortedLines(alone.output)
	for i, c := range playMany(p, k, copies) {
		if got := sortedLines(c.rewrite(c.output, true)); !slices.Equal(got, want) {
			t.Errorf("of %d copies at once, number %d differs from the single talk (-single +copy):\n%s", copies, i,
				cmp.Diff(want, got))
			return
		}
	}
}

// another is a copy of a talk, with its output.
type another struct {
	hosts  []moved
	output []byte
}

// moved is the address of a host in the talk (from) and in a copy (to).
type moved struct{ from, to netip.Addr }

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
	// assign runs write, and appends its output to the copy that contains the host of about.
	assign := func(about *wire.Place, write func()) {
		before := len(y.output)
		write()
		c := of[about.Src.Addr()]
		if c == nil {
			c = of[about.Dst.Addr()]
		}
		if c != nil {
			c.output = append(c.output, y.output[before:]...)
			y.output = y.output[:before]
		}
	}
	y.track(&wire.Reporter{Memory: y.memory,
		Finding: func(f *wire.TrafficFinding) { assign(&f.Place, func() { y.finding(f) }) },
		Value:   func(v *wire.Value) { assign(&v.Place, func() { y.value(v) }) },
	})
	for i, n := range k.turns {
		for _, c := range list {
			mine := n
			mine.src, mine.dst, mine.data = c.host(n.src), c.host(n.dst), c.rewrite(n.data, false)
			y.turn(i, &mine)
			c.output = append(c.output, y.output...)
			y.output = y.output[:0]
		}
	}
	y.tracker.Close(y.now)
	return list
}

// move maps the hosts of a talk to the addresses of a copy, which are of the same kind: private, loopback, public, or
// IPv6. Hosts of one network stay in one network. Broadcast and multicast addresses do not change. Copy 0 has the
// addresses of the talk.
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

const maxNetworks = 4 // in a talk

// moveTo returns the address of a host in another network. If possible, its text has the same length.
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
	const first, last = 128, 168 // a range without special networks
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

// host returns the copy's endpoint for an endpoint of the talk.
func (c *another) host(at netip.AddrPort) netip.AddrPort {
	for _, h := range c.hosts {
		if h.from == at.Addr() {
			return netip.AddrPortFrom(h.to, at.Port())
		}
	}
	return at
}

// rewrite replaces the talk's addresses in a message, as bytes and as text, with the copy's addresses. If back is true,
// data is a text, and rewrite replaces the copy's addresses with the talk's.
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

// replaceWord replaces an address in a text. It skips matches inside longer numbers.
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

// sortedLines returns the sorted lines of an output, because lines with the same time may be in any order.
func sortedLines(output []byte) []string {
	lines := strings.Split(string(output), "\n")
	slices.Sort(lines)
	return lines
}
