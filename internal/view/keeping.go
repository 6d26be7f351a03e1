package view

import (
	"slices"
	"strings"
	"unsafe"
)

// numbered stores distinct values and numbers them.
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

// number returns the number of a text, and the bytes that storing it took.
func (t *texts) number(s string) (n uint32, cost int) {
	if n, ok := t.at[s]; ok {
		return n, 0
	}
	n, _ = t.numbered.number(strings.Clone(s)) // s may be part of a longer text, which is not kept
	return n, len(s) + 64
}

// lists are lists of values, each belonging to a row.
type lists[T any] struct {
	rows []rowList // in ascending order
	all  []T
}

// rowList is the list of a row: all[from:], up to the start of the next list.
type rowList struct{ row, from uint32 }

// add appends the list of a row, which must come after all others. It returns the bytes that the list took.
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

// copies holds bytes that are in no file as such: from compressed files, and of messages that came in several packets.
type copies struct {
	chunks [][]byte
}

const (
	chunkSize = 256 << 10
	chunkBits = 32 // an address has its offset in the chunk in the lower bits
)

// add copies bytes and returns their address and the memory that they took.
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
