package expect

import (
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// A loader loads one expectation.
type loader struct {
	*source
	schema       *filter.Schema
	expectation  *Expectation
	bindings     []filter.Binding
	ids          map[string]*Step // of all steps, by name
	later        []later
	parallel     []map[string]int // for each open any_order: the part that saves a name, -1 for several
	parallelPart []int            // for each open any_order: the part being loaded
	repeating    bool             // there was a repeat
	depth        int
}

// filter loads a filter, or several that all have to be true.
func (l *loader) filter(n ast.Node, scope *filter.Scope) (*filter.Filter, error) {
	if n == nil {
		return nil, nil //nolint:nilnil // no filter is a filter
	}
	var all []string
	for _, part := range oneOrMany(n) {
		text, err := l.text(part, "a filter")
		if err != nil {
			return nil, err
		}
		f, err := l.schema.Compile(text, scope)
		if err != nil {
			return nil, l.failFilter(part, err)
		}
		if len(oneOrMany(n)) == 1 {
			return f, nil
		}
		all = append(all, "("+text+")")
	}
	if len(all) == 0 {
		return nil, l.fail(n, "the list of filters is empty")
	}
	f, err := l.schema.Compile(strings.Join(all, " && "), scope)
	if err != nil {
		return nil, l.failFilter(n, err)
	}
	return f, nil
}

// Directions of "from".
var sides = map[string]wire.Direction{"client": wire.ToServer, "server": wire.FromServer, "peer": wire.PeerToPeer}

// anyMessage stands for messages of all types.
const anyMessage = "any"

var isName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// slot returns the index of a saved name.
func (l *loader) slot(name string, f *filter.Field) int {
	slot := slices.Index(l.expectation.names, name)
	if slot < 0 {
		slot = len(l.expectation.names)
		l.expectation.names = append(l.expectation.names, name)
		l.bindings = append(l.bindings, filter.Binding{Name: name, Field: f})
	}
	return slot
}

// later is a reference to a step further down.
type later struct {
	node ast.Node
	name string
	item *item
}

// fewEnough returns an error for a list that is too long.
func (l *loader) fewEnough(n ast.Node, what string) error {
	if list := oneOrMany(n); len(list) > maxList {
		return l.fail(list[maxList], "%s: more than %d of them", what, maxList)
	}
	return nil
}
