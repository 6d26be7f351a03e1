package plainhttp

import (
	"bytes"
	"math"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// Request is an HTTP request. Its first line may lack all words except the method.
type Request struct {
	Blank      bool // an empty line precedes the request
	Method     []byte
	HasTarget  bool
	Target     []byte
	HasVersion bool
	Version    []byte
	HasExtra   bool
	Extra      []byte // words after the version
	Headers    []Header
	Body       []byte
}

// Walk lists the fields.
func (r *Request) Walk(c *wire.Cursor) {
	if c.Reading() {
		sure, maybe := AfterBlank(c.Peek())
		r.Blank = sure || maybe && c.Truncated() && c.Size() > len(HeaderEnd)
	}
	if c.When(r.Blank) {
		blank := []byte(LineEnd)
		wire.Opaque(c, "blank_line", blank)
	}
	word(c, "method", &r.Method, &r.HasTarget)
	if c.When(r.HasTarget) {
		word(c, "target", &r.Target, &r.HasVersion)
	}
	if c.When(r.HasVersion) {
		word(c, "version", &r.Version, &r.HasExtra)
	}
	if c.When(r.HasExtra) {
		wire.Until(c, "extra", &r.Extra, LineEnd)
	}
	headers(c, &r.Headers)
	wire.TextUpTo(c, "body", &r.Body, math.MaxInt32)
}

// word reads a word of the first line. It sets more if another word follows.
func word(c *wire.Cursor, name string, v *[]byte, more *bool) {
	stop := 1
	if *more {
		stop = 0
	}
	wire.UntilOneOf(c, name, v, &stop, " ", LineEnd)
	*more = stop == 0
}

// AppendSummary appends the method and the target.
func (r *Request) AppendSummary(b []byte) []byte {
	b = format.AppendQuoted(b, r.Method)
	b = append(b, ' ')
	return format.AppendQuoted(b, r.Target)
}

// Asks reports whether data begins with the method of a request. maybe means that it may do so once more bytes have
// come.
func Asks(data []byte) (sure, maybe bool) {
	if len(data) > 0 && data[0] < 'A' {
		return false, false // nearly all messages of games begin like this
	}
	for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"} {
		n := min(len(method), len(data))
		switch {
		case !strings.EqualFold(string(data[:n]), method[:n]):
		case n < len(data):
			return data[n] == ' ' || data[n] == '\r', false
		default:
			return false, true
		}
	}
	return false, false
}

// AfterBlank reports whether data begins with an empty line and a request. maybe means that it may do so once more
// bytes have come. Servers skip one empty line before a request (RFC 9112, section 2.2). Two empty lines are a request
// without words.
func AfterBlank(data []byte) (sure, maybe bool) {
	request, ok := bytes.CutPrefix(data, []byte(LineEnd))
	if !ok {
		return false, false
	}
	return Asks(request)
}
