package bzmap_test

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag/bzmap"
)

// picture is the content of an SVG: its elements, in the order in which they are painted.
type picture struct {
	size, title, ground string
	shapes              []drawn
	scale               string
}

// drawn is a shape: its element, its class, its brightness, and its points, with y upwards.
type drawn struct {
	element, class, style string
	points                [][2]float64
}

// parse parses an SVG.
func parse(t *testing.T, svg []byte) (p picture) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(string(svg)))
	within := ""
	for {
		token, err := d.Token()
		if err == io.EOF {
			return p
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		switch e := token.(type) {
		case xml.EndElement:
			within = ""
		case xml.CharData:
			switch within {
			case "title":
				p.title = string(e)
			case "text":
				p.scale += string(e)
			}
		case xml.StartElement:
			a := make(map[string]string)
			for _, attr := range e.Attr {
				a[attr.Name.Local] = attr.Value
			}
			switch within = e.Name.Local; within {
			case "svg":
				p.size = a["viewBox"] + "; " + a["width"] + " x " + a["height"]
			case "rect":
				p.ground = a["class"] + ": " + a["x"] + " " + a["y"] + " " + a["width"] + " " + a["height"]
			case "line":
				p.scale = a["x1"] + " " + a["y1"] + " to " + a["x2"] + " " + a["y2"]
			case "text":
				p.scale += "; " + a["x"] + " " + a["y"] + " of " + a["font-size"] + ": "
			case "polygon", "polyline":
				s := drawn{element: within, class: a["class"], style: a["style"]}
				for at := range strings.FieldsSeq(a["points"]) {
					var q [2]float64
					if _, err := fmt.Sscanf(at, "%f,%f", &q[0], &q[1]); err != nil {
						t.Fatalf("%q: %v", at, err)
					}
					q[1] = 0 - q[1]
					s.points = append(s.points, q)
				}
				p.shapes = append(p.shapes, s)
			}
		}
	}
}

// checkPoints compares the points of a shape with computed points. The SVG has two decimals.
func checkPoints(t *testing.T, name string, got drawn, want ...[2]float64) {
	t.Helper()
	same := slices.EqualFunc(got.points, want, func(a, b [2]float64) bool {
		return math.Abs(a[0]-b[0]) <= 0.0051 && math.Abs(a[1]-b[1]) <= 0.0051
	})
	if !same {
		t.Errorf("%s: %v, want %v", name, got.points, want)
	}
}

// TestPicture draws a box of 4 by 6 units. The margin is a 25th of the box's longer side: 0.24. The picture's longer
// side has 800 pixels. The length of the scale bar is the highest power of ten that is at most half the box's width.
func TestPicture(t *testing.T) {
	id := bzmap.Identity()
	plan := bzmap.Plan{Title: "a <b> & \x1b\"c\""}
	plan.Block(bzmap.Box, id.Shifted(vec{10, 20, 0}), vec{2, 3, 4})
	if svg := string(plan.SVG()); !strings.Contains(svg, ` points="8.00,-17.00 12.00,-17.00 `) {
		t.Error(svg)
	}
	p := parse(t, plan.SVG())
	for _, c := range []struct{ name, got, want string }{
		{"size", p.size, "7.76 -23.24 4.48 6.48; 553 x 800"},
		{"title", p.title, `a <b> & _"c"`},
		{"ground", p.ground, "ground: 8.00 -23.00 4.00 6.00"},
		{"scale", p.scale, "8.00 -16.86 to 9.00 -16.86; 9.06 -16.80 of 0.17: 1"},
		{"element", p.shapes[0].element + " " + p.shapes[0].class, "polygon box"},
		{"brightness", p.shapes[0].style, "filter:brightness(1.35)"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.name, c.got, c.want)
		}
	}
	checkPoints(t, "box", p.shapes[0], [2]float64{8, 17}, [2]float64{12, 17}, [2]float64{12, 23}, [2]float64{8, 23})

	wide := bzmap.Plan{Water: true}
	wide.Line(bzmap.Wall, id, [3]float64{-250, 30, 0}, [3]float64{250, -10, 0})
	p = parse(t, wide.SVG())
	for _, c := range []struct{ name, got, want string }{
		{"size", p.size, "-270.00 -50.00 540.00 80.00; 800 x 119"},
		{"ground", p.ground, "ground water: -250.00 -30.00 500.00 40.00"},
		{"scale", p.scale, "-250.00 22.00 to -150.00 22.00; -145.00 27.00 of 14.00: 100"},
		{"element", p.shapes[0].element + " " + p.shapes[0].class, "polyline wall"},
		{"brightness", p.shapes[0].style, ""},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.name, c.got, c.want)
		}
	}
	var empty bzmap.Plan
	if p := parse(t, empty.SVG()); len(p.shapes) != 0 || p.size != "-0.04 -0.04 0.08 0.08; 59 x 59" {
		t.Errorf("an empty picture: %+v", p)
	}
}

