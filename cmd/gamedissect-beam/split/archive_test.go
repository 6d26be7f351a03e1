package split_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"net/netip"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
)

// captures lists the captures of the tests.
func captures(t testing.TB) []string {
	var files []string
	for _, pattern := range []string{"*.pcap", "*.pcapng", "*.pcap.gz", "*.pcap.zst"} {
		found, err := filepath.Glob("../../../testdata/pcap/" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) < 30 {
		t.Fatalf("%d captures", len(files))
	}
	return files
}

// framesOf reads a capture. If the capture is damaged, it reads the part before the damage.
func framesOf(t testing.TB, file string) (list []decode.Frame) {
	in, err := capture.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }() // harmless: the file was only read
	for {
		var p capture.Packet
		if in.Next(&p) != nil {
			return list
		}
		list = append(list, decode.Frame{
			Data: bytes.Clone(p.Data), Length: p.Length, Time: p.Time, Link: uint16(p.LinkType), Number: p.Number,
			File: filepath.Base(file),
		})
	}
}

// A mover moves hosts to other addresses.
type mover struct {
	networks map[network]uint32
}

// A network is the first three bytes of an original address, and the number of the copy that contains it.
type network struct {
	bytes [3]byte
	copy  int
}

// move returns a copy of the frames in which the hosts have other addresses. It changes only plain IPv4, and leaves
// multicast and broadcast addresses unchanged.
func (m *mover) move(frames []decode.Frame, n int) []decode.Frame {
	moved := slices.Clone(frames)
	for i := range moved {
		f := &moved[i]
		at, ok := ip.Locate(f.Link, f.Data, f.Length)
		if !ok {
			continue
		}
		f.Data = bytes.Clone(f.Data)
		src, dst := ip.Addresses(f.Data[at.Network:at.Transport])
		for _, a := range [][]byte{src, dst} {
			if at, ok := netip.AddrFromSlice(a); ok && at.Is4() && !at.IsMulticast() && !at.IsUnspecified() && a[0] < 255 {
				m.address(a, n)
			}
		}
	}
	return moved
}

// address moves an address. The last byte stays, because it may make the address a broadcast address.
func (m *mover) address(a []byte, n int) {
	from := network{[3]byte(a), n}
	number, known := m.networks[from]
	if !known {
		number = uint32(len(m.networks))
		m.networks[from] = number
	}
	binary.BigEndian.PutUint16(a[1:], uint16(number))
	a[0] = byte(20 + number>>16)
}

// archive returns copies of captures that run at the same time.
func archive(t testing.TB, files []string, copies int) (all []decode.Frame) {
	m := &mover{networks: make(map[network]uint32)}
	const begins = int64(1_700_000_000e9)
	n := 0
	for _, file := range files {
		frames := framesOf(t, file)
		for range copies {
			moved := m.move(frames, n)
			for i := range moved {
				moved[i].Time += begins + int64(n)*7_654_321 - frames[0].Time
			}
			all = append(all, moved...)
			n++
		}
	}
	slices.SortStableFunc(all, func(a, b decode.Frame) int { return cmp.Compare(a.Time, b.Time) })
	return all
}
