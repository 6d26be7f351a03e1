package capture

import (
	"encoding/binary"
	"os"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ring is the memory to which the kernel writes packets, in blocks: TPACKET_V3, described in the kernel's
// Documentation/networking/packet_mmap.rst. The status word of a block says who owns the block. The kernel sets the
// word to pass a block to the reader, and the reader sets it to return the block.
type ring struct {
	fd        int
	memory    []byte
	block     int       // bytes of a block
	current   int       // index of the block that is being read or comes next
	owned     bool      // the reader owns current
	remaining uint32    // packets left in current
	following int       // offset of the next packet in memory
	since     time.Time // time at which the reader received the block
	frame     frame
}

// A frame is a packet in the ring.
type frame struct {
	data     []byte // captured bytes, with headroom before them
	start    int    // offset of the data in memory
	header   int    // bytes of the link's header
	length   int    // bytes on the wire
	time     int64
	vlan     bool
	tag      uint16 // the VLAN's tag
	tagType  uint16
	protocol uint16 // EtherType
	hardware uint16
	kind     uint8 // PACKET_HOST, PACKET_OUTGOING ...
	index    int32
	from     [8]byte
	fromSize uint8
}

const (
	blockSize = 256 << 10 // holds the largest packet of a loopback interface, 64 KiB and its headers
	frameSize = 2048      // not used by TPACKET_V3, but must divide the block
	retire    = 40        // milliseconds after which the kernel hands over a block that is not full
	headroom  = 32        // bytes before each packet, for a VLAN tag or a cooked header
	tagSize   = 4
)

// Offsets in the headers of a block and of a packet, from if_packet.h.
const (
	blockStatus  = 8
	blockPackets = 12
	blockFirst   = 16

	packetNext     = 0
	packetSeconds  = 4
	packetNanos    = 8
	packetCaptured = 12
	packetLength   = 16
	packetStatus   = 20
	packetMAC      = 24
	packetNetwork  = 26
	packetTag      = 32
	packetTagType  = 36
	packetAddress  = 48 // a sockaddr_ll
)

func (r *ring) open(fd int, size int64) error {
	r.fd, r.block = fd, blockSize
	blocks := max(size/blockSize, 2)
	if err := unix.SetsockoptInt(fd, unix.SOL_PACKET, unix.PACKET_VERSION, unix.TPACKET_V3); err != nil {
		return os.NewSyscallError("setsockopt PACKET_VERSION", err)
	}
	if err := unix.SetsockoptInt(fd, unix.SOL_PACKET, unix.PACKET_RESERVE, headroom); err != nil {
		return os.NewSyscallError("setsockopt PACKET_RESERVE", err)
	}
	req := unix.TpacketReq3{
		Block_size: blockSize, Block_nr: uint32(blocks), Retire_blk_tov: retire,
		Frame_size: frameSize, Frame_nr: uint32(blocks * blockSize / frameSize),
	}
	if err := unix.SetsockoptTpacketReq3(fd, unix.SOL_PACKET, unix.PACKET_RX_RING, &req); err != nil {
		return os.NewSyscallError("setsockopt PACKET_RX_RING", err)
	}
	memory, err := unix.Mmap(fd, 0, int(blocks*blockSize), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return os.NewSyscallError("mmap", err)
	}
	r.memory = memory
	return nil
}

func (r *ring) close() {
	if r.memory != nil {
		_ = unix.Munmap(r.memory) // fails only for wrong arguments
		r.memory = nil
	}
}

// status returns the word of a block's header that says whether the kernel or the reader owns it.
func (r *ring) status(block int) *uint32 {
	return (*uint32)(unsafe.Pointer(&r.memory[block*r.block+blockStatus]))
}

// next returns the next packet, or ErrQuiet if none arrives in time. The packet is valid until the next call.
func (r *ring) next(wait time.Duration) (*frame, error) {
	for r.remaining == 0 {
		if r.owned { // the caller no longer needs the last packet
			atomic.StoreUint32(r.status(r.current), unix.TP_STATUS_KERNEL)
			r.owned = false
			r.current = (r.current + 1) % (len(r.memory) / r.block)
		}
		if atomic.LoadUint32(r.status(r.current))&unix.TP_STATUS_USER == 0 {
			if err := r.wait(wait); err != nil {
				return nil, err
			}
			continue
		}
		b := r.memory[r.current*r.block:]
		r.owned, r.since = true, time.Now()
		r.remaining = binary.NativeEndian.Uint32(b[blockPackets:])
		r.following = r.current*r.block + int(binary.NativeEndian.Uint32(b[blockFirst:]))
	}
	h := r.memory[r.following:]
	r.read(h)
	r.remaining--
	r.following += int(binary.NativeEndian.Uint32(h[packetNext:]))
	return &r.frame, nil
}

// wait waits for a block, and returns ErrQuiet if none arrives.
func (r *ring) wait(timeout time.Duration) error {
	fds := []unix.PollFd{{Fd: int32(r.fd), Events: unix.POLLIN | unix.POLLERR}}
	n, err := unix.Poll(fds, int(timeout.Milliseconds()))
	switch {
	case err == unix.EINTR || err == nil && n == 0:
		return ErrQuiet
	case err != nil:
		return os.NewSyscallError("poll", err)
	case fds[0].Revents&unix.POLLIN != 0:
		return nil
	}
	return unix.EIO // POLLERR; Live.explain replaces it with the socket's own error
}

// read reads a packet's header.
func (r *ring) read(h []byte) {
	native := binary.NativeEndian
	status := native.Uint32(h[packetStatus:])
	mac := int(native.Uint16(h[packetMAC:]))
	captured := int(native.Uint32(h[packetCaptured:]))
	header := int(native.Uint16(h[packetNetwork:])) - mac
	address := h[packetAddress:]
	f := &r.frame
	*f = frame{
		start: r.following + mac, header: min(max(header, 0), captured), data: h[mac : mac+captured],
		length:   int(native.Uint32(h[packetLength:])),
		time:     int64(native.Uint32(h[packetSeconds:]))*1e9 + int64(native.Uint32(h[packetNanos:])),
		vlan:     status&unix.TP_STATUS_VLAN_VALID != 0,
		tag:      uint16(native.Uint32(h[packetTag:])),
		tagType:  unix.ETH_P_8021Q,
		protocol: binary.BigEndian.Uint16(address[2:]),
		index:    int32(native.Uint32(address[4:])),
		hardware: native.Uint16(address[8:]),
		kind:     address[10],
		fromSize: min(address[11], 8),
	}
	copy(f.from[:], address[12:20])
	if status&unix.TP_STATUS_VLAN_TPID_VALID != 0 {
		f.tagType = native.Uint16(h[packetTagType:])
	}
}

const (
	addresses    = 12 // bytes of the two addresses at the start of an Ethernet header
	ethernetSize = 14
	cookedSize   = 20 // bytes of a Linux cooked v2 header
)

// shown returns a packet in the form that Next returns: with the VLAN tag that the kernel removed, or with a cooked
// header instead of the link-layer header. It writes the tag or header in place, using the headroom.
func (l *Live) shown(f *frame) (data []byte, length int) {
	if l.link == linkCooked2 {
		return l.cooked(f)
	}
	if !f.vlan || l.link != linkEthernet || len(f.data) < ethernetSize {
		return f.data, f.length
	}
	m := l.ring.memory[f.start-tagSize : f.start+len(f.data)]
	copy(m[:addresses], f.data[:addresses])
	binary.BigEndian.PutUint16(m[addresses:], f.tagType)
	binary.BigEndian.PutUint16(m[addresses+2:], f.tag)
	return m, f.length + tagSize
}

// cooked replaces the link-layer header with a Linux cooked v2 header.
func (l *Live) cooked(f *frame) (data []byte, length int) {
	var header [cookedSize + tagSize]byte
	size := cookedSize
	protocol := f.protocol
	if f.vlan {
		size += tagSize
		binary.BigEndian.PutUint16(header[cookedSize:], f.tag)
		binary.BigEndian.PutUint16(header[cookedSize+2:], protocol)
		protocol = f.tagType
	}
	binary.BigEndian.PutUint16(header[0:], protocol)
	binary.BigEndian.PutUint32(header[4:], uint32(f.index))
	binary.BigEndian.PutUint16(header[8:], f.hardware)
	header[10], header[11] = f.kind, f.fromSize
	copy(header[12:], f.from[:])
	from := f.start + f.header - size
	m := l.ring.memory[from : f.start+len(f.data)]
	copy(m, header[:size])
	return m, f.length - f.header + size
}
