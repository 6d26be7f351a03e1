package bzflag24

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"crypto/md5" //nolint:gosec // what the protocol has
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Bounds of what is read. Content of real maps is up to some 20 times as large as it is deflated, and
// the largest have some hundred thousand points and faces.
const (
	maxDatabase = 16 << 20 // bytes of a download
	maxContent  = 16 << 20 // the same inflated
	maxRatio    = 100      // of both
	smallest    = 64 << 10 // that any content may have
	maxElements = 1 << 20  // of all lists together
)

// World is the world database: what MsgGetWorld brought, joined. It is no message. Its first fields
// say how large it is; what they frame is deflated and holds the Map.
type World struct {
	Raw     []byte // as downloaded
	Content []byte // inflated
	Err     error  // what does not add up first; nil: nothing
	Map     Map    // as far as it could be read

	HeaderSize   uint16
	HeaderCode   [2]byte
	MapVersion   uint16
	Uncompressed uint32
	Compressed   uint32
	EndSize      uint16
	EndCode      [2]byte

	deflated  []byte
	trailing  []byte
	announced [worldHashSize]byte // by MsgWantWHash
}

// The frame of the content.
const (
	headerBody   = 10
	headerCode   = "he"
	endCode      = "ed"
	mapVersion   = 1
	databaseHead = 4 + headerBody
)

// ReadWorld reads a database. What is wrong with it is in Err; whatever was read before is kept.
func ReadWorld(raw []byte) *World {
	w := &World{Raw: bytes.Clone(raw)}
	w.Err = w.read()
	return w
}

func (w *World) read() error {
	var b wire.Base
	if err := b.Decode(w, w.Raw, gopacket.NilDecodeFeedback); err != nil {
		return fmt.Errorf("the database ends too early: %w", err)
	}
	err := w.checkFrame() // what is in the frame may be right all the same
	content, inflateErr := inflate(w.deflated, w.Uncompressed)
	w.Content = content
	if inflateErr != nil && len(content) == 0 {
		return cmp.Or(err, inflateErr)
	}
	return cmp.Or(err, inflateErr, w.readContent())
}

func (w *World) readContent() error {
	var b wire.Base
	b.Context.MaxElements = maxElements
	if err := b.Decode(&w.Map, w.Content, gopacket.NilDecodeFeedback); err != nil {
		return fmt.Errorf("the content cannot be read: %w", err)
	}
	for _, f := range b.Findings() {
		if f.Rule == ruleWorld {
			return fmt.Errorf("at offset %d of the content: %s", f.Off, f.Text)
		}
	}
	if n := len(w.Map.trailing); n > 0 {
		return fmt.Errorf("%s of the content left over", wire.Counted(n, "byte"))
	}
	return nil
}

func (w *World) checkFrame() error {
	switch {
	case string(w.HeaderCode[:]) != headerCode || w.HeaderSize != headerBody:
		return fmt.Errorf("the database begins with %q and a length of %d, not with %q and %d", w.HeaderCode, w.HeaderSize, headerCode, headerBody)
	case w.MapVersion != mapVersion:
		return fmt.Errorf("map version %d, only %d is known", w.MapVersion, mapVersion)
	case int(w.Compressed) != len(w.deflated):
		return fmt.Errorf("%d compressed bytes are announced, there are %d", w.Compressed, len(w.deflated))
	case string(w.EndCode[:]) != endCode || w.EndSize != 0:
		return fmt.Errorf("the database ends with %q, not with %q", w.EndCode, endCode)
	case len(w.trailing) > 0:
		return fmt.Errorf("%s left over", wire.Counted(len(w.trailing), "byte"))
	}
	return nil
}

// inflate gives what is deflated. A few bytes may stand for very many, so what it announces to be
// counts, and that has a limit.
func inflate(deflated []byte, size uint32) ([]byte, error) {
	if most := min(max(smallest, maxRatio*len(deflated)), maxContent); int64(size) > int64(most) {
		return nil, fmt.Errorf("%d bytes of content are announced, of %d deflated ones at most %d are read", size, len(deflated), most)
	}
	z, err := zlib.NewReader(bytes.NewReader(deflated))
	if err != nil {
		return nil, fmt.Errorf("the content cannot be inflated: %w", err)
	}
	content, err := io.ReadAll(io.LimitReader(z, int64(size)+1))
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return content, fmt.Errorf("the content cannot be inflated: %w", err)
	case len(content) != int(size):
		return content, fmt.Errorf("%d bytes of content are announced, there are %d", size, len(content))
	}
	return content, nil
}

// Walk lists the frame, and in it the content.
func (w *World) Walk(c *wire.Cursor) {
	wire.U16(c, "header_size", &w.HeaderSize)
	wire.Tag(c, "header_code", w.HeaderCode[:])
	wire.U16(c, "map_version", &w.MapVersion)
	wire.U32(c, "uncompressed", &w.Uncompressed)
	wire.U32(c, "compressed", &w.Compressed)
	// The announced length may be wrong; the end mark stands at the end in any case.
	if c.Reading() {
		n := min(int64(w.Compressed), int64(max(c.Left()-endSize, 0)))
		w.deflated = c.Peek()[:n]
	}
	wire.Slice(c, "deflated", &w.deflated, len(w.deflated))
	wire.U16(c, "end_size", &w.EndSize)
	wire.Tag(c, "end_code", w.EndCode[:])
	wire.Trailing(c, &w.trailing)
	if c.When(len(w.Content) > 0) {
		m := new(Map) // the tree is another reading than that of the program
		wire.Embed(c, "content", w.Content, m)
	}
}

const endSize = 4

// otherHash tells in what the database is not the one announced: "" for nothing, or if none was.
func (w *World) otherHash() string {
	text := wire.Trim(w.announced[:])
	if len(text) == 0 {
		return ""
	}
	sum := md5.Sum(w.Raw) //nolint:gosec // as above
	if got := hex.EncodeToString(sum[:]); got != string(text[1:]) {
		return fmt.Sprintf("the md5 of the world is %s, %q was announced", got, text)
	}
	return ""
}
