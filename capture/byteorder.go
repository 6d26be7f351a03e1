package capture

import (
	"encoding/binary"
	"math/bits"
)

// bigEndian is the byte order of a file or section, known only at run time. It is a bool because a branch is cheaper
// than a call through the interface binary.ByteOrder.
type bigEndian bool

func (big bigEndian) u16(b []byte) uint16 {
	v := binary.LittleEndian.Uint16(b)
	if big {
		v = bits.ReverseBytes16(v)
	}
	return v
}

func (big bigEndian) u32(b []byte) uint32 {
	v := binary.LittleEndian.Uint32(b)
	if big {
		v = bits.ReverseBytes32(v)
	}
	return v
}

func (big bigEndian) u64(b []byte) uint64 {
	v := binary.LittleEndian.Uint64(b)
	if big {
		v = bits.ReverseBytes64(v)
	}
	return v
}
