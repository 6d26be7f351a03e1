package view

import (
	"math"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// A pathSource extracts one part of a playback from a message, such as positions or shots. byPlayer marks messages in
// which players report about themselves, and which the server relays. Any other message counts only if the server sends
// it, because the server may reject a client's request.
type pathSource struct {
	take     func(*pathMaker)
	byPlayer bool
}

// The keys of pathSources are message names. The fields have the same names in every version of the game.
var pathSources = map[string]pathSource{
	"MsgPlayerUpdate":      {(*pathMaker).move, true},
	"MsgPlayerUpdateSmall": {(*pathMaker).move, true},
	"MsgShotBegin":         {(*pathMaker).shot, true},
	"MsgGMUpdate":          {(*pathMaker).shot, true},
	"MsgShotEnd":           {(*pathMaker).shotEnd, true},
	"MsgAlive":             {(*pathMaker).spawn, false},
	"MsgKilled":            {(*pathMaker).death, false},
	"MsgAddPlayer":         {(*pathMaker).player, false},
	"MsgGameSettings":      {(*pathMaker).settings, false},
	"MsgFlagUpdate":        {(*pathMaker).flag, false},
	"MsgGrabFlag":          {(*pathMaker).flag, false},
	"MsgDropFlag":          {(*pathMaker).flag, false},
	"MsgTransferFlag":      {(*pathMaker).flag, false},
}

// A pathMaker builds an answer from messages, one at a time.
type pathMaker struct {
	*pathsAnswer
	tree *wire.Tree // tree of the current message
	time float64
	row  int
}

// vector returns a field's value. It reports whether the value is present and finite.
func (p *pathMaker) vector(name string) (at [3]float32, ok bool) {
	n := p.tree.Find(name)
	if n == nil || n.Kind != wire.Vector || !finiteVector(n.Vec) {
		return at, false
	}
	return n.Vec, true
}

func (p *pathMaker) float(name string) float32 {
	n := p.tree.Find(name)
	if n == nil || n.Kind != wire.Float {
		return 0
	}
	return float32(finite(float64(math.Float32frombits(uint32(n.Num)))))
}

func (p *pathMaker) number(name string) int {
	n := p.tree.Find(name)
	if n == nil {
		return 0
	}
	return int(uint16(n.Num))
}

// who returns the player in a field, under the name that events use.
func (p *pathMaker) who(name string) string { return nameOfPlayer(p.tree.Find(name)) }

// move handles a tank's update.
func (p *pathMaker) move() {
	at, ok := p.vector("position")
	velocity, _ := p.vector("velocity")
	status := p.tree.Find("status")
	if who := p.who("player"); ok && who != "" && status != nil {
		p.add(who, at, velocity, p.float("azimuth"), p.float("angular_velocity"), uint16(status.Num))
	}
}

// spawn handles the start of a tank's life.
func (p *pathMaker) spawn() {
	const alive = 1
	angle := p.float("azimuth")
	if forward, ok := p.vector("forward"); ok {
		angle = float32(math.Atan2(float64(forward[1]), float64(forward[0])))
	}
	at, ok := p.vector("position")
	if who := p.who("player"); ok && who != "" {
		p.add(who, at, [3]float32{}, angle, 0, alive)
	}
}

// add adds a position, unless the update is a copy of one that has already been added.
func (p *pathMaker) add(who string, at, velocity [3]float32, angle, spin float32, status uint16) {
	t := p.tanks[who]
	if t == nil {
		t = &Tank{Who: who}
		p.tanks[who], p.Tanks = t, append(p.Tanks, t)
	}
	if t.has(p.time, at, velocity, angle, status) {
		return
	}
	t.Times, t.Rows = append(t.Times, p.time), append(t.Rows, p.row)
	t.X, t.Y, t.Z = append(t.X, at[0]), append(t.Y, at[1]), append(t.Z, at[2])
	t.VX, t.VY, t.VZ = append(t.VX, velocity[0]), append(t.VY, velocity[1]), append(t.VZ, velocity[2])
	t.Angle, t.Spin, t.Status = append(t.Angle, angle), append(t.Spin, spin), append(t.Status, status)
}

// A server relays an update to all other players. A copy may arrive up to copyTime later, possibly after newer updates.
const (
	copyTime = 1.0 // seconds
	copyBack = 8
)

// has reports whether one of the tank's latest updates is equal to this one.
func (t *Tank) has(time float64, at, velocity [3]float32, angle float32, status uint16) bool {
	for i := len(t.Times) - 1; i >= max(len(t.Times)-copyBack, 0) && t.Times[i] > time-copyTime; i-- {
		if at == [3]float32{t.X[i], t.Y[i], t.Z[i]} && velocity == [3]float32{t.VX[i], t.VY[i], t.VZ[i]} &&
			angle == t.Angle[i] && status == t.Status[i] {
			return true
		}
	}
	return false
}

// shot handles a shot fired, or a guided missile that turns.
func (p *pathMaker) shot() {
	at, ok := p.vector("position")
	velocity, _ := p.vector("velocity")
	s := Shot{
		Who: p.who("shooter"), Shot: p.number("shot_id"), Time: p.time, Row: p.row, Lifetime: p.float("lifetime"),
		X: at[0], Y: at[1], Z: at[2], VX: velocity[0], VY: velocity[1], VZ: velocity[2],
	}
	if !ok || s.Who == "" {
		return
	}
	if !isRepeat(p.Shots, func(old *Shot) bool {
		same := *old
		same.Time, same.Row = s.Time, s.Row
		return same == s && old.Time > p.time-copyTime
	}) {
		p.Shots = append(p.Shots, s)
	}
}

func isRepeat[T any](all []T, same func(*T) bool) bool {
	for i := len(all) - 1; i >= max(len(all)-4*copyBack, 0); i-- {
		if same(&all[i]) {
			return true
		}
	}
	return false
}

func (p *pathMaker) shotEnd() {
	e := ShotEnd{Who: p.who("shooter"), Shot: p.number("shot_id"), Time: p.time, Row: p.row}
	if e.Who != "" && !isRepeat(p.Ends, func(old *ShotEnd) bool {
		return old.Who == e.Who && old.Shot == e.Shot && old.Time > p.time-copyTime
	}) {
		p.Ends = append(p.Ends, e)
	}
}

func (p *pathMaker) death() {
	d := Death{Who: p.who("victim"), By: p.who("killer"), Time: p.time, Row: p.row}
	if d.Who != "" && !isRepeat(p.Deaths, func(old *Death) bool {
		return old.Who == d.Who && old.Time > p.time-copyTime
	}) {
		p.Deaths = append(p.Deaths, d)
	}
}

// player handles a player's name and team.
func (p *pathMaker) player() {
	at, name, team := p.tree.Find("player"), p.tree.Find("call_sign"), p.tree.Find("team")
	if at == nil || name == nil || team == nil {
		return
	}
	who := nameOfPlayer(at)
	if at.Kind == wire.Enum && len(at.Bytes) == 0 && len(name.Bytes) > 0 {
		who += " " + format.Unquoted(string(name.Bytes))
	}
	p.Players = append(p.Players, Player{
		Who: who, Team: format.Unquoted(string(format.AppendMeaning(nil, team))), Time: p.time, Row: p.row,
	})
}

// settings handles the size of the world.
func (p *pathMaker) settings() { p.Size = max(p.float("world_size"), 0) }

// flag handles the states of flags. The fields of each flag begin with the flag's number.
func (p *pathMaker) flag() {
	f := Flag{Flag: -1}
	for i := range p.tree.Nodes {
		n := &p.tree.Nodes[i]
		switch n.Name {
		case "flag_num":
			p.addFlag(f)
			f = Flag{Flag: int(n.Num), Time: p.time, Row: p.row}
		case "flag_type", "flag_id":
			f.Name = format.Unquoted(string(n.Bytes))
			if n.Kind == wire.Enum {
				f.Name = format.Unquoted(string(format.AppendMeaning(nil, n)))
			}
		case "status":
			f.Status = format.Unquoted(string(format.AppendMeaning(nil, n)))
		case "owner":
			f.Who = nameOfPlayer(n)
		case "position", "landing":
			if n.Kind == wire.Vector && finiteVector(n.Vec) && (n.Name == "position" || f.Status != "OnGround") {
				f.X, f.Y, f.Z = n.Vec[0], n.Vec[1], n.Vec[2]
			}
		}
	}
	p.addFlag(f)
}

// addFlag adds a flag's state if the state has changed.
func (p *pathMaker) addFlag(f Flag) {
	if f.Flag < 0 || f.Status == "" {
		return
	}
	if f.Status != "OnTank" {
		f.Who = "" // the message names the player who last carried the flag
	}
	same := f
	same.Time, same.Row = 0, 0
	if p.flags[f.Flag] != same {
		p.flags[f.Flag] = same
		p.Flags = append(p.Flags, f)
	}
}

func finiteVector(v [3]float32) bool {
	for _, f := range v {
		if f64 := float64(f); math.IsNaN(f64) || math.IsInf(f64, 0) {
			return false
		}
	}
	return true
}

// nameOfPlayer returns the name that a player has in events: number and call sign, or only the call sign if the number
// is an address.
func nameOfPlayer(n *wire.Node) string {
	if n == nil {
		return ""
	}
	value := valueText(n)
	if n.Kind == wire.Enum && len(n.Bytes) > 0 {
		return value + " " + format.Unquoted(string(n.Bytes))
	}
	if name := n.Symbols.Name(0); n.Kind == wire.Address && name != "" {
		return format.Unquoted(name)
	}
	return value
}
