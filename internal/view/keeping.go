package view

import (
	"slices"
	"strings"
	"unsafe"
)

// numbered keeps each of some things once, and gives it a number.
type numbered[T comparable] struct {
	all []T
	at  map[T]uint32
}

func (n *numbered[T]) number(x T) (at uint32, isNew bool) {
	at, ok := n.at[x]
	if ok {
		return at, false
	}
	if n.at == nil {
		n.at = map[T]uint32{}
	}
	at = uint32(len(n.all))
	n.all, n.at[x] = append(n.all, x), at
	return at, true
}

type texts struct{ numbered[string] }

// number returns the number of a text, and how many bytes keeping it took.
func (t *texts) number(s string) (n uint32, cost int) {
	if n, ok := t.at[s]; ok {
		return n, 0
	}
	n, _ = t.numbered.number(strings.Clone(s)) // s may be a part of a longer text, which need not stay
	return n, len(s) + 64
}

// lists are lists of things, each of a row.
type lists[T any] struct {
	rows []rowList // in order
	all  []T
}

// rowList is the list of a row: all[from:] up to that of the next one.
type rowList struct{ row, from uint32 }

// add adds the list of a row after all others, and returns how many bytes it took.
func (l *lists[T]) add(row int, things ...T) (cost int) {
	l.rows = append(l.rows, rowList{uint32(row), uint32(len(l.all))})
	l.all = append(l.all, things...)
	return int(unsafe.Sizeof(rowList{})) + len(things)*int(unsafe.Sizeof(*new(T)))
}

func (l *lists[T]) nth(i int) []T {
	end := len(l.all)
	if i+1 < len(l.rows) {
		end = int(l.rows[i+1].from)
	}
	return l.all[l.rows[i].from:end:end]
}

// of returns the list of a row, nil if there is none.
func (l *lists[T]) of(row int) []T {
	i, found := slices.BinarySearchFunc(l.rows, row, func(r rowList, row int) int { return int(r.row) - row })
	if !found {
		return nil
	}
	return l.nth(i)
}

// copies are bytes that stand in no file as they are: those of compressed files, and of messages that came in parts.
type copies struct {
	chunks [][]byte
}

const (
	chunkSize = 256 << 10
	chunkBits = 32 // of an address are for the place in a chunk
)

// add adds bytes, and returns their address and how much memory they took.
func (c *copies) add(b []byte) (at int64, cost int) {
	last := len(c.chunks) - 1
	if last < 0 || cap(c.chunks[last])-len(c.chunks[last]) < len(b) {
		c.chunks = append(c.chunks, make([]byte, 0, max(chunkSize, len(b))))
		last++
		cost = cap(c.chunks[last])
	}
	chunk := &c.chunks[last]
	at = int64(last)<<chunkBits | int64(len(*chunk))
	*chunk = append(*chunk, b...)
	return at, cost
}

func (c *copies) get(at int64, size int) []byte {
	from := int(at & (1<<chunkBits - 1))
	return c.chunks[at>>chunkBits][from : from+size : from+size]
}
