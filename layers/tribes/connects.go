package tribes

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// The header of a game packet has no signature: a third of all random datagrams can be read as one. So connects
// recognises a connection only from several matching packets, or from two if its server is known.
const (
	stepsOfGame   = 3 // steps that show a connection to an unknown server (see numbered)
	stepsAtServer = 1 // steps that show a connection to a known server
	longestStep   = 8 // largest step between numbers: networks rarely lose more packets in a row
)

// connects reports whether a game packet and earlier packets show a connection: the request is answered or repeated, or
// the packets have consecutive numbers.
func connects(p *wire.Probe) bool {
	h, _ := readHead(p.Payload)
	steps := stepsOfGame
	if p.Known {
		if h.first() {
			return true
		}
		steps = stepsAtServer
	}
	for i := range p.Earlier {
		e := &p.Earlier[i]
		request, ok := readHead(e.Payload)
		if !ok || request.kind != kindRequest || !request.numbered || !h.numbered || request.connection != h.connection {
			continue
		}
		answered := e.Src == p.Dst && (h.kind == kindAccept || h.kind == kindReject)
		if answered || e.Src == p.Src && request.first() && h.first() {
			return true
		}
	}
	return h.kind == kindData && numbered(p) >= steps
}

// first reports whether a packet is the request of a client that has not received anything yet.
func (h *head) first() bool {
	return h.kind == kindRequest && h.flags == 0 && h.sequence == 0 && h.acknowledged == 0 && h.pairs == 0
}

// numbered counts steps: data packets whose number is 1 to longestStep above the number of the previous packet in their
// direction. It adds the steps of both directions.
func numbered(p *wire.Probe) (steps int) {
	var sent, received run
	from := func(src netip.AddrPort) *run {
		if src == p.Src {
			return &sent
		}
		return &received
	}
	for i := range p.Earlier {
		from(p.Earlier[i].Src).add(p.Earlier[i].Payload)
	}
	from(p.Src).add(p.Payload)
	return sent.steps + received.steps
}

// run is a series of packets in one direction with consecutive numbers.
type run struct {
	begun bool
	last  head
	steps int
}

// add adds the next packet.
func (r *run) add(data []byte) {
	h, ok := readHead(data)
	if !ok || h.kind != kindData || h.flags != 0 {
		return // the packet has no number of its own
	}
	step := (h.sequence - r.last.sequence) & (1<<sequenceBits - 1)
	switch {
	case !r.begun || h.parity != r.last.parity || step > longestStep:
		r.steps = 0
	case step > 0:
		r.steps++
	}
	r.begun, r.last = true, h
}
