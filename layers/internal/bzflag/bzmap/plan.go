package bzmap

import (
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"
)

// maxWork limits the work for a picture, as a number of drawn and omitted points. Groups may contain groups, so a small
// file can contain very many points.
const maxWork = 400_000

// Kind is the kind of object that a shape represents. It determines how the shape is painted.
type Kind string

// The kinds of shapes.
const (
	Box        Kind = "box"
	Pyramid    Kind = "pyramid"
	Mesh       Kind = "mesh"
	Wall       Kind = "wall"
	Teleporter Kind = "teleporter"
	Zone       Kind = "zone"
	Weapon     Kind = "weapon"
	RedBase    Kind = "base red"
	GreenBase  Kind = "base green"
	BlueBase   Kind = "base blue"
	PurpleBase Kind = "base purple"
)

// TeamBase returns the kind of a team's base, given the team's number.
func TeamBase(team int) Kind {
	bases := [...]Kind{RedBase, GreenBase, BlueBase, PurpleBase}
	if team < 1 || team > len(bases) {
		return Mesh
	}
	return bases[team-1]
}

// Plan is a picture of a world as seen from above. Objects can be added to it.
type Plan struct {
	Title  string
	Water  bool // water covers the ground
	shapes []shape
	work   int
	least  [2]float64
	most   [2]float64
}

// shape is a polygon or a line, with its height.
type shape struct {
	kind   Kind
	top    float64
	open   bool
	points [][2]float64
}

// Full reports whether nothing more can be drawn.
func (p *Plan) Full() bool { return p.Room() == 0 }

// Room returns how many more points can be drawn.
func (p *Plan) Room() int { return max(maxWork-p.work, 0) }

// Spend counts work that draws nothing. n is the equivalent number of points.
func (p *Plan) Spend(n int) { p.work += n }

// Polygon draws a face with the given corners. m moves them to their place in the world.
func (p *Plan) Polygon(kind Kind, m Matrix, points ...[3]float64) { p.add(kind, false, m, points) }

// Line draws a line.
func (p *Plan) Line(kind Kind, m Matrix, points ...[3]float64) { p.add(kind, true, m, points) }

func (p *Plan) add(kind Kind, open bool, m Matrix, points [][3]float64) {
	if p.Full() {
		return
	}
	p.Spend(1 + len(points))
	if len(points) == 0 {
		return
	}
	s := shape{kind: kind, open: open, top: math.Inf(-1), points: make([][2]float64, len(points))}
	for i, at := range points {
		q := m.Apply(at)
		for _, x := range q {
			if !(math.Abs(x) < 1e7) { // NaN, or too far away
				return
			}
		}
		s.points[i] = [2]float64{q[0], q[1]}
		s.top = max(s.top, q[2])
	}
	if len(p.shapes) == 0 {
		p.least, p.most = s.points[0], s.points[0]
	}
	for _, q := range s.points {
		for i, x := range q {
			p.least[i], p.most[i] = min(p.least[i], x), max(p.most[i], x)
		}
	}
	p.shapes = append(p.shapes, s)
}

// Block draws a box. size contains half the size in x and y, and the full height.
func (p *Plan) Block(kind Kind, m Matrix, size [3]float32) {
	p.Polygon(kind, m, corners(size)...)
}

func corners(size [3]float32) [][3]float64 {
	x, y, z := float64(size[0]), float64(size[1]), float64(size[2])
	return [][3]float64{{-x, -y, z}, {x, -y, z}, {x, y, z}, {-x, y, z}}
}

// Tip draws a pyramid.
func (p *Plan) Tip(m Matrix, size [3]float32) {
	base := corners(size)
	top := [3]float64{0, 0, float64(size[2])}
	for i := range base {
		base[i][2] = 0
	}
	for i := range base {
		p.Polygon(Pyramid, m, base[i], base[(i+1)%len(base)], top)
	}
}