// TestHeights checks that higher objects are painted later and brighter. The brightness is 1 at height 0 and 1.35 at the
// height of the highest object, or at height 1 if no object is that high. Objects of equal height keep their order.
func TestHeights(t *testing.T) {
	at := func(z float32) bzmap.Matrix { m := bzmap.Identity(); return m.Shifted(vec{0, 0, z}) }
	var plan bzmap.Plan
	plan.Block(bzmap.RedBase, at(6), vec{1, 1, 2})
	plan.Block(bzmap.Mesh, at(2), vec{1, 1, 0})
	plan.Block(bzmap.Zone, at(4), vec{1, 1, 1})
	plan.Block(bzmap.Box, at(-9), vec{1, 1, 1})
	plan.Polygon(bzmap.Pyramid, at(0), [3]float64{0, 0, -1}, [3]float64{1, 0, 2}, [3]float64{0, 1, 1})
	var got []string
	for _, s := range parse(t, plan.SVG()).shapes {
		got = append(got, s.class+s.style)
	}
	want := []string{
		"boxfilter:brightness(1.00)", "meshfilter:brightness(1.09)", "pyramidfilter:brightness(1.09)", "zone",
		"base redfilter:brightness(1.35)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("painted %q, want %q", got, want)
	}
	var flat bzmap.Plan
	flat.Block(bzmap.Box, at(0), vec{1, 1, 0.5})
	if got := parse(t, flat.SVG()).shapes[0].style; got != "filter:brightness(1.18)" {
		t.Errorf("at height 0.5: %s", got)
	}
}

// TestRing checks the points of arcs and disks. Their x and y are the cosine and sine of each step's angle, times the
// half sizes. The inner edge goes backwards.
func TestRing(t *testing.T) {
	const root3 = 1.7320508
	nowhere := float32(math.NaN())
	circle := [][2]float64{{2, 0}, {0, 3}, {-2, 0}, {0, -3}, {2, 0}}
	for _, c := range []struct {
		name         string
		size         vec
		sweep, ratio float32
		divisions    int32
		want         [][2]float64
	}{
		{"a quarter with a hole", vec{4, 2, 1}, 90, 0.25, 3, [][2]float64{
			{4, 0}, {2 * root3, 1}, {2, root3}, {0, 2}, {0, 1.5}, {1.5, 0.75 * root3}, {1.5 * root3, 0.75}, {3, 0},
		}},
		{"half a disk", vec{2, 4, 1}, 180, 1, 3, [][2]float64{{2, 0}, {1, 2 * root3}, {-1, 2 * root3}, {-2, 0}, {0, 0}}},
		{"half a disk, clockwise", vec{2, 4, 1}, -180, 1, 3, [][2]float64{{2, 0}, {1, -2 * root3}, {-1, -2 * root3}, {-2, 0}, {0, 0}}},
		{"a disk", vec{2, 3, 1}, 360, 1, 4, circle},
		{"a disk, clockwise", vec{2, 3, 1}, -360, 1, 4, [][2]float64{{2, 0}, {0, -3}, {-2, 0}, {0, 3}, {2, 0}}},
		{"more than a turn", vec{2, 3, 1}, 361, 1, 4, circle},
		{"more than a turn back", vec{2, 3, 1}, -361, 1, 4, circle},
		{"an invalid angle", vec{2, 3, 1}, nowhere, 1, 4, circle},
		{"a ratio above 1", vec{2, 3, 1}, 360, 2, 4, circle},
		{"a ring", vec{2, 3, 1}, 360, 0.5, 4, append(circle[:5:5], [][2]float64{{1, 0}, {0, -1.5}, {-1, 0}, {0, 1.5}, {1, 0}}...)},
		{"a ring without a width", vec{2, 3, 1}, 360, -1, 4, append(circle[:5:5], [][2]float64{{2, 0}, {0, -3}, {-2, 0}, {0, 3}, {2, 0}}...)},
		{"too few steps", vec{2, 2, 1}, 360, 1, 2, [][2]float64{{2, 0}, {-1, root3}, {-1, -root3}, {2, 0}}},
	} {
		var plan bzmap.Plan
		plan.Ring(bzmap.Identity(), c.size, c.sweep, c.ratio, c.divisions)
		checkPoints(t, c.name, parse(t, plan.SVG()).shapes[0], c.want...)
	}
	var plan bzmap.Plan
	plan.Ring(bzmap.Identity(), vec{1, 1, 1}, 360, 1, 64)
	plan.Ring(bzmap.Identity(), vec{1, 1, 1}, 360, 1, math.MaxInt32)
	for _, s := range parse(t, plan.SVG()).shapes {
		if len(s.points) != 65 {
			t.Errorf("%d points, want 65", len(s.points))
		}
	}
}

