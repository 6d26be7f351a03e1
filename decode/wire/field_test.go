package wire_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// fieldCase is a field in all the forms that the tests compare. make returns a function that walks the field into a new
// variable, and a function that returns the variable's value.
type fieldCase struct {
	name   string
	data   []byte // bytes on the wire
	little bool
	make   func() (walk func(*wire.Cursor), value func() any)
	want   any
	node   wire.Node  // without name and position
	field  wire.Field // without name
}

// field returns a case for one of the typed functions.
func field[T any](name string, walk func(*wire.Cursor, string, *T), data string, want T, node wire.Node) fieldCase {
	bits := 0
	switch node.Kind {
	case wire.Uint, wire.Int, wire.Float, wire.Boolean, wire.Enum, wire.SignedEnum, wire.Bits, wire.Address:
		bits = 8 * len(data)
	}
	return fieldCase{
		name: name, data: []byte(data), want: want, node: node,
		field: wire.Field{Kind: node.Kind, Bits: bits, Symbols: node.Symbols},
		make: func() (func(*wire.Cursor), func() any) {
			var v T
			return func(c *wire.Cursor) { walk(c, "f", &v) }, func() any { return v }
		},
	}
}

// little returns the case in little-endian byte order.
func little(f fieldCase) fieldCase {
	f.name += ", little endian"
	f.little = true
	return f
}

// bitsOf returns the case for a field of n bits whose variable has another size.
func bitsOf(n int, f fieldCase) fieldCase {
	f.field.Bits = n
	return f
}

func num(k wire.Kind, n uint64) wire.Node { return wire.Node{Kind: k, Num: n} }

func minus(n int64) uint64 { return uint64(-n) }

type colour uint16

