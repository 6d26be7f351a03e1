package bzflag17

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
)

const (
	maxDownloads = 64      // worlds on their way at the same time
	maxWorld     = 1 << 16 // offsets have 16 bits
	maxAsked     = 16      // requests of a client that wait for an answer
)

// download joins the parts of a world that one client asks for. Answers come in the order of the
// requests, but a capture may show an answer before its request.
type download struct {
	asked []int // offsets not answered yet
	early int   // answers that came before their requests
	data  []byte
}

// route is a client and the server it asks.
type route struct{ client, server netip.AddrPort }

// downloads are the worlds on their way. A client that begins anew begins a new one; when there
// are too many, all are forgotten, and the clients that go on show no world.
type downloads map[route]*download

// asked takes note of a request.
func (w downloads) asked(r route, offset int) {
	d := w[r]
	if d == nil {
		if len(w) >= maxDownloads {
			clear(w)
		}
		d = new(download)
		w[r] = d
	}
	switch {
	case d.early > 0:
		d.early--
	case len(d.asked) < maxAsked:
		d.asked = append(d.asked, offset)
	}
}

// came takes a part and returns the world when it is whole with it. `remaining` counts the part
// itself for real servers, and what follows it in the document; under both readings the world
// has to add up.
func (w downloads) came(r route, p *WorldPart) []byte {
	d := w[r]
	if d == nil {
		return nil
	}
	offset := len(d.data)
	if len(d.asked) > 0 {
		offset = d.asked[0]
		d.asked = append(d.asked[:0], d.asked[1:]...)
	} else if d.early < maxAsked {
		d.early++
	}
	if offset == 0 {
		d.data = d.data[:0]
	}
	if offset != len(d.data) || offset+len(p.Data) > maxWorld || len(p.Data) == 0 {
		return nil
	}
	d.data = append(d.data, p.Data...)
	if int(p.Remaining) != len(p.Data) && p.Remaining != 0 || !wire.Fits(new(World), d.data) {
		return nil
	}
	return d.data
}
