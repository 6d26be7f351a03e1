package wire_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// TestVarint reads and writes numbers of variable length, with 32 and 64 bits. Numbers with more bytes than needed must
// be reported.
func TestVarint(t *testing.T) {
	const tooLarge = "\x80\x80\x80\x80\x10" // sets bit 32
	for _, c := range []struct {
		data     string
		short    uint32
		signed   int32
		long     uint64
		overlong bool
	}{
		{"\x00", 0, 0, 0, false},
		{"\x01", 1, -1, 1, false},
		{"\x7f", 127, -64, 127, false},
		{"\xac\x02", 300, 150, 300, false},
		{"\x81\x00", 1, -1, 1, true},
		{"\x80\x80\x00", 0, 0, 0, true},
		{"\xff\xff\xff\xff\x0f", 1<<32 - 1, -1 << 31, 1<<32 - 1, false},
		{"\xfe\xff\xff\xff\x0f", 1<<32 - 2, 1<<31 - 1, 1<<32 - 2, false},
	} {
		var short uint32
		var signed int32
		var long uint64
		var marks [3]bool
		walk := func(c *wire.Cursor) {
			marks = [3]bool{wire.Uvarint(c, "short", &short), wire.Zigzag(c, "signed", &signed), wire.Uvarint(c, "long", &long)}
		}
		all := bytes.Repeat([]byte(c.data), 3)
		l := readWhole(t, all, walk)
		if short != c.short || signed != c.signed || long != c.long || marks != [3]bool{c.overlong, c.overlong, c.overlong} || l.Exact() == c.overlong {
			t.Errorf("%q: %d %d %d, overlong %v, exact %t", c.data, short, signed, long, marks, l.Exact())
		}
		tree := l.annotate(t)
		if n := tree.Find("signed"); n.Kind != wire.Int || int32(n.Num) != c.signed || int(n.Off) != len(c.data) || int(n.Size) != len(c.data) {
			t.Errorf("%q: %+v", c.data, n)
		}
		if got, _ := write(t, false, walk); !c.overlong && !bytes.Equal(got, all) {
			t.Errorf("%q is written as %q", all, got)
		}
	}
	var short uint32
	var long uint64
	_, err := read(t, []byte(tooLarge), func(c *wire.Cursor) { wire.Uvarint(c, "short", &short) })
	if !errors.Is(err, wire.ErrTooLarge) {
		t.Errorf("33 bits: %v", err)
	}
	readWhole(t, []byte(tooLarge), func(c *wire.Cursor) { wire.Uvarint(c, "long", &long) })
	readWhole(t, []byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), func(c *wire.Cursor) { wire.Uvarint(c, "long", &long) })
	if long != 1<<64-1 {
		t.Errorf("the largest is %x", long)
	}
	for _, many := range []string{"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00"} {
		if _, err := read(t, []byte(many), func(c *wire.Cursor) { wire.Uvarint(c, "long", &long) }); !errors.Is(err, wire.ErrTooLarge) {
			t.Errorf("%q: %v", many, err)
		}
	}
	_, err = read(t, []byte("\x80\x80"), func(c *wire.Cursor) { wire.Uvarint(c, "long", &long) })
	checkError(t, err, "long", "long at offset 0 needs 3 bytes, 2 left")
}

// FixUvarint sets a length of variable size to the size of the rest of the message. A splitter then finds the end of
// the written message.
func TestFixUvarint(t *testing.T) {
	names := wire.Symbols{{Value: 300, Name: "many"}}
	lengths := &wire.ByLength{Varint: true, Bytes: 3, Least: 3, Most: 1 << 20}
	for _, size := range []int{1, 125, 126, 127, 16381, 16382} {
		length, kind, text := uint32(0), uint32(300), bytes.Repeat([]byte("x"), size)
		l := &toy{Base: wire.Base{Body: toyBody{}}, walk: func(c *wire.Cursor) {
			wire.Uvarint(c, "length", &length)
			wire.EnumUvarint(c, "kind", &kind, names)
			wire.Rest(c, "text", &text)
		}}
		if err := l.FixUvarint(l, gopacket.SerializeOptions{}, &length, 0); err != nil || length != 0 {
			t.Errorf("%d bytes: the length was set without FixLengths: %d, %v", size, length, err)
		}
		if err := l.FixUvarint(l, gopacket.SerializeOptions{FixLengths: true}, &length, 0); err != nil || int(length) != size+2 {
			t.Errorf("%d bytes: length %d, %v", size, length, err)
		}
		out, err := l.write(t, false)
		if n := lengths.Next(wire.Unknown, out, false, new(wire.Progress)); err != nil || n != len(out) {
			t.Errorf("%d bytes: %d written, the splitter finds %d, %v", size, len(out), n, err)
		}
		n := readWhole(t, out, l.walk).annotate(t).Find("kind")
		if n.Kind != wire.Enum || n.Num != 300 || len(n.Symbols) != 1 {
			t.Errorf("%+v", n)
		}
	}
}

// TestWidths reads and writes numbers of 24 to 128 bits in both byte orders. Each message begins in the default order.
func TestWidths(t *testing.T) {
	names := wire.Symbols{{Value: 0x01020304, Name: "four"}}
	var three, four uint32
	var eight int64
	var ip [16]byte
	walk := func(c *wire.Cursor) {
		wire.U24(c, "three", &three)
		c.LittleEndian()
		wire.U24(c, "little", &three)
		c.BigEndian()
		wire.Enum32(c, "four", &four, names)
		wire.I64(c, "eight", &eight)
		wire.IPv6(c, "ip", &ip)
		c.LittleEndian()
	}
	data := []byte("\x01\x02\x03\x03\x02\x01\x01\x02\x03\x04\xff\xff\xff\xff\xff\xff\xff\xfe\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01")
	l := readWhole(t, data, walk)
	if err := l.read(t, data); err != nil {
		t.Fatal(err)
	}
	tree := l.annotate(t)
	if three != 0x010203 || four != 0x01020304 || eight != -2 || ip[15] != 1 || tree.Find("three").Num != uint64(three) {
		t.Errorf("%x %x %d %v", three, four, eight, ip)
	}
	if got, err := write(t, false, walk); err != nil || !bytes.Equal(got, data) {
		t.Errorf("written as %x: %v", got, err)
	}
}
