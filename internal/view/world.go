package view

import (
	"crypto/sha256"
	"fmt"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// maxWorlds are remembered: a capture usually has one.
const maxWorlds = 64

// worldAt is where a world became whole.
type worldAt struct {
	row int
	sum *[sha256.Size]byte // of the map file, once a client asked for it
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
	Worlds  []World `json:"worlds"`
	Servers []Game  `json:"servers"` // where players move
}

// noteWorld notes that the next row completes a world.
func (v *View) noteWorld(l wire.Layer) {
	h, ok := l.(wire.Holder)
	if !ok || h.Held() == 0 || len(v.noted.worlds) == maxWorlds {
		return
	}
	v.noted.worlds = append(v.noted.worlds, worldAt{row: v.index.len()})
}

const maxMap = 8 << 20 // bytes of the text of a world

// tellWorld describes a world that is remembered, and what is wrong with it.
func (v *View) tellWorld(n int) (w wire.World, answer World, err error) {
	at := &v.noted.worlds[n]
	m, err := v.Message(at.row)
	if err != nil || m == nil {
		return nil, answer, err
	}
	answer = World{
		World: n, Row: at.row, Time: v.seconds(m.Time), Server: v.home(m.Src).String(), Protocol: nameOf(m.Protocol),
	}
	if carrier, ok := m.Layer.(wire.Carrier); ok {
		if w, err = carrier.Carried(); err != nil {
			answer.Note = plain(err.Error())
		}
	}
	return w, answer, nil
}

func (v *View) worlds(*struct{}) (*worldsAnswer, error) {
	if err := v.learnPorts(); err != nil {
		return nil, err
	}
	a := &worldsAnswer{Worlds: []World{}, Servers: v.games()}
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
	if err := v.learnPorts(); err != nil {
		return nil, err
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
