package tcp

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

// A listener is a receiver that cannot read side 0 until side 1 has sent "!".
type listener struct {
	a      *Assembler
	output [2]string
	ends   [2]int
}

func (l *listener) Data(s *Stream, b []byte) int {
	if s.Side() == 0 && s.connection.Undecided {
		return 0
	}
	l.output[s.Side()] += string(b)
	if s.Side() == 1 && s.connection.Undecided && b[len(b)-1] == '!' {
		s.connection.Undecided = false
		s.Other().Retry(l.a)
	}
	return len(b)
}

func (l *listener) Gap(s *Stream, g Gap) {
	l.output[s.Side()] += fmt.Sprintf("(%s,%d missing)", g.Rest, g.Missing)
}

func (l *listener) End(s *Stream, why Ending, rest []byte) {
	words := [...]string{"finished", "aborted", "expired", "replaced", "cut"}
	l.output[s.Side()] += fmt.Sprintf("(%s,%s)", rest, words[why])
	l.ends[s.Side()]++
}

func (*listener) Conflict(*Stream, int64, int) {}
func (*listener) MidStream(*Stream)            {}

func (l *listener) Unread(s *Stream, _ Unread, n int) {
	l.output[s.Side()] += fmt.Sprintf("(%d unread)", n)
}

// newListener returns a talk after the handshake, whose receiver is a listener.
func newListener(t *testing.T) (*talk, *listener) {
	k := newTalk(t, nil)
	l := &listener{a: k.a}
	k.Receiver, k.Undecided = l, true
	k.packet(0, 999, SYN, "")
	k.packet(1, 4999, SYN|ACK, "", 1000)
	return k, l
}

// The bytes of one side may show how to read the other side. Therefore a complete stream with unused bytes does not end
// until the known gaps of the other stream are filled or given up.
func TestStreamEndWaits(t *testing.T) {
	const ended = "(abcdefg,finished)"
	for _, c := range []struct {
		name string
		send func(k *talk)
		want string
	}{
		{"while the other stream has a gap", func(*talk) {}, ""},
		{"until that gap is filled", func(k *talk) { k.bytes(1, 5000, "uv") }, ended},
		{"until that gap is filled with an exclamation mark", func(k *talk) { k.bytes(1, 5000, "u!") }, "abcdefg(,finished)"},
		{"until that gap is given up", func(k *talk) {
			k.time += time.Duration(gapTimeout)
			k.packet(1, 5004, ACK, "", 1008)
		}, ended},
		{"until the other stream is reset", func(k *talk) { k.packet(1, 5004, RST, ""); k.bytes(1, 5000, "uv") }, ended},
		{"even if the stream's bytes are repeated", func(k *talk) { k.bytes(0, 1000, "abcdefg") }, ""},
		{"unless bytes after the stream's end arrive", func(k *talk) { k.bytes(0, 1006, "gh") }, ended + "(1 unread)"},
		{"until the connection is closed", func(k *talk) { k.Close(k.a, Expired) }, ended},
		{"until memory runs out", func(k *talk) { k.a.Memory = 1; k.bytes(1, 5004, "w") }, ended},
	} {
		k, l := newListener(t)
		k.bytes(1, 5002, "wx")
		k.bytes(0, 1000, "abc")
		k.packet(0, 1003, ACK|FIN, "defg", 5004)
		c.send(k)
		if l.output[0] != c.want {
			t.Errorf("%s: %q, want %q", c.name, l.output[0], c.want)
		}
	}

	k, l := newListener(t)
	k.packet(0, 1000, ACK|FIN, "abc", 5002) // the acknowledgement reveals the gap
	k.packet(1, 5002, ACK|FIN, "", 1004)
	k.bytes(1, 5000, "u!")
	if want := [2]string{"abc(,finished)", "u!(,finished)"}; l.output != want {
		t.Errorf("%q, want %q", l.output, want)
	}

	k, l = newListener(t)
	k.bytes(1, 5002, "wx")
	k.bytes(0, 1000, "abcdefg")
	k.packet(0, 1003, ACK|FIN, "", 5004) // its sequence number is before delivered bytes
	if k.bytes(0, 1000, "abcdefg"); l.output[0] != "" {
		t.Errorf("repeated bytes after such a FIN end the stream: %q", l.output[0])
	}
}

// For any packets in any order, each stream ends once, and no stream stays in a queue.
func TestStreamsEndOnce(t *testing.T) {
	seeds := uint64(500)
	if wiretest.Full() {
		seeds = 3000
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 3))
		k, l := newListener(t)
		for range r.IntN(20) {
			side := r.IntN(2)
			at, n := r.IntN(12), r.IntN(4)
			text := "abcdefghijk!mnopq"[at : at+n]
			flags := []Flags{0, 0, 0, 0, FIN, RST}[r.IntN(6)]
			k.time += time.Duration(r.Int64N(r.Int64N(gapTimeout) + 1))
			if !k.try(side, uint32(1000+4000*side+at), flags|ACK, text, 0, uint32(1000+4000*(1-side)+r.IntN(14))) {
				t.Fatal("another connection")
			}
			checkAssembler(t, k.a, &k.Connection)
			if k.a.Memory = maxStreamBytes; r.IntN(9) == 0 {
				k.a.Memory = 1
			}
		}
		k.time += 2 * time.Duration(gapTimeout)
		k.tick()
		k.Close(k.a, CaptureEnded)
		checkAssembler(t, k.a, &k.Connection)
		if waits := k.a.gaps.oldest != nil || k.a.tails.oldest != nil; waits || l.ends != [2]int{1, 1} {
			t.Fatalf("seed %d: %d ends, %q", seed, l.ends, l.output)
		}
	}
}

// If a FIN arrives while bytes wait after a gap, the waiting bytes after the FIN are not delivered.
func TestFINAmongWaitingBytes(t *testing.T) {
	for n := 1; n < 4; n++ {
		k := opened(t, nil)
		k.bytes(0, 1000, "ab")
		k.bytes(0, 1003, "defg"[:1+n])
		k.packet(0, 1004, FIN, "")
		k.bytes(0, 1002, "c")
		k.expect(0, "abcd finished")
		if k.unread != [2]int{n, 0} {
			t.Errorf("%d bytes unread, want %d", k.unread[0], n)
		}
	}
}
