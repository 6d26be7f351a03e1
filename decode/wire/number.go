package wire

import (
	"encoding/binary"
	"math"
)

// U8 walks an unsigned integer of one byte.
func U8[T ~uint8](c *Cursor, name string, v *T) {
	if b := c.quick(1); b != nil {
		*v = T(b[0])
		return
	}
	*v = T(c.number(name, Uint, 1, uint64(*v), nil))
}

// U16 walks an unsigned integer of two bytes.
func U16[T ~uint16](c *Cursor, name string, v *T) {
	if b := c.quick(2); b != nil {
		*v = T(c.load16(b))
		return
	}
	*v = T(c.number(name, Uint, 2, uint64(*v), nil))
}

// U32 walks an unsigned integer of four bytes.
func U32[T ~uint32](c *Cursor, name string, v *T) {
	if b := c.quick(4); b != nil {
		*v = T(c.load32(b))
		return
	}
	*v = T(c.number(name, Uint, 4, uint64(*v), nil))
}

// U64 walks an unsigned integer of eight bytes.
func U64[T ~uint64](c *Cursor, name string, v *T) {
	if b := c.quick(8); b != nil {
		*v = T(c.load64(b))
		return
	}
	*v = T(c.number(name, Uint, 8, uint64(*v), nil))
}

// U24 walks an unsigned integer of three bytes.
func U24[T ~uint32](c *Cursor, name string, v *T) {
	*v = T(c.number(name, Uint, 3, uint64(*v), nil))
}

// I16 walks a signed integer of two bytes.
func I16[T ~int16](c *Cursor, name string, v *T) {
	if b := c.quick(2); b != nil {
		*v = T(c.load16(b))
		return
	}
	*v = T(c.number(name, Int, 2, uint64(*v), nil))
}

// I32 walks a signed integer of four bytes.
func I32[T ~int32](c *Cursor, name string, v *T) {
	if b := c.quick(4); b != nil {
		*v = T(c.load32(b))
		return
	}
	*v = T(c.number(name, Int, 4, uint64(*v), nil))
}

// I64 walks a signed integer of eight bytes.
func I64[T ~int64](c *Cursor, name string, v *T) {
	*v = T(c.number(name, Int, 8, uint64(*v), nil))
}

// Enum8 walks an unsigned integer of one byte whose values have names.
func Enum8[T ~uint8](c *Cursor, name string, v *T, s Symbols) {
	if b := c.quick(1); b != nil {
		*v = T(b[0])
		return
	}
	*v = T(c.number(name, Enum, 1, uint64(*v), s))
}

// Enum16 walks an unsigned integer of two bytes whose values have names.
func Enum16[T ~uint16](c *Cursor, name string, v *T, s Symbols) {
	if b := c.quick(2); b != nil {
		*v = T(c.load16(b))
		return
	}
	*v = T(c.number(name, Enum, 2, uint64(*v), s))
}

// Enum32 walks an unsigned integer of four bytes whose values have names.
func Enum32[T ~uint32](c *Cursor, name string, v *T, s Symbols) {
	*v = T(c.number(name, Enum, 4, uint64(*v), s))
}

// EnumI16 walks a signed integer of two bytes whose values have names.
func EnumI16[T ~int16](c *Cursor, name string, v *T, s Symbols) {
	if b := c.quick(2); b != nil {
		*v = T(c.load16(b))
		return
	}
	*v = T(c.number(name, SignedEnum, 2, uint64(*v), s))
}

// Bits8 walks one byte whose bits have names.
func Bits8[T ~uint8](c *Cursor, name string, v *T, s Symbols) {
	if b := c.quick(1); b != nil {
		*v = T(b[0])
		return
	}
	*v = T(c.number(name, Bits, 1, uint64(*v), s))
}

// Bits16 walks two bytes whose bits have names.
func Bits16[T ~uint16](c *Cursor, name string, v *T, s Symbols) {
	if b := c.quick(2); b != nil {
		*v = T(c.load16(b))
		return
	}
	*v = T(c.number(name, Bits, 2, uint64(*v), s))
}

