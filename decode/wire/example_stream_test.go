package wire_test

import (
	"fmt"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// StreamLayer is one message of a protocol over TCP and UDP. Over TCP, each message begins with its length.
type StreamLayer struct {
	wire.Base
	Length uint16 // only over TCP: size of the rest of the message
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

func (l *StreamLayer) LayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

func (l *StreamLayer) CanDecode() gopacket.LayerClass { return gopacket.LayerTypePayload }

func (l *StreamLayer) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	l.Length = 0
	return l.Decode(l, data, df)
}

func (l *StreamLayer) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	if l.Context.Transport == wire.TCP {
		if err := l.FixLength(l, opts, &l.Length, 2); err != nil {
			return err
		}
	}
	return l.Encode(l, b, opts)
}

// lengths splits a stream by the length at the beginning of each message.
var lengths = &wire.ByLength{Bytes: 2, More: 2, Least: 4, Most: 1024,
	Begins: func(_ wire.Direction, data []byte) bool {
		code := data[min(2, len(data)):min(4, len(data))]
		return string(code) == "LB"[:len(code)]
	},
}

// probeStream recognises the protocol on its port by two consecutive messages.
var probeStream = wire.ProbeBy(lengths, 2)

// A protocol over TCP in which each message begins with its length.
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
	for _, size := range []int{3, 20, len(stream)} {
		v := probeStream(&wire.Probe{Datagram: &wire.Datagram{Payload: stream[:size]}, ToPort: true})
		fmt.Println(size, "bytes:", v.Confidence == wire.Maybe, v.Confidence == wire.Likely)
	}
	fmt.Println(wire.CountPlausible(lengths, wire.Unknown, stream))
	if err := l.DecodeFromBytes(stream, gopacket.NilDecodeFeedback); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%q %d bytes follow\n", l.Body.(*Greeting).Name, len(l.Payload))
	// Output:
	// "\x00\tLB\x00\x03\x03Bob\x00"
	// 3 bytes: true false
	// 20 bytes: true false
	// 22 bytes: false true
	// 2 false
	// "Bob" 11 bytes follow
}
