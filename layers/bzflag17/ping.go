package bzflag17

import (
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// Pings find servers. A client sends a ping to a multicast group or a broadcast address. Servers answer to the group,
// not to the client. The protocol document omits pings.

// PingRequest searches for servers.
type PingRequest struct {
	TTL uint16 // TTL for the answer
}

func (r *PingRequest) Walk(c *wire.Cursor) { wire.U16(c, "ttl", &r.TTL) }

func (r *PingRequest) AppendSummary(b []byte) []byte {
	b = append(b, "ttl "...)
	return strconv.AppendUint(b, uint64(r.TTL), 10)
}

// PingReply describes a server. Its length field is the length of the packet, including the four-byte header. In all
// other messages, the field is the length of the body.
type PingReply struct {
	Version []byte   // as in ServerHello
	Server  PlayerID // address and port of the server
	Source  [4]byte  // IP address of the client
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
