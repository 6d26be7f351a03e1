package decode

import (
	"math"
	"net/netip"
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// candidates are the protocols that a stream may belong to, if the capture lacks the stream's beginning. Consecutive
// messages of a protocol anywhere in the stream are evidence for it.
type candidates struct {
	start int64 // position of the stream's first byte; decreases when earlier bytes arrive
	list  []candidate
}

// A candidate is a protocol and the evidence for it in a stream.
type candidate struct {
	protocol *protocol
	way      wire.Direction
	known    bool // one of the ends is a server that spoke the protocol before
	near     bool // known is true, or one of the ports is a port of the protocol

	search search
	row    boundary // the current row of consecutive messages; valid if open is true
	open   bool
	before int // number of messages in earlier rows that ended at a gap
	broken int // number of rows that ended at bytes that are not a message
}

const (
	// evidence is the number of consecutive messages that identify a protocol in the middle of a connection. If the
	// server is known or the stream ends, one message fewer is enough. Another game may use the same framing, and some
	// of its messages may look like messages of the protocol, but rarely several in a row.
	evidence = 4

	// undecidedRow is the limit while a row of messages continues; otherwise the limit is undecided.
	undecidedRow = 64 << 10

	candidateCost = int(unsafe.Sizeof(candidate{}))
)

// look examines b, the next bytes of the stream; at is the position of b[0]. It returns the position of the first byte
// that must be kept.
func (c *candidate) look(b []byte, at int64) (kept int64) {
	for {
		if !c.open {
			found, kept := c.search.next(c.protocol.splitter, c.way, b, at, false)
			if found == nil {
				return kept
			}
			c.row, c.open = *found, true
		}
		if alive, _ := c.row.follow(c.protocol.splitter, c.way, b, at, math.MaxInt); alive {
			return c.row.at
		}
		c.search, c.open, c.before = search{looked: c.row.next}, false, 0
		c.broken++
	}
}

// messages returns the number of messages in rows. The last message may be incomplete.
func (c *candidate) messages() (n int) {
	if c == nil {
		return 0
	}
	n = c.before
	if c.open {
		n += c.row.whole
		if c.row.begun {
			n++
		}
	}
	return n
}

// suffices reports whether the given number of messages identifies the protocol. Each broken row requires one more
// message. last means that no further messages can follow.
func (c *candidate) suffices(messages int, last bool) bool {
	if c.known || last {
		messages++
	}
	return messages >= evidence+c.broken
}

// direction returns the direction of a stream. b is a part of the stream, and at is the position of b[0]. If neither
// ports nor known servers determine the direction, it is the one in which more messages are plausible.
func (c *candidate) direction(b []byte, at int64) wire.Direction {
	if c.way != wire.Unknown || !c.open {
		return c.way
	}
	rest := b[c.row.at-at:]
	to, _ := wire.CountPlausible(c.protocol.splitter, wire.ToServer, rest)
	from, _ := wire.CountPlausible(c.protocol.splitter, wire.FromServer, rest)
	switch {
	case to > from:
		return wire.ToServer
	case from > to:
		return wire.FromServer
	}
	return wire.Unknown
}

// renew makes the candidates of a stream, or updates them with new information about the stream's ends.
func (set *candidates) renew(r *recogniser, src, dst netip.AddrPort, way wire.Direction) {
	d := &wire.Datagram{Src: src, Dst: dst}
	speak, fresh := r.known(d), len(set.list) == 0
	for _, p := range r.protocols {
		probe := r.probe(p, p.TCP, d, speak)
		if fresh && p.ProbeStream != nil && p.ProbeStream(probe).Confidence > wire.No {
			set.list = append(set.list, candidate{protocol: p})
		}
		if c := set.of(p); c != nil {
			c.known, c.near, c.way = probe.Known, probe.OnPort() || probe.Known, way
			if way == wire.Unknown {
				c.way = probe.PortDirection()
			}
		}
	}
}

func (set *candidates) of(p *protocol) *candidate {
	if set == nil {
		return nil
	}
	if i := slices.IndexFunc(set.list, func(c candidate) bool { return c.protocol == p }); i >= 0 {
		return &set.list[i]
	}
	return nil
}

// gap ends all rows because bytes are missing.
func (set *candidates) gap() {
	if set == nil {
		return
	}
	for i := range set.list {
		c := &set.list[i]
		c.search, c.open, c.before = search{}, false, c.messages()
	}
}
