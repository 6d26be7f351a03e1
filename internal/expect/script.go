package expect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// A line is a step to be written, or a group of steps.
type line struct {
	key         string // equal for steps with equal texts
	head        string // such as "expect: MsgAccept"
	name        string
	direction   wire.Direction
	where       []string
	save        []string // such as "name: field"
	parts       []line   // steps of a group
	mixed       bool     // the parts may come in any order
	choice      bool     // one of the parts comes; if repeated is set, one or more
	optional    bool
	repeated    bool
	inParts     bool
	first, last int // frame numbers
	times       int
	extent
}

type origin struct {
	direction wire.Direction
	field     string // last part of the field's path
}

// lines converts the messages of a recording to steps. If one side repeats a value that the other side sent, the first
// step saves the value and the second step compares it.
func (t *recording) lines() []line {
	lines := make([]line, len(t.messages))
	latest := make(map[origin][2]int) // indexes of the message and the value
	saved := make(map[[2]int]bool)
	if t.owner == nil {
		t.owner = make(map[string]wire.Direction)
	}
	type relation struct {
		at, value int
		from      origin
	}
	var relations []relation
	for i := range t.messages {
		m := &t.messages[i]
		for j := range m.values {
			v := &m.values[j]
			from := origin{m.direction.Reverse(), v.lastName()}
			at, ok := latest[from]
			twoWay := m.direction != wire.Unknown && m.direction != m.direction.Reverse()
			if ok && twoWay && t.messages[at[0]].values[at[1]].value.Equal(&v.value) {
				relations = append(relations, relation{i, j, from})
				saved[at] = true
				if _, known := t.owner[from.field]; !known {
					t.owner[from.field] = from.direction
				}
			} else if v.usage == constant || v.usage == both {
				lines[i].where = append(lines[i].where, v.path+" == "+literalOf(&v.value))
			}
		}
		for j := range m.values {
			latest[origin{m.direction, m.values[j].lastName()}] = [2]int{i, j}
		}
	}
	called := func(o origin) string {
		if t.owner[o.field] == o.direction {
			return o.field
		}
		return "other_" + o.field
	}
	for _, x := range relations {
		lines[x.at].where = append(lines[x.at].where, t.messages[x.at].values[x.value].path+" == $"+called(x.from))
	}
	for i := range t.messages {
		m := &t.messages[i]
		for j := range m.values {
			if saved[[2]int{i, j}] {
				v := &m.values[j]
				lines[i].save = append(lines[i].save, called(origin{m.direction, v.lastName()})+": "+v.path)
			}
		}
		lines[i].describe(m)
	}
	return lines
}

// foldedLines converts a recording to steps. It replaces a stretch of steps that comes several times in a row with one
// group.
func (t *recording) foldedLines() []line {
	lines := t.steps()
	if t.connection {
		lines = t.parallelSides(lines)
	}
	return t.fold(lines)
}

// steps converts a recording to steps, one for each message.
func (t *recording) steps() []line {
	lines := t.lines()
	asked := make(map[question]bool)
	for i := range lines {
		lines[i].extent = t.extent(i, &lines[i], asked)
		asked[question{lines[i].name, lines[i].direction}] = true
	}
	return lines
}

// hasEcho reports whether a step compares a field with a saved value.
func (l *line) hasEcho() bool {
	return slices.ContainsFunc(l.where, func(w string) bool { return strings.Contains(w, " == $") })
}

func (v *recordedValue) lastName() string { return v.path[strings.LastIndexByte(v.path, '.')+1:] }

func (l *line) describe(m *recordedMessage) {
	l.head = "expect: " + m.kind.Name
	l.name, l.direction = m.kind.Name, m.direction
	if m.code != "" {
		l.where = append([]string{"code == " + m.code}, l.where...)
	}
	l.first, l.last, l.times = m.frame, m.frame, 1
	l.inParts = m.kind.Recurs == wire.InParts
	l.repeated = l.inParts
	l.setKey()
}

func (l *line) setKey() {
	var b strings.Builder
	fmt.Fprintf(&b, "%s|%d|%q|%q|%v|%v|%v|%v(", l.head, l.direction, l.where, l.save,
		l.repeated, l.mixed, l.choice, l.optional)
	for i := range l.parts {
		b.WriteString(l.parts[i].key)
	}
	b.WriteByte(')')
	l.key = b.String()
}

func newGroupLine(parts []line, repeated bool, times int) line {
	g := line{parts: parts, repeated: repeated, times: times, first: parts[0].first, last: parts[len(parts)-1].last}
	g.setKey()
	return g
}

// maxStretch limits the number of steps in a repeated stretch.
const maxStretch = 16

