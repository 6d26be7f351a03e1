package expect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// A pattern is what several sequences have in common. Its anchors are the steps that all sequences have, in order. Its
// zones, before, between and after the anchors, have the steps that only some sequences have.
type pattern struct {
	anchors []line
	zones   []zone // one more than anchors
	least   int    // minimum number of steps in a recording
}

// A zone is a place where any of its units may come.
type zone struct {
	units []line
	most  int // maximum number of units that a recording has here
}

// maxUnits limits the number of units in a zone if some units are groups of steps.
const maxUnits = 12

// kinds joins variants that share at least half of their messages. Recordings of one kind differ in what players did,
// or in which side was faster. Neither difference is a fault.
func (c *class) kinds() (list []*writtenExpectation) {
	var kinds []map[string]bool
	for _, v := range c.variants {
		names := v.messages()
		at := slices.IndexFunc(kinds, func(k map[string]bool) bool { return alike(k, names) })
		if at < 0 {
			kinds, list = append(kinds, names), append(list, v)
		} else {
			list[at] = list[at].with(v)
		}
	}
	return list
}

// with joins the recordings of two expectations. It leaves lines unset; general or shared sets it.
func (s *writtenExpectation) with(o *writtenExpectation) *writtenExpectation {
	return &writtenExpectation{recording: s.recording, same: slices.Concat(s.same, o.same), count: s.count + o.count}
}

// general returns one sequence for each kind. The sequence allows everything that the recordings of the kind contain.
func (c *class) general() []*writtenExpectation {
	list := c.kinds()
	for _, v := range list {
		if v.lines == nil {
			v.lines = v.general(c.again)
		}
	}
	return list
}

// shared returns one sequence for each kind. The sequence has only the steps that all recordings of the kind share. It
// merges kinds that occurred in only one session, because a single session proves little.
func (c *class) shared() (list []*writtenExpectation) {
	var once *writtenExpectation
	for _, v := range c.kinds() {
		switch {
		case sessions(v.same) > 1:
			list = append(list, v)
		case once == nil:
			once = v
		default:
			once = once.with(v)
		}
	}
	if once != nil {
		list = append(list, once)
	}
	for _, v := range list {
		v.lines = v.shared(c.again)
	}
	return list
}

// shared returns steps for those messages that all recordings contain, in the order of their first occurrence. Other
// messages, and the number of messages, depend on the players.
func (s *writtenExpectation) shared(again bool) []line {
	ways := [][]wire.Direction{{wire.ToServer}, {wire.FromServer}, {wire.PeerToPeer, wire.Unknown}}
	if again {
		ways = [][]wire.Direction{slices.Concat(ways...)}
	}
	side := func(way []wire.Direction, keep map[string]bool) []line {
		return s.common(func(t *recording) []line {
			steps := t.firsts(keep).steps()
			return slices.DeleteFunc(steps, func(l line) bool { return !slices.Contains(way, l.direction) })
		}).anchors
	}
	keep := make(map[string]bool)
	for _, way := range ways {
		for _, l := range side(way, nil) {
			keep[l.kinds()] = true
		}
	}
	var out []line
	for _, way := range ways { // once more, because a step can compare only values that a kept step saves
		switch lines := side(way, keep); {
		case len(out) == 0:
			out = lines
		case len(lines) > 0:
			out = []line{parallelLine(out, lines)}
		}
	}
	return out
}

// firsts returns a recording with only the first message of each kind. If keep is nil, firsts omits messages that
// clients choose to send. Otherwise it omits the kinds that are not in keep.
func (t *recording) firsts(keep map[string]bool) *recording {
	first := *t
	first.messages = nil
	known := make(map[string]bool)
	for i, l := range t.lines() {
		if kinds := l.kinds(); !known[kinds] && (keep[kinds] || keep == nil && (i == 0 || !t.chosen(t.messages[i].kind))) {
			known[kinds] = true
			first.messages = append(first.messages, t.messages[i])
		}
	}
	return &first
}

// chosen reports whether a client decides when to send a message: the message has no answer and is not an answer. The
// server may relay such a message.
func (t *recording) chosen(kind *wire.MessageType) bool {
	byClients := false
	for _, m := range t.protocol.Messages.All() {
		if slices.Contains(m.Answers, kind.Name) || m.Name == kind.Name && len(m.Answers) > 0 {
			return false
		}
		byClients = byClients || m.Name == kind.Name && m.Direction != wire.FromServer
	}
	return byClients
}

func sessions(list []*recording) int {
	files := make(map[string]bool)
	for _, t := range list {
		files[t.file] = true
	}
	return len(files)
}

func (c *class) sessions() int {
	var list []*recording
	for _, v := range c.variants {
		list = append(list, v.same...)
	}
	return sessions(list)
}

func (s *writtenExpectation) messages() map[string]bool {
	names := make(map[string]bool)
	for i := range s.lines {
		for _, l := range s.lines[i].leaves() {
			names[l.kinds()] = true
		}
	}
	return names
}

// alike reports whether at least half of the names are in both sets.
func alike(a, b map[string]bool) bool {
	both := 0
	for name := range a {
		if b[name] {
			both++
		}
	}
	return 2*both >= len(a)+len(b)-both
}

