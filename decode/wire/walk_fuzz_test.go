package wire_test

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/print"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// step is a field of any kind, or a list of further steps. Its first byte selects the kind. A message of steps is thus
// a small program that calls the cursor's functions in any order.
type step struct {
	Op     uint8
	Has    bool
	U8     uint8
	U16    uint16
	U32    uint32
	U64    uint64
	I16    int16
	I32    int32
	F32    uint32 // its bits, so NaNs can be compared
	Bool   wire.Bool
	Vec    [3]uint32
	Text   []byte
	Opaque [3]byte
	IP     [4]byte
	Stop   int
	Pairs  []wire.Pair
	Param  wire.Param
	Params []wire.Param
	Steps  []step
}

var stepNames = wire.Symbols{{Value: 1, Name: "one"}, {Value: 2, Name: "two"}, {Value: -1, Name: "none"}}

var stepParams = &wire.Params{Lead: "b", Last: "c", Stops: []string{"\n"}}

const (
	opList = iota + 35
	opNested
	opRest
	ops
)

func (s *step) walk(c *wire.Cursor) {
	wire.U8(c, "op", &s.Op)
	switch op := s.Op % ops; {
	case op < 14:
		s.number(c, op)
	case op < 25:
		s.text(c, op)
	case op < opList:
		s.line(c, op)
	case op == opList:
		wire.Count8(c, "count", &s.U8, len(s.Steps))
		wire.List(c, "list", &s.Steps, wire.Count(s.U8), 1, (*step).walk)
	case op == opNested:
		c.Begin("group")
		wire.List(c, "nested", &s.Steps, wire.UntilEnd, 1, (*step).walk)
		c.End()
	case op == opRest:
		wire.Rest(c, "rest", &s.Text)
	}
}

func (s *step) number(c *wire.Cursor, op uint8) {
	switch op {
	case 0:
		wire.U8(c, "u8", &s.U8)
	case 1:
		wire.U16(c, "u16", &s.U16)
	case 2:
		wire.U32(c, "u32", &s.U32)
	case 3:
		wire.U64(c, "u64", &s.U64)
	case 4:
	case 5:
		wire.I16(c, "i16", &s.I16)
	case 6:
		wire.I32(c, "i32", &s.I32)
	case 7:
		wire.Enum8(c, "enum8", &s.U8, stepNames)
	case 8:
		wire.EnumI16(c, "enum16", &s.I16, stepNames)
	case 9:
		wire.Bits16(c, "bits", &s.U16, stepNames)
	case 10:
		s.float(c)
	case 11:
		wire.Bool8(c, "bool", &s.Bool)
	case 12:
		s.vector(c)
	case 13:
		if c.Present(&s.Has, 4) {
			wire.U32(c, "present", &s.U32)
		}
	}
}

// float and vector store bits, because a NaN is not equal to itself.
func (s *step) float(c *wire.Cursor) {
	f := math.Float32frombits(s.F32)
	wire.F32(c, "float", &f)
	s.F32 = math.Float32bits(f)
}

func (s *step) vector(c *wire.Cursor) {
	var v [3]float32
	for i := range v {
		v[i] = math.Float32frombits(s.Vec[i])
	}
	wire.Vec3(c, "vector", &v)
	for i := range v {
		s.Vec[i] = math.Float32bits(v[i])
	}
}

func (s *step) text(c *wire.Cursor, op uint8) {
	switch op {
	case 14:
		wire.Text(c, "fixed", &s.Text, 5)
	case 15:
		wire.Text8(c, "counted", &s.Text)
	case 16:
		wire.TextLEB(c, "leb", &s.Text)
	case 17:
		wire.TextZ(c, "nul", &s.Text)
	case 18:
		wire.TextUpTo(c, "up_to", &s.Text, 7)
	case 19:
		wire.Opaque(c, "opaque", s.Opaque[:])
	case 20:
		wire.Tag(c, "tag", s.Opaque[:])
	case 21:
		wire.IPv4(c, "ip", &s.IP)
	case 22:
		c.LittleEndian()
		c.Computed("computed", func(dst []byte) []byte { return append(dst, s.Text...) })
	case 23:
		c.BigEndian()
		c.ComputedUint("number", uint64(s.U8))
		c.Report(toyRule, "%d", s.U8)
	case 24:
		wire.U8(c, "limit", &s.U8)
		c.Limit(c.Offset() + int(s.U8))
		c.ReportRange(toyRule, c.Offset(), c.Left(), "%d are left", c.Left())
	}
}

