package view

import (
	"crypto/sha256"
	"fmt"
	"math"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers"
)

// mostWorlds are remembered: a capture mostly has one.
const mostWorlds = 64

// worldAt is where a world became whole.
type worldAt struct {
	row int
	sum *[sha256.Size]byte // of the map file, when somebody asked for it
}

// World is what a game is played in.
type World struct {
	World    int     `json:"world"`
	Row      int     `json:"row"`
	Time     float64 `json:"time"`
	Server   string  `json:"server,omitempty"`
	Protocol string  `json:"protocol"`
	Note     string  `json:"note,omitempty"`
}

type worldsAnswer struct {
	Worlds []World `json:"worlds"`
}

// noteWorld notes that the next row completes a world, unless it is the same as the one before.
func (v *View) noteWorld(l wire.Layer) {
	h, ok := l.(wire.Holder)
	if !ok || h.Held() == 0 || len(v.noted.worlds) == mostWorlds {
		return
	}
	v.noted.worlds = append(v.noted.worlds, worldAt{row: v.index.len()})
}

// worldIn gives the world that a row completes, and what is wrong with it.
func (v *View) worldIn(row int) (w *layers.World, at *wire.Place, note string, err error) {
	m, err := v.Message(row)
	if err != nil || m == nil {
		return nil, nil, "", err
	}
	w, bad := layers.WorldOf(m.Layer)
	if bad != nil {
		note = plain(bad.Error())
	}
	return w, &m.Place, note, nil
}

const maxMap = 8 << 20 // bytes of the text of a world

// tellWorld tells of a world that is remembered.
func (v *View) tellWorld(n int) (w *layers.World, answer World, err error) {
	at := &v.noted.worlds[n]
	w, place, note, err := v.worldIn(at.row)
	if err != nil || place == nil {
		return nil, answer, err
	}
	answer = World{World: n, Row: at.row, Time: v.seconds(place.Time), Server: endpoint(place, true), Note: note}
	if place.Protocol != nil {
		answer.Protocol = place.Protocol.Name
	}
	return w, answer, nil
}

func (v *View) worlds(*struct{}) (*worldsAnswer, error) {
	a := &worldsAnswer{Worlds: []World{}}
	seen := map[string]bool{}
	for n := range v.noted.worlds {
		w, world, err := v.tellWorld(n)
		if err != nil {
			return nil, err
		}
		at := &v.noted.worlds[n]
		if at.sum == nil {
			at.sum = new([sha256.Size]byte)
			if w != nil {
				text, _ := w.MapFile()
				*at.sum = sha256.Sum256(text)
			}
		}
		key := world.Server + "\x00" + string(at.sum[:])
		if !seen[key] {
			seen[key] = true
			a.Worlds = append(a.Worlds, world)
		}
	}
	return a, nil
}

type worldRequest struct {
	World int `json:"world"`
}

type worldAnswer struct {
	World
	SVG   string `json:"svg"`
	Text  string `json:"text"`
	Whole bool   `json:"whole"`
}

func (v *View) world(q *worldRequest) (*worldAnswer, error) {
	if q.World < 0 || q.World >= len(v.noted.worlds) {
		return nil, fmt.Errorf("no such world: %d", q.World)
	}
	w, world, err := v.tellWorld(q.World)
	if err != nil {
		return nil, err
	}
	a := &worldAnswer{World: world}
	if w != nil {
		text, whole := w.MapFile()
		a.Text, a.Whole = string(text[:min(len(text), maxMap)]), whole && len(text) <= maxMap
		a.SVG = string(w.SVG("World of " + world.Server))
	}
	return a, nil
}

type pathsRequest struct {
	Server string   `json:"server"`
	From   *float64 `json:"from"`
	To     *float64 `json:"to"`
	Start  int      `json:"start"`
	MS     *int     `json:"ms"`
}

// Tank is where a tank was.
type Tank struct {
	Who   string    `json:"who"`
	Times []float64 `json:"times"`
	X     []float32 `json:"x"`
	Y     []float32 `json:"y"`
	Z     []float32 `json:"z"`
	Angle []float32 `json:"angle"`
}