// TestTip checks the four sides of a pyramid, seen from above.
func TestTip(t *testing.T) {
	var plan bzmap.Plan
	id := bzmap.Identity()
	plan.Tip(id.Shifted(vec{10, 0, 0}), vec{2, 3, 4})
	p := parse(t, plan.SVG())
	if len(p.shapes) != 4 {
		t.Fatalf("%d sides", len(p.shapes))
	}
	top := [2]float64{10, 0}
	corners := [][2]float64{{8, -3}, {12, -3}, {12, 3}, {8, 3}}
	for i, s := range p.shapes {
		checkPoints(t, "side", s, corners[i], corners[(i+1)%4], top)
		if s.class != "pyramid" || s.style != "filter:brightness(1.35)" {
			t.Errorf("%q, %q", s.class, s.style)
		}
	}
	plan = bzmap.Plan{}
	plan.Polygon(bzmap.Mesh, id, [3]float64{0, 0, 8})
	plan.Tip(id, vec{2, 3, 4})
	if style := parse(t, plan.SVG()).shapes[0].style; style != "filter:brightness(1.18)" {
		t.Errorf("the height of a side is not the height of its tip: %q", style)
	}
}

// TestNowhere checks that shapes without a valid position are omitted.
func TestNowhere(t *testing.T) {
	id := bzmap.Identity()
	for _, c := range []struct {
		at   [3]float64
		want int
	}{
		{[3]float64{9999999, 0, 0}, 1}, {[3]float64{0, -9999999, 0}, 1}, {[3]float64{0, 0, 9999999}, 1},
		{[3]float64{1e7, 0, 0}, 0}, {[3]float64{0, -1e7, 0}, 0}, {[3]float64{0, 0, 1e7}, 0},
		{[3]float64{math.NaN(), 0, 0}, 0}, {[3]float64{0, math.Inf(1), 0}, 0}, {[3]float64{0, 0, math.Inf(-1)}, 0},
	} {
		var plan bzmap.Plan
		plan.Line(bzmap.Wall, id, [3]float64{}, c.at)
		if got := len(parse(t, plan.SVG()).shapes); got != c.want {
			t.Errorf("%v: %d shapes, want %d", c.at, got, c.want)
		}
	}
	var plan bzmap.Plan
	plan.Polygon(bzmap.Mesh, id)
	if got := len(parse(t, plan.SVG()).shapes); got != 0 {
		t.Errorf("%d shapes without a point", got)
	}
}

// TestPlanIsBounded checks that both points and work that draws nothing count toward a picture's limit. A shape counts
// as one plus the number of its points.
func TestPlanIsBounded(t *testing.T) {
	const most = 400_000
	var plan bzmap.Plan
	plan.Spend(most - 6)
	for range 3 {
		plan.Block(bzmap.Box, bzmap.Identity(), vec{1, 1, 1})
	}
	if n := len(parse(t, plan.SVG()).shapes); !plan.Full() || n != 2 {
		t.Errorf("%d shapes, full: %t", n, plan.Full())
	}
	plan = bzmap.Plan{}
	plan.Spend(most - 1)
	if plan.Full() {
		t.Error("full too early")
	}
	plan.Polygon(bzmap.Mesh, bzmap.Identity()) // a polygon without points counts as one
	if !plan.Full() {
		t.Error("not full")
	}
}

func TestTeamBase(t *testing.T) {
	for team, want := range map[int]bzmap.Kind{
		0: bzmap.Mesh, 1: bzmap.RedBase, 2: bzmap.GreenBase, 3: bzmap.BlueBase, 4: bzmap.PurpleBase,
		5: bzmap.Mesh, -1: bzmap.Mesh, 1 << 20: bzmap.Mesh,
	} {
		if got := bzmap.TeamBase(team); got != want {
			t.Errorf("team %d: %s, want %s", team, got, want)
		}
	}
}
