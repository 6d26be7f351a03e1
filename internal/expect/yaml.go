package expect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/gamedissect/gamedissect/internal/filter"
)

// tooDeepLine returns the number of a line that is nested deeper than maxNesting, or 0 if there is none. It also counts
// brackets in quotes, which does not matter in practice.
func tooDeepLine(lines []string) int {
	open := 0
	for i, line := range lines {
		dashes := 0
		for at := 0; at < len(line); at++ {
			switch line[at] {
			case '[', '{':
				open++
			case ']', '}':
				open = max(open-1, 0)
			case '-':
				dashes++
			}
			if open > maxNesting || dashes > maxNesting {
				return i + 1
			}
		}
	}
	return 0
}

// mapping returns the values of a mapping. If known keys are given, other keys are errors.
func (s *source) mapping(n ast.Node, what string, known ...string) map[string]ast.Node {
	var pairs []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		pairs = n.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{n}
	default:
		of := ""
		if len(known) > 0 {
			of = " of " + strings.Join(known, ", ")
		}
		s.fail(n, "%s is a mapping%s, not %s", what, of, nodeText(n))
	}
	values := make(map[string]ast.Node)
	for _, pair := range pairs {
		key := pair.Key.GetToken().Value
		if len(known) > 0 && !slices.Contains(known, key) {
			s.fail(pair.Key, "%s has no key %q%s", what, key, suggestion(key, known))
		}
		if _, twice := values[key]; twice {
			s.fail(pair.Key, "the key %q occurs twice", key)
		}
		if pair.Value == nil || pair.Value.Type() == ast.NullType {
			s.fail(pair.Key, "%q needs a value", key)
		}
		values[key] = pair.Value
	}
	return values
}

// suggestion returns a question that proposes a similar known name. If no name is similar, it lists the known names.
func suggestion(name string, known []string) string {
	meant := filter.DidYouMean(filter.Nearest(name, known))
	if meant == "" && 0 < len(known) && len(known) <= 16 {
		return " (there are " + strings.Join(known, ", ") + ")"
	}
	return meant
}

func nodeText(n ast.Node) string {
	switch n.Type() {
	case ast.MappingType, ast.MappingValueType:
		return "a mapping"
	case ast.SequenceType:
		return "a list"
	case ast.IntegerType, ast.FloatType:
		return "the number " + n.GetToken().Value
	case ast.BoolType:
		return n.GetToken().Value
	case ast.NullType:
		return "nothing"
	case ast.TagType:
		return "a tag (put a value that begins with ! in quotes)"
	}
	return "a text"
}

func (s *source) text(n ast.Node, what string) string {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value
	case *ast.LiteralNode:
		return strings.TrimSpace(n.Value.Value)
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value
	}
	s.fail(n, "%s is a text, not %s", what, nodeText(n))
	return ""
}

func (s *source) choice(n ast.Node, what string, words ...string) string {
	text := s.text(n, what)
	if !slices.Contains(words, text) {
		s.fail(n, "%s: %q is not one of %s", what, text, strings.Join(words, ", "))
	}
	return text
}

func (s *source) list(n ast.Node, what string) []ast.Node {
	l, ok := n.(*ast.SequenceNode)
	if !ok {
		s.fail(n, "%s is a list, not %s", what, nodeText(n))
	}
	if len(l.Values) == 0 {
		s.fail(n, "%s is empty", what)
	}
	return l.Values
}

// oneOrMany returns the elements of a list. If the node is not a list, it returns the node itself.
func oneOrMany(n ast.Node) []ast.Node {
	if l, ok := n.(*ast.SequenceNode); ok {
		return l.Values
	}
	return []ast.Node{n}
}

func (s *source) boolean(n ast.Node, what string) bool {
	b, ok := n.(*ast.BoolNode)
	if !ok {
		s.fail(n, "%s is true or false, not %s", what, nodeText(n))
	}
	return b.Value
}

// A Range is a number of messages or groups, from Least to Most. If there is no limit, Most is Any.
type Range struct{ Least, Most int }

// Any as Most means that a Range has no upper limit.
const Any = -1

// Holds reports whether a number is in the range.
func (r Range) Holds(n int) bool { return n >= r.Least && (r.Most == Any || n <= r.Most) }

func (r Range) String() string {
	switch r.Most {
	case Any:
		return fmt.Sprintf("%d..", r.Least)
	case r.Least:
		return strconv.Itoa(r.Least)
	}
	return fmt.Sprintf("%d..%d", r.Least, r.Most)
}

// maxCount limits counts, because each round of a repeat may need memory.
const maxCount = 100_000

// readRange parses "3", "1..3" or "2..".
func readRange(text string) (r Range, ok bool) {
	low, high, two := strings.Cut(text, "..")
	n, err := strconv.ParseUint(low, 10, 31)
	if err != nil || n > maxCount {
		return r, false
	}
	r = Range{int(n), int(n)}
	switch {
	case !two:
		return r, true
	case high == "":
		r.Most = Any
		return r, true
	}
	m, err := strconv.ParseUint(high, 10, 31)
	r.Most = int(m)
	return r, err == nil && m <= maxCount && r.Most >= r.Least
}

func (s *source) count(n ast.Node, what string) Range {
	text := s.text(n, what)
	r, ok := readRange(text)
	if !ok {
		s.fail(n, "%s: %q is not a number; write 3, 1..3 or 2.. (up to %d)", what, text, maxCount)
	}
	return r
}

// moment parses "2s" or "2s of STEP".
func (s *source) moment(n ast.Node, what string) (d time.Duration, of string) {
	text := s.text(n, what)
	span, of, named := strings.Cut(text, " of ")
	d, bad := time.ParseDuration(strings.TrimSpace(span))
	of = strings.TrimSpace(of)
	switch {
	case bad != nil || d < 0:
		s.fail(n, "%s: %q is not a duration; write 100ms, 1.5s, 2m or 2s of STEP", what, text)
	case named && of == "":
		s.fail(n, "%s: the name of a step must follow \"of\"", what)
	}
	return d, of
}
