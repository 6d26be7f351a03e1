package world

import "github.com/gamedissect/gamedissect/decode/wire"

// DynamicColor is a colour that changes over time.
type DynamicColor struct {
	Name     []byte
	Channels [4]Channel // red, green, blue, alpha
}

const (
	minChannel      = 2*4 + 3*4 + 4
	minDynamicColor = 4 + 4*minChannel
)

func (d *DynamicColor) walk(c *wire.Cursor) {
	wire.Text32(c, "name", &d.Name)
	for i, name := range tintNames {
		c.Begin(name)
		d.Channels[i].walk(c)
		c.End()
	}
}

// Channel is one of the four channels of a dynamic colour.
type Channel struct {
	Min, Max   float32
	Sinusoids  []Wave
	ClampUps   []Wave
	ClampDowns []Wave
	Period     float32 // period of the sequence
	Offset     float32
	Sequence   []uint8 // states, used in turn
}

func (h *Channel) walk(c *wire.Cursor) {
	float(c, "min", &h.Min)
	float(c, "max", &h.Max)
	list(c, "sinusoids", &h.Sinusoids, waveSize, (*Wave).walk)
	list(c, "clamp_ups", &h.ClampUps, waveSize, (*Wave).walk)
	list(c, "clamp_downs", &h.ClampDowns, waveSize, (*Wave).walk)
	n := uint32(len(h.Sequence))
	wire.U32(c, "sequence_count", &n)
	if c.When(n > 0) {
		float(c, "period", &h.Period)
		float(c, "offset", &h.Offset)
	}
	counted(c, "sequence", &h.Sequence, n, 1, func(v *uint8, c *wire.Cursor) { wire.U8(c, "", v) })
}

// Wave is a periodic function of time. Its parameters are the period, the offset, and the weight or width.
type Wave [3]float32

const waveSize = 12

var waveNames = []string{"period", "offset", "weight"}

func (w *Wave) walk(c *wire.Cursor) { numbers(c, waveNames, w[:]) }

// TextureMatrix moves a texture.
type TextureMatrix struct {
	Name    []byte
	State   MatrixBits
	Fixed   [7]float32 // each present if its bit is set
	Dynamic [9]float32 // each present if its bit is set
}

const minTextureMatrix = 4 + 1

// MatrixBits are the properties of a texture matrix.
type MatrixBits uint8

// The bits of a texture matrix.
const (
	MatrixFixed MatrixBits = 1 << iota
	MatrixDynamic
)

var (
	matrixBits = wire.BitNames("Fixed", "Dynamic")
	fixedNames = []string{
		"fixed_spin", "u_fixed_shift", "v_fixed_shift", "u_fixed_scale", "v_fixed_scale", "u_fixed_center", "v_fixed_center",
	}
	dynamicNames = []string{
		"spin_freq", "u_shift_freq", "v_shift_freq", "u_scale_freq", "v_scale_freq",
		"u_scale", "v_scale", "u_center", "v_center",
	}
)

func (t *TextureMatrix) walk(c *wire.Cursor) {
	wire.Text32(c, "name", &t.Name)
	wire.Bits8(c, "state", &t.State, matrixBits)
	if c.When(t.State&MatrixFixed != 0) {
		numbers(c, fixedNames, t.Fixed[:])
	}
	if c.When(t.State&MatrixDynamic != 0) {
		numbers(c, dynamicNames, t.Dynamic[:])
	}
}

// Material is the appearance of a surface.
type Material struct {
	Name         []byte
	Mode         MaterialBits
	DynamicColor int32
	Ambient      [4]float32
	Diffuse      [4]float32
	Specular     [4]float32
	Emission     [4]float32
	Shininess    float32
	AlphaThresh  float32
	TextureCount uint8
	Textures     []Texture
	ShaderCount  uint8
	Shaders      []Shader
}

const minMaterial = 4 + 1 + 4 + 16*4 + 2*4 + 2

// MaterialBits are the drawing options of a material.
type MaterialBits uint8

// The bits of a material.
const (
	NoCulling MaterialBits = 1 << iota
	NoSorting
	NoRadar
	NoShadow
	Occluder
	GroupAlpha
	NoLighting
)

var materialBits = wire.BitNames("NoCulling", "NoSorting", "NoRadar", "NoShadow", "Occluder", "GroupAlpha",
	"NoLighting")

func (m *Material) walk(c *wire.Cursor) {
	wire.Text32(c, "name", &m.Name)
	wire.Bits8(c, "mode", &m.Mode, materialBits)
	wire.I32(c, "dynamic_color", &m.DynamicColor)
	for _, part := range []struct {
		name  string
		color *[4]float32
	}{{"ambient", &m.Ambient}, {"diffuse", &m.Diffuse}, {"specular", &m.Specular}, {"emission", &m.Emission}} {
		c.Begin(part.name)
		numbers(c, tintNames[:], part.color[:])
		c.End()
	}
	float(c, "shininess", &m.Shininess)
	float(c, "alpha_thresh", &m.AlphaThresh)
	wire.Count8(c, "texture_count", &m.TextureCount, len(m.Textures))
	counted(c, "textures", &m.Textures, uint32(m.TextureCount), minTexture, (*Texture).walk)
	wire.Count8(c, "shader_count", &m.ShaderCount, len(m.Shaders))
	counted(c, "shaders", &m.Shaders, uint32(m.ShaderCount), 4, (*Shader).walk)
}

// Texture is an image on a surface.
type Texture struct {
	Name        []byte
	Matrix      int32
	CombineMode int32
	State       TextureBits
}

const minTexture = 4 + 2*4 + 1

// TextureBits are the options for a texture.
type TextureBits uint8

// The bits of a texture.
const (
	UseAlpha TextureBits = 1 << iota
	UseColor
	SphereMap
)

var textureBits = wire.BitNames("UseAlpha", "UseColor", "SphereMap")

func (t *Texture) walk(c *wire.Cursor) {
	wire.Text32(c, "name", &t.Name)
	wire.I32(c, "matrix", &t.Matrix)
	wire.I32(c, "combine_mode", &t.CombineMode)
	wire.Bits8(c, "state", &t.State, textureBits)
}

// Shader is the name of a program for the graphics card. BZFlag does not use shaders.
type Shader struct{ Name []byte }

func (s *Shader) walk(c *wire.Cursor) { wire.Text32(c, "", &s.Name) }

// PhysicsDriver moves or kills a tank that touches a surface.
type PhysicsDriver struct {
	Name       []byte
	Linear     [3]float32
	Angular    float32 // in radians per second
	AngularPos [2]float32
	Radial     float32
	RadialPos  [2]float32
	Slide      float32 // seconds
	Death      []byte  // message to a player whom the surface kills; empty: the surface does not kill
}

const minPhysicsDriver = 2*4 + 12 + 7*4

var (
	angularNames = []string{"angular", "angular_x", "angular_y"}
	radialNames  = []string{"radial", "radial_x", "radial_y"}
)

func (p *PhysicsDriver) walk(c *wire.Cursor) {
	wire.Text32(c, "name", &p.Name)
	vector(c, "linear", &p.Linear)
	float(c, angularNames[0], &p.Angular)
	numbers(c, angularNames[1:], p.AngularPos[:])
	float(c, radialNames[0], &p.Radial)
	numbers(c, radialNames[1:], p.RadialPos[:])
	float(c, "slide", &p.Slide)
	wire.Text32(c, "death", &p.Death)
}
