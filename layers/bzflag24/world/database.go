package world

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"crypto/md5" //nolint:gosec // required by the protocol
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// MaxSize is the maximum size in bytes of a download that is read.
const MaxSize = 16 << 20

// Limits of a database. In real maps, the content is up to 20 times as large as its deflated form, and there are up to
// several hundred thousand points and faces.
const (
	maxContent = 8 << 20  // maximum size of the inflated content
	maxRatio   = 100      // maximum ratio of inflated to deflated size
	smallest   = 64 << 10 // content up to this size may have any ratio
	maxMap     = 20 << 20 // maximum memory of a Map in bytes
)

// Database is a world that a client downloaded with MsgGetWorld, after its parts were joined. It is not a message. It
// consists of the deflated content, which is a Map, in a frame that contains the sizes.
type Database struct {
	Raw     []byte // the downloaded bytes
	Content []byte // the inflated content
	Err     error  // the first error, or nil

	// Faces is the number of teleporter faces. It is -1 if a group contains teleporters, because the number of faces
	// then depends on how often the world uses the group.
	Faces int
	Rules Rules // game rules that the server has sent so far

	HeaderSize   uint16
	HeaderCode   [2]byte
	MapVersion   uint16
	Uncompressed uint32
	Compressed   uint32
	EndSize      uint16
	EndCode      [2]byte

	// Announced is the server's announcement of this database in MsgWantWHash: 't' (made for this game) or 'p'
	// (permanent), the 32 hex digits of the MD5 hash, and a NUL. It is zero if there was no announcement.
	Announced [HashSize]byte

	deflated []byte
	trailing []byte
}

// HashSize is the size of Announced in bytes.
const HashSize = 34

// The parts of the frame around the content.
const (
	headerBody = 10
	headerCode = "he"
	endCode    = "ed"
	mapVersion = 1
)

// Read reads and checks a database. The Database keeps a reference to raw. If there is an error, Err contains it, and
// the fields before the error are set. Read does not keep the Map, which needs many times as much memory as the
// content; ReadMap returns it.
func Read(raw []byte) *Database {
	d := &Database{Raw: raw}
	d.Err = d.read()
	return d
}

// ReadMap reads the Map. If there is an error, it returns the part before the error. It returns nil if there is no
// content.
func (d *Database) ReadMap() (*Map, error) {
	if len(d.Content) == 0 {
		return nil, nil
	}
	var b wire.Base
	b.Context.MaxMemory = maxMap
	m := &Map{Rules: d.Rules}
	return m, b.Decode(m, d.Content, gopacket.NilDecodeFeedback)
}

// Held returns the size of the database in bytes.
func (d *Database) Held() int { return cap(d.Raw) + cap(d.Content) }

func (d *Database) read() error {
	var b wire.Base
	if err := b.Decode(d, d.Raw, gopacket.NilDecodeFeedback); err != nil {
		return fmt.Errorf("the database ends too early: %w", err)
	}
	err := d.checkFrame() // despite an error here, the content may be valid
	content, inflateErr := inflate(d.deflated, d.Uncompressed)
	d.Content = content
	if inflateErr != nil && len(content) == 0 {
		return cmp.Or(err, inflateErr)
	}
	return cmp.Or(err, inflateErr, d.readContent())
}

func (d *Database) readContent() error {
	var b wire.Base
	var m skimmed
	err := b.Decode(&m, d.Content, gopacket.NilDecodeFeedback)
	d.Faces = m.faces
	if err != nil {
		return fmt.Errorf("the content cannot be read: %w", err)
	}
	for _, f := range b.Findings() {
		if f.Rule == RuleStructure {
			return fmt.Errorf("at offset %d of the content: %s", f.Off, f.Text)
		}
	}
	if n := len(m.trailing); n > 0 {
		return fmt.Errorf("%s of the content left over", wire.Counted(n, "byte"))
	}
	return nil
}

// skimmed is a Map whose objects are checked but not stored.
type skimmed struct{ Map }

func (m *skimmed) Walk(c *wire.Cursor) {
	c.Skim()
	m.Map.Walk(c)
}

func (d *Database) checkFrame() error {
	switch {
	case string(d.HeaderCode[:]) != headerCode || d.HeaderSize != headerBody:
		return fmt.Errorf("the database begins with %q and a length of %d, not with %q and %d",
			d.HeaderCode, d.HeaderSize, headerCode, headerBody)
	case d.MapVersion != mapVersion:
		return fmt.Errorf("map version %d; only %d is supported", d.MapVersion, mapVersion)
	case int(d.Compressed) != len(d.deflated):
		return fmt.Errorf("%d compressed bytes are announced, there are %d", d.Compressed, len(d.deflated))
	case string(d.EndCode[:]) != endCode || d.EndSize != 0:
		return fmt.Errorf("the database ends with %q, not with %q", d.EndCode, endCode)
	case len(d.trailing) > 0:
		return fmt.Errorf("%s left over", wire.Counted(len(d.trailing), "byte"))
	}
	return nil
}

// inflate returns the inflated content. A few deflated bytes can expand to very many bytes, so inflate limits the
// announced size, and reads at most that many bytes.
func inflate(deflated []byte, size uint32) ([]byte, error) {
	if most := min(max(smallest, maxRatio*len(deflated)), maxContent); int64(size) > int64(most) {
		return nil, fmt.Errorf("%d bytes of content are announced, but at most %d are read from %d deflated bytes",
			size, most, len(deflated))
	}
	z, err := zlib.NewReader(bytes.NewReader(deflated))
	if err != nil {
		return nil, fmt.Errorf("the content cannot be inflated: %w", err)
	}
	b := bytes.NewBuffer(make([]byte, 0, int(size)+1+bytes.MinRead)) // the capacity never grows
	_, err = b.ReadFrom(io.LimitReader(z, int64(size)+1))
	content := b.Bytes()
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return content, fmt.Errorf("the content cannot be inflated: %w", err)
	case len(content) != int(size):
		return content, fmt.Errorf("%d bytes of content are announced, there are %d", size, len(content))
	}
	return content, nil
}

// Walk lists the fields of the frame and, between them, the deflated content.
func (d *Database) Walk(c *wire.Cursor) {
	wire.U16(c, "header_size", &d.HeaderSize)
	wire.Tag(c, "header_code", d.HeaderCode[:])
	wire.U16(c, "map_version", &d.MapVersion)
	wire.U32(c, "uncompressed", &d.Uncompressed)
	wire.U32(c, "compressed", &d.Compressed)
	// The announced length may be wrong, so the end of the frame is read from the end of the data.
	if c.Reading() {
		n := min(int64(d.Compressed), int64(max(c.Left()-endSize, 0)))
		d.deflated = c.Peek()[:n]
	}
	wire.Slice(c, "deflated", &d.deflated, len(d.deflated))
	wire.U16(c, "end_size", &d.EndSize)
	wire.Tag(c, "end_code", d.EndCode[:])
	wire.Trailing(c, &d.trailing)
	if c.When(len(d.Content) > 0) {
		c.Embed("content", func() []byte { return d.Content }, new(skimmed))
	}
}

const endSize = 4

// CheckHash returns an error if the hash of the database differs from the server's announcement.
func (d *Database) CheckHash() error {
	text := wire.Trim(d.Announced[:])
	if len(text) == 0 {
		return nil
	}
	sum := md5.Sum(d.Raw) //nolint:gosec // see the import
	if got := hex.EncodeToString(sum[:]); got != string(text[1:]) {
		return fmt.Errorf("the md5 of the world is %s, %q was announced", got, text)
	}
	return nil
}
