package wire

import "unsafe"

// groupBits is the number of bits of a number in each byte of a Uvarint.
const groupBits = 7

// Uvarint walks an unsigned integer in groups of seven bits, the lowest first (LEB128), as protocol buffers and
// Minecraft write it. The highest bit of a byte says that there is another group. Uvarint reports whether a number that
// was read has more bytes than necessary. When writing, it always uses as few bytes as possible.
func Uvarint[T ~uint32 | ~uint64](c *Cursor, name string, v *T) (overlong bool) {
	n, overlong := c.varint(name, Uint, 8*int(unsafe.Sizeof(*v)), uint64(*v), nil)
	*v = T(n)
	return overlong
}

// EnumUvarint is Uvarint for a number whose values have names.
func EnumUvarint[T ~uint32 | ~uint64](c *Cursor, name string, v *T, s Symbols) (overlong bool) {
	n, overlong := c.varint(name, Enum, 8*int(unsafe.Sizeof(*v)), uint64(*v), s)
	*v = T(n)
	return overlong
}

// Zigzag is Uvarint for a signed integer: 0, -1, 1, -2 and so on are written as 0, 1, 2, 3.
func Zigzag[T ~int32 | ~int64](c *Cursor, name string, v *T) (overlong bool) {
	n, overlong := c.varint(name, Int, 8*int(unsafe.Sizeof(*v)), uint64(*v), nil)
	*v = T(n)
	return overlong
}

// varint walks a number of at most the given number of bits. If the number cannot be read, it returns v.
func (c *Cursor) varint(name string, k Kind, bits int, v uint64, s Symbols) (n uint64, overlong bool) {
	switch c.mode {
	case reading:
		raw, size := groups(c.Peek(), bits)
		if size == 0 {
			c.fail(FieldError{Field: name, Need: bits / 8, Have: bits/8 + 1, Err: ErrTooLarge})
		}
		if c.take(name, size) == nil {
			return v, false
		}
		v, overlong = raw, size > 1 && raw>>(groupBits*(size-1)) == 0
		if k == Int {
			v = uint64(int64(raw>>1) ^ -int64(raw&1))
		}
		c.inexact = c.inexact || overlong
		if c.tree != nil {
			leaf := c.leaf(name, k)
			leaf.Num, leaf.Symbols = v, s
		}
	case writing:
		raw := v
		if k == Int {
			raw = uint64(int64(v)<<1 ^ int64(v)>>63)
		}
		c.storeGroups(raw)
	case describing:
		c.schema.add(Field{Name: name, Kind: k, Bits: bits, Symbols: s})
	}
	return v, overlong
}

func (c *Cursor) storeGroups(n uint64) {
	for ; n >= 1<<groupBits; n >>= groupBits {
		c.store(1, n|1<<groupBits)
	}
	c.store(1, n)
}

// LeadingUvarint reads the Uvarint at the start of data, for splitters and probes. It also returns the size of the
// Uvarint in bytes. The size is NeedMore if the data ends within the Uvarint, and NoMessage if the Uvarint has more
// than most bytes.
func LeadingUvarint(data []byte, most int) (n uint64, size int) {
	n, size = groups(data[:min(most, len(data))], 64)
	switch {
	case size == 0 || size > most:
		return 0, NoMessage
	case size > len(data):
		return 0, NeedMore
	}
	return n, size
}

// groups reads a number in groups of seven bits. It also returns the number's size in bytes. If the data ends within
// the number, the size is one more than the size of the data. If the number has more than the given number of bits, the
// size is 0.
func groups(p []byte, bits int) (n uint64, size int) {
	for i, x := range p {
		shift := groupBits * i
		if shift >= bits || uint64(x&0x7f)<<shift>>shift != uint64(x&0x7f) || bits < 64 && uint64(x&0x7f)<<shift>>bits != 0 {
			return 0, 0
		}
		n |= uint64(x&0x7f) << shift
		if x < 0x80 {
			return n, i + 1
		}
	}
	return 0, len(p) + 1
}
