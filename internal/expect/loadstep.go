package expect

import (
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/gamedissect/gamedissect/internal/filter"
)

// messagePattern loads the keys that both expect and never may have.
func (l *loader) messagePattern(keys map[string]ast.Node, kind string) (*Step, *filter.Scope) {
	n := keys[kind]
	name := l.text(n, kind)
	line, _ := position(n)
	st := &Step{Line: line, mark: -1}
	scope := &filter.Scope{Prefix: l.expectation.protocol.Name + ".", Bindings: slices.Clip(l.bindings)}
	if name != anyMessage {
		_, m, err := l.schema.Message(l.expectation.protocol.Name, name)
		if err != nil {
			l.fail(n, "%v", err)
		}
		st.Message = m.Name
		scope.Prefix = filter.MessagePath(l.expectation.protocol, m) + "."
	}
	st.Text = kind + " " + name
	if n := keys["from"]; n != nil {
		side := l.choice(n, "from", "client", "server", "peer")
		st.directed, st.direction = true, sides[side]
		st.Text += " from " + side
	}
	if where := l.filter(keys["where"], scope); where != nil {
		for _, f := range where.Conditions() {
			c := condition{Filter: f}
			if field, slot, echo := f.Echo(); echo {
				c.field, c.slot = field, slot
				c.early = l.savedInParallel(l.expectation.names[c.slot])
			}
			st.where = append(st.where, c)
		}
	}
	return st, scope
}

func (l *loader) expect(keys map[string]ast.Node) *item {
	st, scope := l.messagePattern(keys, "expect")
	st.within = l.limit(keys["within"], "within", st)
	st.after = l.limit(keys["after"], "after", st)
	if n := keys["within"]; n != nil && len(l.expectation.steps) == 0 && !l.repeating && keys["repeat"] == nil {
		l.fail(n, "within counts from the previous step, but this is the first")
	}
	if st.within.set && st.after.set && st.within.mark == st.after.mark && st.after.time > st.within.time {
		l.fail(keys["after"], "the limits contradict each other: after %s, but within %s", st.after.time, st.within.time)
	}
	if n := keys["save"]; n != nil {
		l.save(n, st, scope)
	}
	if n := keys["id"]; n != nil {
		l.stepID(n, st)
	}
	if len(l.expectation.steps) >= maxSteps {
		l.fail(keys["expect"], "more than %d steps; divide them among several expectations", maxSteps)
	}
	l.expectation.steps = append(l.expectation.steps, st)
	return &item{kind: single, step: st}
}

func (l *loader) stepID(n ast.Node, st *Step) {
	st.Name = l.text(n, "id")
	if !isName.MatchString(st.Name) {
		l.fail(n, "id: %q is not a name; use letters, digits and _", st.Name)
	}
	if l.ids[st.Name] != nil {
		l.fail(n, "two steps have the id %q", st.Name)
	}
	st.mark = l.expectation.marks
	l.expectation.marks++
	l.ids[st.Name] = st
}

// limit loads a limit on the time since the previous step or a named step.
func (l *loader) limit(n ast.Node, what string, st *Step) limit {
	if n == nil {
		return limit{}
	}
	d, of := l.moment(n, what)
	x := limit{set: true, time: d, mark: -1}
	st.Text += " " + what + " " + d.String()
	if of == "" {
		return x
	}
	from := l.ids[of]
	if from == nil {
		known := slices.Sorted(maps.Keys(l.ids))
		l.fail(n, "%s: no step before this one has the id %q%s", what, of, suggestion(of, known))
	}
	st.Text += " of " + of
	x.mark = from.mark
	return x
}

// save loads the values to save. They are either names with fields, or fields alone, whose last part then becomes the
// name.
func (l *loader) save(n ast.Node, st *Step, scope *filter.Scope) {
	if n.Type() != ast.MappingType && n.Type() != ast.MappingValueType {
		for _, node := range oneOrMany(n) {
			path := l.text(node, "save")
			l.saveOne(node, node, path[strings.LastIndexByte(path, '.')+1:], path, st, scope)
		}
		return
	}
	keys := l.mapping(n, "save")
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		l.saveOne(n, keys[name], name, l.text(keys[name], "save"), st, scope)
	}
}

// saveOne loads a value to save. n is the name's node, and value is the field's node.
func (l *loader) saveOne(n, value ast.Node, name, path string, st *Step, scope *filter.Scope) {
	if !isName.MatchString(name) {
		l.fail(n, "save: %q is not a name; use letters, digits and _", name)
	}
	f, err := l.schema.Resolve(path, scope)
	if err != nil {
		l.fail(value, "%v", err)
	}
	if len(st.save) >= maxList {
		l.fail(value, "save: more than %d values of a step", maxList)
	}
	if len(l.expectation.names) >= maxNames && !slices.Contains(l.expectation.names, name) {
		l.fail(value, "save: more than %d names in an expectation", maxNames)
	}
	st.save = append(st.save, saving{f, l.slot(name, f)})
}

// openParallel declares the names that the parts of an any_order save, so that each part may use names from the others.
// It ignores errors, because loading the parts reports them.
func (l *loader) openParallel(parts []ast.Node) {
	saved := make(map[string]int)
	for at, n := range parts {
		l.declare(n, func(name string) {
			if other, twice := saved[name]; twice && other != at {
				at = -1
			}
			saved[name] = at
		})
	}
	l.parallel, l.parallelPart = append(l.parallel, saved), append(l.parallelPart, 0)
}

// closeParallel ends the scope that openParallel began.
func (l *loader) closeParallel() {
	l.parallel, l.parallelPart = l.parallel[:len(l.parallel)-1], l.parallelPart[:len(l.parallelPart)-1]
}

// savedInParallel reports whether another part of an enclosing any_order saves a name.
func (l *loader) savedInParallel(name string) bool {
	for i, saved := range l.parallel {
		if at, ok := saved[name]; ok && at != l.parallelPart[i] {
			return true
		}
	}
	return false
}

// declare calls found for each name that the steps below a node save. It skips invalid steps.
func (l *loader) declare(n ast.Node, found func(name string)) {
	if list, ok := n.(*ast.SequenceNode); ok {
		for _, node := range list.Values {
			l.declare(node, found)
		}
		return
	}
	var keys map[string]ast.Node
	if catch(func() { keys = l.mapping(n, "a step") }) != nil {
		return
	}
	for _, kind := range []string{"any_order", "one_of", "sequence"} {
		if keys[kind] != nil {
			l.declare(keys[kind], found)
		}
	}
	if keys["expect"] == nil || keys["save"] == nil {
		return
	}
	st := &Step{}
	wrong := catch(func() {
		_, scope := l.messagePattern(map[string]ast.Node{"expect": keys["expect"]}, "expect")
		l.save(keys["save"], st, scope)
	})
	if wrong == nil {
		for _, s := range st.save {
			found(l.expectation.names[s.slot])
		}
	}
}

// never loads a step that forbids a message.
func (l *loader) never(keys map[string]ast.Node) *item {
	st, _ := l.messagePattern(keys, "never")
	i := &item{kind: never, step: st}
	if n := keys["until"]; n != nil {
		name := l.text(n, "until")
		if l.ids[name] != nil {
			l.fail(n, "until: the step %q comes before this step", name)
		}
		st.Text += " until " + name
		l.later = append(l.later, later{n, name, i})
	}
	return i
}

// resolve resolves the references to later steps.
func (l *loader) resolve() {
	for _, x := range l.later {
		if x.item.until = l.ids[x.name]; x.item.until == nil {
			l.fail(x.node, "until: no step has the id %q", x.name)
		}
	}
}
