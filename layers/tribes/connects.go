package tribes

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// The head of a game packet has no mark: every third datagram of noise reads as one. So a connection is recognised by
// several packets that belong together, or by two if its server is known.
const (
	stepsOfGame   = 3 // steps from one number to the next, in both directions
	stepsAtServer = 1
	longestStep   = 8 // a network rarely loses more packets in a row
)

// connects reports whether a game packet and the packets before it show a connection: it is requested and answered, or
// requested again, or its packets are numbered consecutively.
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

// first reports whether a packet is the request of a client that has received nothing yet.
func (h *head) first() bool {
	return h.kind == kindRequest && h.flags == 0 && h.sequence == 0 && h.acknowledged == 0 && h.pairs == 0
}

// numbered counts the steps from one packet with data to the next.
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

// run is a sequence of packets in one direction with consecutive numbers.
type run struct {
	begun bool
	last  head
	steps int
}

// add adds the next packet.
func (r *run) add(data []byte) {
	h, ok := readHead(data)
	if !ok || h.kind != kindData || h.flags != 0 {
		return // no number of its own
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
