package wire_test

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// counted is a list of numbers that follows its count.
type counted struct{ list []uint8 }

func (p *counted) Walk(c *wire.Cursor) {
	n := uint8(len(p.list))
	wire.U8(c, "count", &n)
	wire.List(c, "list", &p.list, wire.Count(n), 1, func(v *uint8, c *wire.Cursor) { wire.U8(c, "", v) })
	c.Begin("end")
	var end uint8
	wire.U8(c, "end", &end)
	c.End()
}

// Embedded data has no bytes in the message, whether the data is complete or not.
func TestEmbed(t *testing.T) {
	var b uint8
	for _, data := range []string{"\x02abc", "\x02ab", "\x05a", "", "\x01abcdef"} {
		walk := func(c *wire.Cursor) {
			wire.U8(c, "before", &b)
			c.Embed("whole", func() []byte { return []byte(data) }, new(counted))
			wire.U8(c, "after", &b)
		}
		tree := readWhole(t, []byte("xy"), walk).annotate(t)
		inside := tree.Find("whole")
		if inside == nil || !inside.Computed || inside.Size != 0 {
			t.Fatalf("%+v", inside)
		}
		for i := range tree.Nodes {
			if n := &tree.Nodes[i]; n.Name != "before" && n.Name != "after" && (n.Off != 1 || n.Size != 0) {
				t.Errorf("%q: %+v", data, n)
			}
		}
		if out, err := write(t, false, walk); err != nil || len(out) != 2 {
			t.Errorf("%q, %v", out, err)
		}
	}
	fields := describe(func(c *wire.Cursor) { c.Embed("whole", nil, new(counted)) })
	if len(fields) == 0 || fields[0].Name != "whole.count" {
		t.Errorf("%+v", fields)
	}
}
