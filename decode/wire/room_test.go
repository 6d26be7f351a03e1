package wire_test

import (
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// crowd is a list of rows. Each row has a number of pairs and the pairs.
type crowd struct{ rows []crowdRow }

type crowdRow struct {
	n     uint8
	pairs []pair
}

func (x *crowd) Walk(c *wire.Cursor) {
	c.Skim()
	wire.List(c, "rows", &x.rows, wire.UntilEnd, 1, func(r *crowdRow, c *wire.Cursor) {
		wire.U8(c, "n", &r.n)
		wire.List(c, "pairs", &r.pairs, wire.Count(r.n), 1, (*pair).walk)
	})
}

// TestTreeIsBounded makes trees of lists that are too long for a tree, in messages, in embedded data and in JSON. Each
// tree must stay within its limit and count the omitted elements.
func TestTreeIsBounded(t *testing.T) {
	const many = 1 << 18
	empty := make([]byte, many)                                                 // rows without pairs
	full := []byte(strings.Repeat("\x64"+strings.Repeat("abc", 100), many/300)) // rows of a hundred pairs
	broken := append(slices.Clip(full), 100, 1)
	json := "[" + strings.Repeat("[0],", 60_000) + `{"a":[{}]}]`
	embed := func(data []byte) func(*wire.Cursor) {
		return func(c *wire.Cursor) { c.Embed("whole", func() []byte { return data }, new(crowd)) }
	}
	for name, f := range map[string]struct {
		walk func(*wire.Cursor)
		list string
		all  int // number of elements

		broken bool // the last element is incomplete
	}{
		"empty rows":          {func(c *wire.Cursor) { new(crowd).Walk(c) }, "rows", many, false},
		"embedded empty rows": {embed(empty), "rows", many, false},
		"embedded rows":       {embed(full), "rows", many / 300, false},
		"one incomplete row":  {embed(broken), "rows", many/300 + 1, true},
		"pairs":               {func(c *wire.Cursor) { wire.Pairs(c, "pairs", new([]wire.Pair), "\x00") }, "pairs", many / 2, false},
		"JSON":                {func(c *wire.Cursor) { c.JSON("json", []byte(json)) }, "json", 60_001, false},
	} {
		l := &toy{walk: f.walk}
		_ = l.read(t, empty)
		var tree wire.Tree
		for _, folded := range []bool{false, true} {
			l.Annotate(l, &tree)
			if folded {
				l.AnnotateFolded(l, &tree, nil)
			}
			if n := cap(tree.Nodes) * int(unsafe.Sizeof(wire.Node{})); n > wire.MaxTree*5/4 {
				t.Errorf("%s: the tree takes %d MB", name, n>>20)
			}
			list := tree.Find(f.list)
			at := int32(0)
			for &tree.Nodes[at] != list {
				at++
			}
			shown := 0
			for i := at + 1; i < list.Next; i = tree.Nodes[i].Next {
				if !tree.Nodes[i].Key {
					shown++
				}
			}
			if list.Num == 0 || shown == 0 || shown+int(list.Num) != f.all {
				t.Errorf("%s: %d elements and %d omitted, want %d", name, shown, list.Num, f.all)
			}
			why := tree.Find("not_shown")
			if f.broken != (why != nil) || why != nil && !strings.HasPrefix(string(why.Bytes), "pairs[0].b") {
				t.Errorf("%s: the reason for the end is %+v", name, why)
			}
		}
	}
}
