package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// A tangle is games at once, of which the hosts have few addresses: one is client and server of several games, and
// what is apart for long may come together in the end.
type tangle struct {
	*rand.Rand
	networks, hosts int
	packets         []capture.Packet
}

// newTangle makes one of a few captures.
func newTangle(seed uint64, games [][]capture.Packet) *tangle {
	x := &tangle{Rand: rand.New(rand.NewPCG(seed, 0))}
	count := 2 + x.IntN(8)
	x.networks, x.hosts = 1+x.IntN(count), 2+x.IntN(12)
	for range count {
		x.add(games[x.IntN(len(games))])
	}
	sort.SliceStable(x.packets, func(i, j int) bool { return x.packets[i].Time < x.packets[j].Time })
	x.shuffleClocks()
	return x
}

// add adds a game, in the midst of others. From some packet on its hosts may have other addresses.
func (x *tangle) add(game []capture.Packet) {
	from := x.IntN(len(game)/4 + 1)
	game = game[from:min(len(game), from+20+x.IntN(300))]
	byPort, again := x.IntN(2) == 0, -1
	if x.IntN(2) == 0 {
		again = x.IntN(len(game))
	}
	begin, pace, m := x.Int64N(30e9), 1+x.Int64N(3), x.newMove(game, byPort)
	for i := range game {
		if i == again {
			m = x.newMove(game, byPort)
		}
		if x.IntN(100) == 0 { // lost
			continue
		}
		p := game[i]
		p.Time = 1_700_000_000e9 + begin + (p.Time-game[0].Time)*pace/2
		p.Data = m.apply(&p)
		x.packets = append(x.packets, p)
		if x.IntN(100) == 0 {
			x.packets = append(x.packets, p)
		}
	}
}

// A move gives the hosts of a game other addresses.
type move struct {
	byPort bool             // a host may become several
	from   []netip.AddrPort // the port is 0 unless that is so
	to     map[netip.AddrPort]netip.Addr
}

// newMove makes one to the few addresses of a network.
func (x *tangle) newMove(game []capture.Packet, byPort bool) *move {
	m := &move{byPort: byPort, to: make(map[netip.AddrPort]netip.Addr)}
	network := byte(x.IntN(x.networks))
	for i := range game {
		m.each(&game[i], bytes.Clone(game[i].Data), func(_ []byte, of netip.AddrPort) {
			if _, known := m.to[of]; !known {
				m.from = append(m.from, of)
				m.to[of] = netip.AddrFrom4([4]byte{10, 0, network, byte(10 + x.IntN(x.hosts))})
			}
		})
	}
	return m
}

// each calls a function for both addresses of a packet, as far as they are those of single hosts. It gives what is
// behind them.
func (m *move) each(p *capture.Packet, data []byte, f func(address []byte, of netip.AddrPort)) (rest []byte) {
	at, ok := ip.Locate(uint16(p.LinkType), data, p.Length)
	if !ok {
		return nil
	}
	src, dst := ip.Addresses(data[at.Network:at.Transport])
	rest = data[at.Transport:]
	for i, a := range [][]byte{src, dst} {
		host, _ := netip.AddrFromSlice(a)
		if !host.Is4() || host.IsMulticast() || host.IsUnspecified() || a[0] == 255 {
			continue
		}
		of := netip.AddrPortFrom(host, 0)
		if m.byPort && len(rest) >= 4 {
			of = netip.AddrPortFrom(host, uint16(rest[2*i])<<8|uint16(rest[2*i+1]))
		}
		f(a, of)
	}
	return rest
}

