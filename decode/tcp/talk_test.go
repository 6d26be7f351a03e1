package tcp

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unsafe"
)

// A talk is a connection whose packets a test writes by hand. The bytes of side 0 begin at sequence number 1000, and
// the bytes of side 1 at 5000. The SYNs have 999 and 4999.
type talk struct {
	*recorder
	Connection
	serial int64
	time   time.Duration
}

// counter is a receiver that counts its calls and bytes. It uses as many bytes as use returns, or all if use is nil.
type counter struct {
	use            func(s *Stream, b []byte) int
	calls          int
	bytes, missing int64 // used bytes, missing bytes
	dropped        int64 // unused bytes before gaps and ends
	gaps, ends     int
	longest        int // most bytes in one call
	last           *Connection
}

func (c *counter) Data(s *Stream, b []byte) int {
	c.calls++
	c.last = s.connection
	c.longest = max(c.longest, len(b))
	used := len(b)
	if c.use != nil {
		used = c.use(s, b)
	}
	c.bytes += int64(used)
	return used
}

func (c *counter) Gap(s *Stream, g Gap) {
	c.last = s.connection
	c.gaps++
	c.missing += g.Missing
	c.dropped += int64(len(g.Rest))
}

func (c *counter) End(_ *Stream, _ Ending, rest []byte) {
	c.ends++
	c.dropped += int64(len(rest))
}

func (c *counter) Conflict(*Stream, int64, int) {}

func (c *counter) Unread(*Stream, Unread, int) {}

func (c *counter) MidStream(*Stream) {}

func newTalk(t testing.TB, use func([]byte) int) *talk {
	r := newRecorder(t, use)
	return &talk{recorder: r, Connection: Connection{Receiver: r}, time: time.Hour}
}

// opened returns a talk after the handshake.
func opened(t testing.TB, use func([]byte) int) *talk {
	k := newTalk(t, use)
	k.packet(0, 999, SYN, "")
	k.packet(1, 4999, SYN|ACK, "", 1000)
	return k
}

// packet sends a segment. If ack is given, the segment has an acknowledgement.
func (k *talk) packet(side int, seq uint32, flags Flags, payload string, ack ...uint32) {
	k.t.Helper()
	k.cut(side, seq, flags, payload, 0, ack...)
}

// cut sends a segment without the last missing bytes.
func (k *talk) cut(side int, seq uint32, flags Flags, payload string, missing int, ack ...uint32) {
	k.t.Helper()
	if !k.try(side, seq, flags, payload, missing, ack...) {
		k.t.Fatal("the segment was attributed to another connection")
	}
	checkAssembler(k.t, k.a, &k.Connection)
}

func (k *talk) try(side int, seq uint32, flags Flags, payload string, missing int, ack ...uint32) bool {
	k.tick()
	s := Segment{Seq: seq, Flags: flags, Payload: []byte(payload), Missing: missing}
	if len(ack) > 0 {
		s.Ack = ack[0]
		s.Flags |= ACK
	}
	return k.Add(k.a, side, &s)
}

// tick begins a packet, like a packet of another connection.
func (k *talk) tick() {
	k.serial++
	k.a.Begin(Origin{Serial: k.serial, Frame: int(k.serial), Time: int64(k.time)})
}

// bytes sends a segment with the flag ACK.
func (k *talk) bytes(side int, seq uint32, payload string) {
	k.t.Helper()
	k.packet(side, seq, ACK, payload, 0)
}

// expect compares the journal of a side with a text in the form of story.
func (k *talk) expect(side int, want string) {
	k.t.Helper()
	if got := k.journals[side].story(); got != want {
		k.t.Errorf("side %d:\ngot  %s\nwant %s", side, got, want)
	}
}

// story returns a journal as text. It shows long runs of bytes only by their length.
func (j journal) story() string {
	var words []string
	for _, e := range j {
		w := e.kind
		switch {
		case e.kind == "data" && len(e.data) > 50:
			w = fmt.Sprintf("(%d)", len(e.data))
		case e.kind == "data":
			w = string(e.data)
		case e.kind == "gap":
			w = fmt.Sprintf("gap:%d", e.n)
		case e.kind == "conflict":
			w = fmt.Sprintf("conflict:%d@%d", e.n, e.at)
		case e.kind == "end":
			w = [...]string{"finished", "aborted", "expired", "replaced", "cut"}[e.ending]
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

// none uses no bytes.
func none([]byte) int { return 0 }

// lines uses whole lines.
func lines(b []byte) int { return strings.LastIndexByte(string(b), '\n') + 1 }

func TestConnectionIsSmall(t *testing.T) {
	if size := unsafe.Sizeof(Connection{}); size > 200 {
		t.Errorf("%d bytes", size)
	}
	if a, b := unsafe.Sizeof(chunk{}), unsafe.Sizeof(backlog{}); a > chunkCost || b > backlogCost {
		t.Errorf("a chunk takes %d bytes, a backlog %d: more than chunkCost or backlogCost", a, b)
	}
}

func randomBytes(r *rand.Rand, n int) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}