// Ring draws an elliptic ring, or a part of it. size contains the radii in x and y, and sweep is the angle of the part
// in degrees. ratio is the width of the ring divided by its radius, so at ratio 1 there is no hole. divisions is the
// number of straight pieces.
func (p *Plan) Ring(m Matrix, size [3]float32, sweep, ratio float32, divisions int32) {
	steps := int(min(max(divisions, 3), 64))
	if math.Abs(float64(sweep)) > 360 || sweep-sweep != 0 {
		sweep = 360
	}
	var outer, inner [][3]float64
	hole := min(max(1-float64(ratio), 0), 1)
	for i := range steps + 1 {
		sin, cos := math.Sincos(float64(sweep) * math.Pi / 180 * float64(i) / float64(steps))
		at := [3]float64{cos * float64(size[0]), sin * float64(size[1]), float64(size[2])}
		outer = append(outer, at)
		inner = append(inner, [3]float64{at[0] * hole, at[1] * hole, at[2]})
	}
	switch {
	case hole > 0:
		slices.Reverse(inner)
		outer = append(outer, inner...)
	case math.Abs(float64(sweep)) < 360:
		outer = append(outer, [3]float64{0, 0, float64(size[2])})
	}
	p.Polygon(Mesh, m, outer...)
}

const (
	pictureSize = 800 // pixels
	margin      = 0.04
)

// SVG returns the picture. Higher objects are painted later and lighter.
func (p *Plan) SVG() []byte {
	slices.SortStableFunc(p.shapes, func(a, b shape) int { return cmp.Compare(a.top, b.top) })
	width, height := p.most[0]-p.least[0], p.most[1]-p.least[1]
	edge := max(width, height, 1) * margin
	scale := pictureSize / (max(width, height, 1) + 2*edge)
	var b []byte
	b = fmt.Appendf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="%.2f %.2f %.2f %.2f"`+
		` width="%.0f" height="%.0f">`+"\n",
		p.least[0]-edge, -p.most[1]-edge, width+2*edge, height+2*edge, (width+2*edge)*scale, (height+2*edge)*scale)
	b = fmt.Appendf(b, "<title>%s</title>\n", html.EscapeString(plain(p.Title)))
	b = append(b, style...)
	ground := "ground"
	if p.Water {
		ground = "ground water"
	}
	b = fmt.Appendf(b, `<rect class="%s" x="%.2f" y="%.2f" width="%.2f" height="%.2f"/>`+"\n",
		ground, p.least[0], -p.most[1], width, height)
	highest := 1.0
	for i := range p.shapes {
		highest = max(highest, p.shapes[i].top)
	}
	for i := range p.shapes {
		b = p.shapes[i].append(b, highest)
	}
	return append(p.appendScale(b, edge), "</svg>\n"...)
}

// appendScale draws a scale bar.
func (p *Plan) appendScale(b []byte, edge float64) []byte {
	long := math.Pow(10, math.Floor(math.Log10(max(p.most[0]-p.least[0], 1)/2)))
	x, y := p.least[0], -p.least[1]+edge*0.6
	b = fmt.Appendf(b, `<line class="scale" x1="%.2f" y1="%.2f" x2="%.2f" y2="%.2f"/>`, x, y, x+long, y)
	return fmt.Appendf(b, `<text x="%.2f" y="%.2f" font-size="%.2f">%g</text>`+"\n",
		x+long+edge/4, y+edge/4, edge*0.7, long)
}

const style = `<style>
polygon, polyline, rect { vector-effect: non-scaling-stroke; stroke: #333; stroke-width: 1; stroke-linejoin: round }
.ground { fill: #7d9a6a } .water { fill: #7fa8c4 }
.box { fill: #a8865f } .pyramid { fill: #6f84a8 } .mesh { fill: #9a9a9a }
.wall, .teleporter { fill: none; stroke-width: 3 } .wall { stroke: #553b2b } .teleporter { stroke: #e8c53a }
.zone { fill: #fff; fill-opacity: .15; stroke: #fff; stroke-dasharray: 4 3 }` +
	` .weapon { stroke: #d22; stroke-width: 2; fill: none }
.red { fill: #c33 } .green { fill: #3a3 } .blue { fill: #36c } .purple { fill: #93b }
.scale { stroke: #333; stroke-width: 2; vector-effect: non-scaling-stroke } text { font-family: sans-serif; fill: #333 }
</style>
`

func (s *shape) append(b []byte, highest float64) []byte {
	element := "polygon"
	if s.open {
		element = "polyline"
	}
	b = fmt.Appendf(b, `<%s class="%s"`, element, s.kind)
	if light := 1 + 0.35*max(s.top, 0)/highest; !s.open && s.kind != Zone {
		b = fmt.Appendf(b, ` style="filter:brightness(%.2f)"`, light)
	}
	b = append(b, ` points="`...)
	for i, q := range s.points {
		if i > 0 {
			b = append(b, ' ')
		}
		b = fmt.Appendf(b, "%.2f,%.2f", q[0], 0-q[1]) // avoids "-0.00"
	}
	return append(b, "\"/>\n"...)
}
