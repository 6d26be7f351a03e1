package world

import (
	"math"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Mesh is an object of any shape. It consists of faces.
type Mesh struct {
	Checks    []MeshCheck // points that show which side is inside
	Vertices  [][3]float32
	Normals   [][3]float32
	TexCoords [][2]float32
	Faces     []Face
	State     MeshBits
}

const minMesh = 5*4 + 1

// MeshBits are the properties of a mesh.
type MeshBits uint8

// The bits of a mesh.
const (
	MeshDriveThrough MeshBits = 1 << iota
	MeshShootThrough
	MeshSmoothBounce
	MeshNoClusters
	MeshDrawInfo // the last texture coordinates contain drawing information
	MeshRicochet
)

var meshBits = wire.BitNames("DriveThrough", "ShootThrough", "SmoothBounce", "NoClusters", "DrawInfo", "Ricochet")

func (m *Mesh) walk(c *wire.Cursor) {
	vec := func(v *[3]float32, c *wire.Cursor) { vector(c, "", v) }
	list(c, "checks", &m.Checks, 13, (*MeshCheck).walk)
	list(c, "vertices", &m.Vertices, 12, vec)
	list(c, "normals", &m.Normals, 12, vec)
	list(c, "texcoords", &m.TexCoords, 8, texCoord)
	list(c, "faces", &m.Faces, minFace, (*Face).walk)
	wire.Bits8(c, "state", &m.State, meshBits)
}

// drawn returns the number of a mesh's texture coordinates that are drawing information. The second to last number is
// the size of that information in bytes; a pair of coordinates has eight bytes.
func (m *Mesh) drawn() int {
	n := len(m.TexCoords)
	if m.State&MeshDrawInfo == 0 || n == 0 {
		return 0
	}
	size := math.Float32bits(m.TexCoords[n-1][0]) / 8
	return int(min(uint64(size), uint64(n)))
}

func texCoord(t *[2]float32, c *wire.Cursor) {
	wire.F32(c, "u", &t[0])
	wire.F32(c, "v", &t[1])
}

// MeshCheck is a point inside or outside a mesh.
type MeshCheck struct {
	Type  CheckType
	Point [3]float32
}

// CheckType says whether a check point is inside or outside the mesh.
type CheckType uint8

// The types of check points.
const (
	CheckInside CheckType = iota
	CheckOutside
)

var checkTypes = wire.Names("Inside", "Outside")

func (k *MeshCheck) walk(c *wire.Cursor) {
	wire.Enum8(c, "type", &k.Type, checkTypes)
	vector(c, "point", &k.Point)
}

// Face is a face of a mesh. Its indexes refer to the lists of the mesh.
type Face struct {
	State         FaceBits
	Vertices      []int32
	Normals       []int32 // the same number as vertices, or none
	TexCoords     []int32
	Material      int32
	PhysicsDriver int32
}

const minFace = 1 + 3*4

// FaceBits are the properties of a face.
type FaceBits uint8

// The bits of a face.
const (
	FaceNormals FaceBits = 1 << iota
	FaceTexCoords
	FaceDriveThrough
	FaceShootThrough
	FaceSmoothBounce
	FaceNoClusters
	FaceRicochet
)

var faceBits = wire.BitNames("Normals", "TexCoords", "DriveThrough", "ShootThrough", "SmoothBounce",
	"NoClusters", "Ricochet")

func (f *Face) walk(c *wire.Cursor) {
	index := func(v *int32, c *wire.Cursor) { wire.I32(c, "", v) }
	wire.Bits8(c, "state", &f.State, faceBits)
	n := uint32(list(c, "vertices", &f.Vertices, 4, index))
	if c.When(f.State&FaceNormals != 0) {
		counted(c, "normals", &f.Normals, n, 4, index)
	}
	if c.When(f.State&FaceTexCoords != 0) {
		counted(c, "texcoords", &f.TexCoords, n, 4, index)
	}
	wire.I32(c, "material", &f.Material)
	wire.I32(c, "physics_driver", &f.PhysicsDriver)
}

// Round has the fields that arcs, cones and spheres share.
type Round struct {
	Transforms Transforms
	Position   [3]float32
	Size       [3]float32
	Angle      float32
}

const minRound = minTransforms + 2*12 + 4

func (r *Round) walk(c *wire.Cursor) {
	r.Transforms.walkGroup(c)
	vector(c, "position", &r.Position)
	vector(c, "size", &r.Size)
	float(c, "angle", &r.Angle)
}

// RoundBits are the properties of an arc, a cone, a sphere or a tetra. The meaning of some bits depends on the kind of
// object.
type RoundBits uint8

// The bits of arcs and cones.
const (
	RoundDriveThrough RoundBits = 1 << iota
	RoundShootThrough
	RoundSmoothBounce
	RoundNormals // smooth shading
	RoundRicochet

	SphereHemisphere = RoundRicochet
	SphereRicochet   = RoundRicochet << 1

	TetraRicochet = RoundSmoothBounce
)

var (
	roundBits  = wire.BitNames("DriveThrough", "ShootThrough", "SmoothBounce", "Normals", "Ricochet")
	sphereBits = wire.BitNames("DriveThrough", "ShootThrough", "SmoothBounce", "Normals", "Hemisphere", "Ricochet")
	tetraBits  = wire.BitNames("DriveThrough", "ShootThrough", "Ricochet")
)

// integers walks several integers with their names.
func integers(c *wire.Cursor, names []string, v []int32) {
	for i, name := range names {
		wire.I32(c, name, &v[i])
	}
}

// Arc is a ring or a part of a ring.
type Arc struct {
	Round
	Sweep         float32 // degrees; other angles are in radians
	Ratio         float32
	Divisions     int32
	PhysicsDriver int32
	TexSize       [4]float32
	Materials     [6]int32
	State         RoundBits
}

const minArc = minRound + 2*4 + 2*4 + 4*4 + 6*4 + 1

var (
	arcTextures  = []string{"texsize_u", "texsize_v", "texsize_s", "texsize_t"}
	arcMaterials = []string{
		"material_top", "material_bottom", "material_inside", "material_outside", "material_startside", "material_endside",
	}
	coneMaterials = []string{"material_edge", "material_bottom", "material_startside", "material_endside"}
)

func (a *Arc) walk(c *wire.Cursor) {
	a.Round.walk(c)
	float(c, "sweep", &a.Sweep)
	float(c, "ratio", &a.Ratio)
	wire.I32(c, "divisions", &a.Divisions)
	wire.I32(c, "physics_driver", &a.PhysicsDriver)
	numbers(c, arcTextures, a.TexSize[:])
	integers(c, arcMaterials, a.Materials[:])
	wire.Bits8(c, "state", &a.State, roundBits)
}

// Cone is a cone or a part of a cone.
type Cone struct {
	Round
	Sweep         float32 // degrees; other angles are in radians
	Divisions     int32
	PhysicsDriver int32
	TexSize       [2]float32
	Materials     [4]int32
	State         RoundBits
}

const minCone = minRound + 4 + 2*4 + 2*4 + 4*4 + 1

func (k *Cone) walk(c *wire.Cursor) {
	k.Round.walk(c)
	float(c, "sweep", &k.Sweep)
	wire.I32(c, "divisions", &k.Divisions)
	wire.I32(c, "physics_driver", &k.PhysicsDriver)
	numbers(c, arcTextures[:2], k.TexSize[:])
	integers(c, coneMaterials, k.Materials[:])
	wire.Bits8(c, "state", &k.State, roundBits)
}

// Sphere is a sphere or half a sphere.
type Sphere struct {
	Round
	Divisions     int32
	PhysicsDriver int32
	TexSize       [2]float32
	Materials     [2]int32
	State         RoundBits
}

const minSphere = minRound + 2*4 + 2*4 + 2*4 + 1

func (s *Sphere) walk(c *wire.Cursor) {
	s.Round.walk(c)
	wire.I32(c, "divisions", &s.Divisions)
	wire.I32(c, "physics_driver", &s.PhysicsDriver)
	numbers(c, arcTextures[:2], s.TexSize[:])
	integers(c, coneMaterials[:2], s.Materials[:])
	wire.Bits8(c, "state", &s.State, sphereBits)
}

// Tetra is a solid with four corners.
type Tetra struct {
	State      RoundBits
	Transforms Transforms
	Vertices   [4][3]float32
	NormalMask uint8        // set bits mark faces that have normals
	Normals    [][3]float32 // three per marked face
	CoordMask  uint8        // set bits mark faces that have texture coordinates
	TexCoords  [][2]float32 // three per marked face
	Materials  [4]int32
}

const minTetra = 1 + minTransforms + 4*12 + 2 + 4*4

var (
	tetraVertices  = [4]string{"vertex_a", "vertex_b", "vertex_c", "vertex_d"}
	tetraMaterials = []string{"material_a", "material_b", "material_c", "material_d"}
)

func (t *Tetra) walk(c *wire.Cursor) {
	wire.Bits8(c, "state", &t.State, tetraBits)
	t.Transforms.walkGroup(c)
	for i, name := range tetraVertices {
		vector(c, name, &t.Vertices[i])
	}
	wire.U8(c, "normal_mask", &t.NormalMask)
	counted(c, "normals", &t.Normals, corners(t.NormalMask), 12, func(v *[3]float32, c *wire.Cursor) { vector(c, "", v) })
	wire.U8(c, "texcoord_mask", &t.CoordMask)
	counted(c, "texcoords", &t.TexCoords, corners(t.CoordMask), 8, texCoord)
	integers(c, tetraMaterials, t.Materials[:])
}

// corners returns the number of corners of the faces that a mask marks.
func corners(mask uint8) uint32 {
	n := uint32(0)
	for bit := range 4 {
		if mask&(1<<bit) != 0 {
			n += 3
		}
	}
	return n
}
