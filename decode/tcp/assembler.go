package tcp

import (
	"math/bits"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

const (
	// maxStreamBytes is the default of Assembler.Memory.
	maxStreamBytes = 16 << 20

	// gapTimeout is how long a stream waits for missing bytes that the other side has not acknowledged. It is long
	// enough because retransmissions arrive within seconds.
	gapTimeout = int64(10 * time.Second)
)

// A Receiver receives the bytes of a connection's streams. It must not call methods that change the Assembler or a
// Connection, except Connection.Ignore and Stream.Retry. Byte slices are valid only during the call.
type Receiver interface {
	// Data handles the next bytes of a stream. It returns the number of bytes that it used. The rest is kept and passed
	// again together with the bytes after it.
	Data(s *Stream, b []byte) (used int)

	// Gap reports that bytes are missing.
	Gap(s *Stream, g Gap)

	// End reports the end of a stream. rest contains the unused bytes.
	End(s *Stream, why Ending, rest []byte)

	// Conflict reports a retransmission in which n bytes differ from the bytes that arrived first. offset is the offset
	// of the first difference in the stream.
	Conflict(s *Stream, offset int64, n int)

	// Unread reports n captured bytes that are not passed to Data.
	Unread(s *Stream, why Unread, n int)

	// MidStream reports, before the first data, that the capture lacks the beginning of the stream.
	MidStream(s *Stream)
}

// A Gap is a range of missing bytes in a stream, which will not arrive. If unused bytes cannot be kept, they are also
// reported as a Gap, in which no bytes are missing.
type Gap struct {
	Offset  int64  // offset of the first missing byte in the stream
	Missing int64  // number of missing bytes; 0: Rest is too large to keep
	Rest    []byte // unused bytes before the gap, which are not passed to Data again
	CutOff  bool   // the snap length cut off the missing bytes, or at least the first of them
	Crowded bool   // all streams together exceeded Assembler.Memory
}

// An Ending is the reason why a stream ends.
type Ending uint8

// The reasons why a stream ends.
const (
	Finished     Ending = iota // the sender ended the stream
	Aborted                    // either side sent a reset
	Expired                    // the connection was idle, or other connections needed its memory
	Replaced                   // a new connection uses the same ports
	CaptureEnded               // the capture ended, so the stream may continue
)

// An Unread is the reason why bytes of a segment are not passed to Receiver.Data. Retransmitted bytes are not reported.
type Unread uint8

// The reasons why bytes are not delivered.
const (
	Late      Unread = iota // they are in a gap that was given up
	Misplaced               // their sequence numbers are far from the stream's
	BehindEnd               // the stream or the connection had already ended
)

// An Origin identifies a packet.
type Origin struct {
	Serial int64 // number of the packet in all files, from 1
	Frame  int   // number of the packet in its file
	File   string
	Time   int64 // in nanoseconds
}

// An Assembler is the state that all connections share. Its memory is bounded. The zero value is ready for use.
type Assembler struct {
	// Memory limits the bytes that all streams together keep: unused tails, bytes after gaps, and the data structures
	// for these. 0 means 16 MB.
	Memory int

	// History limits the size in bytes of the delivered data that is kept for comparison with retransmissions. It is
	// rounded down to a power of two, but is at least 128 kB. 0 means 1 MB. It must not change after the first packet.
	History int

	delivery

	packet      Origin // the current packet
	waited      Origin // latest points to waited if the latest packet is not the current one
	now         int64  // time of the newest packet, see Begin
	gaps, tails queue
	delivered   delivered
	missed      missed
	due         []*Stream // used only in giveUpDue
	doubts      []doubt   // the oldest first
	strays      []stray   // the oldest first

	unusedBacklogs *backlog // linked by next
	unusedChunks   *chunk   // linked by next
	buffers        bounded.Buffers
	nodes          int // number of bytes of all backlogs and chunks, used and unused
}

// A delivery describes the bytes that are passed to a receiver, and the packets that contained them.
type delivery struct {
	position int64    // see Position
	latest   *Origin  // see Latest
	kept     int      // number of these bytes that were kept from earlier packets
	keptIn   *backlog // the backlog with the kept bytes and their origins
	from     *Origin  // the packet with the new bytes
}

// Latest returns the packet that contained the last of the bytes passed to the Receiver. This is the current packet, or
// an earlier one if the bytes waited after a gap that was given up. In a call of Gap, it is the packet that showed the
// gap. Latest must only be called during a call of the Receiver.
func (a *Assembler) Latest() *Origin { return a.latest }

// Position returns the position (see Stream) of the first byte passed to the Receiver. It must only be called during a
// call of the Receiver.
func (a *Assembler) Position() int64 { return a.position }

// OriginOf returns the packet that completed a message whose last byte is byte i of the bytes passed to the Receiver.
// It must only be called during a call of the Receiver.
func (a *Assembler) OriginOf(i int) *Origin {
	if i < a.kept {
		return a.keptIn.origin(i)
	}
	return a.latest
}

func (a *Assembler) passed(since, limit int64) bool { return clock.Elapsed(since, a.now) >= limit }

// Bytes returns the memory that all streams together use, in bytes.
func (a *Assembler) Bytes() int { return a.bytes() + len(a.delivered.ring) }

// bytes returns Bytes without the history of delivered bytes. It includes unused buffers.
func (a *Assembler) bytes() int { return a.buffers.Bytes() + a.nodes }

// limit returns the limit on bytes.
func (a *Assembler) limit() int {
	if a.Memory == 0 {
		return maxStreamBytes
	}
	return a.Memory
}

// remember stores bytes that a stream delivers. It returns the place of the new record: see delivered.add.
func (a *Assembler) remember(previous, at int64, b []byte) int64 {
	if a.delivered.most == 0 && a.History != 0 {
		a.delivered.most = 1 << (bits.Len(uint(max(a.History, minDelivered))) - 1)
	}
	return a.delivered.add(previous, at, b)
}