func numberCases() []fieldCase {
	names := wire.Symbols{{Value: -1, Name: "none"}, {Value: 2, Name: "two"}, {Value: 0x0203, Name: "many"}}
	named := func(k wire.Kind, n uint64) wire.Node { return wire.Node{Kind: k, Num: n, Symbols: names} }
	enum8 := func(c *wire.Cursor, n string, v *uint8) { wire.Enum8(c, n, v, names) }
	enum16 := func(c *wire.Cursor, n string, v *colour) { wire.Enum16(c, n, v, names) }
	enumI16 := func(c *wire.Cursor, n string, v *int16) { wire.EnumI16(c, n, v, names) }
	bits8 := func(c *wire.Cursor, n string, v *uint8) { wire.Bits8(c, n, v, names) }
	bits16 := func(c *wire.Cursor, n string, v *uint16) { wire.Bits16(c, n, v, names) }
	count8 := func(c *wire.Cursor, n string, v *uint8) { wire.Count8(c, n, v, 99) }
	count16 := func(c *wire.Cursor, n string, v *uint16) { wire.Count16(c, n, v, 99) }
	scaled := func(c *wire.Cursor, n string, v *float32) { wire.ScaledI16(c, n, v, 0.02) }
	scaled3 := func(c *wire.Cursor, n string, v *[3]float32) { wire.ScaledVec3(c, n, v, 0.02) }
	return []fieldCase{
		field("U8", wire.U8[uint8], "\x9c", 0x9c, num(wire.Uint, 0x9c)),
		field("U16", wire.U16[uint16], "\x9c\x02", 0x9c02, num(wire.Uint, 0x9c02)),
		little(field("U16", wire.U16[uint16], "\x9c\x02", 0x029c, num(wire.Uint, 0x029c))),
		field("U32", wire.U32[uint32], "\x9c\x02\x03\x04", 0x9c020304, num(wire.Uint, 0x9c020304)),
		little(field("U32", wire.U32[uint32], "\x01\x02\x03\x9c", 0x9c030201, num(wire.Uint, 0x9c030201))),
		field("U64", wire.U64[uint64], "\x9c\x02\x03\x04\x05\x06\x07\x08", 0x9c02030405060708, num(wire.Uint, 0x9c02030405060708)),
		little(field("U64", wire.U64[uint64], "\x01\x02\x03\x04\x05\x06\x07\x9c", 0x9c07060504030201, num(wire.Uint, 0x9c07060504030201))),

		field("I16", wire.I16[int16], "\x7f\xfe", 0x7ffe, num(wire.Int, 0x7ffe)),
		field("I16 negative", wire.I16[int16], "\xff\xfe", -2, num(wire.Int, minus(2))),
		little(field("I16 negative", wire.I16[int16], "\xff\xfe", -257, num(wire.Int, minus(257)))),
		field("I32", wire.I32[int32], "\x7f\xff\xff\xff", math.MaxInt32, num(wire.Int, math.MaxInt32)),
		field("I32 negative", wire.I32[int32], "\x80\x00\x00\x00", math.MinInt32, num(wire.Int, minus(1<<31))),
		little(field("I32 negative", wire.I32[int32], "\xfe\xff\xff\xff", -2, num(wire.Int, minus(2)))),

		field("Enum8", enum8, "\x02", 2, named(wire.Enum, 2)),
		field("Enum8 is unsigned", enum8, "\xff", 255, named(wire.Enum, 255)),
		field("Enum16", enum16, "\x02\x03", colour(0x0203), named(wire.Enum, 0x0203)),
		little(field("Enum16", enum16, "\x03\x02", colour(0x0203), named(wire.Enum, 0x0203))),
		field("EnumI16", enumI16, "\xff\xff", -1, named(wire.SignedEnum, minus(1))),
		little(field("EnumI16", enumI16, "\x00\x80", -32768, named(wire.SignedEnum, minus(32768)))),
		field("Bits8", bits8, "\x81", 0x81, named(wire.Bits, 0x81)),
		field("Bits16", bits16, "\x81\x02", 0x8102, named(wire.Bits, 0x8102)),
		little(field("Bits16", bits16, "\x81\x02", 0x0281, named(wire.Bits, 0x0281))),

		field("F32", wire.F32, "\x3f\x80\x00\x00", 1, num(wire.Float, 0x3f800000)),
		little(field("F32", wire.F32, "\x00\x00\x80\xbf", -1, num(wire.Float, 0xbf800000))),
		field("Bool8 false", wire.Bool8, "\x00", wire.Bool(0), num(wire.Boolean, 0)),
		field("Bool8 true", wire.Bool8, "\x01", wire.Bool(1), num(wire.Boolean, 1)),
		field("Bool8 odd", wire.Bool8, "\xa5", wire.Bool(0xa5), num(wire.Boolean, 0xa5)),
		field("Count8", count8, "\x07", 7, num(wire.Uint, 7)),
		field("Count16", count16, "\x07\x01", 0x0701, num(wire.Uint, 0x0701)),
		little(field("Count16", count16, "\x07\x01", 0x0107, num(wire.Uint, 0x0107))),
		bitsOf(16, field("ScaledI16", scaled, "\x01\x00", 5.12, num(wire.Float, uint64(math.Float32bits(5.12))))),
		bitsOf(16, field("ScaledI16 negative", scaled, "\x80\x00", -655.36, num(wire.Float, uint64(math.Float32bits(-655.36))))),
		bitsOf(16, little(field("ScaledI16", scaled, "\x01\x00", 0.02, num(wire.Float, uint64(math.Float32bits(0.02)))))),
		field("ScaledVec3", scaled3, "\x00\x01\xff\xff\x7f\xff", [3]float32{0.02, -0.02, 655.34},
			wire.Node{Kind: wire.Vector, Vec: [3]float32{0.02, -0.02, 655.34}}),
		field("Vec3", wire.Vec3, "\x3f\x80\x00\x00\xc0\x00\x00\x00\x00\x00\x00\x00", [3]float32{1, -2, 0},
			wire.Node{Kind: wire.Vector, Vec: [3]float32{1, -2, 0}}),
		little(field("Vec3", wire.Vec3, "\x00\x00\x80\x3f\x00\x00\x00\xc0\x00\x00\x00\x00", [3]float32{1, -2, 0},
			wire.Node{Kind: wire.Vector, Vec: [3]float32{1, -2, 0}})),
	}
}

// prefixed returns the node of a text after a length of lead bytes.
func prefixed(lead uint8, s string) wire.Node {
	return wire.Node{Kind: wire.String, Bytes: []byte(s), Lead: lead}
}

