package world

import (
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag/bzmap"
)

// group writes the objects of a group, or of the world.
func (w mapWriter) group(g *Group) {
	for i := range g.Boxes {
		w.box("box", &g.Boxes[i])
	}
	for i := range g.Pyramids {
		w.box("pyramid", &g.Pyramids[i])
	}
	for i := range g.Bases {
		b := &g.Bases[i]
		w.Begin("base")
		w.Ints("color", int32(b.Team))
		w.place(&b.Box)
		w.End("end")
	}
	for i := range g.Teleporters {
		w.teleporter(&g.Teleporters[i])
	}
	for i := range g.Meshes {
		w.mesh(&g.Meshes[i])
	}
	for i := range g.Arcs {
		w.arc(&g.Arcs[i])
	}
	for i := range g.Cones {
		w.cone(&g.Cones[i])
	}
	for i := range g.Spheres {
		w.sphere(&g.Spheres[i])
	}
	for i := range g.Tetras {
		w.tetra(&g.Tetras[i])
	}
	for i := range g.Instances {
		w.instance(&g.Instances[i])
	}
}

func (w mapWriter) box(kind string, b *Box) {
	w.Begin(kind)
	w.place(b)
	w.End("end")
}

func (w mapWriter) place(b *Box) {
	w.Floats("position", b.Position[:]...)
	w.Floats("size", b.Size[:]...)
	w.Floats("rotation", bzmap.Degrees(b.Angle))
	w.Flags(bzmap.Flag{Name: "flipz", On: b.State&FlipZ != 0})
	w.through(b.State&DriveThrough != 0, b.State&ShootThrough != 0, b.State&Bounces != 0)
}

func (w mapWriter) teleporter(t *Teleporter) {
	w.Begin("teleporter", bzmap.Name(t.Name))
	w.place(&Box{t.Position, t.Angle, t.Size, t.State})
	w.Floats("border", t.Border)
	w.Flags(bzmap.Flag{Name: "horizontal", On: t.Horizontal.True()})
	w.End("end")
}

func (w mapWriter) mesh(m *Mesh) {
	w.Begin("mesh")
	for i := range m.Checks {
		name := "inside"
		if m.Checks[i].Type != CheckInside {
			name = "outside"
		}
		w.Floats(name, m.Checks[i].Point[:]...)
	}
	for i := range m.Vertices {
		w.Floats("vertex", m.Vertices[i][:]...)
	}
	for i := range m.Normals {
		w.Floats("normal", m.Normals[i][:]...)
	}
	for _, t := range m.TexCoords[:len(m.TexCoords)-m.drawn()] {
		w.Floats("texcoord", t[:]...)
	}
	w.Flags(bzmap.Flag{Name: "smoothbounce", On: m.State&MeshSmoothBounce != 0}, bzmap.Flag{Name: "noclusters", On: m.State&MeshNoClusters != 0})
	w.through(m.State&MeshDriveThrough != 0, m.State&MeshShootThrough != 0, m.State&MeshRicochet != 0)
	for i := range m.Faces {
		w.face(&m.Faces[i])
	}
	w.End("end")
}

func (w mapWriter) face(f *Face) {
	w.Begin("face")
	w.Ints("vertices", f.Vertices...)
	if len(f.Normals) > 0 {
		w.Ints("normals", f.Normals...)
	}
	if len(f.TexCoords) > 0 {
		w.Ints("texcoords", f.TexCoords...)
	}
	w.materialRef("", f.Material)
	w.driverRef(f.PhysicsDriver)
	w.Flags(bzmap.Flag{Name: "smoothbounce", On: f.State&FaceSmoothBounce != 0}, bzmap.Flag{Name: "noclusters", On: f.State&FaceNoClusters != 0})
	w.through(f.State&FaceDriveThrough != 0, f.State&FaceShootThrough != 0, f.State&FaceRicochet != 0)
	w.End("endface")
}

