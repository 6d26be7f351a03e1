package main

import (
	"bytes"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode/ip"
)

// Rounds follow each other in time, and none has a host of one before.
func TestSideBySide(t *testing.T) {
	const copies, rounds = 2, 3
	dir := filepath.Join("..", "..", "testdata", "pcap")
	list := readPackets(t, filepath.Join(dir, "tribes-x-control.pcap"))
	size := int64(0)
	for i := range list {
		size += recordHeader + int64(len(list[i].Data))
	}
	var file bytes.Buffer
	g := &generated{Wanted: wanted(size*copies*rounds - 100), captures: dir}
	if err := g.record(&file, &input{generate: sideBySide("tribes-x-control.pcap", copies)}); err != nil {
		t.Fatal(err)
	}
	if want := int64(len(list) * copies * rounds); g.Packets != want && g.Packets != want-1 {
		t.Errorf("%d packets, want %d", g.Packets, want)
	}
	f, err := capture.NewReader(&file, "generated")
	if err != nil {
		t.Fatal(err)
	}
	last := make(map[netip.Addr]int) // the round in which a host was seen
	now := time.Time{}
	for i := range int(g.Packets) {
		var p capture.Packet
		if err := f.Next(&p); err != nil {
			t.Fatal(err)
		}
		if at := time.Unix(0, p.Time); at.Before(now) {
			t.Fatalf("packet %d is of %v, the one before of %v", i+1, at, now)
		} else {
			now = at
		}
		original := &list[i/copies%len(list)]
		if len(p.Data) != len(original.Data) || p.Length != original.Length {
			t.Fatalf("packet %d has %d bytes, the original %d", i+1, len(p.Data), len(original.Data))
		}
		at, ok := ip.Locate(uint16(p.LinkType), p.Data, p.Length)
		if !ok {
			continue
		}
		checkSums(t, p.Data[at.Network:at.End])
		src, _ := ip.Addresses(p.Data[at.Network:])
		a, _ := netip.AddrFromSlice(src)
		round := i/(copies*len(list)) + 1
		if before := last[a]; before != 0 && before != round {
			t.Fatalf("%v is there in rounds %d and %d", a, before, round)
		}
		last[a] = round
	}
	if len(last) < copies*rounds {
		t.Errorf("there are %d hosts", len(last))
	}
}

func wanted(bytes int64) size { return size(bytes) }

// A capture that is not there, or of another link, is an error.
func TestSideBySideTrouble(t *testing.T) {
	for name, trouble := range map[string]string{"nothing.pcap": "nothing.pcap", "bz17-var-sll.pcap": "another link"} {
		g := &generated{Wanted: minSize, captures: filepath.Join("..", "..", "testdata", "pcap")}
		err := g.record(&bytes.Buffer{}, &input{generate: sideBySide(name, 2)})
		if err == nil || !strings.Contains(err.Error(), trouble) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