// Shot is one that was fired.
type Shot struct {
	Who  string  `json:"who"`
	Time float64 `json:"time"`
	X    float32 `json:"x"`
	Y    float32 `json:"y"`
	Z    float32 `json:"z"`
	VX   float32 `json:"vx"`
	VY   float32 `json:"vy"`
	VZ   float32 `json:"vz"`
	Row  int     `json:"row"`
}

type pathsAnswer struct {
	Done  bool    `json:"done"`
	Next  int     `json:"next"`
	Tanks []*Tank `json:"tanks"`
	Shots []Shot  `json:"shots"`

	tanks map[string]*Tank
}

// Messages that tell where tanks are, and of shots. They have fields of the same names in each version.
var (
	moves = map[string]bool{"MsgPlayerUpdate": true, "MsgPlayerUpdateSmall": true}
	fires = map[string]bool{"MsgShotBegin": true}
)

// mostSteps are the places and shots of an answer.
const mostSteps = 100_000

func (v *View) paths(q *pathsRequest) (*pathsAnswer, error) {
	a := &pathsAnswer{Tanks: []*Tank{}, Shots: []Shot{}, tanks: map[string]*Tank{}}
	from, to := v.span(q.From, q.To)
	x, l, steps := &v.index, newLimit(q.MS), 0
	n := min(max(q.Start, 0), x.len())
	for ; n < x.len(); n++ {
		r := x.row(n)
		if r.time < from || r.time > to || r.flags&(isFinding|isCopy) != 0 {
			continue
		}
		name := x.kinds[r.kind].message.Name
		if !moves[name] && !fires[name] {
			continue
		}
		e := &x.ends[x.arounds[r.around].ends]
		if q.Server != "" && e.src.String() != q.Server && e.dst.String() != q.Server {
			continue
		}
		m, err := v.Message(n)
		if err != nil {
			return nil, err
		}
		a.take(m.Tree(), v.seconds(r.time), n, fires[name])
		if steps++; steps == mostSteps || l.over() {
			n++
			break
		}
	}
	a.Next, a.Done = n, n == x.len()
	return a, nil
}

// take takes what a message tells of a tank, or of a shot.
func (a *pathsAnswer) take(t *wire.Tree, time float64, row int, fired bool) {
	position, velocity, azimuth := t.Find("position"), t.Find("velocity"), t.Find("azimuth")
	who := t.Find("player")
	if who == nil {
		who = t.Find("shooter")
	}
	if position == nil || position.Kind != wire.Vector || who == nil || !finiteVector(position.Vec) {
		return
	}
	name := nameOfPlayer(who)
	p := position.Vec
	if fired {
		s := Shot{Who: name, Time: time, X: p[0], Y: p[1], Z: p[2], Row: row}
		if velocity != nil && velocity.Kind == wire.Vector && finiteVector(velocity.Vec) {
			s.VX, s.VY, s.VZ = velocity.Vec[0], velocity.Vec[1], velocity.Vec[2]
		}
		a.Shots = append(a.Shots, s)
		return
	}
	tank := a.tanks[name]
	if tank == nil {
		tank = &Tank{Who: name}
		a.tanks[name], a.Tanks = tank, append(a.Tanks, tank)
	}
	angle := float32(0)
	if azimuth != nil && azimuth.Kind == wire.Float {
		angle = float32(finite(float64(math.Float32frombits(uint32(azimuth.Num)))))
	}
	tank.Times = append(tank.Times, time)
	tank.X, tank.Y, tank.Z = append(tank.X, p[0]), append(tank.Y, p[1]), append(tank.Z, p[2])
	tank.Angle = append(tank.Angle, angle)
}

func finiteVector(v [3]float32) bool {
	for _, f := range v {
		if f64 := float64(f); math.IsNaN(f64) || math.IsInf(f64, 0) {
			return false
		}
	}
	return true
}

// nameOfPlayer is how events name a player: by number and call sign.
func nameOfPlayer(n *wire.Node) string {
	value := valueText(n)
	if len(n.Bytes) > 0 && n.Kind == wire.Enum {
		return value + " " + plain(string(n.Bytes))
	}
	return value
}
