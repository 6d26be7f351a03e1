package capture

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

// A kernelPacket is a packet that fill writes to a ring, as the kernel does.
type kernelPacket struct {
	data     string // hexadecimal, starting with the link-layer header
	header   int    // size of the link-layer header in bytes
	vlan     bool
	tag      uint16
	tagType  uint16 // 0: not set
	hardware uint16
	protocol uint16
	kind     uint8
	seconds  uint32
	nanos    uint32
	length   uint32 // 0: the length of data
}

// fakeRing makes a ring without a socket. Tests write packets to it with fill.
func fakeRing(blocks int) *ring {
	return &ring{fd: -1, block: blockSize, memory: make([]byte, blocks*blockSize)}
}

// fill writes packets to a block and passes the block to the reader.
func (r *ring) fill(t *testing.T, block int, list []kernelPacket) {
	t.Helper()
	native := binary.NativeEndian
	b := r.memory[block*r.block : (block+1)*r.block]
	clear(b)
	native.PutUint32(b[blockPackets:], uint32(len(list)))
	at := 48
	native.PutUint32(b[blockFirst:], uint32(at))
	for _, p := range list {
		data, err := hex.DecodeString(p.data)
		if err != nil {
			t.Fatal(err)
		}
		const mac = 128 // offset of the first packet's link-layer header
		h := b[at:]
		next := (mac + len(data) + 15) &^ 15
		native.PutUint32(h[packetNext:], uint32(next))
		native.PutUint32(h[packetSeconds:], p.seconds)
		native.PutUint32(h[packetNanos:], p.nanos)
		native.PutUint32(h[packetCaptured:], uint32(len(data)))
		native.PutUint32(h[packetLength:], max(p.length, uint32(len(data))))
		native.PutUint16(h[packetMAC:], mac)
		native.PutUint16(h[packetNetwork:], uint16(mac+p.header))
		if p.vlan {
			status := uint32(unix.TP_STATUS_USER | unix.TP_STATUS_VLAN_VALID)
			if p.tagType != 0 {
				status |= unix.TP_STATUS_VLAN_TPID_VALID
			}
			native.PutUint32(h[packetStatus:], status)
			native.PutUint32(h[packetTag:], uint32(p.tag))
			native.PutUint16(h[packetTagType:], p.tagType)
		}
		a := h[packetAddress:]
		binary.BigEndian.PutUint16(a[2:], p.protocol)
		native.PutUint32(a[4:], 7)
		native.PutUint16(a[8:], p.hardware)
		a[10], a[11] = p.kind, 6
		copy(a[12:], "\x02\x00\x00\x00\x00\x01")
		copy(h[mac:], data)
		at += next
	}
	atomic.StoreUint32(r.status(block), unix.TP_STATUS_USER)
}

const (
	macs    = "0200000000010200000000ff"
	payload = "4500001400000000400100007f0000017f000001"
)

func TestLiveShowsPackets(t *testing.T) {
	for name, test := range map[string]struct {
		link LinkType
		in   kernelPacket
		want string
		more int // Packet.Length minus the length of in.data
	}{
		"ethernet": {linkEthernet, kernelPacket{data: macs + "0800" + payload, header: 14}, macs + "0800" + payload, 0},
		"tagged":   {linkEthernet, kernelPacket{data: macs + "0800" + payload, header: 14, vlan: true, tag: 0x2005}, macs + "81002005" + "0800" + payload, 4},
		"service":  {linkEthernet, kernelPacket{data: macs + "0800" + payload, header: 14, vlan: true, tag: 5, tagType: 0x88a8}, macs + "88a80005" + "0800" + payload, 4},
		"short":    {linkEthernet, kernelPacket{data: "0102", vlan: true, tag: 5}, "0102", 0},
		"cooked": {linkCooked2, kernelPacket{data: macs + "0800" + payload, header: 14, hardware: 1, protocol: 0x0800, kind: unix.PACKET_OUTGOING},
			"0800" + "0000" + "00000007" + "0001" + "04" + "06" + "0200000000010000" + payload, 6},
		"cooked and tagged": {linkCooked2, kernelPacket{data: macs + "0800" + payload, header: 14, hardware: 1, protocol: 0x0800, vlan: true, tag: 0x123},
			"8100" + "0000" + "00000007" + "0001" + "00" + "06" + "0200000000010000" + "01230800" + payload, 10},
		"tunnel": {linkCooked2, kernelPacket{data: payload, hardware: unix.ARPHRD_NONE, protocol: 0x0800},
			"0800" + "0000" + "00000007" + "fffe" + "00" + "06" + "0200000000010000" + payload, 20},
	} {
		l := &Live{link: test.link, snap: largestSnap, ring: *fakeRing(2)}
		test.in.seconds, test.in.nanos = 1_700_000_000, 123_456_789
		l.ring.fill(t, 0, []kernelPacket{test.in})
		var p Packet
		if err := l.Next(&p); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := hex.EncodeToString(p.Data); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
		if p.Time != 1_700_000_000_123_456_789 || p.Length != len(test.in.data)/2+test.more || p.Number != 1 {
			t.Errorf("%s: time %d, length %d, number %d", name, p.Time, p.Length, p.Number)
		}
	}
}

// The ring wraps around. When the reader needs the next block, it returns the previous one to the kernel.
func TestRingWrapsAround(t *testing.T) {
	l := &Live{link: linkEthernet, snap: largestSnap, ring: *fakeRing(3)}
	n := byte(0)
	var p Packet
	for round := range 20 {
		block := round % 3
		list := make([]kernelPacket, round%4)
		for i := range list {
			list[i] = kernelPacket{data: macs + "0800" + hex.EncodeToString([]byte{n + byte(i)}), header: 14}
		}
		l.ring.fill(t, block, list)
		for range list {
			if err := l.Next(&p); err != nil {
				t.Fatal(err)
			}
			if want := append(unhex(t, macs+"0800"), n); !bytes.Equal(p.Data, want) {
				t.Fatalf("round %d: %x, want %x", round, p.Data, want)
			}
			n++
		}
		if round > 0 && len(list) > 0 {
			if s := atomic.LoadUint32(l.ring.status((block + 2) % 3)); s != unix.TP_STATUS_KERNEL {
				t.Fatalf("round %d: the previous block was not returned", round)
			}
		}
	}
}

// A packet is cut to the snap length, which includes the link-layer header.
func TestLiveSnapLength(t *testing.T) {
	l := &Live{link: linkEthernet, snap: 15, ring: *fakeRing(2)}
	l.ring.fill(t, 0, []kernelPacket{{data: macs + "0800aabbcc", length: 100}})
	var p Packet
	if err := l.Next(&p); err != nil || len(p.Data) != 15 || p.Length != 100 {
		t.Errorf("%x of %d, %v", p.Data, p.Length, err)
	}
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestOpenLiveNamesInterfaces(t *testing.T) {
	_, err := OpenLive("no-such-interface", LiveOptions{})
	if err == nil {
		t.Fatal("no error")
	}
	t.Log(err) // root sees the list of interfaces; other users see that they lack a privilege
	devices, err := Devices()
	if err != nil || len(devices) == 0 {
		t.Errorf("%v, %v", devices, err)
	}
}
