package decode

import (
	"iter"

	"github.com/gamedissect/gamedissect/decode/tcp"
)

// A Reason states why captured bytes of a recognised conversation are not in a message.
type Reason uint8

// The reasons. Retransmitted bytes have no reason, because each byte of a stream counts once.
const (
	AroundGap        Reason = iota // the bytes belong to messages that a gap interrupted
	BeforeFirst                    // the connection began before the capture
	NoMessage                      // the bytes do not match a message of the protocol
	BeforeRecognised               // the bytes came before the protocol was recognised, and were not kept
	TooLarge
	LetGo
	Unfinished // the capture or the stream ended within the message
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
	LetGo:            "dropped for lack of memory",
	Unfinished:       "of a message that never became whole",
	Late:             "too late",
	BehindEnd:        "after the end of a connection",
	Misplaced:        "far outside the stream",
	LackFragment:     "of a datagram that lacks a fragment",
}

func (r Reason) String() string { return reasonNames[r] }

// Skipped counts bytes outside messages, by reason.
type Skipped [reasons]int64

// All returns the reasons that have bytes, and the number of bytes of each.
func (s *Skipped) All() iter.Seq2[Reason, int64] {
	return func(yield func(Reason, int64) bool) {
		for r, n := range s {
			if n != 0 && !yield(Reason(r), n) {
				return
			}
		}
	}
}

// unreadReasons maps a tcp.Unread to the Reason for bytes that a stream did not deliver.
var unreadReasons = [...]Reason{tcp.Late: Late, tcp.Misplaced: Misplaced, tcp.BehindEnd: BehindEnd}
