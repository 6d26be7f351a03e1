package main

import (
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	protocols "github.com/gamedissect/gamedissect/layers"
)

// N simultaneous copies, each with its own hosts, must have N times the capture's messages, findings and values: in
// total, at each server, and in each copy. The full test uses all captures.
func TestCopiesHoldAsMuch(t *testing.T) {
	wiretest.WithoutDetector(t)
	dir := filepath.Join("..", "..", "testdata", "pcap")
	files, err := findCaptures(dir)
	if err != nil {
		t.Fatal(err)
	}
	numbers, step := []int{100}, 2
	switch {
	case wiretest.Full():
		numbers, step = []int{100, 250}, 1
	case testing.Short():
		step = 6
	}
	for i, file := range files {
		if i%step > 0 {
			continue
		}
		n := numbers[i%len(numbers)]
		_, list, err := compareCopies(t.Context(), n, file)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for i := range list {
			t.Errorf("%d copies of %s: %s", n, filepath.Base(file), list[i])
		}
	}
}

// The comparison must find results that one copy lacks, has too often, or assigns to another server.
func TestCopiesThatDiffer(t *testing.T) {
	const copies = 3
	file := filepath.Join("..", "..", "testdata", "pcap", "bz17-c-violations.pcap")
	list := readPackets(t, file)
	play := func(n int, change func(*capture.Packet, int) bool) *sums {
		m := newMultiplier(n)
		s := newSums(m)
		e := decode.New(s.options(decode.Options{Protocols: protocols.All()}))
		for i := range list {
			err := m.packet(list[i], func(p *capture.Packet, n int) error {
				if change(p, n) {
					e.Frame(&decode.Frame{Data: p.Data, Length: p.Length, Time: p.Time, Link: uint16(p.LinkType), Number: i + 1})
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		e.Close()
		return s
	}
	whole := func(*capture.Packet, int) bool { return true }
	one := play(1, whole)
	if d := compare(one, play(copies, whole)); len(d) > 0 {
		t.Fatalf("unchanged copies differ: %s", d[0])
	}
	kinds := make(map[string]bool)
	for _, d := range compare(one, play(copies, func(p *capture.Packet, n int) bool { return n != 1 || p.Number%9 > 0 })) {
		kind, _, _ := strings.Cut(d, " ")
		kinds[kind] = true
	}
	for _, kind := range []string{"messages", "findings", "values", "states", "changes"} {
		if !kinds[kind] {
			t.Errorf("a copy without every ninth packet has the same %s", kind)
		}
	}
}

// The comparison must also find differences that cancel out in total counts.
func TestCopiesThatDifferInsideSums(t *testing.T) {
	server := netip.MustParseAddrPort("10.0.0.7:5154")
	first, err := newMultiplier(3).hostOf(server.Addr(), 0)
	if err != nil {
		t.Fatal(err)
	}
	protocol := protocols.All()[0]
	for name, change := range map[string]func(v *wire.Value, n int){
		"nothing":        func(*wire.Value, int) {},
		"the number":     func(v *wire.Value, n int) { v.Number += float64(n) - 1 }, // the sum is the same
		"the server":     func(v *wire.Value, n int) { v.Server = netip.AddrPortFrom(v.Server.Addr(), uint16(n)) },
		"who":            func(v *wire.Value, n int) { v.Who = fmt.Sprint(n) },
		"the unit":       func(v *wire.Value, n int) { v.Unit = strings.Repeat("s", n) },
		"the text":       func(v *wire.Value, n int) { v.State, v.Text = true, fmt.Sprint(n) },
		"whose copy":     func(v *wire.Value, _ int) { v.Src = netip.AddrPortFrom(first, 1) },
		"a state's copy": func(v *wire.Value, _ int) { v.State, v.Server = true, server },
	} {
		var results [2]*sums
		for i, copies := range []int{1, 3} {
			m := newMultiplier(copies)
			s := newSums(m)
			for n := range copies {
				host, err := m.hostOf(server.Addr(), n)
				if err != nil {
					t.Fatal(err)
				}
				v := wire.Value{Place: wire.Place{Protocol: protocol}, Table: "servers", What: "ping", Number: 5}
				v.Server = netip.AddrPortFrom(host, server.Port())
				if copies == 1 {
					host = server.Addr()
					v.Server = server
				}
				v.Src = netip.AddrPortFrom(host, 1)
				if copies > 1 {
					change(&v, n)
				}
				s.value(&v)
			}
			results[i] = s
		}
		if list := compare(results[0], results[1]); (len(list) == 0) != (name == "nothing") {
			t.Errorf("with a change of %s: %d differences", name, len(list))
		}
	}
}

// TestOrigins checks that originOf is the inverse of hostOf, and does not change addresses that do not belong to a
// copy.
func TestOrigins(t *testing.T) {
	m := newMultiplier(7)
	for _, a := range []string{"10.0.0.7", "10.0.0.8", "127.0.0.1", "192.168.3.4", "8.8.8.8", "2001:db8::7", "2001:db8::8", "fe80::1"} {
		host := netip.MustParseAddr(a)
		for n := range 7 {
			to, err := m.hostOf(host, n)
			if err != nil {
				t.Fatal(err)
			}
			if from, of := m.originOf(to); from != host || of != n {
				t.Errorf("copy %d of %s is %v, but its origin is %v, copy %d", n, a, to, from, of)
			}
		}
	}
	for _, a := range []string{"10.0.0.1", "10.255.255.255", "172.16.0.1", "224.0.0.1", "0.0.0.0", "::", "2001:db8::1"} {
		host := netip.MustParseAddr(a)
		if from, of := m.originOf(host); from != host || of != -1 {
			t.Errorf("%s has the origin %v, copy %d", a, from, of)
		}
	}
	if from, of := m.originOf(netip.Addr{}); from.IsValid() || of != -1 {
		t.Errorf("the invalid address has the origin %v, copy %d", from, of)
	}
}

// The command prints one line per capture, followed by the differences.
func TestCheckCopies(t *testing.T) {
	dir := t.TempDir()
	data, err := os.ReadFile("../../testdata/pcap/tribes-list-40.pcap")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.pcap"), data[:len(data)-5], 0o644); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	args := []string{"check", "4", dir}
	if err := run(t.Context(), args, &out, nil); err != nil || !strings.Contains(out.String(), " 201 packets  a.pcap\n\n") ||
		!strings.HasSuffix(out.String(), "\nthe copies of all 1 captures are equal\n") {
		t.Errorf("a cut capture: %v, %q", err, out.String())
	}
	if err := run(t.Context(), []string{"check", "4", t.TempDir()}, io.Discard, nil); err == nil {
		t.Error("an empty folder is not an error")
	}
}
