package bzflag17

const maxRequests = 8 // at the same time; real clients have one

// download is what a client fetches of the world.
type download struct {
	begun     bool  // from offset 0
	lost      bool  // answers and requests do not match any more
	onlyFirst bool  // nothing but offset 0 was asked for
	next      int32 // offset after the part that came last
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

// begin begins a download anew. What is still to be answered stays so.
func (d *download) begin() {
	*d = download{
		begun: true, onlyFirst: !d.begun || d.onlyFirst, size: -1,
		lost: d.lost, unrequested: d.unrequested, requests: d.requests, open: d.open,
	}
}

// request takes note of the offset that the client asks for.
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

// answered returns the offset of the request that a part answers, -1 if none is known.
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

// compare compares what remains at a part of n bytes with the parts before it, and reports whether it fits.
// If it does not, the parts after it are compared with this.
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
