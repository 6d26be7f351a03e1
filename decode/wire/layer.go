package wire

import (
	"errors"
	"math"

	"github.com/google/gopacket"
)

// A Layer is a gopacket layer that embeds Base. It walks its header and then the body that the header selects.
type Layer interface {
	Walker
	gopacket.Layer
	gopacket.DecodingLayer
	gopacket.SerializableLayer
	Core() *Base
}

// A Coder is a layer that can return the code of a message even if its protocol does not define the code.
type Coder interface {
	UnknownCode() string
}

// A Holder is a layer that may keep more data than its message, such as a file assembled from several messages.
type Holder interface {
	Held() int // approximate number of bytes kept
	Release()  // drops the data
}

// Register registers a layer type with gopacket, for programs that decode packets without the engine.
func Register(t gopacket.LayerType, name string, newLayer func() Layer) gopacket.LayerType {
	return gopacket.RegisterLayerType(int(t), gopacket.LayerTypeMetadata{
		Name: name,
		Decoder: gopacket.DecodeFunc(func(data []byte, p gopacket.PacketBuilder) error {
			l := newLayer()
			l.Core().Context.AnyTransport = true
			err := l.DecodeFromBytes(data, p)
			p.AddLayer(l)
			if next := l.NextLayerType(); err == nil && next != gopacket.LayerTypeZero {
				return p.NextDecoder(next)
			}
			return err
		}),
	})
}

// Base is the common part of all protocols' layers. A layer embeds it and uses it to implement gopacket's interfaces:
//
//	const LayerType gopacket.LayerType = 5000
//
//	var _ = wire.Register(LayerType, "Quiz", newLayer)
//
//	func newLayer() wire.Layer { return new(Layer) }
//
//	func (l *Layer) LayerType() gopacket.LayerType  { return LayerType }
//	func (l *Layer) CanDecode() gopacket.LayerClass { return LayerType }
//	func (l *Layer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
//		return l.Decode(l, data, df) // what Walk does not set must be cleared first
//	}
//	func (l *Layer) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
//		return l.Encode(l, b, opts)
//	}
type Base struct {
	Contents  []byte // the message
	Payload   []byte // the bytes after the message in the datagram
	Context   Context
	Direction Direction    // direction of the message that was read last, from the context or from its content
	Body      Body         // the message as a struct
	Message   *MessageType // type of the message

	data   []byte // bytes decoded last, including the payload
	cursor Cursor // cursor of the last decoding; keeps its findings
	second Cursor // cursor of walks over data that is already decoded
	bodies []Body // one body of each type, made when first needed
	out    []byte
}

// Core returns the Base of a Layer.
func (b *Base) Core() *Base { return b }

func (b *Base) LayerContents() []byte { return b.Contents }

func (b *Base) LayerPayload() []byte { return b.Payload }

