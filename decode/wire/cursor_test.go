package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

var toyRule = &wire.Rule{ID: "toy.rule", Severity: wire.Warning, Title: "a toy"}

// After the first error, calls change neither the cursor nor the variables.
func TestErrorsStick(t *testing.T) {
	var (
		u8   uint8 = 9
		u16  uint16
		text []byte
		raw  = [3]byte{1, 2, 3}
		ip   = [4]byte{4}
		vec  = [3]float32{5}
		has  bool
	)
	l, err := read(t, []byte{1, 2, 4, 4, 5, 6}, func(c *wire.Cursor) {
		wire.U16(c, "before", &u16)
		wire.Text8(c, "broken", &text) // the count is 4, but only three bytes follow
		at := c.Offset()
		wire.U8(c, "after", &u8)
		wire.Text8(c, "after", &text)
		wire.TextLEB(c, "after", &text)
		wire.TextZ(c, "after", &text)
		wire.Text(c, "after", &text, 0)
		wire.TextUpTo(c, "after", &text, 9)
		wire.Rest(c, "after", &text)
		wire.Trailing(c, &text)
		wire.Opaque(c, "after", raw[:])
		wire.Tag(c, "after", raw[:])
		wire.IPv4(c, "after", &ip)
		wire.Vec3(c, "after", &vec)
		c.Computed("after", func(b []byte) []byte { return b })
		c.ComputedUint("after", 1)
		c.Begin("after")
		wire.U8(c, "inside", &u8)
		c.End()
		wire.List(c, "after", &[]pair{}, 3, 0, (*pair).walk)
		c.Report(toyRule, "after")
		if c.Present(&has, 0) || c.Left() != 0 || c.Peek() != nil || c.Offset() != at || !c.Failed() {
			t.Errorf("moved on to %d, %d left", c.Offset(), c.Left())
		}
		if string(c.From(4)) != "\x05\x06" || c.From(6) == nil || c.From(7) != nil {
			t.Error("From does not return the bytes after an error")
		}
	})
	checkError(t, err, "broken", "broken at offset 2 needs 5 bytes, 4 left")
	if u16 != 0x0102 || u8 != 9 || text != nil || raw != [3]byte{1, 2, 3} || ip != [4]byte{4} || vec != [3]float32{5} {
		t.Errorf("%d %d %q %v %v %v", u16, u8, text, raw, ip, vec)
	}
	if len(l.Findings()) != 0 {
		t.Errorf("findings %+v", l.Findings())
	}
	checkNames(t, l.annotate(t), "before", "undecoded")
}

func TestErrorsStickWhenWriting(t *testing.T) {
	b := uint8(1)
	long, short := make([]byte, 256), []byte("x")
	buffer := gopacket.NewSerializeBuffer()
	l := &toy{Base: wire.Base{Body: toyBody{}}, walk: func(c *wire.Cursor) {
		wire.U8(c, "before", &b)
		wire.Text8(c, "broken", &long)
		wire.Text8(c, "after", &short)
		wire.Text(c, "after", &long, 3)
		wire.Vec3(c, "after", &[3]float32{})
		if c.Offset() != 1 || !c.Failed() || !c.Writing() || c.Reading() {
			t.Errorf("moved on to %d", c.Offset())
		}
	}}
	err := l.SerializeTo(buffer, gopacket.SerializeOptions{})
	if at, ok := errors.AsType[*wire.FieldError](err); !ok || at.Offset != 1 || !errors.Is(err, wire.ErrTooLarge) || len(buffer.Bytes()) != 0 {
		t.Errorf("%v, % x", err, buffer.Bytes())
	}
}

