package world_test

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"testing"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bzflag24/world"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag/bzmap"
)

type vec = [3]float32

const quarter = math.Pi / 2

var shape = regexp.MustCompile(`<poly\w+ class="([^"]+)".* points="([^"]+)"/>`)

// drawn returns the shapes of a map's picture, the lowest first. Each has its kind and its points, with y downwards.
func drawn(m *world.Map) (shapes []string) {
	var plan bzmap.Plan
	m.Draw(&plan)
	for _, s := range shape.FindAllSubmatch(plan.SVG(), -1) {
		shapes = append(shapes, string(s[1])+": "+string(s[2]))
	}
	return shapes
}

// shifted returns a list with one shift.
func shifted(x, y, z float32) world.Transforms {
	return world.Transforms{List: []world.Transform{{Type: world.Shift, Vector: vec{x, y, z}}}}
}

// TestDraw draws one object of each kind. First, the object is turned: a quarter turn takes (x, y) to (-y, x). Then it
// is moved to its position. Then its own transforms apply, and then its group's transforms.
func TestDraw(t *testing.T) {
	box := world.Box{Position: vec{10, 20, 0}, Size: vec{2, 3, 4}}
	turned := world.Box{Position: vec{10, 20, 0}, Angle: quarter, Size: vec{2, 3, 4}}
	const boxAt, turnedAt = "8.00,-17.00 12.00,-17.00 12.00,-23.00 8.00,-23.00", "13.00,-18.00 13.00,-22.00 7.00,-22.00 7.00,-18.00"
	corner := [][3]float32{{1, 1, 0}, {5, 2, 0}, {3, 7, 0}, {2, 3, 9}}
	tetra := world.Tetra{Vertices: [4][3]float32(corner), Transforms: shifted(10, 0, 0)}
	face := func(vertices ...int32) []world.Mesh {
		return []world.Mesh{{Vertices: corner, Faces: []world.Face{{Vertices: vertices}}}}
	}
	for _, c := range []struct {
		name  string
		group world.Group
		want  []string
	}{
		{"nothing", world.Group{}, nil},
		{"wall", world.Group{Walls: []world.Wall{{Position: vec{10, 1, 0}, Angle: quarter, HalfWidth: 5}}}, []string{"wall: 15.00,-1.00 5.00,-1.00"}},
		{"box", world.Group{Boxes: []world.Box{box}}, []string{"box: " + boxAt}},
		{"turned box", world.Group{Boxes: []world.Box{turned}}, []string{"box: " + turnedAt}},
		{"pyramid", world.Group{Pyramids: []world.Box{box}}, []string{
			"pyramid: 8.00,-17.00 12.00,-17.00 10.00,-20.00", "pyramid: 12.00,-17.00 12.00,-23.00 10.00,-20.00",
			"pyramid: 12.00,-23.00 8.00,-23.00 10.00,-20.00", "pyramid: 8.00,-23.00 8.00,-17.00 10.00,-20.00",
		}},
		{"bases", world.Group{Bases: []world.Base{{1, box}, {4, turned}, {7, box}}}, []string{"base red: " + boxAt, "base purple: " + turnedAt, "mesh: " + boxAt}},
		{"teleporter", world.Group{Teleporters: []world.Teleporter{{Position: vec{10, 1, 0}, Angle: quarter, Size: vec{9, 4, 8}}}}, []string{"teleporter: 14.00,-1.00 6.00,-1.00"}},
		{"mesh", world.Group{Meshes: face(0, 1, 2)}, []string{"mesh: 1.00,-1.00 5.00,-2.00 3.00,-7.00"}},
		{"a face without two of its points", world.Group{Meshes: face(0, -1, 3, 4)}, []string{"mesh: 1.00,-1.00 2.00,-3.00"}},
		{"tetra", world.Group{Tetras: []world.Tetra{tetra}}, []string{ // the flat face is the lowest
			"mesh: 11.00,-1.00 15.00,-2.00 13.00,-7.00", "mesh: 15.00,-2.00 13.00,-7.00 12.00,-3.00",
			"mesh: 11.00,-1.00 13.00,-7.00 12.00,-3.00", "mesh: 11.00,-1.00 15.00,-2.00 12.00,-3.00",
		}},
		{"arc", world.Group{Arcs: []world.Arc{{
			Round: world.Round{
				Position: vec{10, 1, 0}, Size: vec{2, 2, 1}, Angle: quarter,
				Transforms: world.Transforms{List: []world.Transform{{Type: world.Scale, Vector: vec{2, 3, 1}}}},
			},
			Sweep: 90, Ratio: 1, Divisions: 3,
		}}}, []string{"mesh: 20.00,-9.00 18.00,-8.20 16.54,-6.00 16.00,-3.00 20.00,-3.00"}},
		{"half an arc", world.Group{Arcs: []world.Arc{{
			Round: world.Round{Position: vec{0, 9, 0}, Size: vec{2, 4, 1}}, Sweep: 90, Ratio: 0.5, Divisions: 3,
		}}}, []string{"mesh: 2.00,-9.00 1.73,-11.00 1.00,-12.46 0.00,-13.00 0.00,-11.00 0.50,-10.73 0.87,-10.00 1.00,-9.00"}},
		{"cone", world.Group{Cones: []world.Cone{{
			Round: world.Round{Position: vec{5, 9, 0}, Size: vec{2, 3, 1}}, Sweep: 180, Divisions: 3,
		}}}, []string{"mesh: 7.00,-9.00 6.00,-11.60 4.00,-11.60 3.00,-9.00 5.00,-9.00"}},
		{"sphere", world.Group{Spheres: []world.Sphere{{
			Round: world.Round{Position: vec{5, 9, 0}, Size: vec{2, 3, 1}, Transforms: shifted(10, 0, 0)}, Divisions: 1,
		}}}, []string{"mesh: 17.00,-9.00 15.00,-12.00 13.00,-9.00 15.00,-6.00 17.00,-9.00"}},
	} {
		if got := drawn(&world.Map{World: c.group}); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestDrawRound draws spheres with few and with many divisions.
func TestDrawRound(t *testing.T) {
	for divisions, want := range map[int32]int{-1: 4, 1: 5, 2: 9, 16: 65, 17: 65, math.MaxInt32: 65} {
		m := world.Map{World: world.Group{Spheres: []world.Sphere{{Round: world.Round{Size: vec{1, 1, 1}}, Divisions: divisions}}}}
		if got := len(regexp.MustCompile(`,`).FindAllString(drawn(&m)[0], -1)); got != want {
			t.Errorf("%d divisions: %d points, want %d", divisions, got, want)
		}
	}
}

// TestDrawTransforms moves the point (1, 2, 3) of a mesh by the transforms of its group. An index refers to a list of
// the map. Within such a list, an index may refer only to an earlier list.
func TestDrawTransforms(t *testing.T) {
	move := func(kind world.TransformType, v vec) world.Transform { return world.Transform{Type: kind, Vector: v} }
	index := func(i int32) world.Transform { return world.Transform{Type: world.IndexTransform, Index: i} }
	list := func(t ...world.Transform) world.Transforms { return world.Transforms{List: t} }
	spin := world.Transform{Type: world.Spin, Vector: vec{0, 0, 1}, Angle: quarter}
	for _, c := range []struct {
		name string
		list world.Transforms
		want string
	}{
		{"none", list(), "mesh: 1.00,-2.00"},
		{"shift", list(move(world.Shift, vec{10, 20, 30})), "mesh: 11.00,-22.00"},
		{"scale", list(move(world.Scale, vec{2, 3, 4})), "mesh: 2.00,-6.00"},
		{"shear", list(move(world.Shear, vec{1, 2, 3})), "mesh: 4.00,-8.00"},
		{"spin", list(spin), "mesh: -2.00,-1.00"},
		{"an undefined type", list(move(9, vec{10, 20, 30})), "mesh: 1.00,-2.00"},
		{"shift and spin", list(move(world.Shift, vec{10, 20, 30}), spin), "mesh: -22.00,-11.00"},
		{"spin and shift", list(spin, move(world.Shift, vec{10, 20, 30})), "mesh: 8.00,-21.00"},
		{"the first of the map", list(index(0)), "mesh: 11.00,-2.00"},
		{"the second of the map", list(index(1)), "mesh: 22.00,-4.00"},
		{"a list with its own index", list(index(2)), "mesh: 6.00,-2.00"},
		{"one of the map, and another transform", list(index(0), spin), "mesh: -2.00,-11.00"},
		{"invalid indexes", list(index(3), index(-1)), "mesh: 1.00,-2.00"},
	} {
		m := world.Map{
			Transforms: []world.Transforms{
				list(move(world.Shift, vec{10, 0, 0})),
				list(index(0), move(world.Scale, vec{2, 2, 2})),
				list(index(2), move(world.Shift, vec{5, 0, 0})),
			},
			Groups: []world.Group{{
				Name:   []byte("g"),
				Meshes: []world.Mesh{{Vertices: [][3]float32{{1, 2, 3}}, Faces: []world.Face{{Vertices: []int32{0}}}}},
			}},
		}
		m.World.Instances = []world.Instance{{Definition: []byte("g"), Transforms: c.list}}
		if got := drawn(&m); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestDrawGroups draws a group inside another group. The transforms and the team of the outer group also apply to the
// inner group.
func TestDrawGroups(t *testing.T) {
	base := world.Base{Team: 1, Box: world.Box{Position: vec{1, 1, 0}, Size: vec{1, 1, 1}}}
	m := world.Map{Groups: []world.Group{
		{Name: []byte("inner"), Bases: []world.Base{base}},
		{Name: []byte("inner")}, // the first group with a name counts
		{Name: []byte("outer"), Instances: []world.Instance{
			{Definition: []byte("inner"), Transforms: shifted(100, 0, 1)},
			{Definition: []byte("inner"), Transforms: shifted(200, 0, 2), Bits: world.InstanceTeam, Team: 3},
			{Definition: []byte("nobody")},
		}},
	}}
	m.World.Instances = []world.Instance{
		{Definition: []byte("inner")},
		{Definition: []byte("outer"), Transforms: shifted(0, 50, 5), Bits: world.InstanceTeam, Team: 2},
		{Definition: []byte("inner"), Transforms: shifted(300, 0, 9), Team: 4}, // the bit for this field is not set
	}
	want := []string{
		"base red: 0.00,0.00 2.00,0.00 2.00,-2.00 0.00,-2.00",
		"base green: 100.00,-50.00 102.00,-50.00 102.00,-52.00 100.00,-52.00",
		"base blue: 200.00,-50.00 202.00,-50.00 202.00,-52.00 200.00,-52.00",
		"base red: 300.00,0.00 302.00,0.00 302.00,-2.00 300.00,-2.00",
	}
	if got := drawn(&m); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestDrawRest draws objects that are in no group, and the water.
func TestDrawRest(t *testing.T) {
	m := world.Map{
		WaterLevel: -1,
		Zones:      []world.Zone{{Position: vec{10, 20, 0}, Size: vec{2, 3, 4}, Angle: quarter}},
		Weapons:    []world.Weapon{{Position: vec{10, 20, 0}, Direction: quarter}},
	}
	want := []string{
		"weapon: 12.00,-20.00 8.00,-20.00", "weapon: 10.00,-18.00 10.00,-24.00",
		"zone: 13.00,-18.00 13.00,-22.00 7.00,-22.00 7.00,-18.00",
	}
	if got := drawn(&m); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for level, want := range map[float32]bool{-1: false, 0: true, 3: true} {
		var plan bzmap.Plan
		m.WaterLevel = level
		if m.Draw(&plan); plan.Water != want {
			t.Errorf("at %v the ground is under water: %t", level, plan.Water)
		}
	}
}

// TestNested draws groups that contain each other. Drawing stops at a depth of 8, or when the picture is full.
func TestNested(t *testing.T) {
	m := world.Map{Groups: []world.Group{{Name: []byte("a"), Boxes: make([]world.Box, 1)}}}
	a := &m.Groups[0]
	a.Instances = []world.Instance{{Definition: []byte("a")}}
	m.World.Instances = a.Instances
	if n := len(drawn(&m)); n != 8 {
		t.Errorf("%d boxes", n)
	}
	a.Instances = slices.Repeat(a.Instances, 50)
	var plan bzmap.Plan
	m.Draw(&plan) // must end
	if !plan.Full() {
		t.Error("the picture is not full")
	}
}

// TestLongFaces draws a face with more corners than a picture may have. Then it draws many copies of a group whose
// faces have corners that do not exist, which also count.
func TestLongFaces(t *testing.T) {
	var plan bzmap.Plan
	room := plan.Room()
	mesh := world.Mesh{Vertices: make([][3]float32, 1), Faces: []world.Face{{Vertices: make([]int32, 3*room)}}}
	m := world.Map{World: world.Group{Meshes: []world.Mesh{mesh}}}
	m.Draw(&plan)
	if n := bytes.Count(plan.SVG(), []byte("0.00,0.00")); n > room || !plan.Full() {
		t.Errorf("%d points of at most %d, full: %v", n, room, plan.Full())
	}
	missing := slices.Repeat([]int32{-1}, room/4)
	m = world.Map{Groups: []world.Group{{Name: []byte("a"), Meshes: []world.Mesh{{Faces: []world.Face{{Vertices: missing}}}}}}}
	m.World.Instances = slices.Repeat([]world.Instance{{Definition: []byte("a")}}, 8)
	plan = bzmap.Plan{}
	m.Draw(&plan)
	if !plan.Full() {
		t.Errorf("8 times %d missing corners do not fill the picture", len(missing))
	}
}

// TestFaces checks the number of faces that teleporters have.
func TestFaces(t *testing.T) {
	m := world.Map{World: world.Group{Teleporters: make([]world.Teleporter, 3)}, Groups: make([]world.Group, 2), WaterLevel: -1}
	for teleporters, want := range []int{6, -1} {
		m.Groups[1].Teleporters = make([]world.Teleporter, teleporters)
		b, buf := wire.Base{Body: &m}, gopacket.NewSerializeBuffer()
		if err := b.Encode(&m, buf, gopacket.SerializeOptions{FixLengths: true}); err != nil {
			t.Fatal(err)
		}
		if w := world.Read(database(buf.Bytes(), len(buf.Bytes()))); w.Err != nil || w.Faces != want {
			t.Errorf("three teleporters, and %d in groups: %d faces, %v", teleporters, w.Faces, w.Err)
		}
	}
}
