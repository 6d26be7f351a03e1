package bloodmasters

import (
	"bytes"
	"encoding/binary"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// ConnectRefused is a server's answer to a client that may not join, because the server is full or has banned the
// client.
type ConnectRefused struct {
	Reason    []byte // as the server writes it, usually after a line feed
	HasReason bool   // the message is a text; if false, Data has its bytes
	Data      []byte
}

func (r *ConnectRefused) Walk(c *wire.Cursor) {
	if c.Reading() {
		r.HasReason = c.Truncated() && c.Left() > 0 || fills(c.Peek())
	}
	if c.When(r.HasReason) {
		wire.TextLEB(c, "reason", &r.Reason)
	}
	if !c.Reading() || c.Left() > 0 {
		wire.Rest(c, "data", &r.Data)
	}
}

// fills reports whether data is a length followed by exactly that many bytes of text.
func fills(data []byte) bool {
	size, n := binary.Uvarint(data)
	return n > 0 && size == uint64(len(data)-n)
}

func (r *ConnectRefused) AppendSummary(b []byte) []byte {
	if !r.HasReason {
		return b
	}
	return format.AppendQuoted(b, bytes.TrimSpace(r.Reason))
}

// Disconnect ends a game. A server may add a reason.
type Disconnect struct{ ConnectRefused }
