package tribes

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// Query is type 0x03 in all its uses: a client's query to a master, a client's ping of a game server, and a master's
// verification of a game server. Real clients send eight bytes. Shorter packets exist, so nearly all fields are
// optional. See the two sections PACKET TYPE 0x03 in the protocol document.
type Query struct {
	Number    uint8 // number of the requested packet; AllPackets: the whole list
	HasNumber bool
	ToSend    uint8 // in the document, the requested number or a total; programs ignore this field
	HasToSend bool
	Key       [2]byte // repeated in the answer
	HasKey    bool
	ID        uint16
	HasID     bool
	Layout    KeyLayout // layout of the information keys
	KeyCount  uint16
	Keys      [][]byte // the values that a verification requests
	Trailing  []byte

	verification bool
}

// KeyLayout is a layout of information keys.
type KeyLayout uint8

// The layouts, in the order in which they are tried.
const (
	NoKeys      KeyLayout = iota
	CountedKeys           // after the id, a little endian count and texts that end with NUL
	PascalKeys            // after the id, texts after a length byte
	EarlyKeys             // texts after a length byte, in place of the id, as in the document
)

func (q *Query) Walk(c *wire.Cursor) {
	if c.Present(&q.HasNumber, 1) {
		wire.Enum8(c, "packet_number", &q.Number, packetNumbers)
	}
	if c.Present(&q.HasToSend, 1) {
		name := "packet_number_to_send"
		if q.verification {
			name = "packet_total"
		}
		wire.U8(c, name, &q.ToSend)
	}
	if c.Present(&q.HasKey, 2) {
		wire.Opaque(c, "key", q.Key[:])
	}
	if q.verification && (q.HasNumber && q.Number != AllPackets || q.HasToSend && q.ToSend != 0) {
		c.ReportRange(ruleVerification, 2, 1+btoi(q.HasToSend),
			"number 0x%02x and total 0x%02x instead of 0xff and 0x00", q.Number, q.ToSend)
	}
	off := c.Offset()
	fits := true
	if c.Reading() && q.HasKey {
		q.Layout, fits = keyLayout(c.Peek())
	}
	if q.Layout != EarlyKeys && fits && c.Present(&q.HasID, 2) {
		wire.U16(c, "id", &q.ID)
	}
	q.keys(c)
	wire.Trailing(c, &q.Trailing)
	if !fits && c.Reading() && !c.Truncated() {
		c.ReportRange(ruleString, off, len(q.Trailing), "the information keys fit none of their layouts in %d bytes",
			len(q.Trailing))
	}
}

func (q *Query) keys(c *wire.Cursor) {
	walk := func(k *[]byte, c *wire.Cursor) {
		wire.Text8(c, "", k)
		checkKey(c, *k)
	}
	switch {
	case c.When(q.Layout == CountedKeys):
		c.LittleEndian()
		wire.Count16(c, "number_of_keys", &q.KeyCount, len(q.Keys))
		c.BigEndian()
		wire.List(c, "information_keys", &q.Keys, wire.Count(q.KeyCount), 1, func(k *[]byte, c *wire.Cursor) {
			wire.TextZ(c, "", k)
			checkKey(c, *k)
		})
	case q.Layout != NoKeys:
		wire.List(c, "information_keys", &q.Keys, wire.UntilEnd, 1, walk)
	}
}

func checkKey(c *wire.Cursor, k []byte) {
	if !informationKeys[string(k)] {
		c.Report(ruleKey, "information key %q", k)
	}
}

// keyLayout determines the layout of the information keys from b, the bytes after the key. Packets of six and eight
// bytes have no information keys.
func keyLayout(b []byte) (layout KeyLayout, fits bool) {
	if len(b) == 0 || len(b) == 2 {
		return NoKeys, true
	}
	switch {
	case len(b) > 4 && countedFit(b[2:]):
		return CountedKeys, true
	case len(b) > 2 && pascalFit(b[2:], 1):
		return PascalKeys, true
	case pascalFit(b, 0):
		return EarlyKeys, true
	}
	return NoKeys, false
}

func countedFit(b []byte) bool {
	count, texts := int(binary.LittleEndian.Uint16(b)), b[2:]
	return bytes.Count(texts, nul) == count && texts[len(texts)-1] == 0
}

var nul = []byte{0}

func pascalFit(b []byte, shortest int) bool {
	for len(b) > 0 {
		n := int(b[0])
		if n < shortest || n >= len(b) {
			return false
		}
		b = b[1+n:]
	}
	return true
}

func (q *Query) AnswerKey() []byte {
	if !q.HasKey {
		return nil
	}
	return q.Key[:]
}

func (q *Query) AppendSummary(b []byte) []byte {
	switch {
	case !q.HasNumber:
	case q.Number == AllPackets:
		b = append(b, "all packets"...)
	default:
		b = append(b, "packet "...)
		b = strconv.AppendUint(b, uint64(q.Number), 10)
	}
	if q.HasKey {
		b = append(b, "  key "...)
		b = hex.AppendEncode(b, q.Key[:])
	}
	for i, k := range q.Keys {
		if i == 3 {
			return append(b, " ..."...)
		}
		b = append(b, ' ')
		b = format.AppendQuoted(b, k)
	}
	return b
}

// Head has the fields of a packet's header after version and type. Real programs send all of them; the header then has
// eight bytes, including version and type. Shorter packets occur, so all fields are optional.
type Head struct {
	Number    uint8
	HasNumber bool
	Total     uint8
	HasTotal  bool
	Key       [2]byte
	HasKey    bool
	ID        uint16
	HasID     bool
}

func (h *Head) walk(c *wire.Cursor) {
	if c.Present(&h.HasNumber, 1) {
		wire.Enum8(c, "packet_number", &h.Number, packetNumbers)
	}
	if c.Present(&h.HasTotal, 1) {
		wire.U8(c, "packet_total", &h.Total)
	}
	if c.Present(&h.HasKey, 2) {
		wire.Opaque(c, "key", h.Key[:])
	}
	if c.Present(&h.HasID, 2) {
		wire.U16(c, "id", &h.ID)
	}
}

// Heartbeat is type 0x05: a game server announces itself to a master. In the document it is only a header.
type Heartbeat struct {
	Head
	Trailing []byte
}

func (h *Heartbeat) Walk(c *wire.Cursor) {
	h.walk(c)
	off := c.Offset()
	wire.Trailing(c, &h.Trailing)
	if n := len(h.Trailing); n > 0 && c.Offset() > minimum {
		c.ReportRange(ruleHeartbeat, off, n, "%s after the header", wire.Counted(n, "byte"))
	}
}
