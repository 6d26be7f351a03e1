package capture

import (
	"fmt"
	"io"
)

// Block types of pcapng: draft-ietf-opsawg-pcapng section 11.1. All others are skipped.
const (
	blockSection   = 0x0a0d0d0a // reads the same in both byte orders
	blockInterface = 1
	blockOldPacket = 2
	blockSimple    = 3
	blockEnhanced  = 6
)

// byteOrderMagic follows the length of a section header block.
const byteOrderMagic = 0x1a2b3c4d

const (
	maxInterfaces = 4096                        // interfaces of a section
	maxOptions    = 256 << 10                   // bytes of options in a block
	maxBlock      = maxRecord + maxOptions + 32 // bytes of a block that is read, not skipped
	minBlock      = 12                          // bytes of a block without a body
)

// ngReader reads the packets of a pcapng file: draft-ietf-opsawg-pcapng.
//
// It ignores the section length in a section header block, because it finds the next section by reading block by block.
type ngReader struct {
	w          *lookahead
	big        bigEndian // byte order of the current section
	interfaces []ngInterface
	earlier    int   // number of interfaces in earlier sections
	time       int64 // time of the last packet that had one
}

func isPcapng(start []byte) bool {
	return len(start) >= 4 && bigEndian(false).u32(start) == blockSection
}

func newPcapng(w *lookahead) (*ngReader, error) {
	r := &ngReader{w: w}
	return r, r.readSection()
}

func (r *ngReader) next(p *Packet) error {
	for {
		found, err := r.readBlock(p)
		if found || err != nil {
			return err
		}
	}
}

func (r *ngReader) readBlock(p *Packet) (bool, error) {
	h := r.w.peek(8)
	if len(h) < 8 {
		if len(h) == 0 && r.w.err == io.EOF {
			return false, io.EOF
		}
		return false, truncatedAt(r.w, r.w.offset(), "a block header", int64(len(h)), 8)
	}
	total := r.big.u32(h[4:])
	switch r.big.u32(h) {
	case blockSection:
		return false, r.readSection()
	case blockInterface:
		b, err := r.peekBlock(total, 20, "an interface description block")
		if err != nil {
			return false, err
		}
		return false, r.readInterface(b)
	case blockEnhanced:
		b, err := r.peekBlock(total, 32, "an enhanced packet block")
		if err != nil {
			return false, err
		}
		return true, r.readTimestamped(p, b, r.big.u32(b[8:]))
	case blockOldPacket:
		b, err := r.peekBlock(total, 32, "a packet block")
		if err != nil {
			return false, err
		}
		return true, r.readTimestamped(p, b, uint32(r.big.u16(b[8:])))
	case blockSimple:
		b, err := r.peekBlock(total, 16, "a simple packet block")
		if err != nil {
			return false, err
		}
		return true, r.readSimple(p, b)
	default:
		return false, r.skipBlock(total)
	}
}

// peekBlock returns a block that this package decodes, if it has at least minimum bytes and its two length fields
// agree: section 3.1. The function that decodes the block consumes it.
func (r *ngReader) peekBlock(total, minimum uint32, what string) ([]byte, error) {
	at := r.w.offset()
	switch {
	case total%4 != 0:
		return nil, badLength(at, what, total, "which is not a multiple of 4")
	case total < minimum:
		return nil, badLength(at, what, total, "too short for its fields")
	case total > maxBlock:
		return nil, badLength(at, what, total, "above the limit; the file is damaged from here on")
	}
	b := r.w.peek(int(total))
	if len(b) < int(total) {
		return nil, truncatedAt(r.w, at, what, int64(len(b)), int64(total))
	}
	if again := r.big.u32(b[total-4:]); again != total {
		return nil, badLength(at, what, total, trailingLength(again))
	}
	return b, nil
}

// skipBlock skips a block that this package does not decode. The block may have any size and is not buffered.
func (r *ngReader) skipBlock(total uint32) error {
	at := r.w.offset()
	switch {
	case total%4 != 0:
		return badLength(at, "a block", total, "which is not a multiple of 4")
	case total < minBlock:
		return badLength(at, "a block", total, "too short for a block")
	}
	body := int64(total) - 4
	if n := r.w.skip(body); n < body {
		return truncatedAt(r.w, at, "a block", n, int64(total))
	}
	b := r.w.peek(4)
	if len(b) < 4 {
		return truncatedAt(r.w, at, "a block", body+int64(len(b)), int64(total))
	}
	if again := r.big.u32(b); again != total {
		return badLength(at, "a block", total, trailingLength(again))
	}
	r.w.advance(4)
	return nil
}

func badLength(at int64, what string, total uint32, why string) error {
	return badRecord(at, "%s claims to be %d bytes long, %s", what, total, why)
}

// trailingLength returns the end of the error text for a block whose second length differs from the first.
func trailingLength(again uint32) string {
	return fmt.Sprintf("but %d at its end; the file is damaged here", again)
}

// readSection reads a section header block: section 4.1. It sets the byte order for the section and drops the
// interfaces of the previous section.
func (r *ngReader) readSection() error {
	const what = "a section header block"
	at := r.w.offset()
	h := r.w.peek(12)
	if len(h) < 12 {
		return truncatedAt(r.w, at, what, int64(len(h)), 28)
	}
	switch {
	case bigEndian(false).u32(h[8:]) == byteOrderMagic:
		r.big = false
	case bigEndian(true).u32(h[8:]) == byteOrderMagic:
		r.big = true
	default:
		return badRecord(at, "%s has no byte-order magic; it is damaged", what)
	}
	b, err := r.peekBlock(r.big.u32(h[4:]), 28, what)
	if err != nil {
		return err
	}
	if major := r.big.u16(b[12:]); major != 1 {
		return badRecord(at, "%s has pcapng version %d.%d; only version 1 is supported", what, major, r.big.u16(b[14:]))
	}
	r.earlier += len(r.interfaces)
	r.interfaces = r.interfaces[:0]
	r.w.advance(len(b))
	return nil
}
