package wire_test

import (
	"encoding/binary"
	"fmt"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// StreamLayer is one message of a protocol that is spoken over TCP, where a length stands in front, and over UDP.
type StreamLayer struct {
	wire.Base
	Length uint16 // over TCP alone: of what follows it
	Magic  [2]byte
}

// Walk lists the fields of the header and of the body.
func (l *StreamLayer) Walk(c *wire.Cursor) {
	if c.When(c.Context().Transport == wire.TCP) {
		wire.U16(c, "length", &l.Length)
		if c.Reading() {
			c.Limit(int(l.Length) + 2)
		}
	}
	wire.Tag(c, "magic", l.Magic[:])
	l.Use(c, small, greeting).Walk(c)
}

// LayerType implements gopacket.Layer.
func (l *StreamLayer) LayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

// CanDecode implements gopacket.DecodingLayer.
func (l *StreamLayer) CanDecode() gopacket.LayerClass { return gopacket.LayerTypePayload }

// DecodeFromBytes implements gopacket.DecodingLayer.
func (l *StreamLayer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	l.Length = 0
	return l.Decode(l, data, df)
}

// SerializeTo implements gopacket.SerializableLayer.
func (l *StreamLayer) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	if l.Context.Transport == wire.TCP {
		if err := l.FixLength(l, opts, &l.Length, 2); err != nil {
			return err
		}
	}
	return l.Encode(l, b, opts)
}

// A lengths cuts a stream by the length in front of each message.
type lengths struct{}

const least = 4 // bytes of a message with nothing in it

// Next implements wire.Splitter.
func (lengths) Next(_ wire.Direction, data []byte, _ bool, _ *wire.Progress) int {
	if len(data) < 2 {
		return wire.NeedMore
	}
	n := int(binary.BigEndian.Uint16(data)) + 2
	if n < least {
		return wire.NoMessage
	}
	return n
}

// Plausible implements wire.Splitter: bytes are lost in front of these.
func (l lengths) Plausible(way wire.Direction, data []byte, p *wire.Progress) int {
	switch {
	case len(data) > 2 && data[2] != 'L', len(data) > 3 && data[3] != 'B':
		return wire.NoMessage
	case len(data) < least:
		return wire.NeedMore
	}
	return l.Next(way, data, false, p)
}

// Lost implements wire.Splitter. Nothing is remembered.
func (lengths) Lost(wire.Direction) {}

// probeStream recognises the protocol as soon as it is certain, and rejects it as soon as it is impossible.
func probeStream(p *wire.Probe) wire.Verdict {
	switch n := (lengths{}).Plausible(wire.Unknown, p.Payload, new(wire.Progress)); n {
	case wire.NoMessage:
		return wire.Verdict{}
	case wire.NeedMore:
		return wire.Verdict{Confidence: wire.Maybe}
	}
	return wire.Verdict{Confidence: wire.Sure}
}

// A protocol whose messages have their length in front of them, over TCP.
func Example_stream() {
	l := StreamLayer{Magic: [2]byte{'L', 'B'}}
	l.Context.Transport = wire.TCP
	l.Body = &Greeting{Version: 3, Name: []byte("Bob")}
	b := gopacket.NewSerializeBuffer()
	if err := l.SerializeTo(b, gopacket.SerializeOptions{FixLengths: true}); err != nil {
		fmt.Println(err)
	}
	stream := append(b.Bytes(), b.Bytes()...)
	fmt.Printf("%q\n", b.Bytes())
	for _, size := range []int{3, 4, len(stream)} {
		v := probeStream(&wire.Probe{Datagram: &wire.Datagram{Payload: stream[:size]}})
		fmt.Println(size, "bytes:", v.Confidence == wire.Maybe, v.Confidence == wire.Sure)
	}
	fmt.Println(wire.CountPlausible(lengths{}, wire.Unknown, stream))
	if err := l.DecodeFromBytes(stream, gopacket.NilDecodeFeedback); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%q %d bytes follow\n", l.Body.(*Greeting).Name, len(l.Payload))
	// Output:
	// "\x00\tLB\x00\x03\x03Bob\x00"
	// 3 bytes: true false
	// 4 bytes: false true
	// 22 bytes: false true
	// 2 false
	// "Bob" 11 bytes follow
}