// fold replaces stretches that come several times in a row with one repeated stretch each. It begins with the shortest
// stretches, and ends when no repetitions remain. If some messages may come at any time, it folds only single steps.
// Longer stretches would then repeat by chance and match in too many ways.
func (t *recording) fold(lines []line) []line {
	longest := maxStretch
	if t.anytime {
		longest = 1
	}
	for again := true; again; {
		again = false
		for size := 1; size <= min(longest, len(lines)/2); size++ {
			folded, some := foldStretches(lines, size)
			if some {
				lines, again = folded, true
			}
		}
	}
	return lines
}

// foldStretches replaces stretches of the given size that come several times in a row with one repeated stretch each.
func foldStretches(lines []line, size int) (out []line, some bool) {
	for i := 0; i < len(lines); {
		n := 1
		for i+(n+1)*size <= len(lines) && equalLines(lines[i:i+size], lines[i+n*size:i+(n+1)*size]) {
			n++
		}
		if n == 1 {
			out = append(out, lines[i])
			i++
			continue
		}
		some = true
		last := lines[i+n*size-1].last
		var g line
		if size == 1 {
			g = inARow(lines[i : i+n])
		} else {
			for k := 1; k < n; k++ {
				widenAll(lines[i:i+size], lines[i+k*size:i+(k+1)*size])
			}
			g = newGroupLine(lines[i:i+size:i+size], true, n)
		}
		g.last = last
		out = append(out, g)
		i += n * size
	}
	return out, some
}

func inARow(lines []line) line {
	g := lines[0]
	for i := range lines[1:] {
		x := &lines[1+i]
		g.times += x.times
		g.extent.follow(&x.extent)
		widenAll(g.parts, x.parts)
	}
	g.repeated = true
	g.setKey()
	return g
}

func equalLines(a, b []line) bool {
	for i := range a {
		if a[i].key != b[i].key {
			return false
		}
	}
	return true
}

// pause is the length of a silence on a connection, in nanoseconds. A message after such a silence is considered a
// reaction to the earlier messages.
const pause = 50e6

// parallelSides puts the steps of the two sides of a connection in parallel, separately for each part between two
// pauses. TCP preserves the order of each side's messages. But if both sides send at once, the order between the sides
// varies. The first message stays first.
func (t *recording) parallelSides(lines []line) []line {
	var out []line
	for from := 0; from < len(lines); {
		to := from + 1
		for to < len(lines) && clock.Elapsed(t.messages[to-1].time, t.messages[to].time) < pause {
			to++
		}
		out = append(out, t.parallelStretch(lines[from:to])...)
		from = to
	}
	return out
}

func (t *recording) parallelStretch(lines []line) []line {
	var same, other []line
	for _, l := range lines[1:] {
		if l.direction == lines[0].direction {
			same = append(same, l)
		} else {
			other = append(other, l)
		}
	}
	if len(same) == 0 || len(other) == 0 {
		return t.fold(lines)
	}
	first := lines[0]
	same, other = t.fold(append([]line{first}, same...)), t.fold(other)
	if same[0].key == first.key && same[0].times == 1 {
		if len(same) == 1 {
			return append(same, other...)
		}
		return append([]line{first}, parallelLine(same[1:], other))
	}
	return []line{parallelLine(same, other)}
}

// parallelLine joins two sequences whose messages may interleave.
func parallelLine(a, b []line) line {
	m := line{mixed: true, parts: []line{newSequenceLine(a), newSequenceLine(b)}, times: 1}
	m.first = min(a[0].first, b[0].first)
	m.last = max(a[len(a)-1].last, b[len(b)-1].last)
	m.setKey()
	return m
}

func newSequenceLine(lines []line) line {
	if len(lines) == 1 {
		return lines[0]
	}
	return newGroupLine(slices.Clip(lines), false, 1)
}

// extent returns the extent of one message. Only answers have a time limit, because players may wait before they act.
func (t *recording) extent(i int, l *line, asked map[question]bool) extent {
	e := extent{most: 1, before: -1, between: -1}
	if i > 0 && (l.hasEcho() || slices.ContainsFunc(t.messages[i].kind.Answers, func(name string) bool {
		return asked[question{name, l.direction.Reverse()}]
	})) {
		e.before = max(clock.Elapsed(t.messages[i-1].time, t.messages[i].time), 0)
	}
	if !t.connection { // on a connection, TCP preserves the order
		e.counter = counterOf(&t.messages[i])
	}
	return e
}

// widenAll widens the extents of steps by the extents of other steps with the same texts.
func widenAll(lines, others []line) {
	for i := range lines {
		lines[i].extent.widen(&others[i].extent)
		widenAll(lines[i].parts, others[i].parts)
	}
}
