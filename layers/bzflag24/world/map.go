package world

import (
	"bytes"
	"encoding/binary"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// Map is the content of a world database. Angles are in radians. As in a map file, sizes are half the size in x and y,
// and the full size in z. Objects refer to materials, physics drivers and similar objects by their index in the lists
// here; -1 refers to none.
type Map struct {
	DynamicColors   []DynamicColor
	TextureMatrices []TextureMatrix
	Materials       []Material
	PhysicsDrivers  []PhysicsDriver
	Transforms      []Transforms
	World           Group   // objects that are in no group
	Groups          []Group // definitions of groups; an Instance places one
	Links           []Link
	WaterLevel      float32 // negative if there is no water
	WaterMaterial   int32
	Weapons         []Weapon
	Zones           []Zone

	Rules Rules // game rules that the server has sent so far

	faces    int // see Database.Faces
	trailing []byte
}

// Rules are the settings of a game that a map file can contain.
type Rules struct {
	Jumping        bool
	Ricochet       bool
	CaptureTheFlag bool
}

// list walks a list: the number of elements, in four bytes, and then the elements. It returns the number of elements
// that are present. If that number differs from the announced one, it reports RuleStructure.
func list[T any](c *wire.Cursor, name string, v *[]T, size int, walk func(*T, *wire.Cursor)) int {
	n := uint32(len(*v))
	wire.U32(c, countOf(name), &n)
	return counted(c, name, v, n, size, walk)
}

// counted walks n elements, and returns the number of elements that are present.
func counted[T any](c *wire.Cursor, name string, v *[]T, n uint32, size int, walk func(*T, *wire.Cursor)) int {
	there := wire.List(c, name, v, wire.Count(min(n, maxContent)), size, walk)
	if c.Reading() && there != int(n) {
		c.Report(RuleStructure, "%d %s are announced, there are %d", n, name, there)
	}
	return there
}

// countOf returns the name of the field that counts the elements of a list.
func countOf(name string) string { return name + "_count" }

func (m *Map) Walk(c *wire.Cursor) {
	list(c, "dynamic_colors", &m.DynamicColors, minDynamicColor, (*DynamicColor).walk)
	list(c, "texture_matrices", &m.TextureMatrices, minTextureMatrix, (*TextureMatrix).walk)
	list(c, "materials", &m.Materials, minMaterial, (*Material).walk)
	list(c, "physics_drivers", &m.PhysicsDrivers, minPhysicsDriver, (*PhysicsDriver).walk)
	list(c, "transforms", &m.Transforms, minTransforms, (*Transforms).walk)
	c.Begin("world")
	m.World.walk(c)
	c.End()
	m.faces = 2 * m.World.gates
	list(c, "groups", &m.Groups, minGroup, func(g *Group, c *wire.Cursor) {
		if g.walk(c); g.gates > 0 {
			m.faces = -1
		}
	})
	list(c, "links", &m.Links, minLink, (*Link).walk)
	float(c, "water_level", &m.WaterLevel)
	if c.When(m.WaterLevel >= 0) {
		wire.I32(c, "water_material", &m.WaterMaterial)
	}
	list(c, "weapons", &m.Weapons, minWeapon, (*Weapon).walk)
	list(c, "zones", &m.Zones, minZone, (*Zone).walk)
	wire.Trailing(c, &m.trailing)
}

// Group is a set of objects.
type Group struct {
	Name        []byte
	Walls       []Wall
	Boxes       []Box
	Pyramids    []Box
	Bases       []Base
	Teleporters []Teleporter
	Meshes      []Mesh
	Arcs        []Arc
	Cones       []Cone
	Spheres     []Sphere
	Tetras      []Tetra
	Instances   []Instance

	gates int // number of teleporters, including those that are not stored
}

// Minimum sizes of list elements, in bytes.
const (
	minGroup = 4 + 11*4
	minLink  = 2 * 4
)

func (g *Group) walk(c *wire.Cursor) {
	wire.Text32(c, "name", &g.Name)
	list(c, "walls", &g.Walls, wallSize, (*Wall).walk)
	list(c, "boxes", &g.Boxes, boxSize, (*Box).walk)
	list(c, "pyramids", &g.Pyramids, boxSize, (*Box).walk)
	list(c, "bases", &g.Bases, baseSize, (*Base).walk)
	g.gates = list(c, "teleporters", &g.Teleporters, minTeleporter, (*Teleporter).walk)
	list(c, "meshes", &g.Meshes, minMesh, (*Mesh).walk)
	list(c, "arcs", &g.Arcs, minArc, (*Arc).walk)
	list(c, "cones", &g.Cones, minCone, (*Cone).walk)
	list(c, "spheres", &g.Spheres, minSphere, (*Sphere).walk)
	list(c, "tetras", &g.Tetras, minTetra, (*Tetra).walk)
	list(c, "instances", &g.Instances, minInstance, (*Instance).walk)
}

// Link connects a teleporter's face to its target. Names may contain wildcards.
type Link struct {
	From []byte
	To   []byte
}

func (l *Link) walk(c *wire.Cursor) {
	wire.Text32(c, "from", &l.From)
	wire.Text32(c, "to", &l.To)
}

// Instance places a group in the world.
type Instance struct {
	Definition    []byte
	Name          []byte // name of the instance; after a NUL, materials to swap: see Swaps
	Transforms    Transforms
	Bits          InstanceBits
	Team          uint16     // this field and all later ones are present only if their bit is set
	Tint          [4]float32 // red, green, blue, alpha
	PhysicsDriver int32
	Material      int32
}

const minInstance = 2*4 + minTransforms + 1

// InstanceBits are the changes that an instance makes to its group.
type InstanceBits uint8

// The bits of an instance.
const (
	InstanceTeam InstanceBits = 1 << iota
	InstanceTint
	InstanceDriver
	InstanceMaterial
	InstanceDriveThrough
	InstanceShootThrough
	InstanceRicochet
)

var instanceBits = wire.BitNames("Team", "Tint", "PhysicsDriver", "Material",
	"DriveThrough", "ShootThrough", "Ricochet")

func (i *Instance) walk(c *wire.Cursor) {
	wire.Text32(c, "definition", &i.Definition)
	wire.Text32(c, "name", &i.Name)
	i.Transforms.walkGroup(c)
	wire.Bits8(c, "bits", &i.Bits, instanceBits)
	if c.When(i.Bits&InstanceTeam != 0) {
		wire.U16(c, "team", &i.Team)
	}
	if c.When(i.Bits&InstanceTint != 0) {
		numbers(c, tintNames[:], i.Tint[:])
	}
	if c.When(i.Bits&InstanceDriver != 0) {
		wire.I32(c, "physics_driver", &i.PhysicsDriver)
	}
	if c.When(i.Bits&InstanceMaterial != 0) {
		wire.I32(c, "material", &i.Material)
	}
}

// Swaps returns pairs of materials. An instance replaces the first material of each pair with the second. Servers
// append the pairs to the name after its NUL, where older clients ignore them.
func (i *Instance) Swaps() (pairs [][2]int32) {
	_, hidden, _ := bytes.Cut(i.Name, []byte{0})
	const size = 8
	if len(hidden) < 4 {
		return nil
	}
	n := binary.BigEndian.Uint32(hidden)
	for hidden = hidden[4:]; len(hidden) >= size && len(pairs) < int(min(n, maxContent)); hidden = hidden[size:] {
		pairs = append(pairs, [2]int32{int32(binary.BigEndian.Uint32(hidden)), int32(binary.BigEndian.Uint32(hidden[4:]))})
	}
	return pairs
}

var tintNames = [4]string{"red", "green", "blue", "alpha"}

// numbers walks several floats with their names.
func numbers(c *wire.Cursor, names []string, v []float32) {
	for i, name := range names {
		float(c, name, &v[i])
	}
}

// FlagType is the abbreviation of a type of flag, as in messages.
type FlagType [flagTypeSize]byte

const flagTypeSize = 2

func (f FlagType) String() string { return string(wire.Trim(f[:])) }

// Weapon is a weapon that fires on its own, without a player.
type Weapon struct {
	FlagType     FlagType
	Position     [3]float32
	Direction    float32
	InitialDelay float32 // in seconds
	DelayCount   uint16
	Delays       []float32 // seconds between shots, used in turn
}

const minWeapon = flagTypeSize + 12 + 2*4 + 2

func (w *Weapon) walk(c *wire.Cursor) {
	wire.Word(c, "flag_type", w.FlagType[:])
	vector(c, "position", &w.Position)
	float(c, "direction", &w.Direction)
	float(c, "initial_delay", &w.InitialDelay)
	wire.Count16(c, "count", &w.DelayCount, len(w.Delays))
	counted(c, "delays", &w.Delays, uint32(w.DelayCount), 4, func(v *float32, c *wire.Cursor) { float(c, "", v) })
}

// Zone is an area where players or flags appear, or to which lost flags return.
type Zone struct {
	Position    [3]float32
	Size        [3]float32
	Angle       float32
	FlagCount   uint16
	TeamCount   uint16
	SafetyCount uint16
	Flags       []FlagType
	Teams       []int16
	Safety      []int16
}

const minZone = 2*12 + 4 + 3*2

func (z *Zone) walk(c *wire.Cursor) {
	vector(c, "position", &z.Position)
	vector(c, "size", &z.Size)
	float(c, "angle", &z.Angle)
	wire.Count16(c, "flag_count", &z.FlagCount, len(z.Flags))
	wire.Count16(c, "team_count", &z.TeamCount, len(z.Teams))
	wire.Count16(c, "safety_count", &z.SafetyCount, len(z.Safety))
	flagType := func(f *FlagType, c *wire.Cursor) { wire.Word(c, "", f[:]) }
	team := func(t *int16, c *wire.Cursor) { wire.EnumI16(c, "", t, bzflag.TeamNames) }
	counted(c, "flags", &z.Flags, uint32(z.FlagCount), flagTypeSize, flagType)
	counted(c, "teams", &z.Teams, uint32(z.TeamCount), 2, team)
	counted(c, "safety", &z.Safety, uint32(z.SafetyCount), 2, team)
}
