package wire_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// room has a list, a group, and a field after each, so reading can fail at every byte.
type room struct {
	Count  uint8
	Pairs  []pair
	X, Y   uint8
	Inner  uint8
	Closed uint8
}

func (r *room) walk(c *wire.Cursor) {
	wire.Count8(c, "count", &r.Count, len(r.Pairs))
	wire.List(c, "pairs", &r.Pairs, wire.Count(r.Count), 1, (*pair).walk)
	c.Begin("at")
	wire.U8(c, "x", &r.X)
	c.Begin("deep")
	wire.U8(c, "inner", &r.Inner)
	c.End()
	wire.U8(c, "y", &r.Y)
	c.End()
	wire.U8(c, "closed", &r.Closed)
}

type house struct {
	Rooms []room
	Door  uint16
}

func (h *house) walk(c *wire.Cursor) {
	wire.List(c, "rooms", &h.Rooms, 2, 1, (*room).walk)
	wire.U16(c, "door", &h.Door)
}

var (
	houseData  = []byte{1, 10, 0, 11, 12, 13, 14, 15, 0, 20, 21, 22, 23, 0xff, 0xfe}
	housePaths = []string{ // path of the error by number of bytes; if a list ends early, the next field fails
		"door", "at.x", "pairs[0].b", "pairs[0].b", "at.x", "deep.inner", "at.y", "rooms[0].closed",
		"door", "at.x", "deep.inner", "at.y", "rooms[1].closed", "door", "door",
	}
)

func TestNested(t *testing.T) {
	var h house
	l := readWhole(t, houseData, h.walk)
	want := house{
		Rooms: []room{
			{Count: 1, Pairs: []pair{{10, 11}}, X: 12, Inner: 13, Y: 14, Closed: 15},
			{X: 20, Inner: 21, Y: 22, Closed: 23},
		}, Door: 0xfffe,
	}
	if diff := cmp.Diff(want, h); diff != "" {
		t.Error(diff)
	}
	checkNames(t, l.annotate(t),
		"rooms", "", "count", "pairs", "", "a", "b", "at", "x", "deep", "inner", "y", "closed",
		"", "count", "pairs", "at", "x", "deep", "inner", "y", "closed", "door")
	if out, err := l.write(t, true); err != nil || !bytes.Equal(out, houseData) {
		t.Errorf("written as % x, %v", out, err)
	}
	var got []string
	for _, f := range describe(new(house).walk) {
		got = append(got, f.Name)
	}
	paths := []string{"rooms.count", "rooms.pairs.a", "rooms.pairs.b", "rooms.at.x", "rooms.at.deep.inner", "rooms.at.y", "rooms.closed", "door"}
	if diff := cmp.Diff(paths, got); diff != "" {
		t.Error(diff)
	}
}

func TestNestedFailsAnywhere(t *testing.T) {
	for n, path := range housePaths {
		var h house
		l, err := read(t, houseData[:n], h.walk)
		if err == nil || err.Path() != path || err.Have != n-err.Offset {
			t.Errorf("cut at %d: %+v, want %s", n, err, path)
		}
		if tree := l.annotate(t); tree.Nodes[0].Name != "rooms" {
			t.Errorf("cut at %d: %q", n, names(tree))
		}
	}
}

// Errors when writing have paths like errors when reading.
func TestNestedWriteError(t *testing.T) {
	type item struct{ Pairs, Names [][]byte }
	long := make([]byte, 256)
	items := []item{{}, {Pairs: [][]byte{nil}, Names: [][]byte{nil, nil, long}}}
	text := func(v *[]byte, c *wire.Cursor) { wire.Text8(c, "", v) }
	_, err := write(t, false, func(c *wire.Cursor) {
		wire.List(c, "items", &items, 2, 1, func(i *item, c *wire.Cursor) {
			wire.List(c, "pairs", &i.Pairs, 0, 1, text)
			wire.List(c, "names", &i.Names, 0, 1, text)
		})
	})
	checkError(t, err, "names[2]", "names[2]: 256 is too large; at most 255 fit")

	_, err = write(t, false, func(c *wire.Cursor) {
		wire.List(c, "items", &items, 2, 1, func(i *item, c *wire.Cursor) {
			wire.List(c, "pairs", &i.Pairs, 0, 1, text)
			wire.Text(c, "last", &long, 1-len(i.Pairs))
			long = nil
		})
	})
	checkError(t, err, "items[0].last", "items[0].last: 256 is too large; at most 1 fit")
}

// Groups can be nested to any depth, even if reading fails in the innermost group.
func TestDeepGroups(t *testing.T) {
	const depth = 600
	for _, data := range [][]byte{nil, {1}, {1, 2}, {1, 2, 3}} {
		var a, b uint8
		l, _ := read(t, data, func(c *wire.Cursor) {
			for range depth {
				c.Begin("g")
			}
			wire.U8(c, "a", &a)
			for range depth {
				c.End()
			}
			wire.U8(c, "b", &b)
		})
		if tree := l.annotate(t); len(tree.Nodes) != depth+len(data) {
			t.Errorf("%d bytes: %d nodes", len(data), len(tree.Nodes))
		}
	}
}
