package world

import (
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag/bzmap"
)

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
		w.boxFields(&b.Box)
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
	w.boxFields(b)
	w.End("end")
}

func (w mapWriter) place(position, size *[3]float32, angle float32) {
	w.Floats("position", position[:]...)
	w.Floats("size", size[:]...)
	w.Floats("rotation", bzmap.Degrees(angle))
}

// boxFields writes the fields that boxes, pyramids, bases and teleporters share.
func (w mapWriter) boxFields(b *Box) {
	w.place(&b.Position, &b.Size, b.Angle)
	writeBits(w.Text, obstacleBits, b.State, FlipZ, DriveThrough, ShootThrough, Bounces)
}

func (w mapWriter) teleporter(t *Teleporter) {
	w.Begin("teleporter", bzmap.Name(t.Name))
	w.boxFields(&Box{t.Position, t.Angle, t.Size, t.State})
	w.Floats("border", t.Border)
	w.Flag("horizontal", t.Horizontal.True())
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
	writeBits(w.Text, meshBits, m.State, MeshSmoothBounce, MeshNoClusters, MeshDriveThrough, MeshShootThrough,
		MeshRicochet)
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
	writeBits(w.Text, faceBits, f.State, FaceSmoothBounce, FaceNoClusters, FaceDriveThrough, FaceShootThrough,
		FaceRicochet)
	w.End("endface")
}

func (w mapWriter) round(kind string, r *Round, s, ricochet RoundBits, bits wire.Symbols) {
	w.Begin(kind)
	w.place(&r.Position, &r.Size, r.Angle)
	w.writeTransforms(&r.Transforms)
	writeBits(w.Text, bits, s, RoundSmoothBounce)
	w.Flag("flatshading", s&RoundNormals == 0)
	writeBits(w.Text, bits, s, RoundDriveThrough, RoundShootThrough, ricochet)
}

func (w mapWriter) writeMaterials(parts []string, list []int32) {
	for i, at := range list {
		w.materialRef(parts[i], at)
	}
}

func (w mapWriter) arc(a *Arc) {
	w.round("arc", &a.Round, a.State, RoundRicochet, roundBits)
	w.Floats("angle", a.Sweep)
	w.Floats("ratio", a.Ratio)
	w.Ints("divisions", a.Divisions)
	w.Floats("texsize", a.TexSize[:]...)
	w.driverRef(a.PhysicsDriver)
	w.writeMaterials([]string{"top", "bottom", "inside", "outside", "startside", "endside"}, a.Materials[:])
	w.End("end")
}

func (w mapWriter) cone(k *Cone) {
	w.round("cone", &k.Round, k.State, RoundRicochet, roundBits)
	w.Floats("angle", k.Sweep)
	w.Ints("divisions", k.Divisions)
	w.Floats("texsize", k.TexSize[:]...)
	w.driverRef(k.PhysicsDriver)
	w.writeMaterials([]string{"edge", "bottom", "startside", "endside"}, k.Materials[:])
	w.End("end")
}

func (w mapWriter) sphere(s *Sphere) {
	w.round("sphere", &s.Round, s.State, SphereRicochet, sphereBits)
	w.Ints("divisions", s.Divisions)
	writeBits(w.Text, sphereBits, s.State, SphereHemisphere)
	w.Floats("texsize", s.TexSize[:]...)
	w.driverRef(s.PhysicsDriver)
	w.writeMaterials([]string{"edge", "bottom"}, s.Materials[:])
	w.End("end")
}

// tetra writes a tetra. The fields after a vertex describe the opposite face.
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
	writeBits(w.Text, tetraBits, t.State, RoundDriveThrough, RoundShootThrough, TetraRicochet)
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
	writeBits(w.Text, instanceBits, i.Bits, InstanceDriveThrough, InstanceShootThrough, InstanceRicochet)
	w.End("end")
}