func (s *step) line(c *wire.Cursor, op uint8) {
	switch op {
	case 25:
		wire.Until(c, "until", &s.Text, "ab")
	case 26:
		wire.UntilOneOf(c, "until_one_of", &s.Text, &s.Stop, "bc", "b", "\n")
	case 27:
		wire.Behind(c, "behind", &s.Text, "a", "cd", "\n")
	case 28:
		wire.TextOf(c, "text_of", &s.Text, 3)
	case 29:
		wire.Decimal(c, "decimal", &s.U32, " ")
	case 30:
		wire.SignedDecimal(c, "signed", &s.I32, " ")
	case 31:
		wire.Pairs(c, "pairs", &s.Pairs, "a", "\n")
	case 32:
		wire.UpTo(c, "before", &s.Text, "ab", "\n")
	case 33:
		wire.OneOf(c, "one_of", &s.Text, "ab", "a")
	case 34:
		wire.Optional(c, "optional", &s.Param, "a", "\n")
		stepParams.List(c, "params", &s.Params)
	}
}

// program is a message that consists of steps.
type program struct {
	toy
	Steps    []step
	Trailing []byte
}

func newProgram(missing int) *program {
	p := new(program)
	p.Context.Missing = missing
	p.walk = func(c *wire.Cursor) {
		wire.List(c, "steps", &p.Steps, wire.UntilEnd, 1, (*step).walk)
		wire.Trailing(c, &p.Trailing)
	}
	return p
}

func FuzzWalk(f *testing.F) {
	for op := range uint8(ops) {
		f.Add(append([]byte{op}, "\x01\x02\x03abcdef\x00\xff\xff\xff\xff"...), 0)
		f.Add([]byte{opList, 2, op, 1, 2, 3, op}, 3)
		f.Add([]byte{23, op, opNested, opList, 9, op, 2, 3, 4, op, 16, 0x81, 0, 'x'}, 0)
		f.Add([]byte(string(rune(op))+"a-12 abcaxadax\n"+string(rune(op))+"0012 "), 2)
		f.Add([]byte{22, 24, 4, op, 1, 2, 3, 4, 5, 6, 7}, 100)
	}
	f.Fuzz(func(t *testing.T, data []byte, missing int) {
		if len(data) > 1024 || missing < 0 || missing > 1<<16 {
			return // long programs find no more errors than short ones
		}
		before := bytes.Clone(data)
		p := newProgram(missing)
		err := p.read(t, data)
		checkRead(t, p, data, err)
		checkPrint(t, p)
		if !bytes.Equal(before, data) {
			t.Fatal("the message was changed")
		}
		if err == nil {
			checkRewrite(t, p)
		}
	})
}

// checkRead checks the invariants after reading, whether reading failed or not.
func checkRead(t *testing.T, p *program, data []byte, err *wire.FieldError) {
	t.Helper()
	if len(p.Contents)+len(p.Payload) != len(data) || p.Size() < len(p.Contents) || p.Truncated() != (p.Size() > len(p.Contents)) {
		t.Fatalf("%d and %d bytes of %d, size %d", len(p.Contents), len(p.Payload), len(data), p.Size())
	}
	end := len(p.Contents)
	if err != nil && (err.Offset < 0 || err.Offset > end || err.Have != end-err.Offset || err.Need <= err.Have || p.Exact()) {
		t.Fatalf("%+v in %d bytes", err, end)
	}
	for _, f := range p.Findings() {
		if f.Off < 0 || f.Size < 0 || f.Off+f.Size > len(data) {
			t.Fatalf("finding %+v in %d bytes", f, len(data))
		}
	}
}

// checkPrint prints the tree in every way and checks that the text contains only printable characters.
func checkPrint(t *testing.T, p *program) {
	t.Helper()
	fresh := newProgram(p.Context.Missing)
	_ = fresh.read(t, slices.Concat(p.Contents, p.Payload)) // fails like p; the steps are compared below
	tree := p.annotate(t)
	if !reflect.DeepEqual(fresh.Steps, p.Steps) {
		t.Fatalf("read as\n%+v\nand again for the tree as\n%+v", fresh.Steps, p.Steps)
	}
	for _, printer := range []print.Printer{{}, {Bytes: true, All: true}} {
		for _, r := range string(printer.Append(nil, tree, p.Contents, p.Findings())) {
			if r != '\n' && !strconv.IsPrint(r) {
				t.Fatalf("the text contains %U", r)
			}
		}
	}
}

// checkRewrite writes a message that was read completely, and reads it again.
func checkRewrite(t *testing.T, p *program) {
	t.Helper()
	out, err := p.write(t, false)
	if err != nil {
		t.Fatal(err)
	}
	if p.Exact() && !bytes.Equal(out, p.Contents) {
		t.Fatalf("exact, but % x was written as % x", p.Contents, out)
	}
	if p.Exact() {
		again := newProgram(p.Size() - len(p.Contents))
		if err := again.DecodeFromBytes(out, gopacket.NilDecodeFeedback); err != nil || !reflect.DeepEqual(p.Steps, again.Steps) {
			t.Fatalf("%v: read as\n%+v\nand after writing as\n%+v", err, p.Steps, again.Steps)
		}
	}
}
