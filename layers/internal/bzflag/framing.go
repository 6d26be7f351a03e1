package bzflag

import "github.com/gamedissect/gamedissect/decode/wire"

// A Framing describes how a version of BZFlag delimits and identifies its messages. It also contains the rules about
// headers. A version that needs no state to split streams uses its Framing as the wire.Splitter.
type Framing struct {
	Table   *Table
	Unknown *Variant // type of messages whose code is not in the table

	// Lookup replaces Table.Get, and BodyLength replaces Header.Length, for versions in which these are not sufficient.
	// Both may be nil.
	Lookup     func(h Header, d wire.Dialect) *ByCode
	BodyLength func(h Header) int

	// GreetingLength returns the length of the first message of a connection, which has no header. It returns 0 if data
	// does not begin with such a message. data has at least four bytes.
	GreetingLength func(way wire.Direction, data []byte) int

	// CheckLength checks a length against further rules of the version. It may be nil.
	CheckLength func(c *wire.Cursor, h Header, v *Variant)

	RuleLength, RuleTooLong, RuleCode, RuleDirection *wire.Rule
}

var _ wire.Splitter = (*Framing)(nil)

// lookup returns the messages for the code in a header, or nil if the code is undefined.
func (f *Framing) lookup(h Header, d wire.Dialect) *ByCode {
	if f.Lookup != nil {
		return f.Lookup(h, d)
	}
	return f.Table.Get(h.Code)
}

func (f *Framing) bodyLength(h Header) int {
	if f.BodyLength != nil {
		return f.BodyLength(h)
	}
	return int(h.Length)
}

// WalkHeader walks the header of a message and prepares the cursor for the body. When encoding, t is the type of the
// message. When decoding, WalkHeader determines the type from the header, limits the message to the length in the
// header, and reports problems. It sets the cursor to the direction for which the type is defined, so a message in the
// wrong direction can be decoded. It returns the type and the actual direction. The caller must restore the actual
// direction after the body.
func (f *Framing) WalkHeader(c *wire.Cursor, h *Header, t *wire.MessageType) (*wire.MessageType, wire.Direction) {
	h.Walk(c)
	way := c.Direction()
	if c.Reading() {
		t, way = f.identify(c, *h)
	}
	if t != nil && t.Direction != wire.Unknown && (c.Reading() || t.Code == h.Code.String()) {
		c.SetDirection(t.Direction)
	}
	return t, way
}

// identify returns the type and the direction of the message with header h. Call it directly after reading the header.
func (f *Framing) identify(c *wire.Cursor, h Header) (*wire.MessageType, wire.Direction) {
	way := c.Direction()
	if c.Failed() {
		if !c.Truncated() {
			c.ReportRange(f.RuleLength, 0, c.Size(), "%d bytes cannot hold a length and a code", c.Size())
		}
		return f.Unknown.MessageType, way
	}
	body := f.bodyLength(h)
	k := f.lookup(h, c.Dialect())
	if k == nil || h.Code == CodeNull {
		c.Report(f.RuleCode, "code %s is undefined", h.Code)
	}
	if k == nil {
		f.limit(c, h, f.Unknown, body)
		return f.Unknown.MessageType, way
	}
	v := k.Variant(way, body)
	f.limit(c, h, v, body)
	switch {
	case way == wire.Unknown && k.ambiguous(body): // way remains unknown
	case way == wire.Unknown && v.Fits(body), h.Code.Ping():
		way = v.Direction
	case !k.Allows(way):
		c.ReportRange(f.RuleDirection, 2, 2, "%s does not go%s", v.Name, directionWords[way])
	}
	return v.MessageType, way
}

// limit limits the message to the length in the header, and reports a wrong length. It does not shorten a datagram
// between players, because such a datagram is always one message.
func (f *Framing) limit(c *wire.Cursor, h Header, v *Variant, body int) {
	present, alone := c.Size()-HeaderSize, c.Direction() == wire.PeerToPeer
	switch {
	case h.Length > MaxBody:
		c.ReportRange(f.RuleTooLong, 0, 2, "length is %d, at most %d are possible", h.Length, MaxBody)
	case body > present, alone && body < present:
		c.ReportRange(f.RuleLength, 0, 2, "length is %d, %d bytes follow the header", h.Length, present)
	case !v.Fits(body):
		c.ReportRange(f.RuleLength, 0, 2, "length is %d, %s has %s", h.Length, v, v.Lengths)
	default:
		f.checkSize(c, h, v, body)
	}
	if !alone {
		c.Limit(HeaderSize + body)
	}
}

// checkSize compares the length in the header with the length that the content of the body requires. The length in the
// header must be possible for the message.
func (f *Framing) checkSize(c *wire.Cursor, h Header, v *Variant, body int) {
	if f.CheckLength != nil {
		f.CheckLength(c, h, v)
	}
	if v.Size == nil {
		return
	}
	data := c.Peek()
	switch want := v.Size(data[:min(body, len(data))]); {
	case want >= 0 && want != body:
		c.ReportRange(f.RuleLength, 0, 2, "length is %d, but the content takes %d", h.Length, want)
	case want < 0 && len(data) >= body:
		c.ReportRange(f.RuleLength, 0, 2, "length is %d, but the content takes more", h.Length)
	}
}

// LengthFits reports whether the length in a header is possible for the code and the direction. data must contain the
// header, but the body may be incomplete.
func (f *Framing) LengthFits(way wire.Direction, data []byte) bool {
	if f.GreetingLength(way, data) > 0 {
		return true
	}
	h := PeekHeader(data)
	length := int(h.Length)
	k := f.lookup(h, wire.Wire)
	if k == nil || !k.Allows(way) {
		return false
	}
	v := k.Variant(way, length)
	if !v.Fits(length) {
		return false
	}
	body := data[HeaderSize:]
	return v.Size == nil || len(body) < length || v.Size(body[:length]) == length
}
