package world

import (
	"math"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag/bzmap"
)

// mapWriter writes the objects of a Map as a map file. A map file refers to objects by name, and a Map by index.
type mapWriter struct {
	*bzmap.Text
	m *Map

	colors, matrices, materials, drivers, transforms []string
}

// WriteMap writes the map as a map file. It omits the walls, which servers add themselves, and the drawing information,
// which only speeds up drawing.
func (m *Map) WriteMap(t *bzmap.Text) {
	w := mapWriter{
		Text: t, m: m,
		colors:     bzmap.Names(m.DynamicColors, "color", func(d *DynamicColor) []byte { return d.Name }),
		matrices:   bzmap.Names(m.TextureMatrices, "matrix", func(t *TextureMatrix) []byte { return t.Name }),
		materials:  bzmap.Names(m.Materials, "material", func(m *Material) []byte { return m.Name }),
		drivers:    bzmap.Names(m.PhysicsDrivers, "driver", func(p *PhysicsDriver) []byte { return p.Name }),
		transforms: bzmap.Names(m.Transforms, "transform", func(t *Transforms) []byte { return t.Name }),
	}
	w.world()
	for i := range m.DynamicColors {
		w.dynamicColor(i, &m.DynamicColors[i])
	}
	for i := range m.TextureMatrices {
		w.textureMatrix(i, &m.TextureMatrices[i])
	}
	for i := range m.Materials {
		w.material(i, &m.Materials[i])
	}
	if m.WaterLevel >= 0 {
		w.Begin("waterLevel")
		w.Floats("height", m.WaterLevel)
		w.materialRef("", m.WaterMaterial)
		w.End("end")
	}
	for i := range m.PhysicsDrivers {
		w.physicsDriver(i, &m.PhysicsDrivers[i])
	}
	for i := range m.Transforms {
		w.Begin("transform")
		w.Words("name", w.transforms[i])
		w.writeTransforms(&m.Transforms[i])
		w.End("end")
	}
	for i := range m.Groups {
		w.Begin("define", bzmap.Name(m.Groups[i].Name))
		w.group(&m.Groups[i])
		w.End("enddef")
	}
	w.group(&m.World)
	for i := range m.Links {
		w.Begin("link")
		w.Words("from", bzmap.Name(m.Links[i].From))
		w.Words("to", bzmap.Name(m.Links[i].To))
		w.End("end")
	}
	for i := range m.Weapons {
		w.weapon(&m.Weapons[i])
	}
	for i := range m.Zones {
		w.zone(&m.Zones[i])
	}
}

func (w mapWriter) world() {
	w.Begin("world")
	half := float32(0)
	for i := range w.m.World.Walls {
		half = max(half, w.m.World.Walls[i].HalfWidth)
	}
	if half > 0 {
		w.Floats("size", half)
	} else {
		w.Words("noWalls")
	}
	w.End("end")
	rules := w.m.Rules
	w.Options(rules.Jumping || w.m.WaterLevel >= 0, rules.Ricochet, rules.CaptureTheFlag)
}

// nameAt returns the name at an index, or "" if the index is invalid.
func nameAt(names []string, i int32) string {
	if i < 0 || int(i) >= len(names) {
		return ""
	}
	return names[i]
}

// materialRef writes a reference to a material. If part is not empty, the material applies only to that part of the
// object.
func (w mapWriter) materialRef(part string, at int32) {
	name := nameAt(w.materials, at)
	switch {
	case name == "":
	case part == "":
		w.Words("matref", name)
	default:
		w.Words(part, "matref", name)
	}
}

func (w mapWriter) driverRef(at int32) {
	if name := nameAt(w.drivers, at); name != "" {
		w.Words("phydrv", name)
	}
}

func (w mapWriter) dynamicColor(i int, d *DynamicColor) {
	w.Begin("dynamicColor")
	w.Words("name", w.colors[i])
	for i, name := range tintNames {
		h := &d.Channels[i]
		w.Floats(name+" limits", h.Min, h.Max)
		for _, part := range []struct {
			name  string
			waves []Wave
		}{{" sinusoid", h.Sinusoids}, {" clampUp", h.ClampUps}, {" clampDown", h.ClampDowns}} {
			for _, v := range part.waves {
				w.Floats(name+part.name, v[:]...)
			}
		}
		if len(h.Sequence) > 0 {
			states := make([]float32, 0, 2+len(h.Sequence))
			states = append(states, h.Period, h.Offset)
			for _, s := range h.Sequence {
				states = append(states, float32(s))
			}
			w.Floats(name+" sequence", states...)
		}
	}
	w.End("end")
}

