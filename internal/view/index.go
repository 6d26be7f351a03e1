package view

import (
	"net/netip"
	"strings"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/privacy"
)

// An index has the position of each message in the capture, and the context that is needed to decode the message again.
// Rows are never removed.
type index struct {
	limit   int // in bytes
	used    int // approximate bytes in use
	dropped int64

	slabs    []*[slabSize]row
	count    int
	kinds    []kind
	kindOf   map[*wire.MessageType]uint16
	ends     []ends
	contexts []rowContext
	lanes    []laneCache
	kept     numbered[any]
	copies   copies

	found      lists[found]
	rules      numbered[*wire.Rule]
	texts      texts
	carriers   lists[uint32] // packets of each row, except row.frame
	beginnings [][]uint32    // first packets of each TCP connection, by the connection's number
	severities [wire.Error + 1]int64
	answers    lists[float64] // seconds since the question, for each row that is an answer
}

const slabSize = 4096

// A row is a message, or a finding that belongs to no message.
type row struct {
	at      int64 // offset in the files; if negative, ^at is the offset in copies
	time    int64
	frame   uint32
	size    uint32 // size of the row's bytes
	context uint32
	kind    uint16
	flags   flags
	worst   uint8 // highest severity among the row's findings
}

type flags uint8

const (
	isFinding flags = 1 << iota
	hasFindings
	isCopy
	hasAnswer
	isRepeated // see wire.Place
)

// A kind is a message type. kinds[0] is for findings.
type kind struct {
	protocol *wire.Protocol
	message  *wire.MessageType
	count    int64
	move     bool // a position report, sent many times a second
	secrets  bool // messages of this kind may have passwords or tokens
	isHolder bool // layers of this kind are wire.Holders
}

// An ends is a sender and a receiver.
type ends struct {
	src, dst     netip.AddrPort
	protocol     *wire.Protocol
	conversation int
	lane         uint32
	transport    wire.Transport
	second       bool // see decode.FromSecondEnd
}

// A rowContext has what is needed, in addition to a row's bytes, to decode the row. Consecutive rows of a lane usually
// share a rowContext.
type rowContext struct {
	ends      uint32
	kept      uint32 // index in index.kept plus 1; 0 if nothing was kept
	missing   int32
	file      uint16
	direction wire.Direction
	ipv6      bool
}

// A laneCache has the context of the latest message on a lane, which is one direction of a conversation. The next
// message usually has the same context.
type laneCache struct{ ends, context, kept uint32 } // indexes plus 1; 0 if none

type found struct {
	text      uint32
	rule      uint16
	off, size int32
}

const (
	maxLane  = 1 << 24 // lanes with higher numbers are not cached
	costEnds = int(unsafe.Sizeof(ends{})) + 8
	costKept = 640 // approximate bytes of a stored session value and its map entry
)

func (x *index) len() int { return x.count }

func (x *index) row(n int) *row { return &x.slabs[n/slabSize][n%slabSize] }

// full reports whether the index is full. If so, it counts a dropped row.
func (x *index) full() bool {
	if x.dropped == 0 && x.used < x.limit && x.count < 1<<31-1 {
		return false
	}
	x.dropped++
	return true
}

func (x *index) add(r row) (n int) {
	n = x.count
	if n%slabSize == 0 {
		x.slabs = append(x.slabs, new([slabSize]row))
		x.used += int(unsafe.Sizeof([slabSize]row{}))
	}
	x.count++
	*x.row(n) = r
	return n
}

func (x *index) kindFor(p *wire.Protocol, l wire.Layer) uint16 {
	m := l.Core().Message
	if k, ok := x.kindOf[m]; ok {
		return k
	}
	if x.kindOf == nil {
		x.kindOf = map[*wire.MessageType]uint16{}
		x.kinds = append(x.kinds, kind{})
	}
	k := uint16(len(x.kinds))
	move := strings.HasPrefix(m.Name, "MsgPlayerUpdate") || m.Name == "MsgGMUpdate"
	_, isHolder := l.(wire.Holder)
	x.kinds, x.kindOf[m] = append(x.kinds, kind{
		protocol: p, message: m, move: move, secrets: privacy.MayHave(p, m), isHolder: isHolder,
	}), k
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

// cacheOf returns the cache of a lane.
func (x *index) cacheOf(lane uint32) *laneCache {
	if lane >= maxLane {
		return new(laneCache)
	}
	if more := int(lane) + 1 - len(x.lanes); more > 0 {
		x.lanes = append(x.lanes, make([]laneCache, more)...)
		x.used += more * int(unsafe.Sizeof(laneCache{}))
	}
	return &x.lanes[lane]
}

func (x *index) contextOf(p *wire.Place, c *wire.Context, kept uint32, file int) uint32 {
	cache := x.cacheOf(p.Lane)
	e := ends{
		src: p.Src, dst: p.Dst, protocol: p.Protocol, conversation: p.Conversation, lane: p.Lane, transport: p.Transport,
	}
	if cache.ends > 0 {
		e.second = x.ends[cache.ends-1].second
	}
	if cache.ends == 0 || x.ends[cache.ends-1] != e {
		e.second = decode.FromSecondEnd(p.Src, p.Dst)
		x.ends = append(x.ends, e)
		x.used += costEnds
		cache.ends, cache.context = uint32(len(x.ends)), 0
	}
	a := rowContext{ends: cache.ends - 1, kept: kept, file: uint16(file)}
	if c != nil {
		a.missing, a.direction, a.ipv6 = int32(c.Missing), c.Direction, c.IPv6
	}
	if cache.context == 0 || x.contexts[cache.context-1] != a {
		x.contexts = append(x.contexts, a)
		x.used += int(unsafe.Sizeof(a))
		cache.context = uint32(len(x.contexts))
	}
	return cache.context - 1
}

// keep stores the values that a session put into a layer. It returns their number, counting from 1, or 0 if there is
// nothing to store.
func (x *index) keep(l wire.Layer, lane uint32) uint32 {
	what := wire.Keep(l)
	if what == nil {
		return 0
	}
	cache := x.cacheOf(lane)
	if cache.kept > 0 && x.kept.all[cache.kept-1] == what { // equal to the previous values, which need no search
		return cache.kept
	}
	n, isNew := x.kept.number(what)
	if isNew {
		x.used += costKept
		for _, part := range []any{l, what} {
			if h, ok := part.(interface{ Held() int }); ok {
				x.used += h.Held()
			}
		}
	}
	cache.kept = n + 1
	return cache.kept
}

// addFindings adds the findings of the next row. It returns the highest severity among them.
func (x *index) addFindings(all ...wire.Finding) (worst uint8) {
	list := make([]found, 0, len(all))
	for i := range all {
		f := &all[i]
		rule, _ := x.rules.number(f.Rule)
		list = append(list, found{x.text(f.Text), uint16(rule), int32(f.Off), int32(f.Size)})
		x.severities[f.Rule.Severity]++
		worst = max(worst, uint8(f.Rule.Severity))
	}
	x.used += x.found.add(x.count, list...)
	return worst
}

func (x *index) text(s string) uint32 {
	n, cost := x.texts.number(s)
	x.used += cost
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
	e := &x.ends[x.contexts[r.context].ends]
	return wire.Place{
		Frame: int(r.frame), File: file, Time: r.time, Transport: e.transport, Conversation: e.conversation,
		Lane: e.lane, Src: e.src, Dst: e.dst, Protocol: e.protocol,
	}
}
