package world_test

import (
	"math"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/layers/bzflag24/world"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag/bzmap"
)

// written returns a map as a map file, without water and without the object for the walls.
func written(m *world.Map) string {
	m.WaterLevel = -1
	var text bzmap.Text
	m.WriteMap(&text)
	return strings.TrimPrefix(string(text.Bytes()), "world\n  noWalls\nend\n")
}

// lines joins the lines of one or more objects.
func lines(l ...string) string { return "\n" + strings.Join(l, "\n") + "\n" }

// TestWriteUnits writes values that have other units in a map file: degrees, and turns per second.
func TestWriteUnits(t *testing.T) {
	of := func(o world.Group) *world.Map { return &world.Map{World: o} }
	at, size := vec{1, 2, 3}, vec{4, 5, 6}
	place := "  position 1 2 3\n  size 4 5 6\n  rotation 90"
	round := world.Round{Position: at, Size: size, Angle: quarter}
	for _, c := range []struct {
		name string
		m    *world.Map
		want string
	}{
		{"box", of(world.Group{Boxes: []world.Box{{Position: at, Angle: quarter, Size: size}}}), lines("box", place, "end")},
		{"pyramid", of(world.Group{Pyramids: []world.Box{{Position: at, Angle: quarter, Size: size, State: world.FlipZ | world.Bounces}}}),
			lines("pyramid", place, "  flipz", "  ricochet", "end")},
		{"base", of(world.Group{Bases: []world.Base{{2, world.Box{Position: at, Angle: quarter, Size: size}}}}), lines("base", "  color 2", place, "end")},
		{"teleporter", of(world.Group{Teleporters: []world.Teleporter{{Name: []byte("t"), Position: at, Angle: quarter, Size: size, Border: 7, Horizontal: 1}}}),
			lines("teleporter t", place, "  border 7", "  horizontal", "end")},
		{"arc", of(world.Group{Arcs: []world.Arc{{Round: round, Sweep: 45, Ratio: 0.5, Divisions: 8}}}),
			lines("arc", place, "  flatshading", "  angle 45", "  ratio 0.5", "  divisions 8", "  texsize 0 0 0 0", "end")},
		{"cone", of(world.Group{Cones: []world.Cone{{Round: round, Sweep: 45, Divisions: 8, State: world.RoundNormals | world.RoundRicochet}}}),
			lines("cone", place, "  ricochet", "  angle 45", "  divisions 8", "  texsize 0 0", "end")},
		{"sphere", of(world.Group{Spheres: []world.Sphere{{Round: round, Divisions: 8, State: world.RoundNormals | world.SphereHemisphere}}}),
			lines("sphere", place, "  divisions 8", "  hemisphere", "  texsize 0 0", "end")},
		{"sphere with ricochet", of(world.Group{Spheres: []world.Sphere{{Round: round, State: world.RoundNormals | world.SphereRicochet}}}),
			lines("sphere", place, "  ricochet", "  divisions 0", "  texsize 0 0", "end")},
		{"zone", &world.Map{Zones: []world.Zone{{
			Position: at, Size: size, Angle: quarter, Flags: []world.FlagType{{'G', 'M'}, {'V'}}, Teams: []int16{1, 2}, Safety: []int16{3},
		}}}, lines("zone", place, "  flag GM V", "  team 1 2", "  safety 3", "end")},
		{"weapon", &world.Map{Weapons: []world.Weapon{{FlagType: world.FlagType{'S', 'W'}, Position: at, Direction: -quarter, InitialDelay: 5, Delays: []float32{6, 7}}}},
			lines("weapon", "  type SW", "  position 1 2 3", "  rotation -90", "  initdelay 5", "  delay 6 7", "end")},
		{"spin", &world.Map{Transforms: []world.Transforms{{Name: []byte("s"), List: []world.Transform{
			{Type: world.Spin, Vector: at, Angle: quarter}, {Type: world.Shear, Vector: at}, {Type: world.IndexTransform}, {Type: world.IndexTransform, Index: 1},
		}}}}, lines("transform", "  name s", "  spin 90 1 2 3", "  shear 1 2 3", "  xform s", "end")},
		{"physics driver", &world.Map{PhysicsDrivers: []world.PhysicsDriver{{
			Linear: at, Angular: math.Pi, AngularPos: [2]float32{4, 5}, Radial: 6, RadialPos: [2]float32{7, 8}, Slide: 9, Death: []byte("fell"),
		}}}, lines("physics", "  name driver_0", "  linear 1 2 3", "  angular 0.5 4 5", "  radial 6 7 8", "  slide 9", "  death fell", "end")},
	} {
		if got := written(c.m); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestWriteLinks writes references to other objects, by name or by index. A reference with an invalid index is omitted.
func TestWriteLinks(t *testing.T) {
	m := &world.Map{
		Materials:      []world.Material{{Name: []byte("stone"), TextureCount: 1, Textures: []world.Texture{{Name: []byte("a.png"), Matrix: 1}}, DynamicColor: 1}, {}},
		PhysicsDrivers: []world.PhysicsDriver{{Name: []byte("1st")}},
		Links:          []world.Link{{From: []byte("a b"), To: []byte("*:f")}},
		Groups:         []world.Group{{Name: []byte("g")}},
	}
	m.World.Instances = []world.Instance{
		{
			Definition: []byte("g"), Name: []byte("i\x00\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x07"),
			Bits: world.InstanceTeam | world.InstanceTint | world.InstanceDriver | world.InstanceMaterial | world.InstanceRicochet,
			Team: 3, Tint: [4]float32{1, 2, 3, 4}, PhysicsDriver: 0, Material: 1,
		},
		{Definition: []byte("g"), Team: 3, Bits: world.InstanceDriver | world.InstanceMaterial, PhysicsDriver: 1, Material: -1},
	}
	m.World.Spheres = []world.Sphere{{State: world.RoundNormals, PhysicsDriver: -1, Materials: [2]int32{0, 2}}}
	got := written(m)
	for _, want := range []string{
		lines("link", "  from a_b", "  to *:f", "end"),
		lines("group g", "  name i", "  team 3", "  tint 1 2 3 4", "  phydrv driver_0_1st", "  matref material_1", "  matswap stone material_1", "  ricochet", "end"),
		lines("group g", "end"),
		lines("sphere", "  position 0 0 0", "  size 0 0 0", "  rotation 0", "  divisions 0", "  texsize 0 0", "  edge matref stone", "end"),
		lines("  notextures", "  addtexture a.png", "  notexalpha", "  notexcolor", "end"),
		lines("define g", "enddef"),
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the map file lacks %s: %s", want, got)
		}
	}
}

// TestWriteWorld writes the walls, the water, and the rules of the game.
func TestWriteWorld(t *testing.T) {
	walls := world.Group{Walls: []world.Wall{{HalfWidth: 300}, {HalfWidth: 400}, {HalfWidth: 200}}}
	for _, c := range []struct {
		name string
		m    world.Map
		want string
	}{
		{"walls", world.Map{World: walls, WaterLevel: -1}, "world\n  size 400\nend\n"},
		{"water", world.Map{WaterLevel: 0, WaterMaterial: -1}, "world\n  noWalls\nend\n\noptions\n  -j\nend\n\nwaterLevel\n  height 0\nend\n"},
		{"rules", world.Map{WaterLevel: -1, Rules: world.Rules{Jumping: true, Ricochet: true}}, "world\n  noWalls\nend\n\noptions\n  -j\n  +r\nend\n"},
	} {
		var text bzmap.Text
		if c.m.WriteMap(&text); string(text.Bytes()) != c.want {
			t.Errorf("%s: %s, want %s", c.name, text.Bytes(), c.want)
		}
	}
}

// TestWriteMesh writes a mesh whose last texture coordinates are drawing information. The second to last number is the
// size of this information in bytes; a pair of coordinates has eight bytes.
func TestWriteMesh(t *testing.T) {
	bytes := func(n uint32) [2]float32 { return [2]float32{math.Float32frombits(n), 9} }
	for _, c := range []struct {
		name   string
		state  world.MeshBits
		coords [][2]float32
		want   int
	}{
		{"none", world.MeshDrawInfo, nil, 0},
		{"two of three", world.MeshDrawInfo, [][2]float32{{1, 1}, {2, 2}, bytes(16)}, 1},
		{"two and a half", world.MeshDrawInfo, [][2]float32{{1, 1}, {2, 2}, bytes(23)}, 1},
		{"more than all", world.MeshDrawInfo, [][2]float32{{1, 1}, {2, 2}, bytes(0xffffffff)}, 0},
		{"a mesh without drawing information", 0, [][2]float32{{1, 1}, {2, 2}, bytes(16)}, 3},
	} {
		got := written(&world.Map{World: world.Group{Meshes: []world.Mesh{{State: c.state, TexCoords: c.coords}}}})
		if n := strings.Count(got, "texcoord"); n != c.want {
			t.Errorf("%s: %d texture coordinates, want %d", c.name, n, c.want)
		}
	}
}

// TestWriteTetra writes a tetra. The second and fourth face have normals, and the third has texture coordinates, three
// of each per face.
func TestWriteTetra(t *testing.T) {
	tetra := world.Tetra{
		NormalMask: 0b1010, Normals: [][3]float32{{1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}, {5, 5, 5}, {6, 6, 6}},
		CoordMask: 0b0100, TexCoords: [][2]float32{{1, 1}, {2, 2}, {3, 3}},
		Materials: [4]int32{-1, -1, -1, -1}, State: world.TetraRicochet,
	}
	want := lines("tetra", "  vertex 0 0 0", "  vertex 0 0 0", "  normals 1 1 1 2 2 2 3 3 3", "  vertex 0 0 0", "  texcoords 1 1 2 2 3 3",
		"  vertex 0 0 0", "  normals 4 4 4 5 5 5 6 6 6", "  ricochet", "end")
	if got := written(&world.Map{World: world.Group{Tetras: []world.Tetra{tetra}}}); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	tetra.Normals, tetra.TexCoords = tetra.Normals[:5], tetra.TexCoords[:2] // fewer than the masks require
	if got := written(&world.Map{World: world.Group{Tetras: []world.Tetra{tetra}}}); strings.Contains(got, "4 4 4") || strings.Contains(got, "texcoords") {
		t.Errorf("half a face in %s", got)
	}
}

// TestSwaps reads the materials after the end of a name: their number, and all complete pairs.
func TestSwaps(t *testing.T) {
	for name, want := range map[string]int{
		"":                      0,
		"a":                     0,
		"a\x00\x00\x00\x01":     0,
		"a\x00\x00\x00\x00\x01": 0,
		"a\x00\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00":                                     0,
		"a\x00\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x03":                                 1,
		"a\x00\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00\x02\x00\x00\x00\x03": 1,
		"a\x00\x00\x00\x00\x09\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00\x02\x00\x00\x00\x03": 2,
	} {
		got := (&world.Instance{Name: []byte(name)}).Swaps()
		if len(got) != want || want > 0 && got[0] != [2]int32{2, 3} {
			t.Errorf("%q: %v, want %d pairs", name, got, want)
		}
	}
}
