package wire

import (
	"errors"

	"github.com/google/gopacket"
)

// A Walker lists fields: a message, a part of one, or a layer.
type Walker interface {
	Walk(*Cursor)
}

// A Body is one kind of message.
type Body interface{ Walker }

// A Prototype makes the bodies of one type, and empties them for the next message.
type Prototype struct {
	fresh func() Body
	empty func(Body)
}

// A reuser keeps memory from one message to the next, that of lists for example: it takes over what is
// worth it from what it was.
type reuser[T any] interface{ Reuse(old T) }

// Like makes the Prototype of bodies that begin as a copy of one, mostly of a zero struct. A body that
// keeps memory for the next message has a method that takes it over from what the body was before:
//
//	func (r *MasterListReply) Reuse(old MasterListReply) { r.Servers = old.Servers[:0] }
func Like[T any, P interface {
	*T
	Body
}](blank T) Prototype {
	empty := func(b Body) { *b.(P) = blank }
	if _, ok := any(P(nil)).(reuser[T]); ok {
		empty = func(b Body) {
			p := b.(P)
			old := *p
			*p = blank
			b.(reuser[T]).Reuse(old)
		}
	}
	return Prototype{
		fresh: func() Body {
			p := P(new(T))
			*p = blank
			return p
		},
		empty: empty,
	}
}

// New makes a body.
func (p Prototype) New() Body { return p.fresh() }

// A Summarizer tells the few values that make a line out of a message.
type Summarizer interface {
	AppendSummary([]byte) []byte
}

// AppendSummary appends what tells the message of a layer in a line: what the layer itself says, else its
// body. For a message that could not be read to its end it is where it ends.
func AppendSummary(dst []byte, l Layer) []byte {
	if fault := l.Core().Fault(); fault != nil {
		return append(append(dst, "ends in "...), fault.Path()...)
	}
	s, ok := l.(Summarizer)
	if !ok {
		s, ok = l.Core().Body.(Summarizer)
	}
	if ok {
		dst = s.AppendSummary(dst)
	}
	return dst
}

// A Coder is a layer that knows the code of a message that nobody defined.
type Coder interface {
	UnknownCode() string
}

// MessageType is an entry of a protocol's table of messages.
type MessageType struct {
	Name      string
	Code      string    // "" for protocols whose code is a field like others
	Direction Direction // the only one it travels in; Unknown: both
	Recurs    Recurrence
	Body      Prototype

	table *Messages // where it stands, at id
	id    int
}

// Recurrence says how a kind of message comes among the others of a conversation.
type Recurrence uint8

// The recurrences.
const (
	InOrder Recurrence = iota // where the exchange that it belongs to has it
	InParts                   // likewise, but one or several of it in a row say one thing
	Anytime                   // whenever there is something to tell, in no order with others
)

// Messages is the table of a protocol's messages.
type Messages struct {
	list []*MessageType
}

// NewMessages makes a table.
func NewMessages(list ...*MessageType) *Messages {
	table := &Messages{list}
	for i, m := range list {
		if m.table != nil {
			panic("wire: message " + m.Name + " stands in two tables")
		}
		m.id, m.table = i, table
	}
	return table
}

// All lists the messages.
func (m *Messages) All() []*MessageType { return m.list }

// A Layer is a gopacket layer that this package's Base serves. It walks its header and
// then the body that the header calls for.
type Layer interface {
	Walker
	gopacket.Layer
	gopacket.DecodingLayer
	gopacket.SerializableLayer
	Core() *Base
}

// A Holder is a layer that may hold more than its message, such as what several messages told together.
type Holder interface {
	Held() int // bytes of it, about
	Release()  // lets go of it
}

