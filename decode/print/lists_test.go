package print_test

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/print"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A value alone stands in the line of its element when nothing is folded as well.
func TestBareValues(t *testing.T) {
	var kinds []uint8
	var tags [][]byte
	tree := annotated(t, walker(func(c *wire.Cursor) {
		wire.List(c, "kinds", &kinds, 2, 1, func(v *uint8, c *wire.Cursor) { wire.Enum8(c, "", v, teams) })
		wire.List(c, "tags", &tags, 1, 1, func(v *[]byte, c *wire.Cursor) { wire.Text8(c, "", v) })
	}), []byte("\x01\x00\x01a"))
	for _, all := range []bool{false, true} {
		p := print.Printer{All: all}
		checkPrinted(t, string(p.Append(nil, tree, nil, nil)), `
          0  kinds[0]              1         blue
          1  kinds[1]              0         red
        2-3  tags[0]               "a"
`)
	}
}

// How many elements are left out stands where the names of their list do.
func TestFoldedDeepLists(t *testing.T) {
	var n []uint8
	data := make([]byte, 10)
	tree := annotated(t, walker(func(c *wire.Cursor) {
		c.Begin("outer")
		c.Begin("inner")
		wire.List(c, "n", &n, wire.UntilEnd, 1, func(v *uint8, c *wire.Cursor) { wire.U8(c, "", v) })
		c.End()
		c.End()
	}), data)
	checkPrinted(t, lines(string(new(print.Printer).Append(nil, tree, data, nil)), 9, 2), `
          7      n[7]                  0
                 ... 2 more
`)
}
