package bzflag

import "github.com/gamedissect/gamedissect/decode/wire"

// A Framing is how a version tells its messages apart, and the rules it has about that.
type Framing struct {
	Table   *Table
	Unknown *Variant // what stands in no line of the table

	// Lookup tells what a code stands for, and with which body, where it is not just the table
	// and the header that say so. May be nil.
	Lookup func(h Header, d wire.Dialect) *ByCode
	Body   func(h Header) int

	// Greeting gives the length of the first message of a connection, which has no header, if
	// one stands at the start of data; 0 if none does.
	Greeting func(way wire.Direction, data []byte) int

	// Odd reports what only this version finds wrong with a length. May be nil.
	Odd func(c *wire.Cursor, h Header, f *Variant)

	RuleLength, RuleTooLong, RuleCode, RuleDirection *wire.Rule
}

func (f *Framing) lookup(h Header, d wire.Dialect) *ByCode {
	if f.Lookup != nil {
		return f.Lookup(h, d)
	}
	return f.Table.Of(h.Code)
}

func (f *Framing) body(h Header) int {
	if f.Body != nil {
		return f.Body(h)
	}
	return int(h.Length)
}

// Choose tells which message a header that was just read announces and which way it goes, ends it
// where the header says, and reports what is wrong with that. A message that went the wrong way is
// laid out as if it had gone the right one.
func (f *Framing) Choose(c *wire.Cursor, h Header) (*wire.MessageType, wire.Direction) {
	way := c.Direction()
	if c.Failed() {
		if !c.Truncated() {
			c.ReportRange(f.RuleLength, 0, c.Size(), "%d bytes cannot hold a length and a code", c.Size())
		}
		return f.Unknown.MessageType, way
	}
	body := f.body(h)
	k := f.lookup(h, c.Dialect())
	if k == nil || h.Code == CodeNull {
		c.Report(f.RuleCode, "nobody defined code %s", h.Code)
	}
	if k == nil {
		f.limit(c, h, f.Unknown, body)
		return f.Unknown.MessageType, way
	}
	form := k.Variant(way, body)
	f.limit(c, h, form, body)
	switch {
	case way == wire.Unknown && k.ambiguous(body): // the next message will tell
	case way == wire.Unknown && form.Fits(body), h.Code.Ping():
		way = form.Direction
	case !k.Allows(way):
		c.ReportRange(f.RuleDirection, 2, 2, "%s does not go%s", form.Name, ways[way])
	}
	return form.MessageType, way
}

// limit ends the message where its header says and reports a length that cannot be right. A
// datagram between players is a message and nothing else, whatever the header says.
func (f *Framing) limit(c *wire.Cursor, h Header, form *Variant, body int) {
	present, alone := c.Size()-HeaderSize, c.Direction() == wire.PeerToPeer
	switch {
	case h.Length > MaxBody:
		c.ReportRange(f.RuleTooLong, 0, 2, "length is %d, at most %d are possible", h.Length, MaxBody)
	case body > present, alone && body < present:
		c.ReportRange(f.RuleLength, 0, 2, "length is %d, %d bytes follow the header", h.Length, present)
	case !form.Fits(body):
		c.ReportRange(f.RuleLength, 0, 2, "length is %d, %s has %s", h.Length, form, form.Lengths)
	default:
		f.measure(c, h, form, body)
	}
	if !alone {
		c.Limit(HeaderSize + body)
	}
}

// measure holds a length that is possible against what stands in the body.
func (f *Framing) measure(c *wire.Cursor, h Header, form *Variant, body int) {
	if f.Odd != nil {
		f.Odd(c, h, form)
	}
	if form.Size == nil {
		return
	}
	data := c.Peek()
	switch want := form.Size(data[:min(body, len(data))]); {
	case want >= 0 && want != body:
		c.ReportRange(f.RuleLength, 0, 2, "length is %d, what stands in it takes %d", h.Length, want)
	case want < 0 && len(data) >= body:
		c.ReportRange(f.RuleLength, 0, 2, "length is %d, what stands in it takes more", h.Length)
	}
}

// Split tells where the message at the start of a stream's data ends. n is its length, which may be
// more than there is; 0 when more bytes are needed to tell. ok reports whether a message can begin
// with such a header: a code that travels over connections and a length that is possible, or a
// greeting. When not, n is what the header says all the same, for those who trust the stream;
// others look for the next place where two messages in a row are plausible.
func (f *Framing) Split(way wire.Direction, data []byte) (n int, ok bool) {
	if len(data) < HeaderSize {
		return 0, true
	}
	if n := f.Greeting(way, data); n > 0 {
		return n, true
	}
	h := PeekHeader(data)
	return HeaderSize + int(h.Length), f.Table.Of(h.Code) != nil && h.Length <= MaxBody && !h.Code.Ping() && h.Code != CodeNull
}

// Plausible counts the whole messages at the start of a stream's data that are just as the version
// has them: a code that goes that way (any way, if it is unknown) and exactly its length. broken
// tells that something else follows them, and not only the beginning of another one.
func (f *Framing) Plausible(way wire.Direction, data []byte) (messages int, broken bool) {
	for len(data) >= HeaderSize {
		n, ok := f.Split(way, data)
		if !ok || !f.Exact(way, data) {
			return messages, true
		}
		if n > len(data) {
			break
		}
		messages++
		data = data[n:]
	}
	return messages, false
}

// Exact reports whether the length of a message is one that its code has in that direction. It needs
// the header; the body may be cut.
func (f *Framing) Exact(way wire.Direction, data []byte) bool {
	if f.Greeting(way, data) > 0 {
		return true
	}
	h := PeekHeader(data)
	length := int(h.Length)
	k := f.lookup(h, wire.Wire)
	if k == nil || !k.Allows(way) {
		return false
	}
	form := k.Variant(way, length)
	if !form.Fits(length) {
		return false
	}
	body := data[HeaderSize:]
	if form.Size == nil || len(body) < length {
		return true
	}
	return form.Size(body[:length]) == length
}

// ProbeStream judges the beginning of one direction of a connection by its messages. One alone may
// be another version's as well.
func (f *Framing) ProbeStream(p *wire.StreamProbe) wire.Verdict {
	messages, broken := f.Plausible(wire.Unknown, p.Data)
	switch {
	case messages >= 2, messages >= 1 && (p.Known || p.ToExpected || p.FromExpected):
		return wire.Verdict{Confidence: wire.Likely, Direction: p.PortDirection()}
	case !broken:
		return wire.Verdict{Confidence: wire.Maybe}
	}
	return wire.Verdict{}
}