// Base is the part that the layers of all protocols have in common. A layer embeds it and
// keeps to the duties of gopacket with it:
//
//	func (l *Layer) LayerType() gopacket.LayerType { return LayerType }
//	func (l *Layer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
//		return l.Decode(l, data, df)
//	}
type Base struct {
	Contents  []byte // the message
	Payload   []byte // what follows it in the datagram
	Context   Context
	Direction Direction    // of the message read last: that of the context, or what its content shows
	Body      Body         // the message itself
	Message   *MessageType // which message it is

	data   []byte // what was decoded last, the payload included
	cursor Cursor // of the last decoding; holds its findings
	second Cursor // of walks over what is decoded already
	bodies []Body // one of each type, made when first met
	out    []byte
}

// Core gives the Base itself, for those who hold a Layer.
func (b *Base) Core() *Base { return b }

// LayerContents implements gopacket.Layer.
func (b *Base) LayerContents() []byte { return b.Contents }

// LayerPayload implements gopacket.Layer.
func (b *Base) LayerPayload() []byte { return b.Payload }

// Use chooses the body of the message being walked. Read, it gives an empty one, the same
// each time for the same type; written or listed, the layer's Body stays.
func (b *Base) Use(c *Cursor, m *Messages, t *MessageType) Body {
	if c.mode != reading {
		return b.Body
	}
	if t.table != m {
		panic("wire: message " + t.Name + " is missing in NewMessages")
	}
	if b.bodies == nil {
		b.bodies = make([]Body, len(m.list))
	}
	body := b.bodies[t.id]
	if body == nil {
		body = t.Body.New()
		b.bodies[t.id] = body
	} else {
		t.Body.empty(body)
	}
	b.Body, b.Message = body, t
	return body
}

// Decode reads one message from the start of data into l, the layer that embeds b. It
// returns nil or a *FieldError; whatever was read before the error stays.
func (b *Base) Decode(l Walker, data []byte, df gopacket.DecodeFeedback) error {
	b.Body, b.Message, b.data = nil, nil, data
	c := &b.cursor
	c.begin(reading, data, &b.Context)
	l.Walk(c)
	end := len(c.data)
	b.Direction = c.direction
	b.Contents, b.Payload = data[:end:end], data[end:]
	if c.missing > 0 {
		df.SetTruncated()
	}
	return c.Err()
}

// Fault is the error of the last decoding, or nil. Unlike Decode's it costs no memory and
// lasts until the next.
func (b *Base) Fault() *FieldError {
	if !b.cursor.failed {
		return nil
	}
	return &b.cursor.fault
}

// Size is the length of the message on the wire.
func (b *Base) Size() int { return b.cursor.Size() }

// Truncated reports whether the snap length of the capture cut bytes off the message.
func (b *Base) Truncated() bool { return b.cursor.Truncated() }

// Listed is how many elements the lists of the message have.
func (b *Base) Listed() int { return b.cursor.listed }

// Exact reports whether writing the message gives the very bytes that were read.
func (b *Base) Exact() bool { return !b.cursor.failed && !b.cursor.inexact }

// CodeText is the message's code, "" where the protocol has no such thing.
func (b *Base) CodeText(l Layer) string {
	if b.Message == nil {
		return ""
	}
	if k, ok := l.(Coder); ok && b.Message.Code == "" {
		return k.UnknownCode()
	}
	return b.Message.Code
}

// Findings are the rules that the message breaks by itself, in the order of its bytes as
// they were read. They last until the next decoding.
func (b *Base) Findings() []Finding { return b.cursor.findings }

// Annotate makes the tree of the message decoded last. Bytes that no field covers, after an
// error, become a field "undecoded", so that the leaves always tile the message.
func (b *Base) Annotate(l Walker, t *Tree) {
	t.folded = false
	b.annotate(l, t, b.data)
}

// AnnotateFolded is Annotate for those who do not want to see all of long lists: a tree has their
// first elements, and all if a finding is about a later one.
func (b *Base) AnnotateFolded(l Walker, t *Tree, findings []Finding) {
	t.folded, t.about = true, findings
	b.annotate(l, t, b.data)
}

// Decoded is what was decoded last: the message and what followed it in the datagram.
func (b *Base) Decoded() []byte { return b.data }