// apply gives the bytes of a packet that is moved. What it names is moved as well, if the new name is as long.
func (m *move) apply(p *capture.Packet) []byte {
	data := bytes.Clone(p.Data)
	rest := m.each(p, data, func(a []byte, of netip.AddrPort) { copy(a, m.to[of].AsSlice()) })
	if len(rest) <= 8 {
		return data
	}
	payload := rest[8:]
	for _, of := range m.from {
		from, to := of.Addr(), m.to[of]
		copy(payload, bytes.ReplaceAll(payload, from.AsSlice(), to.AsSlice()))
		if from, to := from.String(), to.String(); len(from) == len(to) {
			copy(payload, bytes.ReplaceAll(payload, []byte(from), []byte(to)))
		}
	}
	return data
}

// shuffleClocks has the time go back a little, stand still, and jump.
func (x *tangle) shuffleClocks() {
	kind, jump := x.IntN(4), int64(0)
	for i := range x.packets {
		p := &x.packets[i]
		switch {
		case kind == 1 && x.IntN(20) == 0:
			p.Time -= x.Int64N(2e9)
		case kind == 2 && x.IntN(200) == 0:
			jump += x.Int64N(5000e9)
		case kind == 3:
			p.Time -= p.Time % 1e9
		}
		p.Time += jump
	}
	if x.IntN(3) == 0 {
		for range len(x.packets) / 10 {
			i := x.IntN(len(x.packets))
			j := min(len(x.packets)-1, i+x.IntN(5))
			x.packets[i], x.packets[j] = x.packets[j], x.packets[i]
		}
	}
}

// files writes the packets to up to three files, as options that name them.
func (x *tangle) files(t *testing.T) (args []string) {
	t.Helper()
	dir, n := t.TempDir(), 1+x.IntN(3)
	for i := range n {
		name := filepath.Join(dir, fmt.Sprint(i, ".pcapng"))
		out, err := capture.Create(name, capture.WriterOptions{Format: "pcapng"})
		noError(t, err)
		for _, p := range x.packets[len(x.packets)*i/n : len(x.packets)*(i+1)/n] {
			p.Interface, p.Comments = 0, nil
			for out.Write(&p) != nil && p.Interface < 8 { // of another link type
				p.Interface++
			}
		}
		noError(t, out.Close())
		args = append(args, "-r", name)
	}
	return args
}

// TestJobsTangled: what several engines find and show is what one does, to the byte, whoever plays with whom, and
// whenever that shows.
func TestJobsTangled(t *testing.T) {
	var games [][]capture.Packet
	for _, name := range files(t, ".gz", ".zst", ".cutfile.pcap") {
		games = append(games, packetsOf(t, name))
	}
	rounds := uint64(6)
	switch {
	case wiretest.Full():
		rounds = 20
	case testing.Short() || wiretest.RaceDetector:
		rounds = 2
	}
	for seed := range rounds {
		in := newTangle(seed, games).files(t)
		for _, args := range []string{
			"-T json -z conv", "-q -z findings,who -z endpoints", "-q --stats -", "-T json --memory 4", "-T json --memory 40",
			"-q -z players -z kills -z listing", "-T json -Y finding", "-T line -Y tribes||bzflag17", "-V -Y frame.number>40",
		} {
			args := append(strings.Fields(args), in...)
			want, wantErrs, wantCode := dissect(args...)
			out, errs, code := dissect(append(args, "--jobs", "8")...)
			if out != want || errs != wantErrs || code != wantCode {
				t.Errorf("seed %d, %q: exit code %d, want %d; %q, want %q\n(-one engine +eight)\n%s", seed, args, code, wantCode,
					errs, wantErrs, cmp.Diff(strings.Split(want, "\n"), strings.Split(out, "\n")))
			}
		}
	}
}

// packetsOf reads a capture.
func packetsOf(t *testing.T, name string) (all []capture.Packet) {
	t.Helper()
	in, err := capture.Open(filepath.Join(captures, name))
	noError(t, err)
	defer func() { _ = in.Close() }() // only read: nothing can be lost
	for p := (capture.Packet{}); in.Next(&p) == nil; {
		kept := p
		kept.Data, kept.Interface = bytes.Clone(p.Data), 0
		all = append(all, kept)
	}
	return all
}
