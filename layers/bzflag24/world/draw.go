package world

import "github.com/gamedissect/gamedissect/layers/internal/bzflag/bzmap"

// maxNested is the maximum depth to which nested groups are drawn. It ends the drawing of a group that contains itself,
// which servers reject.
const maxNested = 8

type mapDrawer struct {
	*bzmap.Plan
	transforms []bzmap.Matrix    // the map's lists of transforms, each combined into one matrix
	groups     map[string]*Group // groups by name
}

func (m *Map) Draw(p *bzmap.Plan) {
	d := mapDrawer{Plan: p, groups: make(map[string]*Group)}
	for i := range m.Transforms {
		d.transforms = append(d.transforms, d.moved(&m.Transforms[i], bzmap.Identity()))
	}
	for i := range m.Groups {
		if name := string(m.Groups[i].Name); d.groups[name] == nil {
			d.groups[name] = &m.Groups[i]
		}
	}
	p.Water = m.WaterLevel >= 0
	d.group(&m.World, bzmap.Identity(), 0, 0)
	for i := range m.Zones {
		z := &m.Zones[i]
		p.Block(bzmap.Zone, bzmap.At(z.Position, z.Angle, bzmap.Identity()), z.Size)
	}
	for i := range m.Weapons {
		const size = 2
		at := bzmap.At(m.Weapons[i].Position, m.Weapons[i].Direction, bzmap.Identity())
		p.Line(bzmap.Weapon, at, [3]float64{0, -size, 0}, [3]float64{0, size, 0})
		p.Line(bzmap.Weapon, at, [3]float64{-size, 0, 0}, [3]float64{2 * size, 0, 0})
	}
}

// group draws a group. team replaces the team of the group's bases, unless it is 0.
func (d mapDrawer) group(g *Group, m bzmap.Matrix, team uint16, depth int) {
	d.plain(g, m, team)
	d.meshes(g, m)
	d.rounds(g, m)
	if depth == maxNested {
		return
	}
	for i := range g.Instances {
		if d.Full() {
			return
		}
		d.instance(&g.Instances[i], m, team, depth)
	}
}

// plain draws the walls, boxes and other upright objects of a group.
func (d mapDrawer) plain(g *Group, m bzmap.Matrix, team uint16) {
	for i := range g.Walls {
		w := &g.Walls[i]
		half := float64(w.HalfWidth)
		d.Line(bzmap.Wall, bzmap.At(w.Position, w.Angle, m), [3]float64{0, -half, 0}, [3]float64{0, half, 0})
	}
	for i := range g.Boxes {
		b := &g.Boxes[i]
		d.Block(bzmap.Box, bzmap.At(b.Position, b.Angle, m), b.Size)
	}
	for i := range g.Pyramids {
		b := &g.Pyramids[i]
		d.Tip(bzmap.At(b.Position, b.Angle, m), b.Size)
	}
	for i := range g.Bases {
		b := &g.Bases[i]
		of := b.Team
		if team > 0 {
			of = team
		}
		d.Block(bzmap.TeamBase(int(of)), bzmap.At(b.Position, b.Angle, m), b.Size)
	}
	for i := range g.Teleporters {
		t := &g.Teleporters[i]
		half, top := float64(t.Size[1]), float64(t.Size[2])
		d.Line(bzmap.Teleporter, bzmap.At(t.Position, t.Angle, m), [3]float64{0, -half, top}, [3]float64{0, half, top})
	}
}

func (d mapDrawer) meshes(g *Group, m bzmap.Matrix) {
	for i := range g.Meshes {
		mesh := &g.Meshes[i]
		for j := range mesh.Faces {
			if d.Full() {
				return
			}
			d.face(mesh, &mesh.Faces[j], m)
		}
	}
	for i := range g.Tetras {
		t := &g.Tetras[i]
		at := d.moved(&t.Transforms, bzmap.Identity())
		at = at.Then(&m)
		for skip := range t.Vertices {
			var points [][3]float64
			for j, v := range t.Vertices {
				if j != skip {
					points = append(points, wide(v))
				}
			}
			d.Polygon(bzmap.Mesh, at, points...)
		}
	}
}

// face draws a face with as many corners as the picture has room for. A corner that does not exist in the mesh is not
// drawn, but also uses up room, because a group may be placed many times.
func (d mapDrawer) face(mesh *Mesh, f *Face, m bzmap.Matrix) {
	corners := f.Vertices[:min(len(f.Vertices), d.Room())]
	var points [][3]float64
	for _, v := range corners {
		if v >= 0 && int(v) < len(mesh.Vertices) {
			points = append(points, wide(mesh.Vertices[v]))
		}
	}
	d.Spend(len(corners) - len(points))
	d.Polygon(bzmap.Mesh, m, points...)
}

func wide(v [3]float32) [3]float64 { return [3]float64{float64(v[0]), float64(v[1]), float64(v[2])} }

func (d mapDrawer) rounds(g *Group, m bzmap.Matrix) {
	for i := range g.Arcs {
		a := &g.Arcs[i]
		d.Ring(d.at(&a.Round, m), a.Size, a.Sweep, a.Ratio, a.Divisions)
	}
	for i := range g.Cones {
		k := &g.Cones[i]
		d.Ring(d.at(&k.Round, m), k.Size, k.Sweep, 1, k.Divisions)
	}
	for i := range g.Spheres {
		s := &g.Spheres[i]
		d.Ring(d.at(&s.Round, m), s.Size, 360, 1, 4*min(s.Divisions, 16))
	}
}

// at returns the matrix of a round object. It applies, in this order, the rotation, the position, the object's own
// transforms, and the transforms of its group.
func (d mapDrawer) at(r *Round, m bzmap.Matrix) bzmap.Matrix {
	local := bzmap.At(r.Position, r.Angle, bzmap.Identity())
	local = d.moved(&r.Transforms, local)
	return local.Then(&m)
}

// moved appends transforms to a matrix. A transform may be an index of a list in Map.Transforms. Within such a list, it
// may only be the index of an earlier list.
func (d mapDrawer) moved(list *Transforms, m bzmap.Matrix) bzmap.Matrix {
	for i := range list.List {
		d.Spend(1)
		if d.Full() {
			return m
		}
		t := &list.List[i]
		if t.Type == IndexTransform && t.Index >= 0 && int(t.Index) < len(d.transforms) {
			m = m.Then(&d.transforms[t.Index])
			continue
		}
		m = t.apply(m)
	}
	return m
}

func (t *Transform) apply(m bzmap.Matrix) bzmap.Matrix {
	switch t.Type {
	case Shift:
		return m.Shifted(t.Vector)
	case Scale:
		return m.Scaled(t.Vector)
	case Shear:
		return m.Sheared(t.Vector)
	case Spin:
		return m.Spun(t.Angle, t.Vector)
	}
	return m
}

func (d mapDrawer) instance(i *Instance, m bzmap.Matrix, team uint16, depth int) {
	if i.Bits&InstanceTeam != 0 {
		team = i.Team
	}
	at := d.moved(&i.Transforms, bzmap.Identity())
	at = at.Then(&m)
	d.Spend(1)
	if g := d.groups[string(i.Definition)]; g != nil {
		d.group(g, at, team, depth+1)
	}
}
