package wire_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/wire"
)

func TestPresent(t *testing.T) {
	var has bool
	var key uint16
	var rest []byte
	walk := func(c *wire.Cursor) {
		if c.Present(&has, 2) {
			wire.U16(c, "key", &key)
		}
		wire.Trailing(c, &rest)
	}
	for data, want := range map[string]bool{"": false, "a": false, "ab": true, "abc": true} {
		has = !want // the old value must not matter
		rest = nil
		l := readWhole(t, []byte(data), walk)
		if has != want {
			t.Errorf("%q: has %t", data, has)
		}
		l.annotate(t)
		if out, err := l.write(t, false); err != nil || string(out) != data {
			t.Errorf("%q: written as %q, %v", data, out, err)
		}
	}
	has = false
	if fields := describe(walk); len(fields) != 2 || fields[0].Name != "key" {
		t.Errorf("fields %+v", fields)
	}
	has = true
	l, err := read(t, []byte("abcd"), func(c *wire.Cursor) {
		var n uint64
		wire.U64(c, "n", &n)
		walk(c)
	})
	if err == nil || has {
		t.Errorf("present after an error: %+v", l)
	}
}

// If the snap length cut off an optional part, walking the part fails, and Present stores false in has.
func TestPresentCutOff(t *testing.T) {
	for _, c := range []struct {
		left, missing int
		fails         bool
	}{{0, 4, false}, {1, 2, false}, {1, 3, true}, {3, 0, false}, {3, 1, true}, {3, 9, true}, {4, 9, false}} {
		var has bool
		var key uint32
		l := &toy{walk: func(c *wire.Cursor) {
			if c.Present(&has, 4) {
				wire.U32(c, "key", &key)
			}
		}}
		l.Context.Missing = c.missing
		if err := l.read(t, make([]byte, c.left)); (err != nil) != c.fails || has != (c.left == 4) {
			t.Errorf("%+v: has %t, %v", c, has, err)
		}
	}
}

func TestWhen(t *testing.T) {
	var kind, a, b uint8
	walk := func(c *wire.Cursor) {
		wire.U8(c, "kind", &kind)
		if c.When(kind == 1) {
			wire.U8(c, "a", &a)
		}
		if c.When(kind == 2) {
			wire.U8(c, "b", &b)
			wire.U8(c, "b", &b) // a field with the same name
		}
	}
	l := readWhole(t, []byte{1, 7}, walk)
	checkNames(t, l.annotate(t), "kind", "a")
	if out, err := l.write(t, false); err != nil || !bytes.Equal(out, []byte{1, 7}) {
		t.Errorf("written as % x, %v", out, err)
	}
	want := []wire.Field{{Name: "kind", Kind: wire.Uint, Bits: 8}, {Name: "a", Kind: wire.Uint, Bits: 8}, {Name: "b", Kind: wire.Uint, Bits: 8}}
	if diff := cmp.Diff(want, describe(walk)); diff != "" {
		t.Error(diff)
	}
}

// pair is an element of three bytes.
type pair struct {
	A uint8
	B uint16
}

func (p *pair) walk(c *wire.Cursor) {
	wire.U8(c, "a", &p.A)
	wire.U16(c, "b", &p.B)
}

