package main

import (
	"bytes"
	"net/netip"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode/ip"
)

// TestInputs checks that each input is the same in each run, has the requested size, and can be read.
func TestInputs(t *testing.T) {
	const size = 300_000
	for _, in := range inputs {
		var files [2]bytes.Buffer
		for i := range files {
			packets, n, err := in.write(t.Context(), &files[i], realCaptures, size)
			if err != nil {
				t.Fatalf("%s: %v", in.name, err)
			}
			if in.alone != (packets == 1) || !in.alone && (n < size || n > size+snapLength) {
				t.Errorf("%s: %d packets, %d bytes", in.name, packets, n)
			}
		}
		if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
			t.Errorf("two runs of %s differ", in.name)
		}
		if f, err := capture.NewReader(&files[0], in.name); err != nil || f.Next(new(capture.Packet)) != nil {
			t.Errorf("%s cannot be read: %v", in.name, err)
		}
	}
}

// TestRounds checks that packets are in time order, that each round has new hosts, and that checksums are correct.
func TestRounds(t *testing.T) {
	const name, copies, rounds = "tribes-x-control.pcap", 2, 3
	list := readPackets(t, filepath.Join(realCaptures, name))
	size := int64(0)
	for i := range list {
		size += recordHeader + int64(len(list[i].Data))
	}
	var file bytes.Buffer
	packets, _, err := (&input{from: name, copies: copies}).write(t.Context(), &file, realCaptures, size*copies*rounds)
	if err != nil || packets != int64(len(list)*copies*rounds) {
		t.Fatalf("%d packets, want %d: %v", packets, len(list)*copies*rounds, err)
	}
	f, err := capture.NewReader(&file, "generated")
	if err != nil {
		t.Fatal(err)
	}
	last := make(map[netip.Addr]int) // last round in which a host was seen
	var p capture.Packet
	for i, now := 0, int64(0); f.Next(&p) == nil; i++ {
		if original := &list[i/copies%len(list)]; p.Time < now || len(p.Data) != len(original.Data) {
			t.Fatalf("packet %d has %d bytes and the time %d, the original has %d bytes, and the previous time is %d", i+1, len(p.Data), p.Time,
				len(original.Data), now)
		}
		now = p.Time
		at, ok := ip.Locate(uint16(p.LinkType), p.Data, p.Length)
		if !ok {
			continue
		}
		checkSums(t, p.Data[at.Network:at.End])
		src, _ := ip.Addresses(p.Data[at.Network:])
		a, _ := netip.AddrFromSlice(src)
		round := i/(copies*len(list)) + 1
		if before := last[a]; before != 0 && before != round {
			t.Fatalf("%v occurs in rounds %d and %d", a, before, round)
		}
		last[a] = round
	}
	if len(last) < copies*rounds {
		t.Errorf("there are %d hosts", len(last))
	}
}

// TestInputTrouble checks that a missing capture and a capture with a different link type are errors.
func TestInputTrouble(t *testing.T) {
	for name, trouble := range map[string]string{"nothing.pcap": "nothing.pcap", "bz17-var-sll.pcap": "other than Ethernet"} {
		_, _, err := (&input{from: name, copies: 2}).write(t.Context(), new(bytes.Buffer), realCaptures, 1e5)
		if err == nil || !strings.Contains(err.Error(), trouble) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTable checks that ratios compare measurements in the same round.
func TestTable(t *testing.T) {
	got := string(table([]row{{name: "read only"}, {name: "-q"}},
		[][]sample{{{1, 1, 2e6}, {2, 1, 1e6}, {4, 1, 0}}, {{3, 2, 4e6}, {4, 2, 5e6}, {16, 2, 0}}}, 12))
	want := "row                          packets/s   seconds     ratio   proc. s     ratio   peak MB\n" +
		"read only                           12     2.000      1.00     1.000      1.00       2.0\n" +
		"-q                                   4     4.000      3.00     2.000      2.00       5.0\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestConcerns checks that each step reads a capture, and that steps with an engine report the number of conversations.
func TestConcerns(t *testing.T) {
	for step := range concernNames {
		var out bytes.Buffer
		args := []string{strconv.Itoa(step), filepath.Join(realCaptures, "tribes-list-40.pcap"), "heap"}
		if err := runConcern(t.Context(), &options{out: &out}, args); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); step > headersOnly && !strings.HasSuffix(got, " objects for each of 81 conversations\n") {
			t.Errorf("%s: %q", concernNames[step], got)
		}
	}
}
