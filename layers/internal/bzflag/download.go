package bzflag

import (
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

const maxRequests = 16 // requests of a client that wait for an answer

// Downloads are the world databases that clients are downloading. A request for offset 0 begins a new one.
type Downloads struct {
	max     int // bytes of a world
	byRoute *bounded.LRU[Route, download]
}

// NewDownloads returns Downloads that keep worlds of at most maxBytes each, within a quarter of a memory budget: worlds
// are large, and unfinished ones must not push out all other state. Kind names them in reports.
func NewDownloads(memory *bounded.Budget, kind bounded.Kind, maxBytes int) *Downloads {
	if memory != nil {
		memory = memory.Part(memory.Limit() / 4)
	}
	return &Downloads{maxBytes, bounded.NewLRU(memory, kind, bounded.Values[Route, download]{Held: (*download).held})}
}

// download joins the parts of a world that one client requests. Answers come in the order of the requests, but a
// capture may show an answer before its request.
type download struct {
	requested   []int // offsets not answered yet
	unrequested int   // answers that came before their requests
	data        []byte
}

func (d *download) held() int { return cap(d.data) + 8*cap(d.requested) }

// Request notes a request for the part at an offset.
func (w *Downloads) Request(r Route, offset int) {
	d := w.byRoute.Make(r)
	if offset == 0 { // a new download: older requests will not be answered
		d.requested = slices.DeleteFunc(d.requested, func(at int) bool { return at > 0 })
	}
	switch {
	case d.unrequested > 0:
		d.unrequested--
	case len(d.requested) < maxRequests:
		d.requested = append(d.requested, offset)
	}
}

// Receive takes a part and returns the world up to the end of that part. It returns nil if an earlier part is missing
// or if the part is empty. The caller may keep the result: Receive does not write to it again.
func (w *Downloads) Receive(r Route, part []byte) []byte {
	d := w.byRoute.Get(r)
	if d == nil {
		return nil
	}
	offset := len(d.data)
	answers := len(d.requested) > 0
	if answers {
		offset = d.requested[0]
		d.requested = slices.Delete(d.requested, 0, 1)
	} else if d.unrequested < maxRequests {
		d.unrequested++
	}
	if !answers && len(d.data) == 0 {
		return nil // its request is lost, so its offset is unknown
	}
	if offset == 0 {
		d.data = nil // a new array: the caller has the old one
	}
	if offset != len(d.data) || offset+len(part) > w.max || offset+len(part) == 0 {
		return nil
	}
	d.data = append(d.data, part...)
	return d.data
}

// Forget drops a download.
func (w *Downloads) Forget(r Route) { w.byRoute.Delete(r) }

// Finish drops a download unless it has a request without an answer, or an answer without a request.
func (w *Downloads) Finish(r Route) {
	if d := w.byRoute.Get(r); d != nil && len(d.requested) == 0 && d.unrequested == 0 {
		w.Forget(r)
	}
}

// Lost drops the world, of which a part is missing.
func (w *Downloads) Lost(src, dst netip.AddrPort) {
	w.Forget(Route{Client: src, Server: dst})
	w.Forget(Route{Client: dst, Server: src})
}
