package expect

import (
	"maps"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// A start identifies the first message of a group by protocol, name and direction.
type start struct {
	protocol  *wire.Protocol
	message   string
	direction wire.Direction
}

func (t *recording) start() start { return start{t.protocol, t.begins.kind.Name, t.begins.direction} }

// A class is a set of groups whose first messages are alike. The expectation for a class is that each group does what
// one of the recorded groups did.
type class struct {
	start
	begins    string // filter for the first message of each group
	variants  []*writtenExpectation
	byKey     map[string]*writtenExpectation
	groups    int
	again     bool // the sequence may repeat, because no group is a connection
	empty     bool // some groups have only messages that come at any time
	truncated bool // some groups have more messages than the recording
}

// classes sorts the recordings into classes by their first messages. If answers repeat a field of the first message,
// such as a key, first messages with and without the field belong to different classes.
func (r *Recorder) classes() []*class {
	scripts := make([]*writtenExpectation, len(r.ordered))
	named := make(startFields) // fields of the first message whose values later messages repeat
	for i, t := range r.ordered {
		if scripts[i] = r.expectationOf(t); scripts[i] == nil {
			continue
		}
		for _, path := range scripts[i].firstSaved() {
			named.add(t, path)
		}
	}
	distinctive := make(startFields) // fields that only some first messages have
	for _, t := range r.ordered {
		for path := range named[t.start()] {
			if len(r.files) > 1 || !slices.Contains(t.begins.fields, path) {
				distinctive.add(t, path)
			}
		}
	}
	var list []*class
	known := make(map[string]*class)
	for i, t := range r.ordered {
		begins := t.beginsLike(slices.Sorted(maps.Keys(distinctive[t.start()])))
		c := known[begins]
		if c == nil {
			c = &class{start: t.start(), begins: begins, again: !t.connection, byKey: make(map[string]*writtenExpectation)}
			known[begins] = c
			list = append(list, c)
		}
		c.add(t, scripts[i])
	}
	return list
}

type startFields map[start]map[string]bool

func (f startFields) add(t *recording, path string) {
	if f[t.start()] == nil {
		f[t.start()] = make(map[string]bool)
	}
	f[t.start()][path] = true
}

// firstSaved lists those fields of the first step whose values other steps use.
func (s *writtenExpectation) firstSaved() (paths []string) {
	l := &s.lines[0]
	for len(l.parts) > 0 {
		l = &l.parts[0]
	}
	for _, saved := range l.save {
		_, path, _ := strings.Cut(saved, ": ")
		paths = append(paths, path)
	}
	return paths
}

// beginsLike returns a filter for messages like a recording's first message: messages with the same type and direction,
// and with the same fields out of the given ones.
func (t *recording) beginsLike(fields []string) string {
	kind, way := t.begins.kind, t.begins.direction
	path := filter.MessagePath(t.protocol, kind)
	list := []string{path}
	if way != wire.Unknown && slices.ContainsFunc(t.protocol.Messages.All(), func(m *wire.MessageType) bool {
		return m.Name == kind.Name && m.Direction != way
	}) {
		list = append(list, "direction == "+way.String())
	}
	for _, name := range fields {
		if slices.Contains(t.begins.fields, name) {
			list = append(list, path+"."+name)
		} else {
			list = append(list, "!"+path+"."+name)
		}
	}
	return strings.Join(list, " && ")
}

// add adds a group. Groups that differ only in times and repetitions become one variant.
func (c *class) add(t *recording, s *writtenExpectation) {
	c.groups++
	c.truncated = c.truncated || t.truncated
	c.again = c.again && !t.connection
	switch {
	case s == nil:
		c.empty = true
	case c.byKey[s.key] != nil:
		c.byKey[s.key].count++
		c.byKey[s.key].same = append(c.byKey[s.key].same, t)
		widenAll(c.byKey[s.key].lines, s.lines)
	default:
		c.byKey[s.key] = s
		c.variants = append(c.variants, s)
	}
}