// F32 walks an IEEE 754 number of four bytes.
func F32(c *Cursor, name string, v *float32) {
	if b := c.quick(4); b != nil {
		*v = math.Float32frombits(c.load32(b))
		return
	}
	*v = math.Float32frombits(uint32(c.number(name, Float, 4, uint64(math.Float32bits(*v)), nil)))
}

// A Bool is a byte that means false if it is zero. It keeps the byte, so writing a message produces the bytes that were
// read.
type Bool uint8

// True reports whether the byte means true.
func (b Bool) True() bool { return b != 0 }

// Bool8 walks a boolean of one byte.
func Bool8(c *Cursor, name string, v *Bool) {
	if b := c.quick(1); b != nil {
		*v = Bool(b[0])
		return
	}
	*v = Bool(c.number(name, Boolean, 1, uint64(*v), nil))
}

// Vec3 walks three floats: x, y, z.
func Vec3(c *Cursor, name string, v *[3]float32) {
	if b := c.quick(12); b != nil {
		c.loadVec3(b, v)
		return
	}
	switch c.mode {
	case reading:
		b := c.take(name, 12)
		if b == nil {
			return
		}
		c.loadVec3(b, v)
		if c.tree != nil {
			c.leaf(name, Vector).Vec = *v
		}
	case writing:
		for _, f := range v {
			c.store(4, uint64(math.Float32bits(f)))
		}
	case describing:
		c.schema.add(Field{Name: name, Kind: Vector})
	}
}

// Named8 walks a number of one byte, such as a player's number, that may have a name in the context's Roster. It sets
// called to the name, or "". s names the numbers with a special meaning.
func Named8[T ~uint8](c *Cursor, name string, v *T, called *string, s Symbols) {
	if c.mode == describing {
		c.schema.add(Field{Name: name, Kind: Enum, Bits: 8, Symbols: s, Named: true})
		return
	}
	if b := c.quick(1); b != nil {
		*v = T(b[0])
	} else {
		*v = T(c.number(name, Enum, 1, uint64(*v), s))
		if c.mode != reading || c.failed {
			return
		}
	}
	*called = ""
	if c.ctx.Roster != nil {
		*called = c.ctx.Roster.Name(uint64(*v))
	}
	if c.tree != nil && *called != "" {
		c.tree.Nodes[len(c.tree.Nodes)-1].Bytes = c.tree.text(func(b []byte) []byte { return append(b, *called...) })
	}
}

// ScaledI16 walks a number that the message contains as an integer multiple of a unit. The multiple is a signed integer
// of two bytes.
func ScaledI16(c *Cursor, name string, v *float32, unit float64) {
	if b := c.quick(2); b != nil {
		*v = scaled(c.load16(b), unit)
		return
	}
	switch c.mode {
	case reading:
		if b := c.take(name, 2); b != nil {
			*v = scaled(c.load16(b), unit)
			if c.tree != nil {
				c.leaf(name, Float).Num = uint64(math.Float32bits(*v))
			}
		}
	case writing:
		c.scale(name, *v, unit)
	case describing:
		c.schema.add(Field{Name: name, Kind: Float, Bits: 16})
	}
}

// ScaledVec3 walks three numbers x, y and z, each like ScaledI16.
func ScaledVec3(c *Cursor, name string, v *[3]float32, unit float64) {
	if b := c.quick(6); b != nil {
		c.scaleVec3(b, v, unit)
		return
	}
	switch c.mode {
	case reading:
		b := c.take(name, 6)
		if b == nil {
			return
		}
		c.scaleVec3(b, v, unit)
		if c.tree != nil {
			c.leaf(name, Vector).Vec = *v
		}
	case writing:
		for _, f := range v {
			c.scale(name, f, unit)
		}
	case describing:
		c.schema.add(Field{Name: name, Kind: Vector})
	}
}

