package expect

import (
	"strconv"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// An extent says how often a recorded step came in a row, and with what delays.
type extent struct {
	most    int   // maximum number in a row
	before  int64 // maximum time since the previous step; -1: no limit
	between int64 // maximum time between two messages in a row; -1: no limit
	counter *counter
}

// A counter is a number in messages that come in parts. It may increase from one part to the next.
type counter struct {
	path        string
	first, last uint64
	always      bool // the first part of each row has the value first
	rises       bool
	steps       int // number of times that the counter increased
}

// A question is a message that may have an answer.
type question struct {
	name      string
	direction wire.Direction
}

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

// counts reports whether the number increases with each part.
func (c *counter) counts() bool { return c != nil && c.rises && c.steps > 0 }

// follow adds the extent of the step that follows in the same row.
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

// widen adds the extent of the same step in another recording.
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

// The time limit for an answer is a multiple of the longest recorded time, but at least minLimit, because machines and
// networks vary.
const (
	timeMargin = 3
	minLimit   = 250e6                 // nanoseconds
	minOfMany  = 2e9                   // minimum for several sessions, between which times vary
	maxTime    = int64(24 * time.Hour) // a longer time means that a clock was changed
)

// margin formats the time limit for a step, with two significant digits. longest is the longest recorded time, and
// least is the lowest possible limit. If longest is unusable, margin returns "".
func margin(longest, least int64) string {
	if longest < 0 || longest > maxTime {
		return ""
	}
	d := max(longest*timeMargin, least)
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
