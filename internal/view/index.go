package view

import (
	"net/netip"
	"strings"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// An index has where the messages of a capture stand, and what is needed to decode each again. It only grows.
type index struct {
	limit   int // bytes
	held    int // of these, about
	dropped int64

	slabs   []*[slabSize]row
	count   int
	kinds   []kind
	kindOf  map[*wire.MessageType]uint16
	ends    []ends
	arounds []around
	lanes   []laneCache
	kept    numbered[any]
	copies  copies

	found      lists[found]
	rules      numbered[*wire.Rule]
	texts      texts
	carriers   lists[uint32]    // the packets of a row besides its own
	beginnings map[int][]uint32 // packets with which TCP connections begin
	severities [wire.Error + 1]int64
	answers    lists[float64] // how long the answer took that a row is, in seconds
}

const slabSize = 4096

// row is a message, or a finding that no message carries.
type row struct {
	at     int64 // of the bytes: in the file, or, if it is below 0, ^at in the copies
	time   int64
	frame  uint32
	size   uint32 // of the bytes
	around uint32
	kind   uint16
	flags  flags
	worst  uint8 // severity of its findings
}

type flags uint8

const (
	isFinding flags = 1 << iota
	hasFindings
	isCopy
	hasAnswer
)

// kind is what a message is; that of a finding is kinds[0].
type kind struct {
	protocol *wire.Protocol
	message  *wire.MessageType
	count    int64
	move     bool // where a player is, reported many times a second
}

// ends are who says something to whom.
type ends struct {
	src, dst     netip.AddrPort
	protocol     *wire.Protocol
	conversation int
	lane         uint32
	transport    wire.Transport
}

type around struct {
	ends      uint32
	kept      uint32 // of its session, from 1; 0: nothing
	missing   int32
	file      uint16
	direction wire.Direction
	ipv6      bool
}

// laneCache is what surrounded the previous message on a lane: usually it is the same again.
type laneCache struct{ ends, around uint32 } // from 1; 0: none

type found struct {
	text      uint32
	rule      uint16
	off, size int32
}

const (
	maxLane  = 1 << 24 // those above are not remembered
	costEnds = int(unsafe.Sizeof(ends{})) + 8
	costKept = 640 // of what a session put into a layer, with its place in a map, about
)

func (x *index) len() int { return x.count }

func (x *index) row(n int) *row { return &x.slabs[n/slabSize][n%slabSize] }

// full reports whether there is no room for more, and counts what is dropped.
func (x *index) full() bool {
	if x.dropped == 0 && x.held < x.limit && x.count < 1<<31-1 {
		return false
	}
	x.dropped++
	return true
}

func (x *index) add(r row) (n int) {
	n = x.count
	if n%slabSize == 0 {
		x.slabs = append(x.slabs, new([slabSize]row))
		x.held += int(unsafe.Sizeof([slabSize]row{}))
	}
	x.count++
	*x.row(n) = r
	return n
}

func (x *index) kindFor(p *wire.Protocol, m *wire.MessageType) uint16 {
	if k, ok := x.kindOf[m]; ok {
		return k
	}
	if x.kindOf == nil {
		x.kindOf = map[*wire.MessageType]uint16{}
		x.kinds = append(x.kinds, kind{})
	}
	k := uint16(len(x.kinds))
	move := strings.HasPrefix(m.Name, "MsgPlayerUpdate") || m.Name == "MsgGMUpdate"
	x.kinds, x.kindOf[m] = append(x.kinds, kind{protocol: p, message: m, move: move}), k
	return k
}

func (x *index) protocols() map[string]int64 {
	all := map[string]int64{}
	for _, k := range x.kinds {
		if k.protocol != nil {
			all[k.protocol.Name] += k.count
		}
	}
	return all
}

func (x *index) aroundOf(p *wire.Place, c *wire.Context, kept uint32, file int) uint32 {
	var none laneCache
	cache := &none
	if p.Lane < maxLane {
		if more := int(p.Lane) + 1 - len(x.lanes); more > 0 {
			x.lanes = append(x.lanes, make([]laneCache, more)...)
			x.held += more * 8
		}
		cache = &x.lanes[p.Lane]
	}
	e := ends{p.Src, p.Dst, p.Protocol, p.Conversation, p.Lane, p.Transport}
	if cache.ends == 0 || x.ends[cache.ends-1] != e {
		x.ends = append(x.ends, e)
		x.held += costEnds
		*cache = laneCache{ends: uint32(len(x.ends))}
	}
	a := around{ends: cache.ends - 1, kept: kept, file: uint16(file)}
	if c != nil {
		a.missing, a.direction, a.ipv6 = int32(c.Missing), c.Direction, c.IPv6
	}
	if cache.around == 0 || x.arounds[cache.around-1] != a {
		x.arounds = append(x.arounds, a)
		x.held += int(unsafe.Sizeof(a))
		cache.around = uint32(len(x.arounds))
	}
	return cache.around - 1
}

// keep returns the number of what a session put into a layer, from 1; 0: nothing.
func (x *index) keep(l wire.Layer) uint32 {
	what := wire.Keep(l)
	if what == nil {
		return 0
	}
	n, isNew := x.kept.number(what)
	if isNew {
		x.held += costKept
		for _, part := range []any{l, what} {
			if h, ok := part.(interface{ Held() int }); ok {
				x.held += h.Held()
			}
		}
	}
	return n + 1
}

// addFindings adds those of the next row, and returns the worst severity.
func (x *index) addFindings(all ...wire.Finding) (worst uint8) {
	list := make([]found, 0, len(all))
	for i := range all {
		f := &all[i]
		rule, _ := x.rules.number(f.Rule)
		list = append(list, found{x.text(f.Text), uint16(rule), int32(f.Off), int32(f.Size)})
		x.severities[f.Rule.Severity]++
		worst = max(worst, uint8(f.Rule.Severity))
	}
	x.held += x.found.add(x.count, list...)
	return worst
}

func (x *index) text(s string) uint32 {
	n, cost := x.texts.number(s)
	x.held += cost
	return n
}

func (x *index) findings(list []wire.Finding, n int) []wire.Finding {
	for _, f := range x.found.of(n) {
		list = append(list, wire.Finding{
			Rule: x.rules.all[f.rule], Text: x.texts.all[f.text], Off: int(f.off), Size: int(f.size),
		})
	}
	return list
}

func (x *index) place(r *row, file string) wire.Place {
	e := &x.ends[x.arounds[r.around].ends]
	return wire.Place{
		Frame: int(r.frame), File: file, Time: r.time, Transport: e.transport, Conversation: e.conversation,
		Lane: e.lane, Src: e.src, Dst: e.dst, Protocol: e.protocol,
	}
}
