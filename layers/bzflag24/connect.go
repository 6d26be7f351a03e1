package bzflag24

import (
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// The first message of each side has no header. The client sends first. If a server receives a different first message,
// or no message for 2.5 seconds, it sends its version and closes the connection.
const (
	connectHeader = "BZFLAG\r\n\r\n"
	bannerEnd     = "\r\n\r\n"
	helloSize     = bzflag.VersionSize + 1
	bannerSize    = bzflag.VersionSize + len(bannerEnd)

	// Version is the version string that all servers of 2.4 send.
	Version = bzflag.Magic + "0221"
)

// ConnectHeader is the first message of a client.
type ConnectHeader struct {
	Text []byte
}

func (h *ConnectHeader) Walk(c *wire.Cursor) { wire.Text(c, "text", &h.Text, len(connectHeader)) }

// ServerHello is the server's answer to ConnectHeader. Servers of 1.10 and 2.0 send it without waiting for the client.
type ServerHello struct {
	Version []byte // "BZFS0221"
	Player  Player // number of the client; NoPlayer: the server is full
}

func (h *ServerHello) Walk(c *wire.Cursor) {
	wire.Text(c, "version", &h.Version, bzflag.VersionSize)
	checkVersion(c, h.Version)
	wire.Enum8(c, "player", &h.Player.ID, playerIDs) // shown without the name, which may still be the previous player's
}

func checkVersion(c *wire.Cursor, v []byte) {
	if c.Reading() && !c.Failed() && string(v) != Version {
		c.Report(ruleVersion, "%q is %s; only messages with the layout of 2.4 are decoded", v, release(string(v)))
	}
}

func release(version string) string {
	const era = len(bzflag.Magic) + 2
	if len(version) < era {
		return "none"
	}
	switch version[:era] {
	case "BZFS10":
		return "BZFlag 1.7"
	case "BZFS19":
		return "BZFlag 1.10"
	case "BZFS00":
		return "BZFlag 2.0"
	}
	return "not 2.4"
}

func (h *ServerHello) AppendSummary(b []byte) []byte {
	b = format.AppendQuoted(b, wire.Trim(h.Version))
	if h.Player.ID == NoPlayer {
		return append(b, "  no room"...)
	}
	b = append(b, "  player "...)
	return h.Player.AppendTo(b)
}

// TimeoutBanner is sent by a server instead of a hello if the other side does not behave like a client. Two line ends
// follow the version, where a hello has the player's number.
type TimeoutBanner struct {
	Version []byte
	End     []byte // two line ends
}

func (t *TimeoutBanner) Walk(c *wire.Cursor) {
	wire.Text(c, "version", &t.Version, bzflag.VersionSize)
	wire.Text(c, "end", &t.End, len(bannerEnd))
}

func (t *TimeoutBanner) AppendSummary(b []byte) []byte {
	return format.AppendQuoted(b, wire.Trim(t.Version))
}

// BanText is sent by a server to a banned address, unless the connection begins like a client's connection. It extends
// to the end of the connection.
type BanText struct {
	Text []byte
}

// The beginning and the maximum length of a BanText.
const (
	banBegins = "banned for "
	maxBan    = 512
)

func (t *BanText) Walk(c *wire.Cursor) { wire.TextUpTo(c, "text", &t.Text, maxBan) }

func (t *BanText) AppendSummary(b []byte) []byte { return format.AppendQuoted(b, t.Text) }

// Enter asks to join the game.
type Enter struct {
	Type     PlayerType
	Team     Team
	CallSign []byte
	Motto    []byte
	Token    []byte // issued by the list server to prove the identity
	Version  []byte // version of the client
	Pad      uint8  // a byte that the client does not set
}

const enterSize = 4 + callSignSize + mottoSize + tokenSize + versionText + 1

func (e *Enter) Walk(c *wire.Cursor) {
	playerType(c, &e.Type)
	team(c, "team", &e.Team)
	wire.Text(c, "call_sign", &e.CallSign, callSignSize)
	wire.Text(c, "motto", &e.Motto, mottoSize)
	wire.Text(c, "token", &e.Token, tokenSize)
	wire.Text(c, "version", &e.Version, versionText)
	wire.U8(c, "pad", &e.Pad)
}

func (e *Enter) AppendSummary(b []byte) []byte {
	b = append(appendJoin(b, e.CallSign, e.Team, e.Motto), "  "...)
	return format.AppendQuoted(b, wire.Trim(e.Version))
}

// Reject refuses a MsgEnter, or another message that was sent in its place.
type Reject struct {
	Reason RejectReason
	Text   []byte // may contain old content of the server's buffer after the NUL
}

const (
	rejectText = 128
	rejectSize = 2 + rejectText
)

func (r *Reject) Walk(c *wire.Cursor) {
	wire.Enum16(c, "reason", &r.Reason, rejectReasons)
	checkEnum(c, rejectReasons, "reason", int64(r.Reason))
	off := c.Offset()
	wire.Text(c, "text", &r.Text, rejectText)
	if c.Reading() && !c.Failed() && !wire.Padded(r.Text) {
		text := len(wire.Trim(r.Text))
		c.ReportRange(ruleStale, off+text+1, rejectText-text-1, "%s after the text, with %q",
			wire.Counted(rejectText-text-1, "byte"), firstWord(r.Text[text+1:]))
	}
}

// firstWord skips NULs. It returns the bytes up to the next NUL, but at most 24.
func firstWord(b []byte) []byte {
	for len(b) > 0 && b[0] == 0 {
		b = b[1:]
	}
	b = wire.Trim(b)
	return b[:min(len(b), 24)]
}

func (r *Reject) AppendSummary(b []byte) []byte {
	b = append(bzflag.AppendSymbol(b, rejectReasons, int64(r.Reason)), "  "...)
	return format.AppendQuoted(b, wire.Trim(r.Text))
}

// LinkRequest is the first datagram of a client. It informs the server which player uses the datagram's source port.
type LinkRequest struct {
	Player Player
}

func (r *LinkRequest) Walk(c *wire.Cursor) { r.Player.walk(c, "player") }

func (r *LinkRequest) AppendSummary(b []byte) []byte { return r.Player.AppendTo(b) }

// ReplayReset restarts a replay. The players with numbers below LastPlayer are removed.
type ReplayReset struct {
	LastPlayer uint8
}

func (r *ReplayReset) Walk(c *wire.Cursor) { wire.U8(c, "last_player", &r.LastPlayer) }

func (r *ReplayReset) AppendSummary(b []byte) []byte {
	return strconv.AppendUint(append(b, "players up to "...), uint64(r.LastPlayer), 10)
}

// LagPing is MsgLagPing. The client answers it over TCP, even if the ping came by UDP.
type LagPing = bzflag.LagPing
