package bzflag17

import (
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// Pings find servers: a client asks a multicast group or a broadcast address, and servers answer to the group, not to
// the client. The document leaves them out.

// PingRequest searches for servers.
type PingRequest struct {
	TTL uint16 // for the answer
}

func (r *PingRequest) Walk(c *wire.Cursor) { wire.U16(c, "ttl", &r.TTL) }

func (r *PingRequest) AppendSummary(b []byte) []byte {
	b = append(b, "ttl "...)
	return strconv.AppendUint(b, uint64(r.TTL), 10)
}

// PingReply describes a server. Unlike in any other message, its length field counts the whole packet, including the
// four-byte header.
type PingReply struct {
	Version []byte   // as in the hello
	Server  PlayerID // address and port of the server
	Source  [4]byte  // address of the client
	Game    Game
}

const pingReplySize = headerSize + versionSize + playerIDSize + 4 + gameSize

func (r *PingReply) Walk(c *wire.Cursor) {
	wire.Text(c, "version", &r.Version, versionSize)
	r.Server.walk(c, "server")
	wire.IPv4(c, "source", &r.Source)
	r.Game.Walk(c)
}

func (r *PingReply) AppendSummary(b []byte) []byte {
	b = format.AppendQuoted(b, wire.Trim(r.Version))
	b = append(b, "  "...)
	b = r.Server.AppendTo(b)
	b = append(b, "  "...)
	return r.Game.AppendSummary(b)
}
