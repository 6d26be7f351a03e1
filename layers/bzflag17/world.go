package bzflag17

import (
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// WorldRequest asks for a part of the world database. See "getting the world database" in the protocol document.
type WorldRequest struct {
	Offset uint16 // offset of the part's first byte
}

func (r *WorldRequest) Walk(c *wire.Cursor) { wire.U16(c, "offset", &r.Offset) }

func (r *WorldRequest) AppendSummary(b []byte) []byte {
	b = append(b, "offset "...)
	return strconv.AppendUint(b, uint64(r.Offset), 10)
}

// WorldPart is a part of the world database. Real servers send 256 bytes at a time. ReadWorld reads the joined parts.
// See "getting the world database" in the protocol document.
type WorldPart struct {
	Remaining uint16 // remaining bytes, including this part; in the document, excluding it
	Data      []byte
}

func (p *WorldPart) Walk(c *wire.Cursor) {
	wire.U16(c, "remaining", &p.Remaining)
	wire.Rest(c, "data", &p.Data)
}

func (p *WorldPart) AppendSummary(b []byte) []byte {
	b = strconv.AppendInt(b, int64(len(p.Data)), 10)
	b = append(b, " bytes, remaining "...)
	return strconv.AppendUint(b, uint64(p.Remaining), 10)
}