func (w mapWriter) round(kind string, r *Round, s RoundBits) {
	w.Begin(kind)
	w.Floats("position", r.Position[:]...)
	w.Floats("size", r.Size[:]...)
	w.Floats("rotation", bzmap.Degrees(r.Angle))
	w.writeTransforms(&r.Transforms)
	w.Flags(bzmap.Flag{Name: "smoothbounce", On: s&RoundSmoothBounce != 0}, bzmap.Flag{Name: "flatshading", On: s&RoundNormals == 0})
	ricochet := RoundRicochet
	if kind == "sphere" {
		ricochet = SphereRicochet
	}
	w.through(s&RoundDriveThrough != 0, s&RoundShootThrough != 0, s&ricochet != 0)
}

func (w mapWriter) writeMaterials(parts []string, list []int32) {
	for i, at := range list {
		w.materialRef(parts[i], at)
	}
}

func (w mapWriter) arc(a *Arc) {
	w.round("arc", &a.Round, a.State)
	w.Floats("angle", a.Sweep)
	w.Floats("ratio", a.Ratio)
	w.Ints("divisions", a.Divisions)
	w.Floats("texsize", a.TexSize[:]...)
	w.driverRef(a.PhysicsDriver)
	w.writeMaterials([]string{"top", "bottom", "inside", "outside", "startside", "endside"}, a.Materials[:])
	w.End("end")
}

func (w mapWriter) cone(k *Cone) {
	w.round("cone", &k.Round, k.State)
	w.Floats("angle", k.Sweep)
	w.Ints("divisions", k.Divisions)
	w.Floats("texsize", k.TexSize[:]...)
	w.driverRef(k.PhysicsDriver)
	w.writeMaterials([]string{"edge", "bottom", "startside", "endside"}, k.Materials[:])
	w.End("end")
}

func (w mapWriter) sphere(s *Sphere) {
	w.round("sphere", &s.Round, s.State)
	w.Ints("divisions", s.Divisions)
	w.Flags(bzmap.Flag{Name: "hemisphere", On: s.State&SphereHemisphere != 0})
	w.Floats("texsize", s.TexSize[:]...)
	w.driverRef(s.PhysicsDriver)
	w.writeMaterials([]string{"edge", "bottom"}, s.Materials[:])
	w.End("end")
}

// tetra writes a tetra: what stands behind a vertex is of the face across from it.
func (w mapWriter) tetra(t *Tetra) {
	w.Begin("tetra")
	normals, coords := t.Normals, t.TexCoords
	for i := range t.Vertices {
		w.Floats("vertex", t.Vertices[i][:]...)
		w.materialRef("", t.Materials[i])
		if t.NormalMask&(1<<i) != 0 && len(normals) >= 3 {
			w.Floats("normals", slices.Concat(normals[0][:], normals[1][:], normals[2][:])...)
			normals = normals[3:]
		}
		if t.CoordMask&(1<<i) != 0 && len(coords) >= 3 {
			w.Floats("texcoords", slices.Concat(coords[0][:], coords[1][:], coords[2][:])...)
			coords = coords[3:]
		}
	}
	w.writeTransforms(&t.Transforms)
	w.through(t.State&RoundDriveThrough != 0, t.State&RoundShootThrough != 0, t.State&TetraRicochet != 0)
	w.End("end")
}

func (w mapWriter) instance(i *Instance) {
	w.Begin("group", bzmap.Name(i.Definition))
	if name := bzmap.Name(wire.Trim(i.Name)); name != "" {
		w.Words("name", name)
	}
	w.writeTransforms(&i.Transforms)
	if i.Bits&InstanceTeam != 0 {
		w.Ints("team", int32(i.Team))
	}
	if i.Bits&InstanceTint != 0 {
		w.Floats("tint", i.Tint[:]...)
	}
	if i.Bits&InstanceDriver != 0 {
		w.driverRef(i.PhysicsDriver)
	}
	if i.Bits&InstanceMaterial != 0 {
		w.materialRef("", i.Material)
	}
	for _, pair := range i.Swaps() {
		if from, to := nameAt(w.materials, pair[0]), nameAt(w.materials, pair[1]); from != "" && to != "" {
			w.Words("matswap", from, to)
		}
	}
	w.through(i.Bits&InstanceDriveThrough != 0, i.Bits&InstanceShootThrough != 0, i.Bits&InstanceRicochet != 0)
	w.End("end")
}