func (w mapWriter) textureMatrix(i int, t *TextureMatrix) {
	w.Begin("textureMatrix")
	w.Words("name", w.matrices[i])
	if v := &t.Fixed; t.State&MatrixFixed != 0 {
		w.Floats("fixedspin", v[0])
		w.Floats("fixedshift", v[1:3]...)
		w.Floats("fixedscale", v[3:5]...)
		w.Floats("fixedcenter", v[5:7]...)
	}
	if v := &t.Dynamic; t.State&MatrixDynamic != 0 {
		w.Floats("spin", v[0])
		w.Floats("shift", v[1:3]...)
		w.Floats("scale", v[3:7]...)
		w.Floats("center", v[7:9]...)
	}
	w.End("end")
}

func (w mapWriter) material(i int, m *Material) {
	w.Begin("material")
	w.Words("name", w.materials[i])
	if name := nameAt(w.colors, m.DynamicColor); name != "" {
		w.Words("dyncol", name)
	}
	w.Floats("ambient", m.Ambient[:]...)
	w.Floats("diffuse", m.Diffuse[:]...)
	w.Floats("specular", m.Specular[:]...)
	w.Floats("emission", m.Emission[:]...)
	w.Floats("shininess", m.Shininess)
	w.Floats("alphathresh", m.AlphaThresh)
	w.Words("notextures")
	for j := range m.Textures {
		x := &m.Textures[j]
		w.Words("addtexture", bzmap.Name(x.Name))
		if name := nameAt(w.matrices, x.Matrix); name != "" {
			w.Words("texmat", name)
		}
		w.Flag("notexalpha", x.State&UseAlpha == 0)
		w.Flag("notexcolor", x.State&UseColor == 0)
		w.Flag("spheremap", x.State&SphereMap != 0)
	}
	writeBits(w.Text, materialBits, m.Mode, NoCulling, NoSorting, NoRadar, NoShadow, Occluder, GroupAlpha, NoLighting)
	w.End("end")
}

func (w mapWriter) physicsDriver(i int, p *PhysicsDriver) {
	w.Begin("physics")
	w.Words("name", w.drivers[i])
	w.Floats("linear", p.Linear[:]...)
	w.Floats("angular", float32(float64(p.Angular)/(2*math.Pi)), p.AngularPos[0], p.AngularPos[1])
	w.Floats("radial", p.Radial, p.RadialPos[0], p.RadialPos[1])
	w.Floats("slide", p.Slide)
	w.Prose("death", p.Death)
	w.End("end")
}

func (w mapWriter) writeTransforms(list *Transforms) {
	for i := range list.List {
		t := &list.List[i]
		switch t.Type {
		case Shift:
			w.Floats("shift", t.Vector[:]...)
		case Scale:
			w.Floats("scale", t.Vector[:]...)
		case Shear:
			w.Floats("shear", t.Vector[:]...)
		case Spin:
			w.Floats("spin", bzmap.Degrees(t.Angle), t.Vector[0], t.Vector[1], t.Vector[2])
		case IndexTransform:
			if name := nameAt(w.transforms, t.Index); name != "" {
				w.Words("xform", name)
			}
		}
	}
}

func (w mapWriter) weapon(x *Weapon) {
	w.Begin("weapon")
	w.Words("type", bzmap.Name([]byte(x.FlagType.String())))
	w.Floats("position", x.Position[:]...)
	w.Floats("rotation", bzmap.Degrees(x.Direction))
	w.Floats("initdelay", x.InitialDelay)
	if len(x.Delays) > 0 {
		w.Floats("delay", x.Delays...)
	}
	w.End("end")
}

func (w mapWriter) zone(z *Zone) {
	w.Begin("zone")
	w.place(&z.Position, &z.Size, z.Angle)
	if len(z.Flags) > 0 {
		words := []string{"flag"}
		for _, f := range z.Flags {
			words = append(words, bzmap.Name([]byte(f.String())))
		}
		w.Words(words...)
	}
	for _, part := range []struct {
		name  string
		teams []int16
	}{{"team", z.Teams}, {"safety", z.Safety}} {
		if len(part.teams) == 0 {
			continue
		}
		numbers := make([]int32, len(part.teams))
		for i, t := range part.teams {
			numbers[i] = int32(t)
		}
		w.Ints(part.name, numbers...)
	}
	w.End("end")
}

// writeBits writes the names of the set bits in lower case, in the given order.
func writeBits[B ~uint8](t *bzmap.Text, names wire.Symbols, state B, order ...B) {
	for _, bit := range order {
		t.Flag(strings.ToLower(names.Name(int64(bit))), state&bit != 0)
	}
}
