package view

import (
	"net/netip"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// notes are what trackers reported: events, and what they measured.
type notes struct {
	limit   int // bytes
	held    int
	dropped int64 // events and values that there was no room for
	texts   texts
	values  int

	events  []event
	pending int // of these no row is known yet
	series  map[seriesKey]*series
	order   []*series

	answer wire.Value // the newest time of an answer
	bytes  []byteRate
	worlds []worldAt
}

// event is something that happened.
type event struct {
	time                  int64
	row                   int32 // -1: not known
	who, whom, text, what uint32
	server                netip.AddrPort
	protocol              *wire.Protocol
	place                 placeKey
}

// placeKey is the message that something was seen with.
type placeKey struct {
	frame int
	lane  uint32
}

// seriesKey names what is measured.
type seriesKey struct {
	protocol               *wire.Protocol
	table, who, whom, what string
	server                 netip.AddrPort
}

// series is what was measured again and again.
type series struct {
	seriesKey
	unit          string
	count         int64
	min, max, sum float64
	points        []point // as many as there is room for
}

type point struct {
	time   int64
	number float64
	row    int32
}

// byteRate is how many bytes came in a part of a second, see notes.packet.
type byteRate struct {
	part  int32
	bytes int32
}

const (
	costEvent  = int(unsafe.Sizeof(event{}))
	costPoint  = int(unsafe.Sizeof(point{}))
	costSeries = 400
)

func keyOf(p *wire.Place) placeKey { return placeKey{p.Frame, p.Lane} }

// room reports whether there is room for something, and spends it.
func (n *notes) room(bytes int) bool {
	if n.held+bytes > n.limit {
		n.dropped++
		return false
	}
	n.held += bytes
	return true
}

func (n *notes) text(s string) uint32 {
	at, cost := n.texts.number(s)
	n.held += cost
	return at
}

// value takes what a tracker reports, which comes before the message that shows it.
func (v *View) value(x *wire.Value) {
	if !x.Event {
		v.stats.Value(x)
	}
	n := &v.noted
	if x.Answer {
		n.answer = *x
	}
	if x.Event {
		n.event(x)
		return
	}
	n.values++
	n.measured(x, int32(v.index.len()))
}

func (n *notes) event(x *wire.Value) {
	if !n.room(costEvent) {
		return
	}
	n.events = append(n.events, event{
		time: x.Time, row: -1, who: n.text(x.Who), whom: n.text(x.Whom), text: n.text(x.Text), what: n.text(x.What),
		server: x.Server, protocol: x.Protocol, place: keyOf(&x.Place),
	})
}

func (n *notes) measured(x *wire.Value, row int32) {
	if x.State {
		return
	}
	k := seriesKey{x.Protocol, x.Table, x.Who, x.Whom, x.What, x.Server}
	s := n.series[k]
	if s == nil {
		if !n.room(costSeries + len(x.Who) + len(x.Whom)) {
			return
		}
		if n.series == nil {
			n.series = map[seriesKey]*series{}
		}
		k.who, k.whom = string([]byte(k.who)), string([]byte(k.whom))
		s = &series{seriesKey: k, unit: x.Unit, min: x.Number, max: x.Number}
		n.series[k], n.order = s, append(n.order, s)
	}
	s.count++
	s.sum += x.Number
	s.min, s.max = min(s.min, x.Number), max(s.max, x.Number)
	if n.room(costPoint) {
		s.points = append(s.points, point{x.Time, x.Number, row})
	}
}

// settle takes the message that showed the last events, and its row. If the message is an answer, it returns the time
// since the question in seconds.
func (n *notes) settle(m *decode.Message, row int) (seconds float64, ok bool) {
	key := keyOf(&m.Place)
	for ; n.pending < len(n.events); n.pending++ {
		if e := &n.events[n.pending]; e.place == key {
			e.row = int32(row)
		}
	}
	if n.answer.Protocol == nil {
		return 0, false
	}
	seconds, ok = n.answer.Number, n.answer.Place == m.Place
	n.answer.Protocol = nil
	return seconds, ok
}

const partsOfSecond = 10

// packet counts the bytes of a packet.
func (n *notes) packet(seconds float64, bytes int) {
	part := int32(max(min(seconds*partsOfSecond, 1<<31-1), 0))
	if last := len(n.bytes) - 1; last >= 0 && n.bytes[last].part == part {
		n.bytes[last].bytes += int32(min(bytes, 1<<16))
		return
	}
	if !n.room(8) {
		return
	}
	n.bytes = append(n.bytes, byteRate{part, int32(min(bytes, 1<<16))})
}
