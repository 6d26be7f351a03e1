package print_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/print"
)

// score is an element that fits on one line.
type score struct {
	Team uint8
	Name []byte
}

type pair struct {
	A uint8
	B uint16
}

func (p *pair) walk(c *wire.Cursor) {
	wire.U8(c, "a", &p.A)
	wire.U16(c, "b", &p.B)
}

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

// board is a message with everything that the printer formats.
type board struct {
	Flags  uint8
	Kind   uint16
	Name   []byte
	X, Y   int16
	Scores []score
	Tags   [][]byte
	Rooms  []room
	Data   []byte
}

var (
	teams = wire.Names("red", "blue")
	flags = wire.Symbols{{Value: 1, Name: "locked"}, {Value: 4, Name: "ranked"}}
)

func (b *board) Walk(c *wire.Cursor) {
	wire.Bits8(c, "flags", &b.Flags, flags)
	wire.Enum16(c, "kind", &b.Kind, teams)
	wire.Text8(c, "name", &b.Name)
	c.Computed("shown_as", func(dst []byte) []byte { return append(dst, b.Name...) })
	c.Begin("position")
	wire.I16(c, "x", &b.X)
	wire.I16(c, "y", &b.Y)
	c.End()
	wire.List(c, "scores", &b.Scores, 10, 2, func(s *score, c *wire.Cursor) {
		wire.Enum8(c, "team", &s.Team, teams)
		wire.Text8(c, "name", &s.Name)
	})
	wire.List(c, "tags", &b.Tags, 1, 1, func(v *[]byte, c *wire.Cursor) { wire.Text8(c, "", v) })
	wire.List(c, "rooms", &b.Rooms, 1, 1, (*room).walk)
	wire.Rest(c, "a_name_longer_than_its_column", &b.Data)
}

// boardData contains scores from byte 11 on, three bytes each.
var boardData = []byte("\x05\x00\x01\x03b\x1bd\x00\x02\xff\xfe" +
	"\x00\x01a\x01\x01b\x02\x01c\x00\x01d\x00\x01e\x00\x01f\x00\x01g\x00\x01h\x00\x01i\x00\x01j" +
	"\x02hi" + "\x01\x01\x00\x02\x03\x04\x05\x06" + "0123456789abcdefghijklmnopqrst")

var toyRule = &wire.Rule{ID: "toy.rule", Severity: wire.Warning, Title: "a toy"}

// annotated reads a message and returns its tree.
func annotated(t *testing.T, w wire.Walker, data []byte) *wire.Tree {
	t.Helper()
	var base wire.Base
	if err := base.Decode(w, data, gopacket.NilDecodeFeedback); err != nil {
		t.Fatal(err)
	}
	var tree wire.Tree
	base.Annotate(w, &tree)
	return &tree
}

// walker is a message with a function as its Walk.
type walker func(*wire.Cursor)

func (w walker) Walk(c *wire.Cursor) { w(c) }

func at(off, size int) wire.Finding {
	return wire.Finding{Rule: toyRule, Text: "off", Off: off, Size: size}
}

func printed(t *testing.T, p *print.Printer, findings ...wire.Finding) string {
	t.Helper()
	return string(p.Append(nil, annotated(t, new(board), boardData), boardData, findings))
}

