package expect

import (
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

type loader struct {
	*source
	schema       *filter.Schema
	expectation  *Expectation
	bindings     []filter.Binding
	ids          map[string]*Step // all steps with an id
	later        []later
	parallel     []map[string]int // for each enclosing any_order: which part saves a name; -1: several parts
	parallelPart []int            // for each enclosing any_order: which part is being loaded
	repeating    bool             // a step with repeat has occurred
	depth        int
}

// filter loads a filter, or several filters that must all be true. If the node is nil, it returns nil.
func (l *loader) filter(n ast.Node, scope *filter.Scope) *filter.Filter {
	if n == nil {
		return nil
	}
	compile := func(n ast.Node, text string) *filter.Filter {
		f, err := l.schema.Compile(text, scope)
		if err != nil {
			l.failFilter(n, err)
		}
		return f
	}
	var all []string
	var f *filter.Filter
	for _, part := range oneOrMany(n) {
		text := l.text(part, "a filter")
		f = compile(part, text)
		all = append(all, "("+text+")")
	}
	switch len(all) {
	case 0:
		l.fail(n, "the list of filters is empty")
	case 1:
		return f
	}
	return compile(n, strings.Join(all, " && "))
}

// sides are the values of "from".
var sides = map[string]wire.Direction{"client": wire.ToServer, "server": wire.FromServer, "peer": wire.PeerToPeer}

const anyMessage = "any"

var isName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (l *loader) slot(name string, f *filter.Field) int {
	slot := slices.Index(l.expectation.names, name)
	if slot < 0 {
		slot = len(l.expectation.names)
		l.expectation.names = append(l.expectation.names, name)
		l.bindings = append(l.bindings, filter.Binding{Name: name, Field: f})
	}
	return slot
}

// later is a reference to a step that comes later in the file.
type later struct {
	node ast.Node
	name string
	item *item
}

// some returns the elements of a list, and fails if there are too many. If the node is not a list, some returns the
// node itself.
func (l *loader) some(n ast.Node, what string) []ast.Node {
	list := oneOrMany(n)
	if len(list) > maxList {
		l.fail(list[maxList], "%s: more than %d elements", what, maxList)
	}
	return list
}
