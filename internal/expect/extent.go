package expect

import (
	"slices"
	"strconv"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// An extent is how far what was recorded of a step reaches: how often it came in a row, and after how long.
type extent struct {
	most    int   // in a row
	before  int64 // the longest time from the step before; -1: none counts
	between int64 // the longest time between two of a row; -1: none counts
	counter *counter
}

// A counter is a number that parts in a row may count.
type counter struct {
	path        string
	first, last uint64
	always      bool // it begins with first, each time
	rises       bool
	steps       int // how often it rose
}

// A question is a message that others may answer.
type question struct {
	name      string
	direction wire.Direction
}

// extent is that of one message. Only answers to what was asked have a time: what a player does next takes as long as
// it takes.
func (t *recording) extent(i int, l *line, asked map[question]bool) extent {
	e := extent{most: 1, before: -1, between: -1}
	if i > 0 && (l.givesBack() || slices.ContainsFunc(t.messages[i].kind.Answers, func(name string) bool {
		return asked[question{name, l.direction.Reverse()}]
	})) {
		e.before = max(clock.Elapsed(t.messages[i-1].time, t.messages[i].time), 0)
	}
	if !t.connection { // which keeps the order by itself
		e.counter = counterOf(&t.messages[i])
	}
	return e
}

// counterOf gives the number that a message counts, nil if it has none.
func counterOf(m *recordedMessage) *counter {
	if m.kind.Recurs != wire.InParts {
		return nil
	}
	for i := range m.values {
		if v := &m.values[i]; v.usage == comesBack && v.value.Kind == wire.Uint {
			return &counter{path: v.path, first: v.value.Num, last: v.value.Num, always: true, rises: true}
		}
	}
	return nil
}

// counts reports whether the number rises with each part.
func (c *counter) counts() bool { return c != nil && c.rises && c.steps > 0 }

// follow adds what came next in a row.
func (e *extent) follow(next *extent) {
	e.most += next.most
	e.between = max(e.between, next.before, next.between)
	c, n := e.counter, next.counter
	if c == nil || n == nil {
		e.counter = nil
		return
	}
	joined := *c
	joined.rises = c.rises && n.rises && n.first > c.last
	joined.last, joined.steps = n.last, c.steps+n.steps+1
	e.counter = &joined
}

// widen adds what came in the same place another time.
func (e *extent) widen(other *extent) {
	e.most = max(e.most, other.most)
	e.before, e.between = max(e.before, other.before), max(e.between, other.between)
	c, o := e.counter, other.counter
	if c == nil || o == nil {
		e.counter = nil
		return
	}
	joined := *c
	joined.rises, joined.steps = c.rises && o.rises, c.steps+o.steps
	joined.always = c.always && o.always && c.first == o.first
	e.counter = &joined
}

// widenAll adds steps that are written alike.
func widenAll(lines, others []line) {
	for i := range lines {
		lines[i].extent.widen(&others[i].extent)
		widenAll(lines[i].parts, others[i].parts)
	}
}

// An answer may take as long as the longest that was recorded several times over, and briefest at least: below that
// it is the machine and the network that differ from one time to the next.
const (
	timeMargin = 3
	briefest   = 250e6                 // nanoseconds
	slowest    = int64(24 * time.Hour) // what takes longer is no answer's time, but a clock that was set
)

// margin writes how long a step may take that took a time, with two digits; "" is as long as it likes.
func margin(longest int64) string {
	if longest < 0 || longest > slowest {
		return ""
	}
	d := max(longest*timeMargin, briefest)
	unit := int64(time.Millisecond)
	for d > 100*unit {
		unit *= 10
	}
	d = (d + unit - 1) / unit * unit
	if d < int64(time.Second) {
		return strconv.FormatInt(d/int64(time.Millisecond), 10) + "ms"
	}
	return strconv.FormatFloat(float64(d)/float64(time.Second), 'f', -1, 64) + "s"
}
