package view

import (
	"net/netip"
	"strings"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// values contains the events and measurements that trackers reported.
type values struct {
	limit   int // in bytes
	used    int
	dropped int64 // events and measurements dropped for lack of memory
	texts   texts
	numbers int // number of measurements

	events  []event
	pending int // index of the first event without a row
	series  map[seriesKey]*series
	order   []*series

	answer wire.Value // the latest answer time
	bytes  []byteRate
}

type event struct {
	time                  int64
	row                   int32 // -1 if not yet known
	who, whom, text, what uint32
	server                netip.AddrPort
	protocol              *wire.Protocol
	place                 placeKey
}

// A placeKey identifies the message that caused an event or a measurement.
type placeKey struct {
	frame int
	lane  uint32
}

type seriesKey struct {
	protocol               *wire.Protocol
	table, who, whom, what string
	server                 netip.AddrPort
}

type series struct {
	seriesKey
	unit          string
	count         int64
	min, max, sum float64
	points        []point // as many as fit in memory
}

type point struct {
	time   int64
	number float64
	row    int32
}

// A byteRate counts the bytes in a part of a second, see values.packet.
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

// room reports whether enough memory is left for a number of bytes. If so, it reserves these bytes.
func (v *values) room(bytes int) bool {
	if v.used+bytes > v.limit {
		v.dropped++
		return false
	}
	v.used += bytes
	return true
}

func (v *values) text(s string) uint32 {
	at, cost := v.texts.number(s)
	v.used += cost
	return at
}

// value handles a value that a tracker reported. row is the row that the message of the value will get.
func (v *values) value(x *wire.Value, row int) {
	if x.Answer {
		v.answer = *x
	}
	if x.Event {
		v.event(x)
		return
	}
	v.numbers++
	v.measured(x, int32(row))
}

func (v *values) event(x *wire.Value) {
	if !v.room(costEvent) {
		return
	}
	v.events = append(v.events, event{
		time: x.Time, row: -1, who: v.text(x.Who), whom: v.text(x.Whom), text: v.text(x.Text), what: v.text(x.What),
		server: x.Server, protocol: x.Protocol, place: keyOf(&x.Place),
	})
}

func (v *values) measured(x *wire.Value, row int32) {
	if x.State {
		return
	}
	k := seriesKey{x.Protocol, x.Table, x.Who, x.Whom, x.What, x.Server}
	s := v.series[k]
	if s == nil {
		if !v.room(costSeries + len(x.Who) + len(x.Whom)) {
			return
		}
		if v.series == nil {
			v.series = map[seriesKey]*series{}
		}
		k.who, k.whom = strings.Clone(k.who), strings.Clone(k.whom)
		s = &series{seriesKey: k, unit: x.Unit, min: x.Number, max: x.Number}
		v.series[k], v.order = s, append(v.order, s)
	}
	s.count++
	s.sum += x.Number
	s.min, s.max = min(s.min, x.Number), max(s.max, x.Number)
	if v.room(costPoint) {
		s.points = append(s.points, point{x.Time, x.Number, row})
	}
}

// settle assigns the row of a message to the events that wait for this message. If the message is an answer, settle
// returns the seconds since the question.
func (v *values) settle(m *decode.Message, row int) (seconds float64, ok bool) {
	key := keyOf(&m.Place)
	for ; v.pending < len(v.events); v.pending++ {
		if e := &v.events[v.pending]; e.place == key {
			e.row = int32(row)
		}
	}
	if v.answer.Protocol == nil {
		return 0, false
	}
	seconds, ok = v.answer.Number, v.answer.Place == m.Place
	v.answer.Protocol = nil
	return seconds, ok
}

const partsOfSecond = 10

func (v *values) packet(seconds float64, bytes int) {
	part := int32(max(min(seconds*partsOfSecond, 1<<31-1), 0))
	if last := len(v.bytes) - 1; last >= 0 && v.bytes[last].part == part {
		v.bytes[last].bytes += int32(min(bytes, 1<<16))
		return
	}
	if !v.room(8) {
		return
	}
	v.bytes = append(v.bytes, byteRate{part, int32(min(bytes, 1<<16))})
}
