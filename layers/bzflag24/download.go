package bzflag24

import (
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/layers/bzflag24/world"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// WorldHash identifies the world. A client that already has this world need not download it.
type WorldHash struct {
	Hash []byte // 't' (made for this game) or 'p' (permanent), 32 hex digits, NUL
}

func (w *WorldHash) Walk(c *wire.Cursor) { wire.Text(c, "hash", &w.Hash, world.HashSize) }

func (w *WorldHash) AppendSummary(b []byte) []byte { return format.AppendQuoted(b, wire.Trim(w.Hash)) }

// CacheURL is a URL from which the client can download the world instead.
type CacheURL struct {
	URL []byte
}

func (u *CacheURL) Walk(c *wire.Cursor) { wire.TextZ(c, "url", &u.URL) }

func (u *CacheURL) AppendSummary(b []byte) []byte { return format.AppendQuoted(b, u.URL) }

// Resource is a file that a client should fetch.
type Resource struct {
	Type uint16
	URL  []byte
}

func (r *Resource) walk(c *wire.Cursor) {
	wire.U16(c, "type", &r.Type)
	wire.Text16(c, "url", &r.URL)
}

// FetchResources lists files that a client should fetch. Servers send it only if they use a plugin.
type FetchResources struct {
	Count     uint16
	Resources []Resource
}

func (f *FetchResources) Walk(c *wire.Cursor) {
	const least = 4
	wire.List(c, "resources", &f.Resources, wire.Count16(c, "count", &f.Count, len(f.Resources)), least, (*Resource).walk)
}

func (f *FetchResources) AppendSummary(b []byte) []byte {
	return appendCount(b, len(f.Resources), "resource")
}

// WorldRequest asks for a part of the world database.
type WorldRequest struct {
	Offset uint32 // first byte of the part
}

func (r *WorldRequest) Walk(c *wire.Cursor) { wire.U32(c, "offset", &r.Offset) }

func (r *WorldRequest) AppendSummary(b []byte) []byte {
	return bzflag.AppendNumber(b, "offset", int64(r.Offset))
}

// WorldPart is a part of the world database. Package world reads the database after its parts are joined.
type WorldPart struct {
	BytesLeft uint32 // remaining bytes, including this part; 0 in the last part
	Data      []byte
}

func (p *WorldPart) Walk(c *wire.Cursor) {
	wire.U32(c, "bytes_left", &p.BytesLeft)
	wire.Rest(c, "data", &p.Data)
}

func (p *WorldPart) AppendSummary(b []byte) []byte {
	b = strconv.AppendInt(b, int64(len(p.Data)), 10)
	return bzflag.AppendNumber(b, " bytes, left", int64(p.BytesLeft))
}