// Use selects the body of the message that is walked. When reading, it returns an empty body. Each type of message has
// one body, which Use clears and returns each time. When writing and describing, it returns the layer's Body.
func (b *Base) Use(c *Cursor, m *Messages, t *MessageType) Body {
	if c.mode != reading {
		return b.Body
	}
	if t.table != m {
		panic("wire: message " + t.Name + " is missing from NewMessages")
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

// Decode reads one message from the start of data into l, the layer that embeds b. It returns nil or a *FieldError.
// After an error, the fields read before it keep their values.
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

// Fault returns the error of the last decoding, or nil. Unlike the error that Decode returns, it is not allocated, and
// it is valid only until the next decoding.
func (b *Base) Fault() *FieldError {
	if !b.cursor.failed {
		return nil
	}
	return &b.cursor.fault
}

// Size returns the length of the message on the wire.
func (b *Base) Size() int { return b.cursor.Size() }

// Truncated reports whether the snap length cut off bytes of the message.
func (b *Base) Truncated() bool { return b.cursor.Truncated() }

// Listed returns the number of elements in the lists of the message.
func (b *Base) Listed() int { return b.cursor.listed }

// Inside returns the number of bytes of messages inside this one: see Cursor.Inside.
func (b *Base) Inside() int { return b.cursor.inside }

// Exact reports whether writing the message would produce the bytes that were read.
func (b *Base) Exact() bool { return !b.cursor.failed && !b.cursor.inexact }

// CodeText returns the message's code, or "" if the protocol has none.
func (b *Base) CodeText(l Layer) string {
	if b.Message == nil {
		return ""
	}
	if b.Message.Code != "" {
		return b.Message.Code
	}
	if k, ok := l.(Coder); ok {
		return k.UnknownCode()
	}
	return ""
}

// Findings returns the findings about the message, in reading order. They are valid until the next decoding.
func (b *Base) Findings() []Finding { return b.cursor.findings }

// Decoded returns the bytes decoded last: the message and the bytes after it in the datagram.
func (b *Base) Decoded() []byte { return b.data }

// Annotate makes the tree of the message that was decoded last. After an error, the remaining bytes become a field
// named Undecoded, so every byte of the message belongs to one field.
func (b *Base) Annotate(l Walker, t *Tree) { b.annotate(l, t, false, nil) }

// AnnotateFolded is Annotate, but omits all except the first elements of long lists. If a finding is about an element
// that would be omitted, the tree contains the whole list.
func (b *Base) AnnotateFolded(l Walker, t *Tree, findings []Finding) {
	b.annotate(l, t, true, findings)
}

func (b *Base) annotate(l Walker, t *Tree, folded bool, findings []Finding) {
	t.Reset()
	t.folded, t.about = folded, findings
	c := &b.second
	c.begin(reading, b.data, &b.Context) // not Contents, because the walk must see the same bytes as the first one
	c.listen(t)
	l.Walk(c)
	if c.pos < len(c.data) {
		c.last, c.pos = c.pos, len(c.data)
		c.leaf(Undecoded, Bytes).Bytes = c.data[c.last:]
	}
}

// Encode writes layer l, which embeds b, before the content of the buffer.
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

// FixLength sets a length field to the size of the written layer minus less, if the options request this.
func (b *Base) FixLength(l Walker, opts gopacket.SerializeOptions, length *uint16, less int) error {
	n := uint32(*length)
	err := b.fix(l, opts, &n, less, math.MaxUint16)
	*length = uint16(n)
	return err
}

// FixUvarint is FixLength for a Uvarint. The length does not count the bytes of the Uvarint. less is the number of
// other bytes that it does not count.
func (b *Base) FixUvarint(l Walker, opts gopacket.SerializeOptions, length *uint32, less int) error {
	if opts.FixLengths {
		*length = 0 // one byte, which is subtracted below
	}
	return b.fix(l, opts, length, less+1, math.MaxInt32)
}

// fix sets a length. It returns an error if the length exceeds most.
func (b *Base) fix(l Walker, opts gopacket.SerializeOptions, length *uint32, less, most int) error {
	if !opts.FixLengths {
		return nil
	}
	if err := b.walkOut(l, true); err != nil {
		return err
	}
	n := max(len(b.out)-less, 0)
	if n > most {
		return &FieldError{Index: -1, Field: "length", Need: most, Have: n, Err: ErrTooLarge}
	}
	*length = uint32(n)
	return nil
}

// NextLayerType returns the zero layer type, which means that no layer follows. Protocols with several messages per
// datagram need their own method.
func (b *Base) NextLayerType() gopacket.LayerType { return gopacket.LayerTypeZero }

// More implements NextLayerType for protocols with several messages per datagram. It returns t if bytes remain.
func (b *Base) More(t gopacket.LayerType) gopacket.LayerType {
	if len(b.Payload) > 0 {
		return t
	}
	return gopacket.LayerTypeZero
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

// Fits reports whether w reads all of data without an error. It helps to choose between two interpretations of a
// message.
func Fits(w Walker, data []byte) bool {
	var c Cursor
	c.begin(reading, data, &Context{})
	w.Walk(&c)
	return !c.failed && c.pos == len(data)
}

// Read reads w from data that is not a whole message. It returns nil or a *FieldError. After an error, the fields read
// before it keep their values.
func Read(w Walker, data []byte) error {
	var c Cursor
	c.begin(reading, data, &Context{})
	w.Walk(&c)
	return c.Err()
}
