package bzflag17

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// download is what a client fetches of the world.
type download struct {
	begun     bool  // from offset 0
	lost      bool  // answers and requests do not match any more
	onlyFirst bool  // nothing but offset 0 was asked for
	next      int32 // offset behind the part that came last
	size      int32 // of the world, -1: not known yet

	requests    [maxRequests]uint16
	open        uint8 // requests that wait for an answer
	unrequested uint8 // answers that came before their requests

	// What the parts add up to if remaining counts the part itself, as with real servers, and if it does
	// not, as in the document; and whether all parts so far fit that.
	compared               bool
	fitsReal, fitsDocument bool
	realSize, documentSize int32
}

const maxRequests = 8 // at the same time; real clients have one

// checkWorldRequest checks a request for a part of the world.
func (e *event) checkWorldRequest(b *WorldRequest) {
	c, d := e.conn, &e.conn.download
	offset := int32(b.Offset)
	again := offset == 0 && (!d.begun || d.onlyFirst)
	switch {
	case !d.begun && !d.lost && c.announced && c.stage == fresh && offset != 0:
		e.report(ruleOffset, headerSize, 2, "the first offset is %d, not 0", offset)
	case !d.begun || d.lost:
	case d.size >= 0 && offset > d.size:
		e.report(ruleOffset, headerSize, 2, "offset %d, the world has %d bytes", offset, d.size)
	case d.open == 0 && offset != d.next && !again:
		e.report(ruleOffset, headerSize, 2, "offset %d, the next one is %d", offset, d.next)
	}
	if offset == 0 {
		d.begin()
	} else {
		d.onlyFirst = false
	}
	d.request(b.Offset)
}

// begin begins a download anew. What is still to be answered stays so.
func (d *download) begin() {
	*d = download{
		begun: true, onlyFirst: !d.begun || d.onlyFirst, size: -1,
		lost: d.lost, unrequested: d.unrequested, requests: d.requests, open: d.open,
	}
}

// request takes note of a request.
func (d *download) request(offset uint16) {
	switch {
	case d.unrequested > 0:
		d.unrequested--
		d.lost = true
	case d.open == maxRequests:
		d.lost = true
	default:
		d.requests[d.open] = offset
		d.open++
	}
}

// answered gives the offset of the request that a part answers, -1 if none is known.
func (d *download) answered() int32 {
	if d.open == 0 {
		d.lost = true // it came before its request, or the request was not captured
		d.unrequested = min(d.unrequested+1, maxRequests)
		return -1
	}
	offset := int32(d.requests[0])
	d.open--
	copy(d.requests[:d.open], d.requests[1:])
	return offset
}

// checkWorldPart checks a part of the world.
func (e *event) checkWorldPart(b *WorldPart) {
	d := &e.conn.download
	offset := d.answered()
	if offset < 0 || !d.begun || d.lost {
		return
	}
	remaining, n := int32(b.Remaining), int32(len(b.Data))
	if offset > 0 && remaining == 0 && n == 0 { // there is no more
		if d.size < 0 || d.size > offset {
			d.size = offset
		}
		return
	}
	d.next = offset + n
	if before := d.realSize; !d.compare(offset, remaining, n) && !e.place.Lossy {
		text := fmt.Sprintf("%d bytes remain at offset %d, before that the world had %d bytes", remaining, offset, before)
		e.postpone(pendingFinding{rule: ruleRemaining, text: text, otherSide: true}, arrivalTime)
	}
	if e.layer.World != nil {
		e.recordWorld()
	}
}

// compare compares what remains at a part of n bytes with the parts before it, and reports whether it fits.
// If it does not, the parts behind it are compared with this one.
func (d *download) compare(offset, remaining, n int32) bool {
	realSize, documentSize := offset+remaining, offset+n+remaining
	fitsReal, fitsDocument := remaining >= n, true
	if d.compared {
		fitsReal = fitsReal && d.fitsReal && realSize == d.realSize
		fitsDocument = d.fitsDocument && documentSize == d.documentSize
	}
	fits := fitsReal || fitsDocument
	if !d.compared || !fits {
		d.compared, d.realSize, d.documentSize = true, realSize, documentSize
		fitsReal, fitsDocument = remaining >= n, true
	}
	d.fitsReal, d.fitsDocument = fitsReal, fitsDocument
	switch {
	case fitsReal && !fitsDocument:
		d.size = d.realSize
	case fitsDocument && !fitsReal:
		d.size = d.documentSize
	}
	return fits
}

// recordWorld takes note of the world that is now complete.
func (e *event) recordWorld() {
	w, err := ReadWorld(e.layer.World)
	if err != nil || len(w.Blocks) == 0 || w.Blocks[0].Code != BlockStyle {
		return
	}
	d, size := &e.conn.download, int32(len(e.layer.World))
	if size != d.realSize && size != d.documentSize || w.Blocks[len(w.Blocks)-1].Code != BlockEnd {
		return // its parts were not put together in the right order
	}
	d.size = size
	g := e.makeGame()
	if size != g.worldSize {
		e.measureState(bzflag.Servers, "", "world size", strconv.Itoa(int(size))+" bytes")
		g.worldSize = size
	}
	g.recordWorld(w)
}

// recordWorld keeps of a world what rules ask for.
func (g *game) recordWorld(w *World) {
	style := w.Blocks[0].Style
	g.style, g.faces = &style, 0
	g.links = g.links[:0]
	for i := range w.Blocks {
		switch b := &w.Blocks[i]; b.Code {
		case BlockTeleporter:
			g.faces += 2
		case BlockLink:
			g.links = append(g.links, b.Link)
		}
	}
}

// checkTeleport checks that the world has the way that a player took through a teleporter.
func (e *event) checkTeleport(b *Teleport) {
	if e.layer.Direction == s2c && e.isCaptured(b.Player.ID) {
		return
	}
	g := e.game()
	if g == nil || g.style == nil {
		return
	}
	off := e.bodyOffset()
	if from, to := int(b.From), int(b.To); from >= g.faces || to >= g.faces {
		e.report(ruleFace, off, 4, "from face %d to %d, the world has %d faces", from, to, g.faces)
	} else if !slices.Contains(g.links, Link{From: b.From, To: b.To}) {
		e.report(ruleFace, off, 4, "no link leads from face %d to %d", from, to)
	}
}
