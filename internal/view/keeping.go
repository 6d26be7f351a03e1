package view

import (
	"slices"
	"strings"
	"unsafe"
)

// A numbered stores distinct values and numbers them.
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

// number returns the number of a text. cost is the number of bytes that storing the text took.
func (t *texts) number(s string) (n uint32, cost int) {
	if n, ok := t.at[s]; ok {
		return n, 0
	}
	n, _ = t.numbered.number(strings.Clone(s)) // s may be part of a longer text, which must not stay in memory
	return n, len(s) + 64
}

// lists stores a list of values for some of the rows.
type lists[T any] struct {
	rows []rowList // in ascending order of rows
	all  []T
}

// rowList is the list of one row: all[from:], up to the start of the next list.
type rowList struct{ row, from uint32 }

// add appends the list of a row. Rows must be added in ascending order. cost is the number of bytes that the list took.
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

// of returns the list of a row, or nil.
func (l *lists[T]) of(row int) []T {
	i, found := slices.BinarySearchFunc(l.rows, row, func(r rowList, row int) int { return int(r.row) - row })
	if !found {
		return nil
	}
	return l.nth(i)
}

// copies stores bytes that no file has in one piece: bytes from compressed files, and messages that came in several
// packets.
type copies struct {
	chunks [][]byte
}

const (
	chunkSize = 256 << 10
	chunkBits = 32 // number of bits of an address that are the offset in the chunk
)

// add copies bytes. It returns their address, and the number of bytes that they took in memory.
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
