package bzflag17

import (
	"fmt"
	"strconv"
)

// download is what a client fetches of the world.
type download struct {
	begun   bool // from offset 0
	lost    bool // answers and requests do not match any more
	first   bool // nothing but offset 0 was asked for
	next    int  // offset behind the part that came last
	size    int  // of the world, -1: not known yet
	asked   [maxAsks]uint16
	waiting int // requests in asked
	early   int // answers that came before their requests

	// What the parts add up to if remaining counts the part itself, and if it does not.
	real, document  int
	isReal, isDrawn bool
	compared        bool
}

const maxAsks = 8 // requests at the same time; real clients have one

// askWorld judges a request for a part of the world.
func (t *tracker) askWorld(b *WorldRequest) {
	d := &t.v.download
	offset := int(b.Offset)
	again := offset == 0 && (!d.begun || d.first)
	switch {
	case !d.begun && !d.lost && t.v.whole && t.v.stage == fresh && offset != 0:
		t.report(ruleOffset, headerSize, 2, "the first offset is %d, not 0", offset)
	case !d.begun || d.lost:
	case d.size >= 0 && offset > d.size:
		t.report(ruleOffset, headerSize, 2, "offset %d, the world has %d bytes", offset, d.size)
	case d.waiting == 0 && offset != d.next && !again:
		t.report(ruleOffset, headerSize, 2, "offset %d, the next one is %d", offset, d.next)
	}
	if offset == 0 {
		*d = download{begun: true, first: !d.begun || d.first, size: -1, lost: d.lost, early: d.early, asked: d.asked, waiting: d.waiting}
	} else {
		d.first = false
	}
	if d.early > 0 {
		d.early--
		d.lost = true
		return
	}
	if d.waiting == maxAsks {
		d.lost = true
		return
	}
	d.asked[d.waiting] = b.Offset
	d.waiting++
}

// worldCame judges a part of the world.
func (t *tracker) worldCame(b *WorldPart) {
	d := &t.v.download
	if d.waiting == 0 {
		d.lost = true // it came before its request, or the request was not captured
		d.early = min(d.early+1, maxAsks)
		return
	}
	offset := int(d.asked[0])
	d.waiting--
	copy(d.asked[:d.waiting], d.asked[1:])
	if !d.begun || d.lost {
		return
	}
	remaining, n := int(b.Remaining), len(b.Data)
	if offset > 0 && remaining == 0 && n == 0 {
		d.size = min(d.sizeOr(offset), offset)
		return
	}
	d.next = offset + n
	whole, rest := offset+remaining, offset+n+remaining
	if !d.compared {
		d.real, d.document, d.isReal, d.isDrawn, d.compared = whole, rest, remaining >= n, true, true
	}
	d.isReal = d.isReal && whole == d.real && remaining >= n
	d.isDrawn = d.isDrawn && rest == d.document
	if !d.isReal && !d.isDrawn {
		text := fmt.Sprintf("%d bytes remain at offset %d, before that the world had %d bytes", remaining, offset, d.real)
		t.note(suspicion{rule: ruleRemaining, due: later(t.p.Time, arrival), place: *t.p, text: text, crossing: true})
		d.real, d.document, d.isReal, d.isDrawn = whole, rest, remaining >= n, true
	}
	switch {
	case d.isReal && !d.isDrawn:
		d.size = d.real
	case d.isDrawn && !d.isReal:
		d.size = d.document
	}
	if t.m.World != nil {
		t.world()
	}
}

func (d *download) sizeOr(n int) int {
	if d.size < 0 {
		return n
	}
	return d.size
}

// world keeps the world that is now complete.
func (t *tracker) world() {
	w, err := ReadWorld(t.m.World)
	if err != nil || len(w.Blocks) == 0 || w.Blocks[0].Code != BlockStyle {
		return
	}
	d := &t.v.download
	if n := len(t.m.World); n != d.real && n != d.document || w.Blocks[len(w.Blocks)-1].Code != BlockEnd {
		return // its parts were not put together in the right order
	}
	d.size = len(t.m.World)
	g := t.games.Make(t.v.game)
	if size := len(t.m.World); size != g.size {
		t.measure("servers", t.v.game.String(), "world size", 0, "", strconv.Itoa(size)+" bytes")
		g.size = size
	}
	g.learn(w)
}

// learn keeps of a world what rules ask for.
func (g *game) learn(w *World) {
	style := w.Blocks[0].Style
	g.style, g.faces = &style, 0
	g.ways = g.ways[:0]
	for i := range w.Blocks {
		switch b := &w.Blocks[i]; b.Code {
		case BlockTeleporter:
			g.faces += 2
		case BlockLink:
			g.ways = append(g.ways, b.Link)
		}
	}
}

// teleport judges a way through a teleporter.
func (t *tracker) teleport(b *Teleport) {
	g := t.games.Get(t.v.game)
	if g == nil || g.style == nil {
		return
	}
	off := t.behind()
	if from, to := int(b.From), int(b.To); from >= g.faces || to >= g.faces {
		t.report(ruleFace, off, 4, "from face %d to %d, the world has %d faces", from, to, g.faces)
		return
	}
	for _, way := range g.ways {
		if way.From == b.From && way.To == b.To {
			return
		}
	}
	t.report(ruleFace, off, 4, "no link leads from face %d to %d", b.From, b.To)
}

// shotsAllowed is how many shots a player may have at once, 0 if that is not known.
func (t *tracker) shotsAllowed() int {
	if g := t.games.Get(t.v.game); g != nil && g.style != nil {
		return int(g.style.Shots)
	}
	return 0
}
