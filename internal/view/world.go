package view

import (
	"crypto/sha256"
	"fmt"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

const maxWorlds = 64 // number of remembered worlds; a capture usually has only one

// worlds are the worlds that clients downloaded.
type worlds struct {
	games *games
	all   []worldAt
}

type worldAt struct {
	row int
	sum *[sha256.Size]byte // hash of the map file, computed when a client asks for the world
}

// World is the world of a game.
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
	Servers []Game  `json:"servers"` // servers whose protocols report players' positions
}

// message handles the message of the next row. The message may complete a world.
func (w *worlds) message(l wire.Layer) {
	h, ok := l.(wire.Holder)
	if !ok || h.Held() == 0 || len(w.all) == maxWorlds {
		return
	}
	w.all = append(w.all, worldAt{row: w.games.rows.len()})
}

const maxMap = 8 << 20 // maximum size of a world's text in bytes

// at returns a world, with a description and the world's faults.
func (w *worlds) at(n int) (content wire.World, answer World, err error) {
	x, row := w.games.rows, w.all[n].row
	m, err := x.message(row)
	if err != nil || m == nil {
		return nil, answer, err
	}
	answer = World{
		World: n, Row: row, Time: x.seconds(m.Time), Server: w.games.serverAt(m.Src).String(), Protocol: nameOf(m.Protocol),
	}
	if carrier, ok := m.Layer.(wire.Carrier); ok {
		if content, err = carrier.Carried(); err != nil {
			answer.Note = format.Unquoted(err.Error())
		}
	}
	return content, answer, nil
}

func (w *worlds) worlds(*struct{}) (*worldsAnswer, error) {
	if err := w.games.learnPorts(); err != nil {
		return nil, err
	}
	a := &worldsAnswer{Worlds: []World{}, Servers: w.games.list()}
	seen := map[string]bool{}
	for n := range w.all {
		content, world, err := w.at(n)
		if err != nil {
			return nil, err
		}
		at := &w.all[n]
		if at.sum == nil {
			at.sum = new([sha256.Size]byte)
			if content != nil {
				text, _ := content.MapFile()
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

func (w *worlds) world(q *worldRequest) (*worldAnswer, error) {
	if q.World < 0 || q.World >= len(w.all) {
		return nil, fmt.Errorf("no such world: %d", q.World)
	}
	if err := w.games.learnPorts(); err != nil {
		return nil, err
	}
	content, world, err := w.at(q.World)
	if err != nil {
		return nil, err
	}
	a := &worldAnswer{World: world}
	if content != nil {
		text, whole := content.MapFile()
		a.Text, a.Whole = string(text[:min(len(text), maxMap)]), whole && len(text) <= maxMap
		a.SVG = string(content.SVG("World of " + world.Server))
	}
	return a, nil
}
