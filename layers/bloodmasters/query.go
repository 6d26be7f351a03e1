package bloodmasters

import (
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// ServerInfoRequest asks a server about itself. See the first part of the protocol document.
type ServerInfoRequest struct {
	Echo     int32 // repeated in the answer; launchers send their clock
	HasEcho  bool
	Trailing []byte // should be empty; real servers ignore it
}

func (r *ServerInfoRequest) Walk(c *wire.Cursor) {
	if c.Present(&r.HasEcho, 4) {
		wire.I32(c, "echo", &r.Echo)
	}
	off := c.Offset()
	wire.Trailing(c, &r.Trailing)
	if (!r.HasEcho || len(r.Trailing) > 0) && !c.Truncated() {
		c.ReportRange(ruleQueryLength, off, len(r.Trailing), "%s after the header, instead of 4 bytes of echo",
			wire.Counted(echoSize(r), "byte"))
	}
}

func echoSize(r *ServerInfoRequest) int {
	n := len(r.Trailing)
	if r.HasEcho {
		n += 4
	}
	return n
}

func (r *ServerInfoRequest) AppendSummary(b []byte) []byte {
	if !r.HasEcho {
		return append(b, "no echo"...)
	}
	b = append(b, "echo "...)
	return strconv.AppendInt(b, int64(r.Echo), 10)
}

// maxDatagram is the size in bytes of the real server's receive buffer.
const maxDatagram = 2048

// textRule is one of two ways to encode the length of a text.
type textRule bool

const (
	realTexts     textRule = false // seven bits per byte, as in .NET
	documentTexts textRule = true  // a single byte
)

// ServerInfoReply is a server's answer. See the second part of the document.
type ServerInfoReply struct {
	Echo         int32 // copied from the request
	Title        []byte
	Locked       wire.Bool // a password is required
	Website      []byte
	MaxClients   uint8
	MaxPlayers   uint8
	GameType     GameType
	Map          []byte
	NumClients   uint8 // including spectators
	NumPlayers   uint8 // excluding spectators
	Version      uint8 // of the protocol; 29 in all known releases
	Foreign      bool  // fields of a newer version follow; they are all in Trailing
	ScoreLimit   int16 // this and later fields: since version 27
	TimeLimit    int16 // minutes
	JoinSmallest wire.Bool
	Clients      []Client
	Build        []byte // since version 28
	Trailing     []byte // bytes after the known fields

	texts     textRule
	ambiguous bool // a text has 128 bytes or more, so the two rules differ
	countAt   int  // offset of NumClients
	tail      int  // offset of the fields that depend on the version; 0 if decoding failed before them
}

// Client is a player or spectator.
type Client struct {
	Name      []byte
	Team      Team
	Spectator wire.Bool
	Ping      int16 // milliseconds, as measured by the server; at most 999
}

func (r *ServerInfoReply) Walk(c *wire.Cursor) {
	wire.I32(c, "echo", &r.Echo)
	r.text(c, "title", &r.Title)
	boolean(c, "locked", &r.Locked)
	r.text(c, "website", &r.Website)
	wire.U8(c, "max_clients", &r.MaxClients)
	wire.U8(c, "max_players", &r.MaxPlayers)
	wire.Enum8(c, "game_type", &r.GameType, gameTypes)
	if !gameTypes.Has(int64(r.GameType)) {
		c.Report(ruleGameType, "game type %d, the highest is %d", r.GameType, len(gameTypes)-1)
	}
	r.text(c, "map", &r.Map)
	r.countAt = c.Offset()
	have := len(r.Clients)
	if r.Version < 27 {
		have = int(r.NumClients) // before version 27, clients are counted but not listed
	}
	wire.Count8(c, "num_clients", &r.NumClients, have)
	if r.NumClients > r.MaxClients {
		c.Report(ruleMaximum, "num_clients is %d, the maximum is %d", r.NumClients, r.MaxClients)
	}
	r.players(c)
	wire.U8(c, "protocol_version", &r.Version)
	if r.Version > launcherVersion {
		c.Report(ruleNewer, "protocol version %d, the highest known is %d", r.Version, launcherVersion)
	}
	if !c.Failed() {
		r.tail = c.Offset()
	}
	(*versionFields)(r).Walk(c)
	off := c.Offset()
	wire.Trailing(c, &r.Trailing)
	if !c.Failed() && !c.Truncated() {
		r.checkTail(c, off)
	}
}

// launcherVersion is the only version whose additional fields the real launcher reads.
const launcherVersion = 29

func (r *ServerInfoReply) players(c *wire.Cursor) {
	wire.U8(c, "num_players", &r.NumPlayers)
	switch {
	case r.NumPlayers > r.MaxPlayers:
		c.Report(ruleMaximum, "num_players is %d, the maximum is %d", r.NumPlayers, r.MaxPlayers)
	case r.NumPlayers > r.NumClients:
		c.Report(rulePlayerCount, "num_players is %d, num_clients is %d", r.NumPlayers, r.NumClients)
	}
}

// extended handles the fields that version 27 added.
func (r *ServerInfoReply) extended(c *wire.Cursor) {
	signed(c, "score_limit", &r.ScoreLimit)
	signed(c, "time_limit", &r.TimeLimit)
	boolean(c, "join_smallest", &r.JoinSmallest)
	wire.List(c, "clients", &r.Clients, wire.Count(r.NumClients), 1, func(cl *Client, c *wire.Cursor) {
		r.ambiguous = r.ambiguous || startsLong(c)
		cl.walk(c, r.texts)
	})
	if c.Failed() || len(r.Clients) != int(r.NumClients) || r.NumPlayers > r.NumClients {
		return
	}
	playing := 0
	for i := range r.Clients {
		if !r.Clients[i].Spectator.True() {
			playing++
		}
	}
	if playing != int(r.NumPlayers) {
		c.ReportRange(rulePlayerCount, r.countAt+1, 1, "num_players is %d, clients that do not only watch: %d",
			r.NumPlayers, playing)
	}
}

func (cl *Client) walk(c *wire.Cursor, texts textRule) {
	text(c, texts, "name", &cl.Name)
	wire.Enum8(c, "team", &cl.Team, teams)
	boolean(c, "spectator", &cl.Spectator)
	wire.I16(c, "ping", &cl.Ping)
	if cl.Ping < 0 {
		c.Report(ruleNegative, "ping is %d", cl.Ping)
	}
}

func (r *ServerInfoReply) text(c *wire.Cursor, name string, v *[]byte) {
	r.ambiguous = r.ambiguous || startsLong(c)
	text(c, r.texts, name, v)
}

// startsLong reports whether the next text has a length that the two rules read differently.
func startsLong(c *wire.Cursor) bool {
	p := c.Peek()
	return len(p) > 0 && p[0] >= 0x80
}

func text(c *wire.Cursor, rule textRule, name string, v *[]byte) {
	if rule == documentTexts {
		wire.Text8(c, name, v)
	} else {
		wire.TextLEB(c, name, v)
	}
	if len(*v) >= 128 {
		c.Report(ruleLongString, "%s has %d bytes", name, len(*v))
	}
}

func boolean(c *wire.Cursor, name string, v *wire.Bool) {
	wire.Bool8(c, name, v)
	if *v > 1 {
		c.Report(ruleBool, "%s is %d", name, *v)
	}
}

func signed(c *wire.Cursor, name string, v *int16) {
	wire.I16(c, name, v)
	if *v < 0 {
		c.Report(ruleNegative, "%s is %d", name, *v)
	}
}

func (r *ServerInfoReply) AppendSummary(b []byte) []byte {
	b = format.AppendQuoted(b, r.Title)
	b = append(b, "  "...)
	b = format.AppendQuoted(b, r.Map)
	b = append(b, "  "...)
	b = append(b, r.GameType.String()...)
	b = append(b, "  clients "...)
	b = appendOf(b, r.NumClients, r.MaxClients)
	b = append(b, "  players "...)
	return appendOf(b, r.NumPlayers, r.MaxPlayers)
}

func appendOf(b []byte, n, limit uint8) []byte {
	b = strconv.AppendUint(b, uint64(n), 10)
	b = append(b, '/')
	return strconv.AppendUint(b, uint64(limit), 10)
}
