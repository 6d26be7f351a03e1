package tcp_test

import (
	"bytes"
	"fmt"

	"github.com/gamedissect/gamedissect/decode/tcp"
)

// lines is a receiver that prints each line that a side of the connection sends.
type lines struct{}

func (lines) Data(s *tcp.Stream, b []byte) (used int) {
	for {
		n := bytes.IndexByte(b[used:], '\n')
		if n < 0 {
			return used // a later call has the rest of the line
		}
		fmt.Printf("side %d: %s\n", s.Side(), b[used:used+n])
		used += n + 1
	}
}

func (lines) Gap(_ *tcp.Stream, g tcp.Gap)                 { fmt.Println(g.Missing, "bytes missing at", g.Offset) }
func (lines) End(_ *tcp.Stream, _ tcp.Ending, rest []byte) { fmt.Printf("end, %q is left\n", rest) }
func (lines) Unread(*tcp.Stream, tcp.Unread, int)          {}
func (lines) Conflict(_ *tcp.Stream, at int64, n int)      { fmt.Println(n, "other bytes at", at) }
func (lines) MidStream(*tcp.Stream)                        { fmt.Println("the beginning was not seen") }

// The segments arrive out of order.
func Example() {
	var a tcp.Assembler
	connection := tcp.Connection{Receiver: lines{}}
	for i, s := range []tcp.Segment{
		{Flags: tcp.SYN, Seq: 99},
		{Flags: tcp.ACK, Seq: 104, Payload: []byte("world\nhow ")},
		{Flags: tcp.ACK, Seq: 100, Payload: []byte("Oh, ")},
		{Flags: tcp.ACK | tcp.FIN, Seq: 114, Payload: []byte("are you?\nI")},
	} {
		a.Begin(tcp.Origin{Serial: int64(i + 1), Frame: i + 1})
		connection.Add(&a, 0, &s)
	}
	// Output:
	// side 0: Oh, world
	// side 0: how are you?
	// end, "I" is left
}