func (c *Cursor) scaleVec3(b []byte, v *[3]float32, unit float64) {
	_ = b[5]
	v[0], v[1], v[2] = scaled(c.load16(b), unit), scaled(c.load16(b[2:]), unit), scaled(c.load16(b[4:]), unit)
}

// scaled rounds only to float32, so scale can compute the multiple again.
func scaled(count uint16, unit float64) float32 { return float32(float64(int16(count)) * unit) }

func (c *Cursor) scale(name string, v float32, unit float64) {
	n := math.Round(float64(v) / unit)
	if !(n >= math.MinInt16 && n <= math.MaxInt16) { // the negation also finds NaN
		c.fail(FieldError{Field: name, Need: math.MaxInt16, Have: int(max(min(n, math.MaxInt32), math.MinInt32)),
			Err: ErrTooLarge})
		return
	}
	c.store(2, uint64(int16(n)))
}

// Count8 walks a count of one byte and returns it for the List after it. When a message is written with FixLengths,
// Count8 sets the count to have, which is the number of elements.
func Count8[T ~uint8](c *Cursor, name string, v *T, have int) Count {
	if c.fix {
		if have > math.MaxUint8 {
			c.fail(FieldError{Field: name, Need: math.MaxUint8, Have: have, Err: ErrTooLarge})
			return 0
		}
		*v = T(have)
	}
	U8(c, name, v)
	return Count(*v)
}

// Count16 is Count8 for a count of two bytes.
func Count16[T ~uint16](c *Cursor, name string, v *T, have int) Count {
	if c.fix {
		if have > math.MaxUint16 {
			c.fail(FieldError{Field: name, Need: math.MaxUint16, Have: have, Err: ErrTooLarge})
			return 0
		}
		*v = T(have)
	}
	U16(c, name, v)
	return Count(*v)
}

// number walks an integer (or the bits of a float) of the given width. It returns the value, sign extended if the kind
// is signed. If the value cannot be read, number returns v.
func (c *Cursor) number(name string, k Kind, width int, v uint64, s Symbols) uint64 {
	switch c.mode {
	case reading:
		b := c.take(name, width)
		if b == nil {
			return v
		}
		v = c.load(b)
		if k == Int || k == SignedEnum {
			shift := 64 - 8*width
			v = uint64(int64(v<<shift) >> shift)
		}
		if c.tree != nil {
			n := c.leaf(name, k)
			n.Num, n.Symbols = v, s
		}
	case writing:
		c.store(width, v)
	case describing:
		c.schema.add(Field{Name: name, Kind: k, Bits: 8 * width, Symbols: s})
	}
	return v
}

// load reads an unsigned integer in the current byte order.
func (c *Cursor) load(b []byte) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(c.load16(b))
	case 3:
		if c.little {
			return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16
		}
		return uint64(b[0])<<16 | uint64(b[1])<<8 | uint64(b[2])
	case 4:
		return uint64(c.load32(b))
	}
	return c.load64(b)
}

func (c *Cursor) load16(b []byte) uint16 {
	if c.little {
		return binary.LittleEndian.Uint16(b)
	}
	return binary.BigEndian.Uint16(b)
}

func (c *Cursor) load32(b []byte) uint32 {
	if c.little {
		return binary.LittleEndian.Uint32(b)
	}
	return binary.BigEndian.Uint32(b)
}

func (c *Cursor) load64(b []byte) uint64 {
	if c.little {
		return binary.LittleEndian.Uint64(b)
	}
	return binary.BigEndian.Uint64(b)
}

func (c *Cursor) loadVec3(b []byte, v *[3]float32) {
	for i := range v {
		v[i] = math.Float32frombits(c.load32(b[4*i:]))
	}
}

// store appends the low bytes of v in the current byte order.
func (c *Cursor) store(width int, v uint64) {
	if c.failed {
		return
	}
	for i := range width {
		shift := 8 * (width - 1 - i)
		if c.little {
			shift = 8 * i
		}
		c.data = append(c.data, byte(v>>shift))
	}
}
