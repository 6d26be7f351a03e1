package decode

import (
	"iter"
	"math"

	"github.com/gamedissect/gamedissect/internal/tcp"
)

// A Reason is why bytes of a recognised conversation, which the capture has, are in no message.
type Reason uint8

// The reasons. What a retransmission repeats needs none: bytes of a stream count once.
const (
	AroundGap        Reason = iota // what is missing cuts messages in two
	BeforeFirst                    // the connection is older than the capture
	NoMessage                      // they are none of the protocol's
	BeforeRecognised               // what they are could not be told yet, and they were not kept
	TooLarge
	LetGo
	Unfinished // when the capture ended, or the stream
	Late
	BehindEnd
	Misplaced
	LackFragment
	reasons
)

var reasonNames = [reasons]string{
	AroundGap:        "around a gap",
	BeforeFirst:      "before the first message found",
	NoMessage:        "where no message begins",
	BeforeRecognised: "before the protocol was clear",
	TooLarge:         "of a message too large to be joined",
	LetGo:            "let go for want of memory",
	Unfinished:       "of a message that never became whole",
	Late:             "later than they were waited for",
	BehindEnd:        "behind the end of a connection",
	Misplaced:        "numbered far from the stream",
	LackFragment:     "of a datagram that lacks a fragment",
}

// String names the reason in a few words.
func (r Reason) String() string { return reasonNames[r] }

// Skipped counts bytes that are in no message, by reason.
type Skipped [reasons]int64

// All gives the reasons that there were, and the bytes of each.
func (s *Skipped) All() iter.Seq2[Reason, int64] {
	return func(yield func(Reason, int64) bool) {
		for r, n := range s {
			if n != 0 && !yield(Reason(r), n) {
				return
			}
		}
	}
}

// notGiven is why bytes are in no message that a stream does not give.
var notGiven = [...]Reason{tcp.Late: Late, tcp.Misplaced: Misplaced, tcp.BehindEnd: BehindEnd}

// skip counts bytes that are in no message.
func (x *decoder) skip(why Reason, n int) { x.counters.Skipped[why] += int64(n) }

// pend counts bytes that are in no message as long as the conversation is not recognised. n is negative for bytes that
// are used after all.
func (c *conversation) pend(n int) {
	c.pending = uint32(min(max(int64(c.pending)+int64(n), 0), math.MaxUint32))
}

// skipPending counts what was pending of a conversation that is recognised now, and returns how much.
func (x *decoder) skipPending(c *conversation) int {
	n := int(c.pending)
	c.pending = 0
	x.skip(BeforeRecognised, n)
	return n
}
