package export

import (
	"encoding/binary"

	"github.com/gamedissect/gamedissect/decode/wire"
)

type storage uint8

const (
	boolean  storage = iota
	integer          // 32 bits
	long             // 64 bits
	unsigned         // 64 bits
	float
	double
	moment // nanoseconds since 1970, UTC
	vector // three floats, each in its own column
	text
	document // text that may be long
	blob
)

// whole reports whether values are integers. The integer types are sorted, so that a later type can store the values of
// earlier ones.
func (s storage) whole() bool { return s == integer || s == long || s == unsigned }

func (s storage) bytes() bool { return s >= text }

// bounded reports whether to write the minimum and maximum of each page, which help readers to skip pages. For long
// values such as worlds, these would take more room than the values.
func (s storage) bounded() bool { return s < document }

// storageOf returns the type for a field that is not a group or list. Narrow numbers become signed 32-bit integers,
// because most query engines report an error if a difference of unsigned numbers is negative.
func storageOf(f *wire.Field) storage {
	switch f.Kind {
	case wire.Boolean:
		return boolean
	case wire.Int, wire.SignedEnum:
		if f.Bits > 32 {
			return long
		}
		return integer
	case wire.Uint, wire.Enum, wire.Bits:
		switch {
		case f.Bits > 32:
			return unsigned
		case f.Bits > 16:
			return long
		}
		return integer
	case wire.Float:
		return float
	case wire.Vector:
		return vector
	case wire.Bytes:
		return blob
	}
	return text
}

// A column stores values, run-length encoded, until they are written.
//
// Each value has Parquet's two levels. The repetition level says which of the lists around the value continues with it.
// The definition level is the number of optional groups and lists around the value that are present. A value that is
// itself present has the maximum definition level.
type column struct {
	storage
	there, repeats uint8 // maximum levels of this column

	full   [][]byte // complete blocks
	last   []byte   // block that is being filled
	run    run
	memory int // total bytes of all blocks
}

// A run is a value that came once or several times in a row.
type run struct {
	count         uint64
	there, repeat uint8
	number        uint64
	bytes         []byte
}

const (
	firstBlock = 128 // bytes; small, because most columns of most tables have little data
	maxBlock   = 32 << 10
)

// null adds an absent value. The parameter there is the value's definition level.
func (c *column) null(there, repeat uint8) {
	if r := &c.run; r.count > 0 && r.there == there && r.repeat == repeat {
		r.count++
		return
	}
	c.begin(there, repeat)
}

// number adds a value that is a number, or the value's bits.
func (c *column) number(repeat uint8, v uint64) {
	if r := &c.run; r.count == 0 || r.there != c.there || r.repeat != repeat || r.number != v {
		c.begin(c.there, repeat)
		r.number = v
		return
	}
	c.run.count++
}

// putBytes adds bytes, or a text as bytes.
func (c *column) putBytes(repeat uint8, v []byte) { putRun(c, repeat, v) }

func (c *column) putText(repeat uint8, v string) { putRun(c, repeat, v) }

func putRun[T string | []byte](c *column, repeat uint8, v T) {
	if r := &c.run; r.count == 0 || r.there != c.there || r.repeat != repeat || string(r.bytes) != string(v) {
		c.begin(c.there, repeat)
		r.bytes = append(r.bytes[:0], v...)
		return
	}
	c.run.count++
}

func (c *column) begin(there, repeat uint8) {
	if c.run.count > 0 {
		c.endRun()
	}
	c.run.count, c.run.there, c.run.repeat = 1, there, repeat
}

func (c *column) endRun() {
	const maxHeader = 2 + 2*binary.MaxVarintLen64
	r := &c.run
	if need := maxHeader + len(r.bytes); cap(c.last)-len(c.last) < need {
		if len(c.last) > 0 {
			c.full = append(c.full, c.last)
		}
		c.last = make([]byte, 0, max(need, min(max(2*cap(c.last), firstBlock), maxBlock)))
		c.memory += cap(c.last)
	}
	b := append(c.last, r.there)
	if c.repeats > 0 {
		b = append(b, r.repeat)
	}
	b = binary.AppendUvarint(b, r.count)
	switch {
	case r.there < c.there:
	case c.bytes():
		b = append(binary.AppendUvarint(b, uint64(len(r.bytes))), r.bytes...)
	case c.storage == integer || c.storage == long || c.storage == moment:
		b = binary.AppendVarint(b, int64(r.number))
	default:
		b = binary.AppendUvarint(b, r.number)
	}
	c.last, r.count = b, 0
}

// each calls f for all runs in order, and removes them.
func (c *column) each(f func(*run) error) error {
	if c.run.count > 0 {
		c.endRun()
	}
	blocks := c.full
	if len(c.last) > 0 {
		blocks = append(blocks, c.last)
	}
	c.full, c.last, c.memory = nil, nil, 0
	if cap(c.run.bytes) > maxBlock {
		c.run.bytes = nil
	}
	for i, b := range blocks {
		blocks[i] = nil
		for len(b) > 0 {
			var r run
			r, b = c.next(b)
			if err := f(&r); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *column) next(b []byte) (r run, rest []byte) {
	r.there, b = b[0], b[1:]
	if c.repeats > 0 {
		r.repeat, b = b[0], b[1:]
	}
	var n int
	r.count, n = binary.Uvarint(b)
	b = b[n:]
	switch {
	case r.there < c.there:
	case c.bytes():
		size, n := binary.Uvarint(b)
		b = b[n:]
		r.bytes, b = b[:size], b[size:]
	case c.storage == integer || c.storage == long || c.storage == moment:
		v, n := binary.Varint(b)
		r.number, b = uint64(v), b[n:]
	default:
		r.number, n = binary.Uvarint(b)
		b = b[n:]
	}
	return r, b
}
