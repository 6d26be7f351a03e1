package bzflag17

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// Flag is the state of a flag. Several messages contain it. See "common message structures" in the protocol document.
type Flag struct {
	ID     FlagID
	Status FlagStatus
	Type   FlagType
	Owner  Player // carrier; after a drop, the last carrier
	bzflag.Flight
}

// walk lists the fields directly under the message, not in a group of their own.
func (f *Flag) walk(c *wire.Cursor) {
	flagID(c, "flag_id", &f.ID)
	wire.Enum16(c, "status", &f.Status, flagStatuses)
	checkEnum(c, flagStatuses, "flag status", int64(f.Status))
	wire.Enum16(c, "type", &f.Type, flagTypes)
	switch {
	case f.Type > Sticky:
		checkEnum(c, flagTypes, "flag type", int64(f.Type))
	case f.ID != NoFlag && f.ID <= WideAngle && f.Type != f.ID.Type():
		// NoFlag is not checked: a slot without a flag keeps the type of its previous flag.
		c.Report(ruleFlagType, "%s is %s, not %s", f.ID, f.ID.Type(), f.Type)
	}
	f.Owner.walk(c, "owner")
	f.Flight.Walk(c, ruleNumber)
}

// flagID walks the number of a kind of flag.
func flagID(c *wire.Cursor, name string, v *FlagID) {
	wire.Enum16(c, name, v, flagIDs)
	checkEnum(c, flagIDs, name, int64(*v))
}

func (f *Flag) append(b []byte, number uint16) []byte {
	b = bzflag.AppendNumber(b, "flag", int64(number))
	b = append(b, ' ')
	b = bzflag.AppendSymbol(b, flagIDs, int64(f.ID))
	b = append(b, ", "...)
	return bzflag.AppendSymbol(b, flagStatuses, int64(f.Status))
}

// FlagUpdate reports the state of a flag. See MsgFlagUpdate in the protocol document.
type FlagUpdate struct {
	Number uint16
	Flag   Flag
}

func (u *FlagUpdate) Walk(c *wire.Cursor) {
	wire.U16(c, "flag_num", &u.Number)
	u.Flag.walk(c)
}

func (u *FlagUpdate) AppendSummary(b []byte) []byte { return u.Flag.append(b, u.Number) }

// GrabRequest is a client's request for a flag. Real clients repeat it with every frame until the state changes. See
// MsgGrabFlag in the protocol document.
type GrabRequest = bzflag.FlagRequest

// GrabFlag announces to all players that the server gave a flag to a player. See MsgGrabFlag in the protocol document.
type GrabFlag struct {
	Player Player
	Number uint16
	Flag   Flag
}

func (g *GrabFlag) Walk(c *wire.Cursor) {
	off := c.Offset()
	g.Player.walk(c, "player")
	wire.U16(c, "flag_num", &g.Number)
	g.Flag.walk(c)
	switch f := &g.Flag; {
	case c.Failed():
	case f.Owner.ID != g.Player.ID:
		c.ReportRange(ruleGrabStatus, off, playerIDSize, "%s grabs the flag, its owner is %s", g.Player.ID, f.Owner.ID)
	case f.Status != OnTank:
		c.ReportRange(ruleGrabStatus, off, c.Offset()-off, "the flag's status is %s", f.Status)
	}
}

func (g *GrabFlag) AppendSummary(b []byte) []byte {
	b = g.Player.AppendTo(b)
	b = append(b, "  "...)
	return g.Flag.append(b, g.Number)
}

// DropRequest is a client's request to drop its flag. See MsgDropFlag in the protocol document.
type DropRequest struct {
	Position [3]float32 // position of the tank
}

func (r *DropRequest) Walk(c *wire.Cursor) { vector(c, "position", &r.Position) }

func (r *DropRequest) AppendSummary(b []byte) []byte { return bzflag.AppendAt(b, &r.Position) }

// DropFlag announces to all players that a player dropped a flag. A MsgFlagUpdate of the same flag always follows. See
// MsgDropFlag in the protocol document.
type DropFlag struct {
	Player Player
	Number uint16
	Flag   Flag
}

func (d *DropFlag) Walk(c *wire.Cursor) {
	d.Player.walk(c, "player")
	wire.U16(c, "flag_num", &d.Number)
	d.Flag.walk(c)
}

func (d *DropFlag) AppendSummary(b []byte) []byte {
	b = d.Player.AppendTo(b)
	b = append(b, "  "...)
	return d.Flag.append(b, d.Number)
}

// CaptureRequest is a client's report that it captured a flag. See MsgCaptureFlag in the protocol document.
type CaptureRequest struct {
	Team Team // team of the base; in the document, team of the flag
}

func (r *CaptureRequest) Walk(c *wire.Cursor) { team(c, "team", &r.Team) }

func (r *CaptureRequest) AppendSummary(b []byte) []byte {
	b = append(b, "at "...)
	return bzflag.AppendSymbol(b, teams, int64(r.Team))
}

// CaptureFlag announces a capture to all players. A capture kills all players of the flag's team. No other message
// reports their deaths. See MsgCaptureFlag in the protocol document.
type CaptureFlag struct {
	Player Player
	Number uint16
	Team   Team // team of the base; in the document, team of the flag
}

func (f *CaptureFlag) Walk(c *wire.Cursor) {
	f.Player.walk(c, "player")
	wire.U16(c, "flag_num", &f.Number)
	team(c, "team", &f.Team)
}

func (f *CaptureFlag) AppendSummary(b []byte) []byte {
	b = f.Player.AppendTo(b)
	b = append(b, "  "...)
	b = bzflag.AppendNumber(b, "flag", int64(f.Number))
	b = append(b, " at "...)
	return bzflag.AppendSymbol(b, teams, int64(f.Team))
}