func textCases() []fieldCase {
	text := func(s string) wire.Node { return wire.Node{Kind: wire.String, Bytes: []byte(s)} }
	fixed := func(n int) func(*wire.Cursor, string, *[]byte) {
		return func(c *wire.Cursor, name string, v *[]byte) { wire.Text(c, name, v, n) }
	}
	opaque := func(c *wire.Cursor, name string, v *[3]byte) { wire.Opaque(c, name, v[:]) }
	tag := func(c *wire.Cursor, name string, v *[3]byte) { wire.Tag(c, name, v[:]) }
	word := func(c *wire.Cursor, name string, v *[3]byte) { wire.Word(c, name, v[:]) }
	slice := func(c *wire.Cursor, name string, v *[]byte) { wire.Slice(c, name, v, 3) }
	long := strings.Repeat("x", 300)
	return []fieldCase{
		field("Text", fixed(5), "abc\x00\x00", []byte("abc\x00\x00"), text("abc")),
		field("Text full", fixed(5), "abcde", []byte("abcde"), text("abcde")),
		field("Text empty", fixed(2), "\x00\x00", []byte("\x00\x00"), text("")),
		field("Text with a dirty end", fixed(5), "ab\x00yz", []byte("ab\x00yz"), text("ab")),
		field("Text of no bytes", fixed(0), "", []byte{}, text("")),
		field("Text8", wire.Text8, "\x03abc", []byte("abc"), prefixed(1, "abc")),
		field("Text8 empty", wire.Text8, "\x00", []byte{}, prefixed(1, "")),
		field("Text8 with NUL", wire.Text8, "\x03a\x00c", []byte("a\x00c"), prefixed(1, "a\x00c")),
		field("Text8 longest", wire.Text8, "\xff"+long[:255], []byte(long[:255]), prefixed(1, long[:255])),
		field("TextLEB", wire.TextLEB, "\x03abc", []byte("abc"), prefixed(1, "abc")),
		field("TextLEB empty", wire.TextLEB, "\x00", []byte{}, prefixed(1, "")),
		field("TextLEB of 127", wire.TextLEB, "\x7f"+long[:127], []byte(long[:127]), prefixed(1, long[:127])),
		field("TextLEB of 128", wire.TextLEB, "\x80\x01"+long[:128], []byte(long[:128]), prefixed(2, long[:128])),
		field("TextLEB of 300", wire.TextLEB, "\xac\x02"+long, []byte(long), prefixed(2, long)),
		field("Text16", wire.Text16, "\x00\x03abc", []byte("abc"), prefixed(2, "abc")),
		little(field("Text16", wire.Text16, "\x03\x00abc", []byte("abc"), prefixed(2, "abc"))),
		field("Text16 of 300", wire.Text16, "\x01\x2c"+long, []byte(long), prefixed(2, long)),
		field("Text32", wire.Text32, "\x00\x00\x00\x03abc", []byte("abc"), prefixed(4, "abc")),
		field("Text32 empty", wire.Text32, "\x00\x00\x00\x00", []byte{}, prefixed(4, "")),
		field("TextZ", wire.TextZ, "abc\x00", []byte("abc"), text("abc")),
		field("TextZ empty", wire.TextZ, "\x00", []byte{}, text("")),
		field("Opaque", opaque, "\x00\xff\x1b", [3]byte{0, 255, 27}, wire.Node{Kind: wire.Bytes, Bytes: []byte("\x00\xff\x1b")}),
		field("Tag", tag, "abc", [3]byte{'a', 'b', 'c'}, text("abc")),
		field("Tag with NUL", tag, "a\x00\x00", [3]byte{'a'}, text("a\x00\x00")),
		field("Word", word, "abc", [3]byte{'a', 'b', 'c'}, text("abc")),
		field("Word with NUL", word, "a\x00\x00", [3]byte{'a'}, text("a")),
		field("Slice", slice, "\x00\xff\x1b", []byte("\x00\xff\x1b"), wire.Node{Kind: wire.Bytes, Bytes: []byte("\x00\xff\x1b")}),
		field("IPv4", wire.IPv4, "\xc0\x00\x02\x01", [4]byte{192, 0, 2, 1}, wire.Node{Kind: wire.Address, Bytes: []byte{192, 0, 2, 1}}),
		little(field("IPv4", wire.IPv4, "\xc0\x00\x02\x01", [4]byte{192, 0, 2, 1}, wire.Node{Kind: wire.Address, Bytes: []byte{192, 0, 2, 1}})),
	}
}

func TestFields(t *testing.T) {
	for _, c := range append(numberCases(), textCases()...) {
		t.Run(c.name, func(t *testing.T) {
			checkField(t, &c)
			checkFieldCut(t, &c)
		})
	}
}