// AnnotateCopy is Annotate, or with folded AnnotateFolded, for a copy of what was decoded: the tree
// outlives the original then.
func (b *Base) AnnotateCopy(l Walker, t *Tree, decoded []byte, folded bool, findings []Finding) {
	t.folded, t.about = folded, findings
	b.annotate(l, t, decoded)
}

func (b *Base) annotate(l Walker, t *Tree, data []byte) {
	t.Reset()
	c := &b.second
	c.begin(reading, data, &b.Context) // not the contents: it is to see what the first walk saw
	c.listen(t)
	l.Walk(c)
	if c.pos < len(c.data) {
		c.last, c.pos = c.pos, len(c.data)
		c.leaf(Undecoded, Bytes).Bytes = c.data[c.last:]
	}
}

// Encode writes the layer l, which embeds b, in front of what is in the buffer.
func (b *Base) Encode(l Walker, buf gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	if err := b.walkOut(l, opts.FixLengths); err != nil {
		return err
	}
	dst, err := buf.PrependBytes(len(b.out))
	if err != nil {
		return err
	}
	copy(dst, b.out)
	return nil
}

// EncodedLen is the number of bytes that Encode would write.
func (b *Base) EncodedLen(l Walker, opts gopacket.SerializeOptions) (int, error) {
	err := b.walkOut(l, opts.FixLengths)
	return len(b.out), err
}

// More is the layer type for NextLayerType where another message of the same type may follow in a
// datagram: t if there are bytes left.
func (b *Base) More(t gopacket.LayerType) gopacket.LayerType {
	if len(b.Payload) > 0 {
		return t
	}
	return gopacket.LayerTypeZero
}

// DecodePacket decodes l from the start of data and adds it to a packet, and lets the packet go on
// with what follows. It serves gopacket.DecodeFunc.
func DecodePacket(l Layer, data []byte, p gopacket.PacketBuilder) error {
	err := l.DecodeFromBytes(data, p)
	p.AddLayer(l)
	if next := l.NextLayerType(); err == nil && next != gopacket.LayerTypeZero {
		return p.NextDecoder(next)
	}
	return err
}

func (b *Base) walkOut(l Walker, fix bool) error {
	c := &b.second
	c.begin(writing, b.out[:0], &b.Context)
	c.fix = fix
	if b.Body == nil {
		return errors.New("the layer has no body to write")
	}
	l.Walk(c)
	b.out = c.data
	return c.Err()
}

// Describe lists the fields of one of a protocol's messages, those of the header included.
func (p *Protocol) Describe(t *MessageType) []Field {
	l := p.New()
	b := l.Core()
	b.Body, b.Message = t.Body.New(), t
	b.Context.Direction = t.Direction
	var s schema
	c := &b.second
	c.begin(describing, nil, &b.Context)
	c.schema = &s
	l.Walk(c)
	return s.fields
}

// Fits reports whether w reads without an error and takes all of the bytes. It helps to choose
// between two readings of a message.
func Fits(w Walker, data []byte) bool { return unread(w, data) == 0 }

// Reads reports whether w reads without an error, whatever it leaves.
func Reads(w Walker, data []byte) bool { return unread(w, data) >= 0 }

// Read reads w from data that are no message of their own. It returns nil or a *FieldError; what was
// read before the error stays.
func Read(w Walker, data []byte) error {
	var c Cursor
	c.begin(reading, data, &Context{})
	w.Walk(&c)
	return c.Err()
}

// unread is the number of bytes that w leaves, -1 if it fails.
func unread(w Walker, data []byte) int {
	var c Cursor
	c.begin(reading, data, &Context{})
	w.Walk(&c)
	if c.failed {
		return -1
	}
	return len(data) - c.pos
}

// Undefined is the body of a message that is named but whose content is not ours to know, or of
// one that nobody defined.
type Undefined struct {
	Data []byte
}

// Walk lists the fields.
func (u *Undefined) Walk(c *Cursor) { Rest(c, "data", &u.Data) }
