package print_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/print"
)

// An element with a single value takes one line even if nothing is folded.
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

// The line with the number of omitted elements is aligned with the list's name.
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

// twice is an element that contains a list.
type twice struct{ n []uint8 }

func (v *twice) walk(c *wire.Cursor) {
	wire.List(c, "n", &v.n, 2, 1, func(v *uint8, c *wire.Cursor) { wire.U8(c, "", v) })
}

// If each element takes several lines, only the first three and elements with findings are shown.
func TestNestedListsFold(t *testing.T) {
	var list []twice
	data := []byte("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b")
	tree := annotated(t, walker(func(c *wire.Cursor) { wire.List(c, "list", &list, wire.UntilEnd, 2, (*twice).walk) }), data)
	folded := string(new(print.Printer).Append(nil, tree, data, []wire.Finding{at(9, 1)}))
	checkPrinted(t, folded, `
        0-1  list[0]
          0      n[0]                  0
          1      n[1]                  1
        2-3  list[1]
          2      n[0]                  2
          3      n[1]                  3
        4-5  list[2]
          4      n[0]                  4
          5      n[1]                  5
        8-9  list[4]
          8      n[0]                  8
          9      n[1]                  9
             ! toy.rule warning: off
             ... 2 more
`)
	p := print.Printer{All: true}
	if all := string(p.Append(nil, tree, data, nil)); strings.Count(all, "list[") != 6 || strings.Contains(all, "more") {
		t.Error(all)
	}
}

// If an element has more than four fields and a finding, each field has its own line, with its findings below.
func TestFindingsOpenElements(t *testing.T) {
	var list []uint8
	data := make([]byte, 10)
	tree := annotated(t, walker(func(c *wire.Cursor) {
		wire.List(c, "list", &list, wire.UntilEnd, 5, func(v *uint8, c *wire.Cursor) {
			for _, name := range []string{"a", "b", "c", "d", "e"} {
				wire.U8(c, name, v)
			}
		})
	}), data)
	checkPrinted(t, string(new(print.Printer).Append(nil, tree, data, []wire.Finding{at(6, 1)})), `
        0-4  list[0]               a 0  b 0  c 0  d 0  e 0
        5-9  list[1]
          5      a                     0
          6      b                     0
             ! toy.rule warning: off
          7      c                     0
          8      d                     0
          9      e                     0
`)
}

// A long text is cut. A text whose parsed values follow it is replaced with a reference. Printer.All shows both in
// full.
func TestTextsFold(t *testing.T) {
	long := bytes.Repeat([]byte("é"), 200)
	document := []byte(`{"a": [1, 2]}`)
	for _, c := range []struct {
		text                    []byte
		folded, not, all, notIn string
	}{
		{long, `é" ... 400 bytes`, strings.Repeat("é", 121), string(long) + `"` + "\n", "bytes"},
		{document, "text                  13 bytes, see json\n", `{`, `"{\"a\": [1, 2]}"`, "bytes"},
		{[]byte("{"), `"{"`, "bytes", `"{"`, "bytes"},
	} {
		tree := annotated(t, walker(func(c *wire.Cursor) {
			var v []byte
			wire.TextUpTo(c, "text", &v, 1000)
			c.JSON("json", v)
		}), c.text)
		folded := string(new(print.Printer).Append(nil, tree, c.text, nil))
		p := print.Printer{All: true}
		all := string(p.Append(nil, tree, c.text, nil))
		if !strings.Contains(folded, c.folded) || strings.Contains(folded, c.not) {
			t.Errorf("folded: %s", folded)
		}
		if !strings.Contains(all, c.all) || strings.Contains(all, c.notIn) {
			t.Errorf("all: %s", all)
		}
	}
}

// An element of up to sixteen fields takes one line, unless it contains a group or a list. If it has a single value,
// the value is printed with the list's name.
func TestElements(t *testing.T) {
	fields := func(names ...string) func(c *wire.Cursor) {
		return func(c *wire.Cursor) {
			var v uint8
			wire.List(c, "list", new([]uint8), wire.UntilEnd, len(names), func(_ *uint8, c *wire.Cursor) {
				for _, name := range names {
					if group, ok := strings.CutPrefix(name, "in "); ok {
						c.Begin(group)
						wire.U8(c, "", &v)
						c.End()
						continue
					}
					wire.U8(c, name, &v)
				}
			})
		}
	}
	for _, c := range []struct {
		walk walker
		size int
		want string
	}{
		{fields("a", "b", "c", "d", "e"), 5, "0-4  list[0]               a 1  b 2  c 3  d 4  e 5"},
		{fields(strings.Split("abcdefghijklmnop", "")...), 16, "0-15  list[0]               a 1  b 2  c 3  d 4  e 5  f 6  " +
			"g 7  h 8  i 9  j 10  k 11  l 12  m 13  n 14  o 15  p 16"},
		{fields(strings.Split("abcdefghijklmnopq", "")...), 17, "0-16  list[0]\n0      a                     1\n" +
			"1      b                     2\n"},
		{fields("a"), 1, "0  list[0]               a 1"},
		{fields(""), 1, "0  list[0]               1"},
		{fields("", "b"), 2, "0-1  list[0]               1  b 2"},
		{fields("in g"), 1, "0  list[0]\n0      g\n0                              1"},
		{fields("a", "in g"), 2, "0-1  list[0]\n0      a                     1\n1      g\n1                              2"},
	} {
		data := make([]byte, c.size)
		for i := range data {
			data[i] = byte(i + 1)
		}
		got := string(new(print.Printer).Append(nil, annotated(t, c.walk, data), data, nil))
		for i, line := range strings.Split(strings.TrimSuffix(got, "\n"), "\n") {
			want := strings.Split(c.want, "\n")
			if want[len(want)-1] == "" && i == len(want)-1 {
				break
			}
			if i >= len(want) || strings.TrimLeft(line, " ") != want[i] {
				t.Errorf("%q, want %q", got, c.want)
				break
			}
		}
	}
}