// between walks the field between two other bytes, which show whether it begins and ends at the right places.
func (f *fieldCase) between(before, after *uint8) (func(*wire.Cursor), func() any) {
	walk, value := f.make()
	return func(c *wire.Cursor) {
		if f.little {
			c.LittleEndian()
		}
		wire.U8(c, "before", before)
		walk(c)
		wire.U8(c, "after", after)
	}, value
}

func checkField(t *testing.T, f *fieldCase) {
	t.Helper()
	data := append(append([]byte{0xaa}, f.data...), 0xbb)
	var before, after uint8
	walk, value := f.between(&before, &after)

	l := readWhole(t, data, walk)
	if diff := cmp.Diff(f.want, value()); diff != "" || before != 0xaa || after != 0xbb {
		t.Errorf("value between %#x and %#x:\n%s", before, after, diff)
	}
	if !l.Exact() {
		t.Error("not exact")
	}

	tree := l.annotate(t)
	checkNames(t, tree, "before", "f", "after")
	want := f.node
	want.Name, want.Off, want.Size, want.Next = "f", 1, int32(len(f.data)), 2
	if diff := cmp.Diff(want, tree.Nodes[1]); diff != "" {
		t.Errorf("node:\n%s", diff)
	}

	out, err := l.write(t, false)
	if err != nil || !bytes.Equal(out, data) {
		t.Errorf("written as % x, %v; want % x", out, err, data)
	}

	wantField := f.field
	wantField.Name = "f"
	if diff := cmp.Diff(wantField, describe(walk)[1]); diff != "" {
		t.Errorf("description:\n%s", diff)
	}
}

// checkFieldCut ends the message at each byte of the field.
func checkFieldCut(t *testing.T, f *fieldCase) {
	t.Helper()
	for n := range f.data {
		var before, after uint8
		walk, value := f.between(&before, &after)
		_, zero := f.make()
		l, err := read(t, append([]byte{0xaa}, f.data[:n]...), walk)
		switch {
		case err == nil:
			t.Fatalf("cut at %d: no error", n)
		case err.Path() != "f" || err.Offset != 1 || err.Have != n || err.Need <= n || err.Need > len(f.data) || !errors.Is(err, wire.ErrShort):
			t.Fatalf("cut at %d: %+v", n, err)
		case before != 0xaa || after != 0 || !cmp.Equal(zero(), value()):
			t.Fatalf("cut at %d: %v between %#x and %#x", n, value(), before, after)
		case l.Exact():
			t.Fatalf("cut at %d: exact", n)
		}
		want := []string{"before", "undecoded"}[:min(n, 1)+1]
		checkNames(t, l.annotate(t), want...)
	}
}

// The bits of a NaN must be kept. A quiet NaN must not replace a signalling one.
func TestFloatsKeepTheirBits(t *testing.T) {
	for _, bits := range []uint32{0x7fc00000, 0x7f800001, 0xff812345, 0xffffffff, 0x80000000, 0x00000001, 0x7f800000} {
		for _, little := range []bool{false, true} {
			var f float32
			var v [3]float32
			walk := func(c *wire.Cursor) {
				if little {
					c.LittleEndian()
				}
				wire.F32(c, "f", &f)
				wire.Vec3(c, "v", &v)
			}
			word := []byte{byte(bits >> 24), byte(bits >> 16), byte(bits >> 8), byte(bits)}
			if little {
				word = []byte{word[3], word[2], word[1], word[0]}
			}
			data := bytes.Repeat(word, 4)
			l := readWhole(t, data, walk)
			tree := l.annotate(t)
			if math.Float32bits(f) != bits || math.Float32bits(v[2]) != bits ||
				uint32(tree.Nodes[0].Num) != bits || math.Float32bits(tree.Nodes[1].Vec[0]) != bits {
				t.Errorf("%#x: %#x, %#x", bits, math.Float32bits(f), math.Float32bits(v[2]))
			}
			if out, err := l.write(t, false); err != nil || !bytes.Equal(out, data) {
				t.Errorf("%#x: written as % x, %v", bits, out, err)
			}
		}
	}
}

func TestBool(t *testing.T) {
	for b, want := range map[wire.Bool]bool{0: false, 1: true, 2: true, 255: true} {
		if b.True() != want {
			t.Errorf("%d is %t", b, b.True())
		}
	}
}
