package bzflag24

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/layers/bzflag24/world"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// Flag is the state of a flag. Several messages contain it.
type Flag struct {
	Number    uint16   // number of the flag on the server
	Type      FlagType // "PZ" for a super flag on the ground, whose kind is hidden
	Status    FlagStatus
	Endurance Endurance
	Owner     Player // carrier; after a drop, the last carrier
	bzflag.Flight
}

const flagSize = 57

func (f *Flag) walk(c *wire.Cursor) {
	wire.U16(c, "flag_num", &f.Number)
	f.Type.walk(c, "flag_type")
	wire.Enum16(c, "status", &f.Status, flagStatuses)
	checkEnum(c, flagStatuses, "flag status", int64(f.Status))
	wire.Enum16(c, "endurance", &f.Endurance, endurances)
	checkEnum(c, endurances, "endurance", int64(f.Endurance))
	f.Owner.walk(c, "owner")
	f.Flight.Walk(c, world.RuleNumber)
}

func (f *Flag) append(b []byte) []byte {
	b = bzflag.AppendNumber(b, "flag", int64(f.Number))
	b = f.Type.append(b, " ")
	b = append(b, ", "...)
	return bzflag.AppendSymbol(b, flagStatuses, int64(f.Status))
}

// FlagUpdate reports the state of flags.
type FlagUpdate struct {
	Count uint16
	Flags []Flag
}

func (u *FlagUpdate) Walk(c *wire.Cursor) {
	wire.List(c, "flags", &u.Flags, wire.Count16(c, "count", &u.Count, len(u.Flags)), flagSize, (*Flag).walk)
}

func (u *FlagUpdate) AppendSummary(b []byte) []byte {
	if len(u.Flags) == 1 {
		return u.Flags[0].append(b)
	}
	return appendCount(b, len(u.Flags), "flag")
}

// FlagRequest is a client's request for a flag: MsgGrabFlag.
type FlagRequest = bzflag.FlagRequest

// GrabFlag announces to all clients that the server permits a player to take a flag.
type GrabFlag struct {
	Player Player
	Flag   Flag
}

func (g *GrabFlag) Walk(c *wire.Cursor) {
	off := c.Offset()
	g.Player.walk(c, "player")
	g.Flag.walk(c)
	switch f := &g.Flag; {
	case c.Failed():
	case f.Owner.ID != g.Player.ID:
		c.ReportRange(ruleGrabStatus, off, 1, "%s grabs the flag, its owner is %s", &g.Player, &f.Owner)
	case f.Status != FlagOnTank:
		c.ReportRange(ruleGrabStatus, off, c.Offset()-off, "the flag's status is %s", f.Status)
	}
}

func (g *GrabFlag) AppendSummary(b []byte) []byte {
	return g.Flag.append(append(g.Player.AppendTo(b), "  "...))
}

// DropRequest is a client's request to drop its flag.
type DropRequest struct {
	Position [3]float32 // position of the tank
}

func (r *DropRequest) Walk(c *wire.Cursor) { vector(c, "position", &r.Position) }

func (r *DropRequest) AppendSummary(b []byte) []byte { return bzflag.AppendAt(b, &r.Position) }

// DropFlag announces a drop to all clients.
type DropFlag struct {
	Player Player
	Flag   Flag
}

func (d *DropFlag) Walk(c *wire.Cursor) {
	d.Player.walk(c, "player")
	d.Flag.walk(c)
}

func (d *DropFlag) AppendSummary(b []byte) []byte {
	return d.Flag.append(append(d.Player.AppendTo(b), "  "...))
}

// CaptureRequest reports that a client brought a flag to a base.
type CaptureRequest struct {
	Team Team // team of the base
}

func (r *CaptureRequest) Walk(c *wire.Cursor) { team(c, "team", &r.Team) }

func (r *CaptureRequest) AppendSummary(b []byte) []byte {
	return append(bzflag.AppendSymbol(b, teams, int64(r.Team)), " base"...)
}

// CaptureFlag announces a capture to all clients. The team of the captured flag loses, even if one of its own players
// carried the flag.
type CaptureFlag struct {
	Player Player
	Number uint16
	Team   Team // team of the base
}

func (f *CaptureFlag) Walk(c *wire.Cursor) {
	f.Player.walk(c, "player")
	wire.U16(c, "flag_num", &f.Number)
	team(c, "team", &f.Team)
}

func (f *CaptureFlag) AppendSummary(b []byte) []byte {
	b = append(f.Player.AppendTo(b), "  "...)
	b = bzflag.AppendNumber(b, "flag", int64(f.Number))
	b = append(b, " at "...)
	return append(bzflag.AppendSymbol(b, teams, int64(f.Team)), " base"...)
}

// TransferRequest reports a theft of the sender's flag.
type TransferRequest struct {
	From Player // the sender
	To   Player // the thief
}

func (r *TransferRequest) Walk(c *wire.Cursor) {
	r.From.walk(c, "from")
	r.To.walk(c, "to")
}

func (r *TransferRequest) AppendSummary(b []byte) []byte {
	b = append(r.From.AppendTo(b), " to "...)
	return r.To.AppendTo(b)
}

// TransferFlag announces the theft to all clients.
type TransferFlag struct {
	TransferRequest
	Flag Flag
}

func (t *TransferFlag) Walk(c *wire.Cursor) {
	t.TransferRequest.Walk(c)
	t.Flag.walk(c)
}

func (t *TransferFlag) AppendSummary(b []byte) []byte {
	b = append(t.TransferRequest.AppendSummary(b), "  "...)
	return t.Flag.append(b)
}

// NearFlag informs the carrier of an Identify flag about the nearest flag.
type NearFlag struct {
	Position [3]float32
	FlagName []byte
}

func (n *NearFlag) Walk(c *wire.Cursor) {
	vector(c, "position", &n.Position)
	wire.Text32(c, "flag_name", &n.FlagName)
}

func (n *NearFlag) AppendSummary(b []byte) []byte {
	b = format.AppendQuoted(b, n.FlagName)
	return bzflag.AppendAt(append(b, ' '), &n.Position)
}
