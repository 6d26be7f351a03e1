package iceball

import (
	"encoding/hex"
	"strconv"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// announceSize is the size of a whole announce in bytes. The real server accepts no other size.
const announceSize = 86

// badVersionSize is the size in bytes of a whole BADV, which refuses a wrong version.
const badVersionSize = 10

// Announce describes a game server to a heartbeat server. See "1CEB" in the protocol document.
type Announce struct {
	Heartbeat      HeartbeatVersion
	Version        Version
	Port           uint16 // port for players; the address is the source address of the announce
	PlayersCurrent uint16
	PlayersMax     uint16
	Name           []byte // 30 bytes, padded with NULs
	Mode           []byte // 10 bytes: "ctf"
	Map            []byte // 30 bytes
	Trailing       []byte // empty in a correct message
}

func (a *Announce) Walk(c *wire.Cursor) {
	if c.Reading() && c.Size() != announceSize {
		c.ReportRange(ruleAnnounceLength, 0, c.Offset()+c.Left(), "%d bytes, an announce has %d", c.Size(), announceSize)
	}
	versions(c, &a.Heartbeat, &a.Version)
	wire.U16(c, "port", &a.Port)
	if a.Port == 0 {
		c.Report(rulePortZero, "clients cannot connect to port 0")
	}
	wire.U16(c, "players_current", &a.PlayersCurrent)
	wire.U16(c, "players_max", &a.PlayersMax)
	if a.PlayersCurrent > a.PlayersMax {
		c.Report(rulePlayers, "%d players, the maximum is %d", a.PlayersCurrent, a.PlayersMax)
	}
	text(c, "name", &a.Name, 30)
	text(c, "mode", &a.Mode, 10)
	text(c, "map", &a.Map, 30)
	wire.Trailing(c, &a.Trailing)
}

func (a *Announce) AppendSummary(b []byte) []byte {
	b = strconv.AppendUint(b, uint64(a.PlayersCurrent), 10)
	b = append(b, '/')
	b = strconv.AppendUint(b, uint64(a.PlayersMax), 10)
	b = append(b, " players  "...)
	b = format.AppendQuoted(b, wire.Trim(a.Name))
	b = append(b, "  "...)
	b = format.AppendQuoted(b, wire.Trim(a.Mode))
	b = append(b, "  "...)
	b = format.AppendQuoted(b, wire.Trim(a.Map))
	b = append(b, "  port "...)
	return strconv.AppendUint(b, uint64(a.Port), 10)
}

// Cookie is the body of two messages: the heartbeat server sends a cookie in MSOK, and the game sends it back in HSHK.
// According to the document, a cookie can have any length.
type Cookie struct {
	Cookie []byte
}

func (k *Cookie) Walk(c *wire.Cursor) { wire.Rest(c, "cookie", &k.Cookie) }

func (k *Cookie) AppendSummary(b []byte) []byte {
	if len(k.Cookie) == 0 {
		return append(b, "no cookie"...)
	}
	b = append(b, "cookie "...)
	const most = 16
	if len(k.Cookie) > most {
		b = hex.AppendEncode(b, k.Cookie[:most])
		return append(b, "..."...)
	}
	return hex.AppendEncode(b, k.Cookie)
}

// BadVersion refuses an announce and names the expected versions. See "BADV" in the protocol document.
type BadVersion struct {
	Heartbeat HeartbeatVersion
	Version   Version
	Trailing  []byte
}

func (v *BadVersion) Walk(c *wire.Cursor) {
	versions(c, &v.Heartbeat, &v.Version)
	wire.Trailing(c, &v.Trailing)
	truncated(c)
}

func (v *BadVersion) AppendSummary(b []byte) []byte {
	b = append(b, "expects heartbeat "...)
	b = strconv.AppendUint(b, uint64(v.Heartbeat), 10)
	b = append(b, ", iceball "...)
	return format.AppendQuoted(b, v.Version.append(nil)) // an invalid version may contain a control character
}

// BadFormat refuses an announce that the heartbeat server cannot read. See "BADF" in the protocol document.
type BadFormat struct {
	Trailing []byte // if not empty, the real game ignores the message
}

func (f *BadFormat) Walk(c *wire.Cursor) { wire.Trailing(c, &f.Trailing) }

func versions(c *wire.Cursor, h *HeartbeatVersion, v *Version) {
	wire.U16(c, "hbversion", h)
	if h.swapped() {
		c.Report(ruleByteOrder, "hbversion %d is %d with its bytes swapped", *h, *h>>8)
	}
	wire.U32(c, "ibversion", v)
	c.Computed("ibversion_text", v.append)
	if v.swapped() {
		c.Report(ruleByteOrder, "ibversion %d makes sense only with its bytes swapped", *v)
	}
}

func text(c *wire.Cursor, name string, v *[]byte, n int) {
	wire.Text(c, name, v, n)
	if !wire.Padded(*v) {
		c.Report(rulePadding, "bytes other than NUL follow the end of %s", name)
	}
	if c.Reading() && !utf8.Valid(wire.Trim(*v)) {
		c.Report(ruleEncoding, "%s is not valid UTF-8", name)
	}
}

// truncated reports a message that ended before its last field.
func truncated(c *wire.Cursor) {
	if fault := c.Fault(); c.Failed() && c.Reading() && !c.Truncated() {
		c.ReportRange(ruleTruncated, fault.Offset, fault.Have, "%s", fault.Error())
	}
}