func TestList(t *testing.T) {
	for _, c := range []struct {
		name  string
		data  []byte
		count wire.Count
		size  int
		want  []pair
		rest  []byte
		path  string // path of the error
	}{
		{"a count of 0", []byte{1, 0, 2}, 0, 3, nil, []byte{1, 0, 2}, ""},
		{"as counted", []byte{1, 0, 2, 3, 0, 4, 5, 0, 6}, 2, 3, []pair{{1, 2}, {3, 4}}, []byte{5, 0, 6}, ""},
		{"fewer than counted", []byte{1, 0, 2, 9, 9}, 1 << 30, 3, []pair{{1, 2}}, []byte{9, 9}, ""},
		{"until the end", []byte{1, 0, 2, 3, 0, 4}, wire.UntilEnd, 3, []pair{{1, 2}, {3, 4}}, nil, ""},
		{"until less than one element is left", []byte{1, 0, 2, 9, 9}, wire.UntilEnd, 3, []pair{{1, 2}}, []byte{9, 9}, ""},
		{"nothing", nil, wire.UntilEnd, 3, nil, nil, ""},
		{"half an element", []byte{1, 0, 2, 3}, 2, 1, []pair{{1, 2}, {3, 0}}, nil, "pairs[1].b"},
		{"a minimum size of 0", []byte{1, 0, 2}, wire.UntilEnd, 0, []pair{{1, 2}}, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			pairs := []pair{{7, 7}, {7, 7}, {7, 7}}
			var rest []byte
			l, err := read(t, c.data, func(cur *wire.Cursor) {
				wire.List(cur, "pairs", &pairs, c.count, c.size, (*pair).walk)
				wire.Trailing(cur, &rest)
			})
			if c.path != "" {
				checkError(t, err, c.path, c.path+" at offset 4 needs 2 bytes, 0 left")
			} else if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, pairs, cmp.Transformer("nil", func(p []pair) []pair { return append([]pair{}, p...) })); diff != "" {
				t.Error(diff)
			}
			if !bytes.Equal(rest, c.rest) {
				t.Errorf("rest % x", rest)
			}
			checkElements(t, l.annotate(t), len(c.want))
			if out, werr := l.write(t, false); c.path == "" && (werr != nil || !bytes.Equal(out, c.data)) {
				t.Errorf("written as % x, %v", out, werr)
			}
		})
	}
}

// checkElements checks that the tree begins with a list of n elements, which are numbered from one.
func checkElements(t *testing.T, tree *wire.Tree, n int) {
	t.Helper()
	count := int32(0)
	for i := int32(1); i < tree.Nodes[0].Next; i = tree.Nodes[i].Next {
		count++
		if tree.Nodes[i].Element != count || tree.Nodes[i].Kind != wire.Group {
			t.Errorf("element %d: %+v", count, tree.Nodes[i])
		}
	}
	if int(count) != n || tree.Nodes[0].Kind != wire.Sequence {
		t.Errorf("%d elements, want %d", count, n)
	}
}

// A list reuses its memory for the next message. Its new elements contain nothing of the old ones.
func TestListReusesMemory(t *testing.T) {
	pairs := make([]pair, 3, 8)
	pairs[1] = pair{7, 7}
	first := &pairs[0]
	_, err := read(t, []byte{1, 0, 2, 3}, func(c *wire.Cursor) {
		wire.List(c, "pairs", &pairs, wire.UntilEnd, 1, (*pair).walk)
	})
	if err == nil || &pairs[0] != first || len(pairs) != 2 || pairs[1] != (pair{A: 3}) {
		t.Errorf("%+v, %v", pairs, err)
	}
}

// A list allocates memory once for all its elements, and not for more elements than the data or the count allow.
func TestListAllocatesOnce(t *testing.T) {
	data := make([]byte, 400*3)
	for _, c := range []struct {
		count          wire.Count
		elements, room int
	}{{1 << 30, 400, 450}, {10, 10, 15}, {0, 0, 0}} {
		var pairs []pair
		var rest []byte
		walk := func(cur *wire.Cursor) {
			var first []byte // the list must not count these bytes as data for elements
			wire.Slice(cur, "first", &first, len(data))
			pairs = nil
			wire.List(cur, "pairs", &pairs, c.count, 3, (*pair).walk)
			wire.Trailing(cur, &rest)
		}
		l := readWhole(t, append(data, data...), walk)
		if len(pairs) != c.elements || cap(pairs) > c.room || l.Listed() != c.elements {
			t.Errorf("counted %d: %d elements, room for %d, %d listed", c.count, len(pairs), cap(pairs), l.Listed())
		}
		n := testing.AllocsPerRun(10, func() { _ = l.Decode(l, l.Decoded(), nil) })
		if want := float64(min(1, c.elements)); n != want && !wiretest.RaceDetector {
			t.Errorf("counted %d: %g allocations", c.count, n)
		}
	}
}

