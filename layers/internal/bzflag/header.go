package bzflag

import (
	"encoding/binary"

	"github.com/gamedissect/gamedissect/decode/wire"
)

const (
	// HeaderSize is the length of a message's header.
	HeaderSize = 4
	// MaxBody is the length of the largest body. A packet has at most 1024 bytes, including the header.
	MaxBody = 1024 - HeaderSize

	// Magic is the beginning of the version in a server's hello and in ping replies.
	Magic = "BZFS"
	// VersionSize is the length in bytes of the version, including Magic.
	VersionSize = 8
)

// Header begins every message, except the first messages of a connection.
type Header struct {
	Length uint16 // length of the body
	Code   Code
}

func (h *Header) Walk(c *wire.Cursor) {
	wire.U16(c, "length", &h.Length)
	h.Code.Walk(c)
}

// HasHeader reports whether data begins with a header whose length is possible. Messages without a header begin with
// letters.
func HasHeader(data []byte) bool { return len(data) >= HeaderSize && data[0] <= MaxBody>>8 }

// PeekHeader reads a header. data must have at least four bytes.
func PeekHeader(data []byte) Header {
	return Header{binary.BigEndian.Uint16(data), Code(binary.BigEndian.Uint16(data[2:]))}
}
