package bzflag

import (
	"net/netip"
	"slices"
)

const (
	maxDownloads = 64 // worlds on their way at the same time
	maxAsked     = 16 // requests of a client that wait for an answer
)

// Route is a client and the server it asks.
type Route struct{ Client, Server netip.AddrPort }

// Downloads are the world databases on their way. A client that begins anew begins a new one; when
// there are too many, all are forgotten, and the clients that go on show no world.
type Downloads struct {
	Max   int // bytes of a world
	under map[Route]*download
}

// download joins the parts of a world that one client asks for. Answers come in the order of the
// requests, but a capture may show an answer before its request.
type download struct {
	asked []int // offsets not answered yet
	early int   // answers that came before their requests
	data  []byte
}

// Asked takes note of a request for what follows an offset.
func (w *Downloads) Asked(r Route, offset int) {
	d := w.under[r]
	if d == nil {
		if w.under == nil || len(w.under) >= maxDownloads {
			w.under = make(map[Route]*download)
		}
		d = new(download)
		w.under[r] = d
	}
	if offset == 0 { // it begins anew: what was asked of the last one is not answered any more
		d.asked = slices.DeleteFunc(d.asked, func(at int) bool { return at > 0 })
	}
	switch {
	case d.early > 0:
		d.early--
	case len(d.asked) < maxAsked:
		d.asked = append(d.asked, offset)
	}
}

// Came takes a part and returns all that came so far, itself the last; nil if something is missing
// in front of it, or if nothing came. It stays as it is.
func (w *Downloads) Came(r Route, part []byte) []byte {
	d := w.under[r]
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
		d.data = nil // what was given stays
	}
	if offset != len(d.data) || offset+len(part) > w.Max || offset+len(part) == 0 {
		return nil
	}
	d.data = append(d.data, part...)
	return d.data
}

// Forget gives up a download, or is done with it.
func (w *Downloads) Forget(r Route) { delete(w.under, r) }
