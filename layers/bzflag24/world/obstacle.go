package world

import "github.com/gamedissect/gamedissect/decode/wire"

// ObstacleBits are the properties of an obstacle. They include whether tanks and shots can pass through it.
type ObstacleBits uint8

// The bits of walls, boxes, pyramids, bases and teleporters.
const (
	DriveThrough ObstacleBits = 1 << iota
	ShootThrough
	FlipZ // the pyramid is upside down
	Bounces
)

var obstacleBits = wire.BitNames("DriveThrough", "ShootThrough", "FlipZ", "Ricochet")

// Wall is a one-sided wall without thickness.
type Wall struct {
	Position  [3]float32
	Angle     float32
	HalfWidth float32
	Height    float32
	State     ObstacleBits
}

const wallSize = 12 + 3*4 + 1

func (w *Wall) walk(c *wire.Cursor) {
	vector(c, "position", &w.Position)
	float(c, "angle", &w.Angle)
	float(c, "half_width", &w.HalfWidth)
	float(c, "height", &w.Height)
	wire.Bits8(c, "state", &w.State, obstacleBits)
}

// Box is a box or a pyramid.
type Box struct {
	Position [3]float32
	Angle    float32
	Size     [3]float32
	State    ObstacleBits
}

const boxSize = 2*12 + 4 + 1

func (b *Box) walk(c *wire.Cursor) {
	vector(c, "position", &b.Position)
	float(c, "angle", &b.Angle)
	vector(c, "size", &b.Size)
	wire.Bits8(c, "state", &b.State, obstacleBits)
}

// Base is the place where a team's flag belongs.
type Base struct {
	Team uint16
	Box
}

const baseSize = 2 + boxSize

func (b *Base) walk(c *wire.Cursor) {
	wire.U16(c, "team", &b.Team)
	b.Box.walk(c)
}

// Teleporter is an object with two faces, through which tanks and shots pass.
type Teleporter struct {
	Name       []byte
	Position   [3]float32
	Angle      float32
	Size       [3]float32
	Border     float32
	Horizontal wire.Bool
	State      ObstacleBits
}

const minTeleporter = 4 + boxSize + 4 + 1

func (t *Teleporter) walk(c *wire.Cursor) {
	wire.Text32(c, "name", &t.Name)
	vector(c, "position", &t.Position)
	float(c, "angle", &t.Angle)
	vector(c, "size", &t.Size)
	float(c, "border", &t.Border)
	wire.Bool8(c, "horizontal", &t.Horizontal)
	wire.Bits8(c, "state", &t.State, obstacleBits)
}

// Transform moves or deforms an object.
type Transform struct {
	Type   TransformType
	Vector [3]float32
	Angle  float32 // only if Type is a spin
	Index  int32   // index in Map.Transforms; only if Type is IndexTransform
}

const minTransform = 1 + 4

// TransformType is the kind of a transform.
type TransformType uint8

// The types of transforms.
const (
	Shift TransformType = iota
	Scale
	Shear
	Spin
	IndexTransform
)

var transformTypes = wire.Names("Shift", "Scale", "Shear", "Spin", "Index")

func (t *Transform) walk(c *wire.Cursor) {
	wire.Enum8(c, "type", &t.Type, transformTypes)
	if c.When(t.Type == IndexTransform) {
		wire.I32(c, "index", &t.Index)
	}
	if c.When(t.Type != IndexTransform) {
		vector(c, "vector", &t.Vector)
	}
	if c.When(t.Type == Spin) {
		float(c, "angle", &t.Angle)
	}
}

// Transforms is a list of transforms, applied in order.
type Transforms struct {
	Name []byte
	List []Transform
}

const minTransforms = 4 + 4

func (t *Transforms) walk(c *wire.Cursor) {
	wire.Text32(c, "name", &t.Name)
	list(c, "list", &t.List, minTransform, (*Transform).walk)
}

func (t *Transforms) walkGroup(c *wire.Cursor) {
	c.Begin("transforms")
	t.walk(c)
	c.End()
}
