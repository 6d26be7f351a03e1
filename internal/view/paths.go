package view

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
)

type pathsRequest struct {
	Server string   `json:"server"`
	From   *float64 `json:"from"`
	To     *float64 `json:"to"`
	Start  int      `json:"start"`
	MS     *int     `json:"ms"`
}

// Tank is where a tank was, and how it moved.
type Tank struct {
	Who    string    `json:"who"`
	Times  []float64 `json:"times"`
	Rows   []int     `json:"rows"`
	X      []float32 `json:"x"`
	Y      []float32 `json:"y"`
	Z      []float32 `json:"z"`
	VX     []float32 `json:"vx"` // units a second
	VY     []float32 `json:"vy"`
	VZ     []float32 `json:"vz"`
	Angle  []float32 `json:"angle"`  // radians
	Spin   []float32 `json:"spin"`   // radians a second
	Status []uint16  `json:"status"` // bits of the message: 1 alive, 2 paused, 4 exploding, 64 falling
}

// Shot is one that was fired; with the number of an earlier one, a missile that turned.
type Shot struct {
	Who      string  `json:"who"`
	Shot     int     `json:"shot"`
	Time     float64 `json:"time"`
	Lifetime float32 `json:"lifetime,omitempty"`
	X        float32 `json:"x"`
	Y        float32 `json:"y"`
	Z        float32 `json:"z"`
	VX       float32 `json:"vx"`
	VY       float32 `json:"vy"`
	VZ       float32 `json:"vz"`
	Row      int     `json:"row"`
}

// ShotEnd is the end of a shot before its time.
type ShotEnd struct {
	Who  string  `json:"who"`
	Shot int     `json:"shot"`
	Time float64 `json:"time"`
	Row  int     `json:"row"`
}

// Death is one of a player.
type Death struct {
	Who  string  `json:"who"`
	By   string  `json:"by,omitempty"`
	Time float64 `json:"time"`
	Row  int     `json:"row"`
}

// Flag is how a flag stands until the next entry with its number. The place of one in the air is where it will land.
type Flag struct {
	Flag   int     `json:"flag"`
	Name   string  `json:"name"`
	Status string  `json:"status"`
	Who    string  `json:"who,omitempty"` // carries it
	Time   float64 `json:"time"`
	X      float32 `json:"x"`
	Y      float32 `json:"y"`
	Z      float32 `json:"z"`
	Row    int     `json:"row"`
}

// Player is who is there, and for whom.
type Player struct {
	Who  string  `json:"who"`
	Team string  `json:"team,omitempty"`
	Time float64 `json:"time"`
	Row  int     `json:"row"`
}

type pathsAnswer struct {
	Done    bool      `json:"done"`
	Next    int       `json:"next"`
	Tanks   []*Tank   `json:"tanks"`
	Shots   []Shot    `json:"shots"`
	Ends    []ShotEnd `json:"ends"`
	Deaths  []Death   `json:"deaths"`
	Flags   []Flag    `json:"flags"`
	Players []Player  `json:"players"`
	Size    float32   `json:"size,omitempty"` // of the world, in units

	tanks map[string]*Tank
	flags map[int]Flag
}

// maxSteps are the messages that an answer is made of.
const maxSteps = 100_000

func (v *View) paths(q *pathsRequest) (*pathsAnswer, error) {
	if err := v.learnPorts(); err != nil {
		return nil, err
	}
	a := &pathsAnswer{
		Tanks: []*Tank{}, Shots: []Shot{}, Ends: []ShotEnd{}, Deaths: []Death{}, Flags: []Flag{}, Players: []Player{},
		tanks: map[string]*Tank{}, flags: map[int]Flag{},
	}
	from, to := v.span(q.From, q.To)
	x, l, steps := &v.index, newLimit(q.MS), 0
	p := pathMaker{pathsAnswer: a}
	n := min(max(q.Start, 0), x.len())
	for ; n < x.len(); n++ {
		r := x.row(n)
		if r.time < from || r.time > to || r.flags&isFinding != 0 {
			continue
		}
		source := pathSources[x.kinds[r.kind].message.Name]
		if source.take == nil || source.byPlayer && r.flags&isCopy != 0 || !v.isOf(r, q.Server, source.byPlayer) {
			continue
		}
		m, err := v.Message(n)
		if err != nil {
			return nil, err
		}
		p.tree, p.time, p.row = m.Tree(), v.seconds(r.time), n
		source.take(&p)
		if steps++; steps == maxSteps || l.over() {
			n++
			break
		}
	}
	a.Next, a.Done = n, n == x.len()
	return a, nil
}

// isOf reports whether a row is of a game; "": of any. Where players talk to one another no server has a part in it.
func (v *View) isOf(r *row, server string, byPlayer bool) bool {
	a := &v.index.arounds[r.around]
	e := &v.index.ends[a.ends]
	switch {
	case a.direction == wire.PeerToPeer:
		return byPlayer
	case a.direction == wire.ToServer && !byPlayer:
		return false
	}
	is := func(at netip.AddrPort) bool { return v.home(at).String() == server }
	return server == "" || is(e.src) || is(e.dst)
}
