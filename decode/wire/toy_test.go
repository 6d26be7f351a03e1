package wire_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// toy is a layer whose fields are listed by the function walk.
type toy struct {
	wire.Base
	walk    func(*wire.Cursor)
	chooses bool // walk selects the body
}

// toyBody is an empty body. The function walk stores the fields in its own variables.
type toyBody struct{}

func (toyBody) Walk(*wire.Cursor) {}

var (
	toyType     = &wire.MessageType{Name: "Toy", Body: wire.Like(toyBody{})}
	toyMessages = wire.NewMessages(toyType)
)

func (l *toy) Walk(c *wire.Cursor) {
	if !l.chooses {
		l.Use(c, toyMessages, toyType)
	}
	l.walk(c)
}

func (l *toy) LayerType() gopacket.LayerType  { return gopacket.LayerTypePayload }
func (l *toy) CanDecode() gopacket.LayerClass { return gopacket.LayerTypePayload }

func (l *toy) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return l.Decode(l, data, df)
}

func (l *toy) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	return l.Encode(l, b, opts)
}

// read decodes a message. It checks that an error is a *FieldError.
func (l *toy) read(tb testing.TB, data []byte) *wire.FieldError {
	tb.Helper()
	err := l.DecodeFromBytes(data, gopacket.NilDecodeFeedback)
	if err == nil {
		return nil
	}
	var field *wire.FieldError
	if !errors.As(err, &field) {
		tb.Fatalf("error %v is not a *FieldError", err)
	}
	return field
}

func read(tb testing.TB, data []byte, walk func(*wire.Cursor)) (*toy, *wire.FieldError) {
	tb.Helper()
	l := &toy{walk: walk}
	err := l.read(tb, data)
	return l, err
}

func readWhole(tb testing.TB, data []byte, walk func(*wire.Cursor)) *toy {
	tb.Helper()
	l, err := read(tb, data, walk)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

func write(tb testing.TB, fix bool, walk func(*wire.Cursor)) ([]byte, *wire.FieldError) {
	tb.Helper()
	return (&toy{Base: wire.Base{Body: toyBody{}}, walk: walk}).write(tb, fix)
}

func (l *toy) write(tb testing.TB, fix bool) ([]byte, *wire.FieldError) {
	tb.Helper()
	buffer := gopacket.NewSerializeBuffer()
	err := l.SerializeTo(buffer, gopacket.SerializeOptions{FixLengths: fix})
	if err == nil {
		return bytes.Clone(buffer.Bytes()), nil
	}
	var field *wire.FieldError
	if !errors.As(err, &field) {
		tb.Fatalf("error %v is not a *FieldError", err)
	}
	return nil, field
}

func describe(walk func(*wire.Cursor)) []wire.Field {
	p := &wire.Protocol{New: func() wire.Layer { return &toy{walk: walk} }}
	return p.Describe(toyType)
}

// annotate returns the tree of the message decoded last, after checking the tree's structure.
func (l *toy) annotate(tb testing.TB) *wire.Tree {
	tb.Helper()
	var tree wire.Tree
	l.Annotate(l, &tree)
	checkTree(tb, &tree, len(l.Contents))
	return &tree
}

// checkTree checks that the leaves cover the message without gaps or overlaps, that each group covers exactly the nodes
// below it, and that depths and links are consistent.
func checkTree(tb testing.TB, tree *wire.Tree, size int) {
	tb.Helper()
	pos := int32(0)
	var check func(from, to int32, depth int)
	check = func(from, to int32, depth int) {
		for i := from; i < to; i = tree.Nodes[i].Next {
			n := &tree.Nodes[i]
			if n.Next <= i || n.Next > to || int(n.Depth) != min(depth, 255) || n.Off != pos {
				tb.Fatalf("node %d of %d below depth %d at %d: %+v", i, to, depth, pos, n)
			}
			switch {
			case n.Composite():
				check(i+1, n.Next, depth+1)
				if n.Off+n.Size != pos {
					tb.Fatalf("group %d ends at %d, its content at %d", i, n.Off+n.Size, pos)
				}
			case n.Next != i+1, n.Computed && n.Size != 0, n.Size < 0:
				tb.Fatalf("leaf %d: %+v", i, n)
			default:
				pos += n.Size
			}
		}
	}
	check(0, int32(len(tree.Nodes)), 0)
	if int(pos) != size {
		tb.Fatalf("the leaves end at %d, the message at %d", pos, size)
	}
}

// names returns the names of all nodes. Elements have empty names.
func names(tree *wire.Tree) []string {
	all := []string{}
	for i := range tree.Nodes {
		all = append(all, tree.Nodes[i].Name)
	}
	return all
}

func checkNames(tb testing.TB, tree *wire.Tree, want ...string) {
	tb.Helper()
	if got := names(tree); !slices.Equal(got, want) {
		tb.Errorf("nodes %q, want %q", got, want)
	}
}

// checkError compares the path and the text of an error.
func checkError(tb testing.TB, got *wire.FieldError, path, text string) {
	tb.Helper()
	if got == nil {
		tb.Fatalf("no error, want %s", text)
	}
	if got.Path() != path || got.Error() != text {
		tb.Errorf("%s: %s\nwant\n%s: %s", got.Path(), got.Error(), path, text)
	}
}
