package bzflag17

const maxRequests = 8 // concurrent requests; real clients send one at a time

// download is a client's download of the world.
type download struct {
	begun     bool  // the client requested offset 0
	lost      bool  // answers can no longer be matched with requests
	onlyFirst bool  // all requests were for offset 0
	next      int32 // offset after the last part
	size      int32 // size of the world; -1: not known yet

	requests    [maxRequests]uint16
	open        uint8 // number of requests without an answer
	unrequested uint8 // number of answers that were captured before their requests

	// The size of the world can be computed from a part in two ways. In real servers, remaining includes the part
	// itself; in the protocol document, it does not. These fields hold both sizes, and for each size whether all parts
	// so far agree with it.
	compared               bool
	fitsReal, fitsDocument bool
	realSize, documentSize int32
}

// begin restarts a download. It keeps the open requests.
func (d *download) begin() {
	*d = download{
		begun: true, onlyFirst: !d.begun || d.onlyFirst, size: -1,
		lost: d.lost, unrequested: d.unrequested, requests: d.requests, open: d.open,
	}
}

// request records the offset that the client requests.
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

// answered returns the offset of the request that a part answers, or -1 if it is not known.
func (d *download) answered() int32 {
	if d.open == 0 {
		d.lost = true // the part was captured before its request, or the request was not captured
		d.unrequested = min(d.unrequested+1, maxRequests)
		return -1
	}
	offset := int32(d.requests[0])
	d.open--
	copy(d.requests[:d.open], d.requests[1:])
	return offset
}

// compare computes the size of the world from a part of n bytes, and reports whether this agrees with the earlier
// parts. If it does not, compare drops what it knew from them.
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
