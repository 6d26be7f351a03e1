package expect

import (
	"maps"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// A firstMessage is the first message of a group, as far as it tells what the group is about.
type firstMessage struct {
	kind      *wire.MessageType
	direction wire.Direction
	fields    []string // paths of those that it has
}

func firstMessageOf(x *filter.Subject) firstMessage {
	b := firstMessage{kind: x.Message.Layer.Core().Message, direction: x.Message.Direction}
	eachField(x.Message.Tree(), func(n *wire.Node, path string) {
		if !n.Composite() {
			b.fields = append(b.fields, path)
		}
	})
	return b
}

// A start is what groups that begin alike have in common.
type start struct {
	protocol  *wire.Protocol
	message   string
	direction wire.Direction
}

func (t *recording) start() start { return start{t.protocol, t.begins.kind.Name, t.begins.direction} }

// A class is the groups that begin alike. Each of them has to do what one of them did.
type class struct {
	start
	begins    string // a filter that is true of the first message of each
	variants  []*writtenExpectation
	byKey     map[string]*writtenExpectation
	groups    int
	again     bool // what they do may come again and again: they are no connections
	empty     bool // some had nothing but messages that come at any time
	truncated bool // of some there was more than is recorded
}

// classes sorts what was recorded by how it begins. A first message that has what answers give back, such as a key, is
// of another class than one of its kind that has not.
func (r *Recorder) classes() []*class {
	scripts := make([]*writtenExpectation, len(r.ordered))
	named := make(startFields) // those that other messages give back
	for i, t := range r.ordered {
		if scripts[i] = r.expectationOf(t); scripts[i] == nil {
			continue
		}
		for _, path := range scripts[i].firstSaved() {
			named.add(t, path)
		}
	}
	telling := make(startFields) // those of them that some lack
	for _, t := range r.ordered {
		for path := range named[t.start()] {
			if !slices.Contains(t.begins.fields, path) {
				telling.add(t, path)
			}
		}
	}
	var list []*class
	known := make(map[string]*class)
	for i, t := range r.ordered {
		begins := t.beginsLike(slices.Sorted(maps.Keys(telling[t.start()])))
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

// startFields are fields of first messages.
type startFields map[start]map[string]bool

func (f startFields) add(t *recording, path string) {
	if f[t.start()] == nil {
		f[t.start()] = make(map[string]bool)
	}
	f[t.start()][path] = true
}

// firstSaved lists the fields of the first step that other steps name.
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

// beginsLike is a filter for messages like the first one of a group, with those of some fields that it has.
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

// add adds a group. What differs from another one only in times, and in how often something came, is one with it.
func (c *class) add(t *recording, s *writtenExpectation) {
	c.groups++
	c.truncated = c.truncated || t.truncated
	c.again = c.again && !t.connection
	switch {
	case s == nil:
		c.empty = true
	case c.byKey[s.key] != nil:
		c.byKey[s.key].count++
		widenAll(c.byKey[s.key].lines, s.lines)
	default:
		c.byKey[s.key] = s
		c.variants = append(c.variants, s)
	}
}
