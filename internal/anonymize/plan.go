package anonymize

import (
	"cmp"
	"slices"
	"sort"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A plan is the result of the first pass. It has the positions of messages and their changes.
type plan struct {
	pieces []piece
	deltas []byte // XOR of old and new bytes
	size   int    // approximate bytes stored between the passes
}

// Approximate sizes of state in bytes.
const (
	costOfPiece        = 32
	costOfConversation = 256
)

// A piece is a range of a datagram or a stream that is kept or changed. A change is stored as a difference from the
// original bytes. In a retransmission, it is valid only for the bytes that came first, see retransmitted.
type piece struct {
	key    int64
	at     int64
	size   int32
	deltas int32 // index of its differences; -1 if it is kept
}

// datagramKey identifies the payload of the UDP datagram that a frame completed.
func datagramKey(serial int64) int64 { return serial << 2 }

// streamKey identifies a direction of a TCP connection.
func streamKey(stream int, second bool) int64 {
	if second {
		return int64(stream)<<2 | 2
	}
	return int64(stream)<<2 | 1
}

// packetKey identifies the payload of a UDP or TCP packet.
func packetKey(c *decode.PacketInfo, serial int64) int64 {
	if c.Transport == wire.TCP {
		return streamKey(c.Conversation, c.Second)
	}
	return datagramKey(serial)
}

// maxPiece is the maximum size of a piece. Because of this limit, apply finds all pieces that contain a byte close to
// that byte.
const maxPiece = 4 << 10

// If fewer than mergeBelow unchanged bytes are between changed ones, all of them form one piece.
const mergeBelow = costOfPiece

func (p *plan) add(key, at int64, old, changed []byte) {
	for i := 0; i < len(old); {
		n := 0
		for i+n < len(old) && old[i+n] == changed[i+n] {
			n++
		}
		if n > 0 {
			p.keep(key, at+int64(i), n)
			i += n
			continue
		}
		for same := 0; i+n < len(old) && same < mergeBelow && n < maxPiece; n++ {
			same++
			if old[i+n] != changed[i+n] {
				same = 0
			}
		}
		for n > 0 && old[i+n-1] == changed[i+n-1] {
			n--
		}
		p.push(piece{key: key, at: at + int64(i), size: int32(n), deltas: int32(len(p.deltas))})
		for j := i; j < i+n; j++ {
			p.deltas = append(p.deltas, old[j]^changed[j])
		}
		p.size += n
		i += n
	}
}

// keep records that bytes are kept. If possible, it extends the last piece to save memory, because most of a capture is
// kept.
func (p *plan) keep(key, at int64, n int) {
	if i := len(p.pieces) - 1; i >= 0 {
		if last := &p.pieces[i]; last.key == key && last.deltas < 0 && last.at+int64(last.size) == at {
			more := min(n, maxPiece-int(last.size))
			last.size += int32(more)
			at, n = at+int64(more), n-more
		}
	}
	for ; n > 0; at, n = at+maxPiece, n-maxPiece {
		p.push(piece{key: key, at: at, size: int32(min(n, maxPiece)), deltas: -1})
	}
}

func (p *plan) push(x piece) {
	p.pieces = append(p.pieces, x)
	p.size += costOfPiece
}

// Limits of the framing, such as numbers and lengths, that some protocols put around a message.
const (
	maxBefore = 8
	maxAfter  = 4
)

// around records that the framing of a message in its datagram is kept.
func (p *plan) around(key, at, size int64) {
	from := max(0, at-maxBefore)
	p.keep(key, from, int(at-from))
	p.keep(key, at+size, maxAfter)
}

// sort sorts the pieces by position. Pieces with the same position stay in the order in which they were added.
func (p *plan) sort() {
	slices.SortStableFunc(p.pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.at, b.at))
	})
}

// filler replaces bytes that belong to no message. No message of any protocol begins with it.
const filler = 'x'

// apply changes bytes of a datagram or a stream in place. Bytes may belong to two messages, if one of them was
// incomplete. They are changed only once.
func (p *plan) apply(key, at int64, b []byte) {
	if len(b) == 0 {
		return
	}
	const unknown, stays, changed = 0, 1, 2
	state := make([]byte, len(b))
	first := sort.Search(len(p.pieces), func(i int) bool {
		x := &p.pieces[i]
		return x.key > key || x.key == key && x.at+maxPiece > at
	})
	for _, x := range p.pieces[first:] {
		if x.key != key || x.at >= at+int64(len(b)) {
			break
		}
		from, to := max(x.at, at), min(x.at+int64(x.size), at+int64(len(b)))
		for i := from; i < to; i++ {
			switch s := &state[i-at]; {
			case x.deltas < 0:
				*s = max(*s, stays)
			case *s != changed:
				b[i-at] ^= p.deltas[int64(x.deltas)+i-x.at]
				*s = changed
			}
		}
	}
	for i, s := range state {
		if s == unknown {
			b[i] = filler
		}
	}
}
