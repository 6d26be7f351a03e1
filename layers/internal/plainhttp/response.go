package plainhttp

import (
	"math"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// Response is the answer to a Request.
type Response struct {
	Version []byte
	Status  uint32
	Reason  []byte
	Headers []Header
	Body    []byte
}

// Walk lists the fields.
func (r *Response) Walk(c *wire.Cursor) {
	wire.Until(c, "version", &r.Version, " ")
	wire.Decimal(c, "status", &r.Status, " ")
	wire.Until(c, "reason", &r.Reason, LineEnd)
	headers(c, &r.Headers)
	wire.TextUpTo(c, "body", &r.Body, math.MaxInt32)
	c.JSON("json", r.Body)
}

// AppendSummary appends the status and the size of the body.
func (r *Response) AppendSummary(b []byte) []byte {
	b = strconv.AppendUint(b, uint64(r.Status), 10)
	b = append(b, ' ')
	b = format.AppendQuoted(b, r.Reason)
	b = append(b, "  "...)
	b = strconv.AppendInt(b, int64(len(r.Body)), 10)
	return append(b, " bytes"...)
}