// checkPrinted compares the output with the text it should be.
func checkPrinted(t *testing.T, got, want string) {
	t.Helper()
	if want = strings.TrimPrefix(want, "\n"); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// lines returns n lines of a text, beginning with the line that has index from.
func lines(text string, from, n int) string {
	return strings.Join(strings.SplitAfter(text, "\n")[from:from+n], "")
}

func TestPrinter(t *testing.T) {
	checkPrinted(t, printed(t, &print.Printer{}, at(8, 1), at(36, 2), at(82, 0)), `
          0  flags                 5         locked ranked
        1-2  kind                  1         blue
        3-6  name                  "b\x1bd"
          -  shown_as              "b\x1bd"  (computed)
       7-10  position
        7-8    x                     2
             ! toy.rule warning: off
       9-10    y                     -2
      11-13  scores[0]             team 0 red  name "a"
      14-16  scores[1]             team 1 blue  name "b"
      17-19  scores[2]             team 2  name "c"
      20-22  scores[3]             team 0 red  name "d"
      23-25  scores[4]             team 0 red  name "e"
      26-28  scores[5]             team 0 red  name "f"
      29-31  scores[6]             team 0 red  name "g"
      32-34  scores[7]             team 0 red  name "h"
      35-37  scores[8]             team 0 red  name "i"
             ! toy.rule warning: off
             ... 1 more
      41-43  tags[0]               "hi"
      44-51  rooms[0]
         44      count                 1
      45-47      pairs[0]              a 1  b 2
      48-50      at
         48        x                     3
         49        deep
         49          inner                 4
         50        y                     5
         51      closed                6
      52-81  a_name_longer_than_its_column 30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e ... 30 bytes
             ! toy.rule warning: off
`)
}

// A line has room for eight bytes. If there are more, the line has a mark.
func TestPrinterMarksMoreBytes(t *testing.T) {
	for size, want := range map[int]bool{8: false, 9: true} {
		data := []byte("012345678")[:size]
		var v []byte
		tree := annotated(t, walker(func(c *wire.Cursor) { wire.Rest(c, "data", &v) }), data)
		p := print.Printer{Bytes: true}
		if got := string(p.Append(nil, tree, data, nil)); strings.Contains(got, "37 +") != want {
			t.Errorf("%d bytes: %q", size, got)
		}
	}
}

// A folded element is shown if it contains the first byte of a finding.
func TestPrinterUnfoldsForFindings(t *testing.T) {
	for off, want := range map[int]string{34: "", 35: "scores[8]", 37: "scores[8]", 38: "scores[9]", 40: "scores[9]", 41: ""} {
		got := printed(t, &print.Printer{}, at(off, 1))
		for _, name := range []string{"scores[8]", "scores[9]"} {
			if strings.Contains(got, name) != (name == want) {
				t.Errorf("finding at %d: %s is shown: %t", off, name, name != want)
			}
		}
	}
}

// Bytes after the first eight take further lines of eight bytes each.
func TestPrinterShowsAllBytes(t *testing.T) {
	for size, lines := range map[int]int{8: 1, 9: 2, 16: 2, 17: 3} {
		data := make([]byte, size)
		var v []byte
		tree := annotated(t, walker(func(c *wire.Cursor) { wire.Rest(c, "data", &v) }), data)
		p := print.Printer{Bytes: true, All: true}
		if got := string(p.Append(nil, tree, data, nil)); strings.Count(got, "\n") != lines || strings.Count(got, "00") < size {
			t.Errorf("%d bytes: %q", size, got)
		}
	}
}

func TestPrinterShowsAll(t *testing.T) {
	all := printed(t, &print.Printer{All: true, Bytes: true}, at(36, 1))
	checkPrinted(t, lines(all, 31, 7), `
      35-37  00 01 69                   scores[8]
         35  00                             team                  0         red
      36-37  01 69                          name                  "i"
                                        ! toy.rule warning: off
      38-40  00 01 6a                   scores[9]
         38  00                             team                  0         red
      39-40  01 6a                          name                  "j"
`)
	_, end, _ := strings.Cut(all, "51  06                             closed                6\n")
	checkPrinted(t, end, `
      52-81  30 31 32 33 34 35 36 37    a_name_longer_than_its_column 30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e ... 30 bytes
             38 39 61 62 63 64 65 66
             67 68 69 6a 6b 6c 6d 6e
             6f 70 71 72 73 74
`)
}

func TestPrinterShowsBytes(t *testing.T) {
	text := printed(t, &print.Printer{Bytes: true})
	checkPrinted(t, lines(text, 0, 6), `
          0  05                         flags                 5         locked ranked
        1-2  00 01                      kind                  1         blue
        3-6  03 62 1b 64                name                  "b\x1bd"
          -                             shown_as              "b\x1bd"  (computed)
       7-10  00 02 ff fe                position
        7-8  00 02                        x                     2
`)
	if !strings.Contains(text, "\n                                        ... 2 more\n") ||
		!strings.Contains(text, "\n      52-81  30 31 32 33 34 35 36 37 +  a_name") {
		t.Error(text)
	}
}

func TestPrinterEmptyList(t *testing.T) {
	var none []pair
	tree := annotated(t, walker(func(c *wire.Cursor) { wire.List(c, "servers", &none, wire.UntilEnd, 1, (*pair).walk) }), nil)
	var p print.Printer
	checkPrinted(t, string(p.Append(nil, tree, nil, nil)), "          -  servers               none\n")
}

// Colours change nothing else. Each colour ends on the line where it begins.
func TestPrinterStyle(t *testing.T) {
	style := print.Style{Range: "<r>", Name: "<n>", Meaning: "<m>", Note: "<N>", Warning: "<W>", Error: "<E>", Reset: "</>"}
	strip := strings.NewReplacer("<r>", "", "<n>", "", "<m>", "", "<N>", "", "<W>", "", "<E>", "", "</>", "")
	for _, p := range []print.Printer{{}, {All: true}, {Bytes: true}, {Bytes: true, All: true}} {
		plain := printed(t, &p, at(0, 1), at(36, 1), at(900, 1))
		p.Style = style
		coloured := printed(t, &p, at(0, 1), at(36, 1), at(900, 1))
		if got := strip.Replace(coloured); got != plain {
			t.Errorf("without colours\n%s\nplain\n%s", got, plain)
		}
		for line := range strings.Lines(coloured) {
			open := strings.Count(line, "<") - strings.Count(line, "</>")
			if open != strings.Count(line, "</>") {
				t.Errorf("colours left open: %s", line)
			}
		}
	}
	var p print.Printer
	p.Style = style
	coloured := printed(t, &p, at(0, 1))
	checkPrinted(t, lines(coloured, 0, 2), `
<r>          0</>  <n>flags</>                 5         <m>locked ranked</>
             <W>! toy.rule warning: off</>
`)
	for severity, want := range map[wire.Severity]string{wire.Note: "<N>", wire.Warning: "<W>", wire.Error: "<E>"} {
		if style.ForSeverity(severity) != want {
			t.Errorf("%v is %s", severity, style.ForSeverity(severity))
		}
	}
}

// Every finding is shown exactly once: below the line with its first byte, or at the end.
func TestPrinterLosesNoFinding(t *testing.T) {
	for _, p := range []print.Printer{{}, {All: true}, {Bytes: true}, {Bytes: true, All: true}} {
		for off := range len(boardData) + 3 {
			first, second := at(off, off%3), at(off, 200)
			second.Text = "second"
			text := printed(t, &p, first, second)
			before, after, found := strings.Cut(text, "! toy.rule warning: off\n")
			if !found || strings.Count(text, "! toy.rule") != 2 || !strings.HasPrefix(strings.TrimLeft(after, " "), "! toy.rule warning: second\n") {
				t.Fatalf("finding at %d:\n%s", off, text)
			}
			if off < len(boardData) && !covers(before, off) {
				t.Fatalf("finding at %d is below\n%s", off, before)
			}
			if off >= len(boardData) && strings.Count(after, "\n") != 1 {
				t.Fatalf("finding at %d is not at the end", off)
			}
		}
	}
}

// covers reports whether the last line that has a range contains the offset.
func covers(text string, off int) bool {
	for _, line := range slices.Backward(slices.Collect(strings.Lines(text))) {
		from, to := 0, 0
		if n, _ := fmt.Sscanf(line[:11], "%d-%d", &from, &to); n > 0 {
			return from <= off && off <= max(from, to)
		}
	}
	return false
}

// Columns are the same on every line and for every message.
func TestPrinterAlignment(t *testing.T) {
	for _, withBytes := range []bool{false, true} {
		p := print.Printer{Bytes: withBytes, All: true}
		names := 13
		if withBytes {
			names = 40
		}
		tree := annotated(t, new(board), boardData)
		text := string(p.Append(nil, tree, boardData, nil))
		for i := range tree.Nodes {
			n := &tree.Nodes[i]
			if n.Kind == wire.Sequence || n.Element > 0 || n.Name == "" {
				continue
			}
			want := strings.Repeat(" ", 2*int(n.Depth)) + n.Name
			if !slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool {
				return len(line) > names && strings.HasPrefix(line[names:], want)
			}) {
				t.Errorf("%q does not begin in column %d:\n%s", want, names, text)
			}
		}
	}
}

func TestPrinterDoesNotAllocate(t *testing.T) {
	tree := annotated(t, new(board), boardData)
	findings := []wire.Finding{at(0, 1), at(36, 1)}
	p := print.Printer{Bytes: true}
	out := p.Append(nil, tree, boardData, findings)
	if n := testing.AllocsPerRun(100, func() { out = p.Append(out[:0], tree, boardData, findings) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