func TestLimitAndMissing(t *testing.T) {
	const none = -1
	for _, c := range []struct {
		name              string
		data, missing     int // number of captured bytes, and of bytes cut off
		limit             int
		contents, payload int
		size              int
		cut               bool
	}{
		{"no limit", 10, 0, none, 10, 0, 10, false},
		{"no limit, cut", 10, 5, none, 10, 0, 15, true},
		{"inside", 10, 0, 6, 6, 4, 6, false},
		{"inside, cut", 10, 5, 6, 6, 4, 6, false},
		{"to the end", 10, 0, 10, 10, 0, 10, false},
		{"to the end of what is captured", 10, 5, 10, 10, 0, 10, false},
		{"in what is missing", 10, 5, 12, 10, 0, 12, true},
		{"to the end of what is missing", 10, 5, 15, 10, 0, 15, true},
		{"beyond", 10, 5, 16, 10, 0, 15, true},
		{"beyond, not cut", 10, 0, 11, 10, 0, 10, false},
		{"before the cursor", 10, 0, 1, 10, 0, 10, false},
		{"at the cursor", 10, 5, 2, 2, 8, 2, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var n uint16
			var rest []byte
			data := bytes.Repeat([]byte{7}, c.data)
			l := &toy{walk: func(cur *wire.Cursor) {
				wire.U16(cur, "n", &n)
				if cur.Limit(c.limit); cur.Truncated() != c.cut || cur.Size() != c.size {
					t.Errorf("size %d, cut %t", cur.Size(), cur.Truncated())
				}
				wire.Rest(cur, "rest", &rest)
			}}
			l.Context.Missing = c.missing
			if err := l.read(t, data); err != nil {
				t.Fatal(err)
			}
			if len(l.LayerContents()) != c.contents || len(l.LayerPayload()) != c.payload || cap(l.Contents) != c.contents ||
				l.Size() != c.size || l.Truncated() != c.cut || len(rest) != c.contents-2 {
				t.Errorf("%d bytes, %d after them, size %d, cut %t", len(l.Contents), len(l.Payload), l.Size(), l.Truncated())
			}
			l.annotate(t) // walks again; the result must be the same
		})
	}
}

// cutNote records whether a packet is truncated.
type cutNote bool

func (n *cutNote) SetTruncated() { *n = true }

func TestTruncationIsReportedToGopacket(t *testing.T) {
	for _, missing := range []int{0, 3} {
		var n uint32
		var note cutNote
		l := &toy{walk: func(c *wire.Cursor) { wire.U32(c, "n", &n) }}
		l.Context.Missing = missing
		if err := l.DecodeFromBytes([]byte{1}, &note); err == nil || bool(note) != (missing > 0) {
			t.Errorf("%d missing: %v, truncated %t", missing, err, note)
		}
	}
}

// When writing, Size counts the bytes written. Context.Missing does not matter.
func TestMissingIsNotWritten(t *testing.T) {
	l := &toy{Base: wire.Base{Body: toyBody{}}, walk: func(c *wire.Cursor) {
		var n uint16
		wire.U16(c, "n", &n)
		if c.Limit(1); c.Truncated() || c.Size() != 2 || c.Left() != 0 || c.Peek() != nil || c.From(0) != nil {
			t.Errorf("size %d, %d left", c.Size(), c.Left())
		}
	}}
	l.Context.Missing = 7
	if out, err := l.write(t, false); err != nil || len(out) != 2 {
		t.Errorf("% x, %v", out, err)
	}
}

func TestReport(t *testing.T) {
	var a uint8
	var b uint16
	l, err := read(t, []byte{1, 2, 3, 4}, func(c *wire.Cursor) {
		c.Report(toyRule, "at the start")
		wire.U8(c, "a", &a)
		c.Report(toyRule, "a is %d", a)
		wire.U16(c, "b", &b)
		c.Report(toyRule, "b")
		c.ReportRange(toyRule, 0, 3, "both")
		wire.U16(c, "late", &b)
		c.Report(toyRule, "not reported after an error")
		c.ReportRange(toyRule, 3, 1, "reported after an error")
	})
	want := []wire.Finding{
		{Rule: toyRule, Text: "at the start"},
		{Rule: toyRule, Text: "a is 1", Off: 0, Size: 1},
		{Rule: toyRule, Text: "b", Off: 1, Size: 2},
		{Rule: toyRule, Text: "both", Off: 0, Size: 3},
		{Rule: toyRule, Text: "reported after an error", Off: 3, Size: 1},
	}
	if diff := cmp.Diff(want, l.Findings()); diff != "" || err == nil {
		t.Errorf("%v:\n%s", err, diff)
	}
	l.annotate(t)
	if diff := cmp.Diff(want, l.Findings()); diff != "" {
		t.Errorf("after the tree was made:\n%s", diff)
	}
	if _, err := l.write(t, false); err != nil || len(l.Findings()) != len(want) {
		t.Errorf("after it was written: %d findings, %v", len(l.Findings()), err)
	}
	if err := l.read(t, []byte{1, 2, 3, 4, 5}); err != nil || len(l.Findings()) != 6 {
		t.Errorf("read again: %+v, %v", l.Findings(), err)
	}
}

