package capture

import (
	"encoding/binary"
	"io"
	"math/bits"
)

// The magic numbers of pcap, in the writer's byte order.
const (
	magicMicro    = 0xa1b2c3d4
	magicNano     = 0xa1b23c4d
	magicModified = 0xa1b2cd34 // 24-byte record headers, from patched Linux kernels of the 1990s
)

const pcapHeader = 24 // bytes before the first record

// pcapReader reads the records of a pcap file: pcap-savefile(5), draft-ietf-opsawg-pcap section 4.
type pcapReader struct {
	w      *lookahead
	big    bigEndian
	header int    // size of a record header in bytes
	scale  int64  // nanoseconds in a unit of the fraction
	limit  uint32 // maximum bytes of data in a record
	minor  uint16 // the file's version is 2.minor
	link   LinkType
}

func isPcap(start []byte) bool {
	_, _, ok := pcapMagic(start)
	return ok
}

func pcapMagic(start []byte) (magic uint32, big bigEndian, ok bool) {
	if len(start) < 4 {
		return 0, false, false
	}
	magic = binary.LittleEndian.Uint32(start)
	for _, big := range []bigEndian{false, true} {
		switch magic {
		case magicMicro, magicNano, magicModified:
			return magic, big, true
		}
		magic = bits.ReverseBytes32(magic)
	}
	return 0, false, false
}

func newPcap(w *lookahead) (*pcapReader, error) {
	h := w.peek(pcapHeader)
	if len(h) < pcapHeader {
		return nil, truncatedAt(w, 0, "the file header", int64(len(h)), pcapHeader)
	}
	magic, big, _ := pcapMagic(h)
	r := &pcapReader{w: w, big: big, header: 16, scale: 1000}
	switch magic {
	case magicNano:
		r.scale = 1
	case magicModified:
		r.header = 24
	}
	r.minor = big.u16(h[6:])
	if major := big.u16(h[4:]); major != 2 {
		return nil, badRecord(0, "has pcap version %d.%d; only version 2 is supported: convert it with editcap -F pcapng",
			major, r.minor)
	}
	// Bytes 8 to 15 are the time zone and accuracy. In practice they are 0, and readers must ignore them.
	r.limit = recordLimit(big.u32(h[16:]))
	// The upper half of the field has the length of the frame check sequence after each frame. Packet data includes
	// that sequence, because upper layers know their own lengths.
	r.link = LinkType(big.u32(h[20:]))
	w.advance(pcapHeader)
	return r, nil
}

// isHeader reports whether a record begins like a file header. If so, a second file was probably appended.
func isHeader(b []byte) bool {
	_, big, ok := pcapMagic(b)
	return ok && big.u16(b[4:]) == 2 && big.u16(b[6:]) == 4
}

func (r *pcapReader) next(p *Packet) error {
	h := r.w.peek(r.header)
	if len(h) < r.header {
		if len(h) == 0 && r.w.err == io.EOF {
			return io.EOF
		}
		return truncatedAt(r.w, r.w.offset(), "a record header", int64(len(h)), int64(r.header))
	}
	captured, length := r.big.u32(h[8:]), r.big.u32(h[12:])
	if r.minor <= 3 {
		captured, length = r.swapOld(captured, length)
	}
	if length == 0 && isHeader(h) {
		return badRecord(r.w.offset(), "another capture file begins here, as if by cat; read the files one by one, or join "+
			"them with mergecap")
	}
	if captured > r.limit {
		return badRecord(r.w.offset(), "a record claims %d bytes of packet, above the limit of %d; the file is damaged "+
			"from here on", captured, r.limit)
	}
	need := r.header + int(captured)
	b := r.w.peek(need)
	if len(b) < need {
		return truncatedAt(r.w, r.w.offset(), "a record", int64(len(b)), int64(need))
	}
	*p = Packet{}
	p.Data, p.Length, p.LinkType = b[r.header:], wireLength(length, int(captured)), r.link
	p.Time = int64(r.big.u32(b))*1e9 + int64(r.big.u32(b[4:]))*r.scale // a fraction above one second carries over
	p.Offset = r.w.offset() + int64(r.header)
	r.w.advance(need)
	return nil
}

// swapOld corrects the order of the two lengths in files before version 2.4. Up to version 2.2 they were swapped.
// Writers of 2.3 disagreed, so swapOld compares the values: the captured length never exceeds the original length.
func (r *pcapReader) swapOld(captured, length uint32) (uint32, uint32) {
	if r.minor < 3 || captured > length {
		return length, captured
	}
	return captured, length
}
