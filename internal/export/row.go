package export

import (
	"math"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// A row writes one row of a table, from the first column to the last.
type row struct {
	*Exporter
	rest []*column // columns that have no value yet
}

func (r *row) next() (c *column) {
	c, r.rest = r.rest[0], r.rest[1:]
	return c
}

func (r *row) null(n int) {
	for range n {
		r.next().null(0, 0)
	}
}

func (r *row) number(v int64) { r.next().number(0, uint64(v)) }

func (r *row) float(v float64) { r.next().number(0, math.Float64bits(v)) }

// numberIf writes a number if ok is set, otherwise null.
func (r *row) numberIf(ok bool, v int64) {
	if ok {
		r.number(v)
	} else {
		r.null(1)
	}
}

// word writes a text that comes from this program.
func (r *row) word(v string) { r.next().putText(0, v) }

// text writes a text that comes from the traffic.
func (r *row) text(v string) { r.shred.text(r.next(), []byte(v), 0) }

// name writes a text. If the text is empty, it writes null.
func (r *row) name(v string) { r.shred.name(r.next(), v, 0, 0) }

// addWhen adds the columns that row.when writes.
func (p *plan) addWhen() {
	p.add(text, "file")
	p.add(long, "frame")
	p.add(moment, "time")
}

func (r *row) when(p *wire.Place) {
	r.name(p.File)
	r.number(int64(p.Frame))
	r.number(p.Time)
}

// addWho adds the columns that row.who writes.
func (p *plan) addWho() {
	p.add(text, "protocol", "transport")
	p.add(long, "stream")
	p.add(text, "community_id", "src")
	p.add(integer, "src_port")
	p.add(text, "dst")
	p.add(integer, "dst_port")
}

func (r *row) who(p *wire.Place) {
	if p.Protocol == nil { // the protocol of the packet is unknown
		r.null(8)
		return
	}
	n := r.names.of(p)
	r.word(p.Protocol.Name)
	r.word(p.Transport.String())
	if p.Conversation == decode.NoConversation {
		r.null(2)
	} else {
		r.number(int64(p.Conversation))
		r.word(n.id)
	}
	r.word(n.src)
	r.number(int64(p.Src.Port()))
	r.word(n.dst)
	r.number(int64(p.Dst.Port()))
}

// places caches the texts of places, since all messages in one direction of a conversation have the same texts.
type places struct {
	slots []placeNames
	room  []byte
}

// placeSlots is the size of the cache. Each lane uses one slot, and several lanes may share a slot.
const placeSlots = 1 << 12

type placeNames struct {
	transport        wire.Transport
	from, to         netip.AddrPort
	id, src, dst     string
	fromSrc, fromDst string // including the ports
}

func (s *places) of(p *wire.Place) *placeNames {
	if s.slots == nil {
		s.slots = make([]placeNames, placeSlots)
	}
	n := &s.slots[p.Lane%placeSlots]
	if n.from != p.Src || n.to != p.Dst || n.transport != p.Transport || n.id == "" {
		s.room = p.AppendCommunityID(s.room[:0])
		*n = placeNames{
			transport: p.Transport, from: p.Src, to: p.Dst,
			id: string(s.room), src: p.Src.Addr().String(), dst: p.Dst.Addr().String(),
			fromSrc: p.Src.String(), fromDst: p.Dst.String(),
		}
	}
	return n
}

// server returns the text of the endpoint that is the server. If the direction is unknown, it returns "".
func (n *placeNames) server(d wire.Direction) string {
	switch d {
	case wire.ToServer:
		return n.fromDst
	case wire.FromServer:
		return n.fromSrc
	}
	return ""
}
