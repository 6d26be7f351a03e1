package bzflag24

import (
	"fmt"

	"github.com/gamedissect/gamedissect/layers/bzflag24/world"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// download is the progress of a client's download of the world.
type download struct {
	known    bool            // a request was captured
	wanted   int64           // requested offset
	received int64           // number of bytes
	early    *bzflag.Outcome // finding about an unexpected offset; the capture may show the request too early
}

// forget drops the download.
func (d *download) forget() {
	d.early.Settle()
	*d = download{}
}

// takeRequest handles a request for a part of the world. A client sends the request after the previous part, but the
// capture may show the request first.
func (d *download) takeRequest(m message, r *WorldRequest, pending *bzflag.PendingFindings, s *bzflag.Outcomes) {
	offset := int64(r.Offset)
	if offset == 0 {
		*d = download{known: true} // a new download
	}
	if offset != d.received {
		text := fmt.Sprintf("offset %d is asked for, %d bytes have come", offset, d.received)
		d.early = pending.Add(s, m.place, bzflag.PendingFinding{Rule: ruleOffset, Text: text, Wait: overdue})
	}
	d.known, d.wanted = true, offset
}

// takePart handles a part of the world.
func (d *download) takePart(size int64) {
	if d.early != nil && d.received+size == d.wanted && size > 0 {
		d.early.Settle()
		d.early = nil
		d.received = d.wanted
	} else if d.known && d.wanted == d.received {
		d.received += size
	}
}

// teleporters are the teleporters of a game's world.
type teleporters struct {
	hash  [world.HashSize]byte // hash of the world
	known bool
	faces int
}

// takeHash records the hash of the game's world.
func (t *teleporters) takeHash(b *WorldHash) {
	if string(t.hash[:]) != string(b.Hash) {
		copy(t.hash[:], b.Hash)
		t.known = false
	}
}

// takeWorld records a downloaded world; w may be nil.
func (t *teleporters) takeWorld(w *world.Database) {
	if w != nil && w.Err == nil {
		t.known, t.faces = true, w.Faces
	}
}

// check checks the faces in a teleport against the world. off is their offset in the message.
func (t *teleporters) check(m message, b *Teleport, off int) {
	if !t.known {
		return
	}
	for i, face := range [...]uint16{b.From, b.To} {
		if int(face) >= t.faces {
			m.layer.Report(ruleFace, off+2*i, 2, "face %d, the world has %d", face, t.faces)
		}
	}
}