// MaxMemory limits the memory of all lists of a message. An element here takes 64 bytes. When a list grows, its old
// memory counts too.
func TestListsAreBounded(t *testing.T) {
	type wide [64]uint8
	walk := func(w *wide, c *wire.Cursor) { wire.Opaque(c, "w", w[:3]) }
	for most, want := range map[int]string{
		0: "", 768: "", 767: "slow[2]", 575: "slow[1]", 447: "slow[0]", 383: "fast[2]", 191: "fast[1]", 63: "fast[0]",
	} {
		var fast, slow []wide
		l := &toy{walk: func(c *wire.Cursor) {
			wire.List(c, "fast", &fast, 3, 3, walk)
			wire.List(c, "slow", &slow, 3, 0, walk)
		}}
		l.Context.MaxMemory = most
		err := l.read(t, make([]byte, 18))
		if want == "" && (err != nil || l.Listed() != 6) || want != "" && (!errors.Is(err, wire.ErrTooMany) || err.Path() != want) {
			t.Errorf("at most %d: %v, %d listed", most, err, l.Listed())
		}
	}
}

// Lists after Skim are still read to their ends, including the lists in their elements.
func TestSkim(t *testing.T) {
	type row struct {
		n     uint8
		pairs []pair
	}
	var rows []row
	count, inside := 0, 0
	l := readWhole(t, []byte{2, 1, 2, 3, 4, 5, 6, 0, 1, 7, 8, 9}, func(c *wire.Cursor) {
		c.Skim()
		inside = 0
		count = wire.List(c, "rows", &rows, wire.UntilEnd, 1, func(r *row, c *wire.Cursor) {
			wire.U8(c, "n", &r.n)
			inside += wire.List(c, "pairs", &r.pairs, wire.Count(r.n), 3, (*pair).walk)
		})
	})
	if count != 3 || inside != 3 || len(rows) != 1 || cap(rows) != 1 || l.Listed() != 6 {
		t.Errorf("%d rows with %d pairs, %d are kept", count, inside, len(rows))
	}
	whole := l.annotate(t)
	checkElements(t, whole, 3)
}

// A list ends at an element without bytes.
func TestListOfEmptyElements(t *testing.T) {
	var none []struct{}
	l := readWhole(t, []byte{1, 2}, func(c *wire.Cursor) {
		wire.List(c, "none", &none, wire.UntilEnd, 0, func(*struct{}, *wire.Cursor) {})
	})
	if len(none) != 1 {
		t.Errorf("%d elements", len(none))
	}
	checkNames(t, l.annotate(t), "none", "", "undecoded")
	readWhole(t, []byte{1, 2}, func(c *wire.Cursor) {
		walked := 0
		wire.List(c, "none", &none, wire.UntilEnd, 1, func(*struct{}, *wire.Cursor) {
			if walked++; walked > 2 {
				t.Fatal("the list does not end")
			}
		})
	})
}

func TestComputed(t *testing.T) {
	var a, b uint8
	calls := 0
	walk := func(c *wire.Cursor) {
		wire.U8(c, "a", &a)
		c.Computed("twice", func(dst []byte) []byte { calls++; return append(dst, "2a"...) })
		c.ComputedUint("square", uint64(a)*uint64(a))
		wire.U8(c, "b", &b)
		c.Computed("late", func(dst []byte) []byte { return append(dst, "late"...) })
		c.ComputedUint("later", 1)
	}
	l := readWhole(t, []byte{9, 1}, walk)
	if calls != 0 {
		t.Error("computed without a tree")
	}
	tree := l.annotate(t)
	checkNames(t, tree, "a", "twice", "square", "b", "late", "later")
	if n := tree.Find("twice"); string(n.Bytes) != "2a" || !n.Computed || n.Off != 1 || n.Size != 0 || n.Kind != wire.String {
		t.Errorf("%+v", n)
	}
	if n := tree.Find("square"); n.Num != 81 || !n.Computed || n.Kind != wire.Uint {
		t.Errorf("%+v", n)
	}
	if tree.Find("none") != nil {
		t.Error("Find returned a node for a name that does not exist")
	}
	if out, err := l.write(t, false); err != nil || !bytes.Equal(out, []byte{9, 1}) {
		t.Errorf("written as % x, %v", out, err)
	}
	want := []wire.Field{{Name: "twice", Kind: wire.String, Computed: true}, {Name: "square", Kind: wire.Uint, Bits: 64, Computed: true}}
	if diff := cmp.Diff(want, describe(walk)[1:3]); diff != "" {
		t.Error(diff)
	}
	l, _ = read(t, []byte{9}, walk)
	checkNames(t, l.annotate(t), "a", "twice", "square")
}
