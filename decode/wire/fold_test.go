package wire_test

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A folded tree contains the first eight elements of a list and the number of omitted elements. If an omitted element
// has a finding, all elements are in the tree. An element that cannot be read is also in the tree.
func TestFoldedTree(t *testing.T) {
	const size = 3
	for _, c := range []struct {
		name    string
		n       int // number of elements
		extra   int // number of bytes of an incomplete element
		missing int
		about   int // offset of a finding; 0: none
		size    int // minimum size of an element
		shown   int
		counted bool // the list has a count, and other bytes follow it
	}{
		{name: "a short list", n: 8, size: size, shown: 8},
		{name: "one too many", n: 9, size: size, shown: 8},
		{name: "many", n: 20, size: size, shown: 8},
		{name: "many, counted", n: 20, size: size, shown: 8, counted: true},
		{name: "a finding before", n: 20, about: 8*size - 1, size: size, shown: 8},
		{name: "a finding about the first omitted", n: 20, about: 8 * size, size: size, shown: 20},
		{name: "a finding about the last", n: 20, about: 20*size - 1, size: size, shown: 20},
		{name: "a finding after the list", n: 20, about: 20 * size, size: size, shown: 20},
		{name: "one is incomplete", n: 20, extra: 2, size: 1, shown: 9},
		{name: "one is cut off", n: 20, extra: 1, missing: 2, size: size, shown: 9},
		{name: "elements of any size", n: 20, size: 0, shown: 8},
	} {
		var pairs []pair
		count, data := wire.UntilEnd, make([]byte, c.n*size+c.extra)
		if c.counted {
			count, data = wire.Count(c.n), append(data, data...)
		}
		l := &toy{walk: func(cur *wire.Cursor) { wire.List(cur, "pairs", &pairs, count, c.size, (*pair).walk) }}
		l.Context.Missing = c.missing
		broken := l.read(t, data) != nil
		first := &pairs[0]
		var findings []wire.Finding
		if c.about > 0 {
			findings = []wire.Finding{{Off: 0}, {Off: c.about}}
		}
		var tree wire.Tree
		l.AnnotateFolded(l, &tree, findings)
		checkFolded(t, c.name, &tree, c.shown, len(pairs))
		if list := &tree.Nodes[0]; broken == (c.extra == 0) || &pairs[0] != first || int(list.Size) != c.n*size+min(c.extra, 1) {
			t.Errorf("%s: %+v, %d elements", c.name, list, len(pairs))
		}
		l.Annotate(l, &tree)
		checkFolded(t, c.name+", whole", &tree, len(pairs), len(pairs))
	}
}

// checkFolded checks that a list has the right number of elements in a tree, and that the elements have the right
// positions.
func checkFolded(t *testing.T, name string, tree *wire.Tree, shown, all int) {
	t.Helper()
	list := &tree.Nodes[0]
	count := 0
	for i := int32(1); i < list.Next; i = tree.Nodes[i].Next {
		n := &tree.Nodes[i]
		if count++; count > 8 {
			if n.Off != 3*(n.Element-1) || !n.Folds() {
				t.Errorf("%s: an element at %d: %+v", name, n.Off, n)
			}
		} else if int(n.Element) != count || n.Folds() {
			t.Errorf("%s: element %d: %+v", name, count, n)
		}
	}
	if count != shown || int(list.Num) != all-shown {
		t.Errorf("%s: %d elements and %d omitted, want %d of %d", name, count, list.Num, shown, all)
	}
}
