package bzmap_test

import (
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag/bzmap"
)

func TestText(t *testing.T) {
	var text bzmap.Text
	text.Comment("from\na stranger\x1b")
	text.Begin("box")
	text.Floats("position", 1.5, -2, 1e-7)
	text.Floats("size", float32(math.NaN()), float32(math.Inf(1)), 0)
	text.Ints("color", 3, -1)
	text.Flag("ricochet", true)
	text.Flag("flipz", false)
	text.Prose("death", []byte("You\nend\r\noptions"))
	text.Prose("death", nil)
	text.End("end")
	text.Begin("define", bzmap.Name([]byte("a b#\nend\x00ü")))
	text.Begin("base")
	text.End("end")
	text.End("enddef")
	const want = `# from_a stranger_

box
  position 1.5 -2 1e-07
  size 0 0 0
  color 3 -1
  ricochet
  death You_end__options
end

define a_b__end___
  base
  end
enddef
`
	if got := string(text.Bytes()); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		jumping, ricochet, flags bool
		want                     string
	}{
		{false, false, false, ""},
		{true, false, false, "options\n  -j\nend\n"},
		{true, true, false, "options\n  -j\n  +r\nend\n"},
		{false, false, true, "# Played as capture the flag: bzfs -c, and -mp to close teams that have no base.\n"},
	} {
		var text bzmap.Text
		text.Options(c.jumping, c.ricochet, c.flags)
		if got := string(text.Bytes()); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func TestMatrix(t *testing.T) {
	id := bzmap.Identity()
	quarter := float32(math.Pi / 2)
	for _, c := range []struct {
		name string
		m    bzmap.Matrix
		want [3]float64
	}{
		{"nothing", id, [3]float64{1, 2, 3}},
		{"shift", id.Shifted([3]float32{10, 20, 30}), [3]float64{11, 22, 33}},
		{"scale", id.Scaled([3]float32{2, 3, 4}), [3]float64{2, 6, 12}},
		{"shear", id.Sheared([3]float32{1, 2, 0}), [3]float64{4, 8, 3}},
		{"spin", id.Spun(quarter, [3]float32{0, 0, 5}), [3]float64{-2, 1, 3}},
		{"spin around nothing", id.Spun(quarter, [3]float32{}), [3]float64{1, 2, 3}},
		{"placed", bzmap.At([3]float32{10, 0, 0}, quarter, id), [3]float64{8, 1, 3}},
		{"placed in what is turned", bzmap.At([3]float32{10, 0, 0}, 0, id.Spun(quarter, [3]float32{0, 0, 1})), [3]float64{-2, 11, 3}},
	} {
		got := c.m.Apply([3]float64{1, 2, 3})
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-5 {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
				break
			}
		}
	}
}

// checkXML reads a picture and counts its shapes.
func checkXML(t *testing.T, svg []byte) (shapes int) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(string(svg)))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return shapes
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		if e, ok := token.(xml.StartElement); ok && (e.Name.Local == "polygon" || e.Name.Local == "polyline") {
			shapes++
		}
	}
}

func TestPlan(t *testing.T) {
	var empty bzmap.Plan
	if n := checkXML(t, empty.SVG()); n != 0 {
		t.Errorf("%d shapes in an empty picture", n)
	}
	nowhere := float32(math.NaN())
	plan := bzmap.Plan{Title: `<script>"&`, Water: true}
	m := bzmap.Identity()
	plan.Block(bzmap.Box, m, [3]float32{10, 20, 5})
	plan.Block(bzmap.Box, m, [3]float32{nowhere, 20, 5})
	plan.Block(bzmap.Box, m, [3]float32{1e30, 20, 5})
	plan.Tip(m, [3]float32{1, 1, 1})
	plan.Ring(m, [3]float32{5, 5, 5}, 360, 1, 8)
	plan.Ring(m, [3]float32{5, 5, 5}, 90, 0.5, math.MaxInt32)
	plan.Ring(m, [3]float32{5, 5, 5}, nowhere, nowhere, math.MinInt32)
	plan.Line(bzmap.Wall, m, [3]float64{0, 0, 0}, [3]float64{100, 0, 0})
	plan.Polygon(bzmap.Mesh, m)
	svg := plan.SVG()
	if n := checkXML(t, svg); n != 1+4+3+1 {
		t.Errorf("%d shapes:\n%s", n, svg)
	}
	if s := string(svg); strings.Contains(s, "<script") || !strings.Contains(s, "<title>&lt;script&gt;&#34;&amp;</title>") || strings.Contains(s, "NaN") {
		t.Errorf("%s", s)
	}
}

func TestPlanIsBounded(t *testing.T) {
	var plan bzmap.Plan
	for range 1_000_000 {
		plan.Block(bzmap.Box, bzmap.Identity(), [3]float32{1, 1, 1})
	}
	if n := checkXML(t, plan.SVG()); !plan.Full() || n > 100_000 {
		t.Errorf("%d shapes, full: %t", n, plan.Full())
	}
}

func TestTeamBase(t *testing.T) {
	for team, want := range map[int]bzmap.Kind{0: bzmap.Mesh, 1: bzmap.RedBase, 4: bzmap.PurpleBase, 5: bzmap.Mesh, -1: bzmap.Mesh, 1 << 20: bzmap.Mesh} {
		if got := bzmap.TeamBase(team); got != want {
			t.Errorf("team %d: %s, want %s", team, got, want)
		}
	}
}