// general returns steps that all recordings of an expectation fulfil. It treats the two sides of a connection
// separately, because either side may be faster.
func (s *writtenExpectation) general(again bool) []line {
	if again {
		return s.common(func(t *recording) []line { return t.unwrapped() }).lines()
	}
	first := s.common(func(t *recording) []line { return t.steps()[:1] }).lines()
	if first[0].choice {
		return s.common(func(t *recording) []line { return t.fold(t.steps()) }).lines()
	}
	var sides [][]line
	for _, same := range []bool{true, false} {
		side := s.common(func(t *recording) []line {
			steps := t.steps()
			way := steps[0].direction
			return t.fold(slices.DeleteFunc(steps[1:], func(l line) bool { return (l.direction == way) != same }))
		}).lines()
		if len(side) > 0 {
			sides = append(sides, side)
		}
	}
	switch len(sides) {
	case 0:
		return first
	case 1:
		return append(first, sides[0]...)
	}
	return append(first, parallelLine(sides[0], sides[1]))
}

func (s *writtenExpectation) common(steps func(*recording) []line) *pattern {
	var p *pattern
	for _, t := range s.same {
		if lines := steps(t); p == nil {
			p = &pattern{lines, make([]zone, len(lines)+1), len(lines)}
		} else {
			p = p.join(lines)
		}
	}
	return p
}

// join returns a pattern that also matches one more sequence. Anchors that the sequence does not have, and steps of the
// sequence that are not anchors, move into the zones.
func (p *pattern) join(lines []line) *pattern {
	out := pattern{least: min(p.least, len(lines))}
	at, from := 0, 0
	for _, pair := range append(pairs(p.anchors, lines), [2]int{len(p.anchors), len(lines)}) {
		z := p.zones[at]
		for ; at < pair[0]; at++ {
			z.add(p.anchors[at])
			next := &p.zones[at+1]
			z.most += next.most + 1
			z.add(next.units...)
		}
		z.add(lines[from:pair[1]]...)
		z.most = max(z.most, pair[1]-from)
		out.zones = append(out.zones, z)
		if at < len(p.anchors) {
			p.anchors[at].join(&lines[pair[1]])
			out.anchors = append(out.anchors, p.anchors[at])
		}
		at, from = pair[0]+1, pair[1]+1
	}
	return &out
}

// pairs returns the longest common subsequence of steps, as pairs of indexes.
func pairs(a, b []line) (list [][2]int) {
	names := func(lines []line) (out []string) {
		for i := range lines {
			out = append(out, lines[i].kinds())
		}
		return out
	}
	x, y := names(a), names(b)
	longest := make([][]int32, len(x)+1)
	for i := range longest {
		longest[i] = make([]int32, len(y)+1)
	}
	for i, name := range slices.Backward(x) {
		for j := len(y) - 1; j >= 0; j-- {
			longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			if name == y[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] == y[j]:
			list = append(list, [2]int{i, j})
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	return list
}

// add adds lines to the zone. If the zone already has a unit with the same kinds of messages as a line, the line is
// joined with that unit.
func (z *zone) add(lines ...line) {
	for i := range lines {
		l := &lines[i]
		kinds := l.kinds()
		at := slices.IndexFunc(z.units, func(u line) bool { return u.kinds() == kinds })
		if at < 0 {
			z.units = append(z.units, *l)
		} else {
			z.units[at].join(l)
		}
	}
}

func (p *pattern) lines() (out []line) {
	defer func() {
		if len(out) == 1 && out[0].choice && p.least > 0 {
			out[0].optional = false
		}
	}()
	for i := range p.zones {
		if z := &p.zones[i]; len(z.units) > 0 {
			out = append(out, z.line(i > 0))
		}
		if i < len(p.anchors) {
			out = append(out, p.anchors[i])
		}
	}
	return out
}

// line returns a zone as a step. timed says whether another step precedes the zone.
func (z *zone) line(timed bool) line {
	units, repeated := z.units, z.most > 1
	if len(units) > maxUnits {
		var flat zone
		for i := range units {
			flat.add(units[i].leaves()...)
		}
		units, repeated = flat.units, true
	}
	for i := range units {
		u := &units[i]
		u.repeated = u.repeated && u.parts != nil
		repeated = repeated || u.most > 1
		u.counter, u.most = nil, 1
		if !timed {
			u.before = -1
		}
	}
	g := newGroupLine(units, repeated, 1)
	g.choice, g.optional = true, true
	return g
}

func (l *line) leaves() (out []line) {
	if l.parts == nil {
		return []line{*l}
	}
	for i := range l.parts {
		out = append(out, l.parts[i].leaves()...)
	}
	return out
}

// kinds returns a text that names the messages of a line. Lines with equal texts can be joined.
func (l *line) kinds() string {
	if l.parts == nil {
		code := ""
		if len(l.where) > 0 && strings.HasPrefix(l.where[0], "code == ") {
			code = l.where[0]
		}
		return fmt.Sprintf("%s|%d|%s;", l.head, l.direction, code)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%v%v(", l.repeated, l.mixed)
	for i := range l.parts {
		b.WriteString(l.parts[i].kinds())
	}
	return b.String() + ")"
}

// join changes a line so that it also matches another line with the same kinds of messages.
func (l *line) join(o *line) {
	l.where = slices.DeleteFunc(slices.Clone(l.where), func(w string) bool { return !slices.Contains(o.where, w) })
	l.save = slices.Clone(l.save)
	for _, s := range o.save {
		if !slices.Contains(l.save, s) {
			l.save = append(l.save, s)
		}
	}
	l.repeated = l.repeated || o.repeated
	limited := l.before >= 0 && o.before >= 0
	l.extent.widen(&o.extent)
	if !limited {
		l.before = -1
	}
	for i := range l.parts {
		l.parts[i].join(&o.parts[i])
	}
	l.setKey()
}
