package bzflag17

import (
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// largestTTL is the largest time to live that a packet can have.
const largestTTL = 255

// SetTTL is the time to live for packets between players. Real clients also send it after joining, with the value that
// they need. See MsgSetTTL in the protocol document.
type SetTTL struct {
	TTL uint16
}

func (s *SetTTL) Walk(c *wire.Cursor) {
	wire.U16(c, "ttl", &s.TTL)
	if s.TTL > largestTTL {
		c.Report(ruleTTL, "a TTL of %d, at most %d is possible", s.TTL, largestTTL)
	}
}

func (s *SetTTL) AppendSummary(b []byte) []byte {
	return strconv.AppendUint(b, uint64(s.TTL), 10)
}

// LagPing is a lag ping from the server, or the client's echo of it. See MsgLagPing in the protocol document.
type LagPing = bzflag.LagPing

// WorldHash identifies the world. A client that already has this world need not download it. Only 1.07e has this
// message; the document omits it.
type WorldHash struct {
	Hash []byte // 't' (made for this game) or 'p' (permanent), 32 hex digits, NUL
}

const worldHashSize = 34

func (w *WorldHash) Walk(c *wire.Cursor) { text(c, "hash", &w.Hash, worldHashSize) }

func (w *WorldHash) AppendSummary(b []byte) []byte { return format.AppendQuoted(b, wire.Trim(w.Hash)) }

// LinkRequest offers the client's UDP port for a link in addition to the connection, or answers with the server's UDP
// port. Only 1.07e has this message; the document omits it.
type LinkRequest struct {
	Port uint16
}

func (r *LinkRequest) Walk(c *wire.Cursor) { wire.U16(c, "port", &r.Port) }

func (r *LinkRequest) AppendSummary(b []byte) []byte {
	b = append(b, "port "...)
	return strconv.AppendUint(b, uint64(r.Port), 10)
}

// LinkEstablished confirms to the server that its datagrams arrive. Only 1.07e has this message; the document omits it.
type LinkEstablished struct {
	QueueUpdate uint16 // real clients send 0
}

func (e *LinkEstablished) Walk(c *wire.Cursor) { wire.U16(c, "queue_update", &e.QueueUpdate) }

// ClientVersion is the client's version. Servers ignore it. Only 1.07e has this message; the document omits it.
type ClientVersion struct {
	Version uint16
}

func (v *ClientVersion) Walk(c *wire.Cursor) { wire.U16(c, "version", &v.Version) }

func (v *ClientVersion) AppendSummary(b []byte) []byte {
	return strconv.AppendUint(b, uint64(v.Version), 10)
}