func TestContext(t *testing.T) {
	for _, way := range []wire.Direction{wire.Unknown, wire.ToServer, wire.FromServer, wire.PeerToPeer} {
		var n uint8
		l := &toy{walk: func(c *wire.Cursor) {
			if c.Direction() != way || c.FromServer() != (way == wire.FromServer) || c.Dialect() != wire.Document || !c.Context().IPv6 {
				t.Errorf("direction %v, dialect %v", c.Direction(), c.Dialect())
			}
			wire.U8(c, "n", &n)
			if n == 1 {
				c.SetDirection(wire.PeerToPeer)
			}
		}}
		l.Context = wire.Context{Direction: way, Dialect: wire.Document, IPv6: true}
		if err := l.read(t, []byte{0}); err != nil || l.Direction != way {
			t.Errorf("direction %v, %v", l.Direction, err)
		}
		if err := l.read(t, []byte{1}); err != nil || l.Direction != wire.PeerToPeer {
			t.Errorf("direction %v, %v", l.Direction, err)
		}
	}
}

func TestDirection(t *testing.T) {
	for d, want := range map[wire.Direction]struct {
		text    string
		reverse wire.Direction
	}{
		wire.Unknown:    {"", wire.Unknown},
		wire.ToServer:   {"c2s", wire.FromServer},
		wire.FromServer: {"s2c", wire.ToServer},
		wire.PeerToPeer: {"p2p", wire.PeerToPeer},
	} {
		if d.String() != want.text || d.Reverse() != want.reverse {
			t.Errorf("%d: %q, reverse %v", d, d.String(), d.Reverse())
		}
	}
}

func TestFieldError(t *testing.T) {
	for _, c := range []struct {
		e    wire.FieldError
		path string
		text string
	}{
		{wire.FieldError{Index: -1, Field: "f", Offset: 3, Need: 2, Have: 1}, "f", "f at offset 3 needs 2 bytes, 1 left"},
		{wire.FieldError{Index: -1, Field: "f", Need: 1}, "f", "f at offset 0 needs 1 byte, 0 left"},
		{wire.FieldError{Group: "g", Index: -1, Field: "f", Need: 4, Have: 2}, "g.f", "g.f at offset 0 needs 4 bytes, 2 left"},
		{wire.FieldError{Group: "g", Index: 7, Field: "f", Need: 4}, "g[7].f", "g[7].f at offset 0 needs 4 bytes, 0 left"},
		{wire.FieldError{Group: "g", Index: 0, Need: 4}, "g[0]", "g[0] at offset 0 needs 4 bytes, 0 left"},
		{wire.FieldError{Index: -1, Field: "f", Need: 255, Have: 256, Err: wire.ErrTooLarge}, "f", "f: 256 is too large; at most 255 fit"},
	} {
		checkError(t, &c.e, c.path, c.text)
	}
}

// Callers can distinguish errors by their reason, even if the errors are wrapped.
func TestFieldErrorUnwraps(t *testing.T) {
	reasons := []error{wire.ErrShort, wire.ErrTooLarge, wire.ErrTooMany}
	for i, e := range []wire.FieldError{{Need: 2}, {Err: wire.ErrTooLarge}, {Err: wire.ErrTooMany}} {
		wrapped := fmt.Errorf("a message: %w", &e)
		for j, reason := range reasons {
			if errors.Is(wrapped, reason) != (i == j) {
				t.Errorf("%v is %v: %t", wrapped, reason, i != j)
			}
		}
	}
}

func TestFits(t *testing.T) {
	var p pair
	w := walker(p.walk)
	for data, want := range map[string]bool{"": false, "ab": false, "abc": true, "abcd": false} {
		if wire.Fits(w, []byte(data)) != want {
			t.Errorf("%q: %t", data, !want)
		}
	}
}

type walker func(*wire.Cursor)

func (w walker) Walk(c *wire.Cursor) { w(c) }
