package anonymize

import (
	"cmp"
	"slices"
	"sort"
)

// A plan is what the first reading has found: which bytes are of messages, and what becomes of them.
type plan struct {
	pieces []piece
	deltas []byte // what is to be XORed to those bytes that change
	size   int    // bytes remembered, of everything
}

// What is remembered takes so many bytes, roughly.
const (
	costOfPiece        = 32
	costOfConversation = 256
)

// A piece is bytes of a datagram or a stream that stay or change alike. Changes are kept as
// differences, so that bytes of a retransmission that are not those that came first stay different.
type piece struct {
	key    int64
	at     int64
	size   int32
	deltas int32 // where its deltas begin; -1: it stays
}

// datagramKey names the payload of the UDP datagram that was whole with a frame.
func datagramKey(serial int64) int64 { return serial << 2 }

// streamKey names a direction of a TCP connection.
func streamKey(stream int, second bool) int64 {
	if second {
		return int64(stream)<<2 | 2
	}
	return int64(stream)<<2 | 1
}

// longest bounds a piece, so that those that hold a byte are found close to it.
const longest = 4 << 10

// mergeBelow is how many unchanged bytes between changed ones are cheaper kept with them.
const mergeBelow = costOfPiece

// add notes that bytes become others of the same number.
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
		for same := 0; i+n < len(old) && same < mergeBelow && n < longest; n++ {
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

// keep notes that bytes stay. Runs grow: that is what most of a capture is.
func (p *plan) keep(key, at int64, n int) {
	if i := len(p.pieces) - 1; i >= 0 {
		if last := &p.pieces[i]; last.key == key && last.deltas < 0 && last.at+int64(last.size) == at {
			more := min(n, longest-int(last.size))
			last.size += int32(more)
			at, n = at+int64(more), n-more
		}
	}
	for ; n > 0; at, n = at+longest, n-longest {
		p.push(piece{key: key, at: at, size: int32(min(n, longest)), deltas: -1})
	}
}

func (p *plan) push(x piece) {
	p.pieces = append(p.pieces, x)
	p.size += costOfPiece
}

// What may stand around the messages of a protocol that wraps them: numbers and lengths.
const (
	mostBefore = 8
	mostBehind = 4
)

// around notes that what wraps a message in its datagram stays.
func (p *plan) around(key, at, size int64) {
	from := max(0, at-mostBefore)
	p.keep(key, from, int(at-from))
	p.keep(key, at+size, mostBehind)
}

// sort puts the pieces in order. Of pieces that begin at one place those that change come first.
func (p *plan) sort() {
	slices.SortStableFunc(p.pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.at, b.at))
	})
}

// filler is what bytes become that no message has. It begins no message of any protocol.
const filler = 'x'

// apply changes bytes of a datagram or a stream in place. Those that are of several messages, since
// one was met as a part before, change once: as the one says that changes them.
func (p *plan) apply(key, at int64, b []byte) {
	if len(b) == 0 {
		return
	}
	const unknown, stays, changed = 0, 1, 2
	state := make([]byte, len(b))
	first := sort.Search(len(p.pieces), func(i int) bool {
		x := &p.pieces[i]
		return x.key > key || x.key == key && x.at+longest > at
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
