package bzflag17

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// worldTracker follows the downloads of the world, and checks the messages that depend on the world.
type worldTracker struct {
	values  *valueTracker
	games   *gameTable
	pending pendingFindings
}

// checkRequest checks a request for a part of the world.
func (t *worldTracker) checkRequest(e *event, b *WorldRequest) {
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

// checkPart checks a part of the world.
func (t *worldTracker) checkPart(e *event, b *WorldPart) {
	d := &e.conn.download
	offset := d.answered()
	if offset < 0 || !d.begun || d.lost {
		return
	}
	remaining, n := int32(b.Remaining), int32(len(b.Data))
	if offset > 0 && remaining == 0 && n == 0 { // the world ends here
		if d.size < 0 || d.size > offset {
			d.size = offset
		}
		return
	}
	d.next = offset + n
	if before := d.realSize; !d.compare(offset, remaining, n) && !e.place.Lossy {
		text := fmt.Sprintf("%d bytes remain at offset %d, before that the world had %d bytes", remaining, offset, before)
		t.pending.add(e, pendingFinding{rule: ruleRemaining, otherSide: true, text: text, wait: arrivalTime})
	}
	if e.layer.World != nil {
		t.record(e)
	}
}

// record records the world that is now complete.
func (t *worldTracker) record(e *event) {
	w, err := ReadWorld(e.layer.World)
	if err != nil || len(w.Blocks) == 0 || w.Blocks[0].Code != BlockStyle {
		return
	}
	d, size := &e.conn.download, int32(len(e.layer.World))
	if size != d.realSize && size != d.documentSize || w.Blocks[len(w.Blocks)-1].Code != BlockEnd {
		return // the parts were joined in the wrong order
	}
	d.size = size
	g := t.games.make(e)
	if size != g.worldSize {
		t.values.recorder(e).State(bzflag.Servers, "", "world size", strconv.Itoa(int(size))+" bytes")
		g.worldSize = size
	}
	g.recordWorld(w)
}

// checkTeleport checks that the world has the link through which a player teleported.
func (t *worldTracker) checkTeleport(e *event, b *Teleport) {
	if e.fromServer() && isCaptured(e, b.Player.ID) {
		return
	}
	g := e.game
	if g.worldStyle() == nil {
		return
	}
	off := e.bodyOffset()
	if from, to := int(b.From), int(b.To); from >= g.faces || to >= g.faces {
		e.report(ruleFace, off, 4, "from face %d to %d, the world has %d faces", from, to, g.faces)
	} else if !slices.Contains(g.links, Link{From: b.From, To: b.To}) {
		e.report(ruleFace, off, 4, "no link leads from face %d to %d", from, to)
	}
}
