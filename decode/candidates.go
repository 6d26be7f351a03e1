package decode

import (
	"math"
	"net/netip"
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// candidates are the protocols that a stream without a captured beginning may speak. Consecutive messages anywhere in
// the stream are evidence for a protocol.
type candidates struct {
	start int64 // of the stream; it falls when earlier bytes arrive
	list  []candidate
}

// A candidate is a protocol and the messages of it found in a stream.
type candidate struct {
	protocol *protocol
	way      wire.Direction
	known    bool // one of the ends is a server that spoke it before
	near     bool // known, or one of the ports is a port of the protocol

	search search
	row    boundary // messages in a row, if open
	open   bool
	before int // messages in rows that a gap ended
	broken int // rows that other bytes ended
}

const (
	// evidence is the number of consecutive messages that identify a protocol in the middle of a connection. One less
	// suffices if the server is known or the stream ends here. Another game may use the same framing and have some
	// messages that look like ours, but not many in a row.
	evidence = 4

	// undecidedRow is undecided for a stream that has messages in a row.
	undecidedRow = 64 << 10

	candidateCost = int(unsafe.Sizeof(candidate{}))
)

// look examines more of the stream: b, which begins at position at. It returns the first position that it still needs.
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

// messages returns the number of messages in rows. The last may be unfinished.
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

// suffices reports whether that many messages identify the protocol. last means that no more can follow.
func (c *candidate) suffices(messages int, last bool) bool {
	if c.known || last {
		messages++
	}
	return messages >= evidence+c.broken
}

// direction returns the direction of a stream whose bytes b begin at position at. If neither ports nor servers
// determine it, the direction in which more messages are plausible wins.
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

// renew makes the candidates of a stream, or updates them with what is now known about its ends.
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

// gap ends all rows, because bytes are missing here.
func (set *candidates) gap() {
	if set == nil {
		return
	}
	for i := range set.list {
		c := &set.list[i]
		c.search, c.open, c.before = search{}, false, c.messages()
	}
}
