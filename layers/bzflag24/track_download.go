package bzflag24

import (
	"fmt"

	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// download is the world on its way to a client.
type download struct {
	known  bool            // a request was seen
	wanted int64           // its offset
	got    int64           // bytes
	early  *bzflag.Outcome // a request that may only be ahead of the part before it
}

// forget gives up what was asked for.
func (d *download) forget() {
	d.early.Settle()
	*d = download{}
}

// checkWorldRequest takes a request for a part of the world. What follows the last part may be asked for
// in a packet that the capture shows before that part.
func (e *event) checkWorldRequest(r *WorldRequest) {
	d, offset := &e.connection.download, int64(r.Offset)
	switch {
	case !e.connection.begun: // parts may be missing
		return
	case offset == 0:
		*d = download{known: true} // begun anew
	}
	if offset != d.got {
		text := fmt.Sprintf("offset %d is asked for, %d bytes have come", offset, d.got)
		d.early = e.postpone(bzflag.PendingFinding{Rule: ruleOffset, Text: text})
	}
	d.known, d.wanted = true, offset
}

// recordWorldPart takes a part of the world.
func (e *event) recordWorldPart(b *WorldPart) {
	d := &e.connection.download
	if d.early != nil && d.got+int64(len(b.Data)) == d.wanted && len(b.Data) > 0 {
		d.early.Settle()
		d.early = nil
		d.got = d.wanted
	} else if d.known && d.wanted == d.got {
		d.got += int64(len(b.Data))
	}
	if w := e.layer.World; w != nil && w.Err == nil {
		e.game.faces = w.Faces
	}
}

// recordWorldHash takes the sum of the world that is played.
func (e *event) recordWorldHash(b *WorldHash) {
	if string(e.game.worldHash[:]) != string(b.Hash) {
		copy(e.game.worldHash[:], b.Hash)
		e.game.faces = -1
	}
}

// checkFaces checks the faces that a tank went through.
func (e *event) checkFaces(b *Teleport, off int) {
	if e.game.faces < 0 {
		return
	}
	for i, face := range [...]uint16{b.From, b.To} {
		if int(face) >= e.game.faces {
			e.layer.Report(ruleFace, off+2*i, 2, "face %d, the world has %d", face, e.game.faces)
		}
	}
}
