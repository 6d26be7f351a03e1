package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode/ip"
)

// captures lists the captures of the tests.
func captures(t *testing.T) (list []string) {
	t.Helper()
	for _, pattern := range []string{"*.pcap", "*.pcapng", "*.pcap.gz", "*.pcap.zst"} {
		found, err := filepath.Glob("../../testdata/pcap/" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, found...)
	}
	if len(list) < 30 {
		t.Fatalf("%d captures", len(list))
	}
	return list
}

// packets reads a capture. If the capture is damaged, it reads the part before the damage.
func packets(t *testing.T, name string) (list []capture.Packet) {
	t.Helper()
	in, err := capture.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }() // harmless: the file was only read
	for {
		var p capture.Packet
		if in.Next(&p) != nil {
			return list
		}
		p.Data = bytes.Clone(p.Data)
		list = append(list, p)
	}
}

// write writes a capture. The file's name determines the compression.
func write(t *testing.T, name string, list []capture.Packet) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	var plain bytes.Buffer
	out, err := capture.NewWriter(&plain, "", capture.WriterOptions{Format: "pcapng"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		p := list[i]
		p.Interface, p.Comments = 0, nil
		for out.Write(&p) != nil && p.Interface < 4 { // fails if the interface has another link type
			p.Interface++
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	content := plain.Bytes()
	switch filepath.Ext(name) {
	case ".gz":
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write(content); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		content = b.Bytes()
	case ".zst":
		z, err := zstd.NewWriter(nil)
		if err != nil {
			t.Fatal(err)
		}
		content = z.EncodeAll(content, nil)
	}
	if err := os.WriteFile(name, content, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// rotate writes packets to several consecutive files, like a capturing program with rotation.
func rotate(t *testing.T, dir string, list []capture.Packet, files int) (names []string) {
	t.Helper()
	endings := []string{"pcapng", "pcapng.zst", "pcapng.gz"}
	for i := range files {
		part := list[len(list)*i/files : len(list)*(i+1)/files]
		if len(part) == 0 {
			continue
		}
		name := filepath.Join(dir, fmt.Sprintf("%03d.%s", i, endings[i%len(endings)]))
		names = append(names, write(t, name, part))
	}
	return names
}

// copies returns packets of captures that run at the same time, each between its own hosts.
func copies(t *testing.T, names []string, each int) (all []capture.Packet) {
	t.Helper()
	n := 0
	for _, name := range names {
		list := packets(t, name)
		for range each {
			for i := range list {
				p := list[i]
				p.Time += 1_700_000_000e9 + int64(n)*7_654_321 - list[0].Time
				p.Data = move(p, uint16(n))
				all = append(all, p)
			}
			n++
		}
	}
	slices.SortStableFunc(all, func(a, b capture.Packet) int { return cmp.Compare(a.Time, b.Time) })
	return all
}

// move returns the bytes of a packet with its addresses moved to other networks.
func move(p capture.Packet, to uint16) []byte {
	at, ok := ip.Locate(uint16(p.LinkType), p.Data, p.Length)
	if !ok {
		return p.Data
	}
	data := bytes.Clone(p.Data)
	src, dst := ip.Addresses(data[at.Network:at.Transport])
	for _, a := range [][]byte{src, dst} {
		host, ok := netip.AddrFromSlice(a)
		if ok && host.Is4() && !host.IsMulticast() && !host.IsUnspecified() && a[0] < 255 {
			binary.BigEndian.PutUint16(a, 20<<8+to)
		}
	}
	return data
}

// TestRotation cuts each capture into four files, in the middle of connections. Each capture belongs to its own sensor.
func TestRotation(t *testing.T) {
	dir := t.TempDir()
	sensors := make(map[string][]string)
	for _, name := range captures(t) {
		sensor := filepath.Base(name)
		sensors[sensor] = rotate(t, filepath.Join(dir, sensor), packets(t, name), 4)
	}
	got, summary := beamed(t, options{
		Inputs: []string{dir + "/*/*"}, Output: t.TempDir(), Sensor: `([^/]+)/[^/]+$`, ShardPackets: 40,
	})
	if len(summary.Trouble) > 0 || summary.Shards < len(sensors) {
		t.Errorf("%v, of %d sensors", summary, len(sensors))
	}
	for _, engines := range []int{1, 4} {
		same(t, got, direct(t, sensors, engines))
	}
	if !regexp.MustCompile("copy=C:[0-9]+ D:1 R:0 V:true").MatchString(strings.Join(got.rows["bzflag24/MsgAddPlayer"], "")) {
		t.Error("no copies")
	}
}

// games are short captures, one of each protocol.
var games = []string{
	"../../testdata/pcap/bz24-query.pcap", "../../testdata/pcap/bz17-c-joinleave.pcap",
	"../../testdata/pcap/iceball-badf.pcap", "../../testdata/pcap/tribes-list-40.pcap",
	"../../testdata/pcap/bloodmasters-real.pcap",
}

// TestComponents dissects hundreds of simultaneous games.
func TestComponents(t *testing.T) {
	dir := t.TempDir()
	sensors := map[string][]string{"": rotate(t, dir, copies(t, games, 60), 9)}
	got, summary := beamed(t, options{Inputs: []string{dir + "/*"}, Output: t.TempDir(), ShardPackets: 5000})
	same(t, got, direct(t, sensors, 1))
	if summary.Shards < 10 || !strings.Contains(got.stats["all"], "first_packet_ns") {
		t.Errorf("%v: %s", summary, got.stats["all"])
	}
}

// TestArchive writes an archive to the folder GAMEDISSECT_BEAM_ARCHIVE. The archive has all captures, and 300
// simultaneous games in three sensors, each cut into four files. .ci/cluster/run dissects it.
func TestArchive(t *testing.T) {
	dir := os.Getenv("GAMEDISSECT_BEAM_ARCHIVE")
	if dir == "" {
		t.Skip("GAMEDISSECT_BEAM_ARCHIVE names no folder")
	}
	all := captures(t)
	for i, sensor := range []string{"east", "south", "west"} {
		third := slices.Concat(all[len(all)*i/3:len(all)*(i+1)/3], slices.Repeat(games, 20))
		rotate(t, filepath.Join(dir, sensor), copies(t, third, 1), 4)
	}
}
