package bzflag

import (
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

const maxRequests = 16 // unanswered requests of a client

// Downloads holds the worlds that clients are downloading. A request for offset 0 begins a new download.
type Downloads struct {
	max     int // maximum size of a world in bytes
	byRoute *bounded.LRU[Route, download]
}

// NewDownloads returns an empty Downloads. A world may have at most maxBytes. All worlds together use at most a quarter
// of the memory budget: worlds are large, and unfinished ones must not displace all other state. kind names the worlds
// in memory reports.
func NewDownloads(memory *bounded.Budget, kind bounded.Kind, maxBytes int) *Downloads {
	if memory != nil {
		memory = memory.Part(memory.Limit() / 4)
	}
	return &Downloads{maxBytes, bounded.NewLRU(memory, kind, bounded.Values[Route, download]{Held: (*download).held})}
}

// download joins the parts of a world that one client requests. Answers come in the order of the requests, but the
// capture may show an answer before its request.
type download struct {
	requested   []int // offsets of requests without an answer
	unrequested int   // number of answers that were captured before their requests
	data        []byte
}

func (d *download) held() int { return cap(d.data) + 8*cap(d.requested) }

// Request records a request for the part at an offset.
func (w *Downloads) Request(r Route, offset int) {
	d := w.byRoute.Make(r)
	if offset == 0 { // a new download: earlier requests will not be answered
		d.requested = slices.DeleteFunc(d.requested, func(at int) bool { return at > 0 })
	}
	switch {
	case d.unrequested > 0:
		d.unrequested--
	case len(d.requested) < maxRequests:
		d.requested = append(d.requested, offset)
	}
}

// Receive adds a part and returns the world up to the end of the part. It returns nil if an earlier part is missing, if
// the world is too large, or if it is still empty. The caller may keep the result, because Receive does not overwrite
// it later.
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
		return nil // the request is missing, so the offset is unknown
	}
	if offset == 0 {
		d.data = nil // not d.data[:0], because the caller may keep the old array
	}
	if offset != len(d.data) || offset+len(part) > w.max || offset+len(part) == 0 {
		return nil
	}
	d.data = append(d.data, part...)
	return d.data
}

// Forget drops a download.
func (w *Downloads) Forget(r Route) { w.byRoute.Delete(r) }

// Finish drops a download, unless a request has no answer yet, or an answer has no request yet.
func (w *Downloads) Finish(r Route) {
	if d := w.byRoute.Get(r); d != nil && len(d.requested) == 0 && d.unrequested == 0 {
		w.Forget(r)
	}
}

// Lost drops the downloads between two addresses, because bytes between them are missing.
func (w *Downloads) Lost(src, dst netip.AddrPort) {
	w.Forget(Route{Client: src, Server: dst})
	w.Forget(Route{Client: dst, Server: src})
}
