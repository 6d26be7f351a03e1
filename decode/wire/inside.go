package wire

import (
	"bytes"
	"compress/bzip2"
	"compress/flate"
	"compress/zlib"
	"errors"
	"io"
	"slices"
	"unsafe"
)

const (
	maxInside = 4 << 20 // maximum number of bytes unpacked for one message
	maxParts  = 64      // maximum number of parts of a message, and of parts in a Parts
	maxJoined = 1 << 20 // maximum number of bytes in a Parts
)

// ErrPacked is the Err of a FieldError if packed bytes are malformed, or if they unpack to more than 4 MiB.
var ErrPacked = errors.New("the bytes cannot be unpacked")

// Inside walks a message in data, which Unpack or Parts.Join returned. If data is nil, Inside does nothing. The inner
// fields and findings get the offset and size of the last field visited, which carried the data. If walk chooses a
// message with Base.Use, that message replaces the outer one, so filters and trackers handle it like a message that was
// not packed. When writing, Inside does nothing, because the field that carried the data is written instead.
func (c *Cursor) Inside(data []byte, walk func(*Cursor)) {
	if c.mode == describing {
		walk(c)
	}
	if c.mode != reading || c.failed || data == nil || c.ctx.Sealed {
		return
	}
	c.inside += len(data)
	outer, found := c.walk, len(c.findings)
	c.data, c.pos, c.last, c.missing, c.fast = data, 0, 0, 0, len(data)
	off, size := outer.last, outer.pos-outer.last
	if t := c.tree; t == nil {
		walk(c)
	} else {
		first, about := len(t.Nodes), t.about
		t.about = nil // findings are about bytes of the outer message
		c.slow()
		walk(c)
		t.about = about
		for i := range t.Nodes[first:] {
			n := &t.Nodes[first+i]
			n.Inside, n.Off, n.Size = true, int32(off), int32(size)
		}
		setUnread(t.Nodes[:first], outer, c.failed || c.pos < len(data))
	}
	for i := range c.findings[found:] {
		c.findings[found+i].Off, c.findings[found+i].Size = off, size
	}
	c.data, c.pos, c.last, c.missing = outer.data, outer.pos, outer.last, outer.missing
	c.little, c.inexact = outer.little, outer.inexact
	if c.failed {
		c.fault.Offset = off
		return
	}
	c.fast = outer.fast
}

// setUnread sets Unread of the last field visited, which is the last node that is not computed.
func setUnread(nodes []Node, w walk, unread bool) {
	for i := len(nodes) - 1; i >= 0; i-- {
		if n := &nodes[i]; !n.Computed {
			n.Unread = unread && int(n.Off) == w.last && int(n.Off+n.Size) == w.pos
			return
		}
	}
}

// A Packing returns a reader that unpacks the data of another reader.
type Packing func(io.Reader) (io.Reader, error)

// Zlib unpacks the zlib format, RFC 1950.
func Zlib(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }

// Deflate unpacks the deflate format, RFC 1951.
func Deflate(r io.Reader) (io.Reader, error) { return flate.NewReader(r), nil }

// Bzip2 unpacks the bzip2 format.
func Bzip2(r io.Reader) (io.Reader, error) { return bzip2.NewReader(r), nil }

// Unpack unpacks data, the last field visited, for Inside. It returns nil if the cursor is not reading or has failed.
func (c *Cursor) Unpack(name string, p Packing, data []byte) []byte {
	if c.mode != reading || c.failed || c.ctx.Sealed {
		return nil
	}
	if c.tree != nil {
		setUnread(c.tree.Nodes, c.walk, true)
	}
	var out bytes.Buffer
	r, err := p(bytes.NewReader(data))
	if err == nil {
		_, err = out.ReadFrom(io.LimitReader(r, int64(maxInside-c.inside+1)))
	}
	if err == nil && out.Len() <= maxInside-c.inside {
		return out.Bytes()
	}
	fault := FieldError{Field: name, Err: ErrPacked}
	if err != nil && c.missing > 0 {
		fault = FieldError{Field: name, Need: len(data) + c.missing, Have: len(data)}
	}
	c.fail(fault)
	c.fault.Offset = c.last
	return nil
}

// Parts collects the parts of messages, for protocols that split long messages. It belongs in the State of a layer. If
// there are too many parts, it keeps the newest. The zero value has no parts.
//
//	l.After.Parts, whole = l.Before.Parts.Join(c, uint64(l.ID), int(l.Number), int(l.Total), l.Data)
//	c.Inside(whole, l.walkMessage)
type Parts struct{ list *[]messagePart } // never changed, because layers share it

type messagePart struct {
	id            uint64
	number, total int
	data          string
}

// Join adds a part of a message. A message has at most 64 parts. They share its id and have numbers from 0 to total-1.
// Join returns the parts to keep and, if this part completes the message, the message. If a part has the number of an
// earlier one but other data, the message starts again. Join adds nothing if the cursor is not reading or has failed,
// or if the part is cut off.
func (p Parts) Join(c *Cursor, id uint64, number, total int, data []byte) (Parts, []byte) {
	if c.tree != nil {
		setUnread(c.tree.Nodes, c.walk, true)
	}
	if c.mode != reading || c.failed || c.missing > 0 || number < 0 || number >= min(total, maxParts) {
		return p, nil
	}
	var list []messagePart
	if p.list != nil {
		list = slices.Clone(*p.list)
	}
	ours := func(m messagePart) bool { return m.id == id && m.total == total }
	same := func(m messagePart) bool { return ours(m) && m.number == number }
	if i := slices.IndexFunc(list, same); i >= 0 {
		if list[i].data == string(data) {
			return p, nil // a duplicate made by the network
		}
		list = slices.DeleteFunc(list, ours)
	}
	list = append(list, messagePart{id, number, total, string(data)})
	whole := make([][]byte, total)
	size, have := 0, 0
	for _, m := range list {
		if size += len(m.data); ours(m) {
			whole[m.number] = []byte(m.data)
			have++
		}
	}
	if have == total {
		return partsOf(slices.DeleteFunc(list, ours)), slices.Concat(whole...)
	}
	for len(list) > maxParts || size > maxJoined {
		size -= len(list[0].data)
		list = list[1:]
	}
	return partsOf(list), nil
}

func partsOf(list []messagePart) Parts {
	if len(list) == 0 {
		return Parts{}
	}
	return Parts{&list}
}

// Held returns the size of the parts in bytes.
func (p Parts) Held() (n int) {
	if p.list != nil {
		n = cap(*p.list) * int(unsafe.Sizeof(messagePart{}))
		for i := range *p.list {
			n += len((*p.list)[i].data)
		}
	}
	return n
}
