package tcp

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

func TestConnectionIgnore(t *testing.T) {
	var k *talk
	k = opened(t, func(b []byte) int {
		if b[0] == '!' {
			k.Ignore()
		}
		return 0
	})
	k.bytes(1, 5000, "ab")
	k.bytes(1, 5010, "ab")
	k.bytes(0, 1005, "efg")
	k.bytes(0, 1000, "!bcd")
	if k.a.gaps.oldest != nil || k.a.tails.oldest != nil || !k.done() {
		t.Error("the connection still keeps bytes, or has not ended")
	}
	k.bytes(0, 1003, "more")
	k.Connection.Close(k.a, CaptureEnded)
	k.expect(0, "!bcd")
	k.expect(1, "ab")
	if k.try(0, 5, SYN, "", 0) {
		t.Error("a SYN does not begin another connection")
	}
}

// The receiver may ignore a connection in any of its methods. It is not called again after that.
func TestConnectionIgnoreAnytime(t *testing.T) {
	for calls := 1; calls <= 17; calls++ {
		k := newTalk(t, nil)
		receiver := &fickle{after: calls}
		k.Receiver = receiver
		k.bytes(0, 1000, "ab")
		k.bytes(0, 999, "xxx")
		k.bytes(0, 1001, strings.Repeat("y", 3*smallestTail))
		k.bytes(0, 1004, "ef")
		k.bytes(0, 1771, "xx")
		k.cut(1, 5000, 0, "ab", 3)
		k.bytes(0, 1770, "cd")
		k.bytes(0, 1780, "kl")
		k.packet(1, 5005, 0, "x", 1790)
		k.Connection.Close(k.a, CaptureEnded)
		if receiver.calls != calls {
			t.Errorf("%d calls, ignored after %d", receiver.calls, calls)
		}
	}
}

// fickle is a receiver that ignores the connection when it is called for the after-th time. It uses no bytes.
type fickle struct{ calls, after int }

func (f *fickle) call(s *Stream) {
	if f.calls++; f.calls == f.after {
		s.connection.Ignore()
	}
}

func (f *fickle) Data(s *Stream, _ []byte) int       { f.call(s); return 0 }
func (f *fickle) Gap(s *Stream, _ Gap)               { f.call(s) }
func (f *fickle) End(s *Stream, _ Ending, _ []byte)  { f.call(s) }
func (f *fickle) Unread(s *Stream, _ Unread, _ int)  { f.call(s) }
func (f *fickle) Conflict(s *Stream, _ int64, _ int) { f.call(s) }
func (f *fickle) MidStream(s *Stream)                { f.call(s) }

// TestConnectionWithRandomSegments checks that the Assembler's counts are consistent for any segments.
func TestConnectionWithRandomSegments(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 98))
	k := newTalk(t, nil)
	k.use = func(b []byte) int { return r.IntN(len(b)+3) - 1 }
	seqs := []uint32{0, 1, 1 << 31, 1<<31 - 1, 1<<32 - 1, 1000, 1<<30 + 7}
	number := func() uint32 { return seqs[r.IntN(len(seqs))] + uint32(r.IntN(4)*r.IntN(300)) }
	rounds := 8000
	if wiretest.Full() {
		rounds = 30_000
	}
	for range rounds {
		flags := Flags(r.Uint32())
		if r.IntN(20) > 0 {
			flags &^= RST | SYN | FIN
		}
		payload := string(randomBytes(r, r.IntN(4)*r.IntN(500)))
		missing := r.IntN(2) * r.IntN(2) * r.IntN(1000)
		k.time += time.Duration(r.IntN(2) * r.IntN(1e9))
		if !k.try(r.IntN(2), number(), flags, payload, missing, number()) || k.done() {
			k.Connection.Close(k.a, Replaced)
			k.Connection = Connection{Receiver: k.recorder}
			for i := range k.journals {
				k.journals[i], k.used[i], k.unused[i] = nil, false, nil
			}
		}
		checkAssembler(t, k.a, &k.Connection)
	}
}
