package bzflag17

import "github.com/gamedissect/gamedissect/decode/wire"

// World is the world database, which consists of the joined parts of MsgGetWorld. See "getting the world database" in
// the protocol document. A World is not a message. To decode it and add it to a tree, use a wire.Base:
//
//	var b wire.Base
//	var w bzflag17.World
//	err := b.Decode(&w, joined, gopacket.NilDecodeFeedback)
//	b.Annotate(&w, &tree)
type World struct {
	Blocks   []Block
	Trailing []byte // zeros after the end, which 1.07e sends for random worlds
}

func (w *World) Walk(c *wire.Cursor) {
	count := wire.Count(len(w.Blocks))
	if c.Reading() {
		count = countBlocks(c.Peek())
	}
	wire.List(c, "blocks", &w.Blocks, count, blockCodeSize, (*Block).walk)
	off := c.Offset()
	wire.Trailing(c, &w.Trailing)
	switch fault := c.Fault(); {
	case !c.Reading() || c.Truncated():
	case c.Failed():
		c.ReportRange(ruleWorld, fault.Offset, fault.Have, "the database ends within a block")
	default:
		w.check(c, off)
	}
}

// BlockCode is the pair of letters at the beginning of a block.
type BlockCode [blockCodeSize]byte

const blockCodeSize = 2

// The blocks, in their order in the database.
var (
	BlockStyle      = BlockCode{'s', 't'}
	BlockBase       = BlockCode{'b', 'a'}
	BlockWall       = BlockCode{'w', 'l'}
	BlockBox        = BlockCode{'b', 'x'}
	BlockPyramid    = BlockCode{'p', 'y'}
	BlockTeleporter = BlockCode{'t', 'e'}
	BlockLink       = BlockCode{'l', 'n'}
	BlockEnd        = BlockCode{'e', 'd'}
)

// object returns the name of the object that a block describes, and the length of the block. Both are zero for an
// undefined block.
func (k BlockCode) object() (name string, size int) {
	switch k {
	case BlockStyle:
		return "Style", 28
	case BlockBase:
		return "TeamBase", 40
	case BlockWall:
		return "Wall", 26
	case BlockBox:
		return "Box", 30
	case BlockPyramid:
		return "Pyramid", 30
	case BlockTeleporter:
		return "Teleporter", 34
	case BlockLink:
		return "Link", 6
	case BlockEnd:
		return "End", blockCodeSize
	}
	return "", 0
}

func (k BlockCode) String() string { return string(k[:]) }

// Block is a block of the database. Its code determines which of its fields are present.
type Block struct {
	Code     BlockCode
	Style    Style
	Team     Team // only in a base
	Obstacle Obstacle
	Link     Link
}

func (b *Block) walk(c *wire.Cursor) {
	wire.Tag(c, "code", b.Code[:])
	c.Computed("object", func(text []byte) []byte {
		name, _ := b.Code.object()
		return append(text, name...)
	})
	if c.When(b.Code == BlockStyle) {
		b.Style.walk(c)
	}
	if c.When(b.Code == BlockBase) {
		team(c, "team", &b.Team)
	}
	switch b.Code {
	case BlockStyle, BlockLink, BlockEnd:
	default:
		b.Obstacle.walk(c, b.Code)
	}
	if c.When(b.Code == BlockLink) {
		wire.U16(c, "from", &b.Link.From)
		wire.U16(c, "to", &b.Link.To)
	}
}

// Style is the first block: the rules of the game.
type Style struct {
	Length              uint16 // length of the following fields
	Style               GameStyle
	Players             uint16 // maximum number
	Shots               uint16 // maximum number per player at a time
	Flags               uint16 // maximum number
	LinearAcceleration  float32
	AngularAcceleration float32
	ShakeTimeout        uint16 // tenths of seconds until a bad flag can be dropped
	ShakeWins           uint16 // wins until a bad flag can be dropped
	ServerTime          uint32 // seconds since 1970
}

func (s *Style) walk(c *wire.Cursor) {
	wire.U16(c, "length", &s.Length)
	wire.Bits16(c, "style", &s.Style, gameStyleBits)
	wire.U16(c, "players", &s.Players)
	wire.U16(c, "shots", &s.Shots)
	wire.U16(c, "flags", &s.Flags)
	float(c, "linear_acceleration", &s.LinearAcceleration)
	float(c, "angular_acceleration", &s.AngularAcceleration)
	wire.U16(c, "shake_timeout", &s.ShakeTimeout)
	wire.U16(c, "shake_wins", &s.ShakeWins)
	wire.U32(c, "server_time", &s.ServerTime)
}

// Obstacle is an object in the world. Widths and depths are half sizes, measured from the centre. Heights are full
// sizes, measured from the bottom of the object.
type Obstacle struct {
	Center [3]float32 // z is the height of the bottom
	Angle  float32    // radians
	Width  float32    // for a base, the size in x
	Depth  float32    // for a base, the size in y; walls have no depth
	Height float32    // bases have no height
	Border float32    // only for teleporters
	Safety [3]float32 // only for bases: the place where another team's flag goes
}

func (o *Obstacle) walk(c *wire.Cursor, k BlockCode) {
	vector(c, "center", &o.Center)
	float(c, "angle", &o.Angle)
	if c.When(k == BlockBase) {
		float(c, "size_x", &o.Width)
		float(c, "size_y", &o.Depth)
		vector(c, "safety", &o.Safety)
	}
	if k == BlockBase {
		return
	}
	float(c, "width", &o.Width)
	if c.When(k != BlockWall) {
		float(c, "depth", &o.Depth)
	}
	float(c, "height", &o.Height)
	if c.When(k == BlockTeleporter) {
		float(c, "border", &o.Border)
	}
}

// Link is a link from one face of a teleporter to another. Teleporter N has the faces 2N and 2N+1.
type Link struct {
	From, To uint16
}

// countBlocks returns the number of blocks up to the end of the database, or up to an undefined block. An incomplete
// last block counts too.
func countBlocks(data []byte) wire.Count {
	n := 0
	for len(data) >= blockCodeSize {
		code := BlockCode(data)
		_, size := code.object()
		if size == 0 {
			break
		}
		n++
		if code == BlockEnd {
			break
		}
		data = data[min(size, len(data)):]
	}
	return wire.Count(n)
}

// check reports problems of the database as a whole; off is the offset at which its blocks end.
func (w *World) check(c *wire.Cursor, off int) {
	blocks := w.Blocks
	if len(blocks) == 0 || blocks[0].Code != BlockStyle {
		c.ReportRange(ruleWorld, 0, min(blockCodeSize, c.Offset()), "the database does not begin with st")
	}
	if len(blocks) == 0 || blocks[len(blocks)-1].Code != BlockEnd {
		if n := len(w.Trailing); n >= blockCodeSize {
			c.ReportRange(ruleWorld, off, blockCodeSize, "%q is no block", w.Trailing[:blockCodeSize])
		} else {
			c.ReportRange(ruleWorld, off, n, "the database does not end with ed")
		}
	}
	w.checkLinks(c)
}

func (w *World) checkLinks(c *wire.Cursor) {
	faces := uint16(0)
	for i := range w.Blocks {
		if w.Blocks[i].Code == BlockTeleporter {
			faces += 2
		}
	}
	off := 0
	for i := range w.Blocks {
		b := &w.Blocks[i]
		_, size := b.Code.object()
		if b.Code == BlockLink && (b.Link.From >= faces || b.Link.To >= faces) {
			c.ReportRange(ruleWorld, off, size, "a link from face %d to %d, there are %d faces", b.Link.From, b.Link.To, faces)
		}
		off += size
	}
}
