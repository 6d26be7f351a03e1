package expect

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"

	"github.com/gamedissect/gamedissect/internal/filter"
)

// Load loads a file of expectations: YAML, one document for each. The error is an *Error.
func Load(name string, text []byte, schema *filter.Schema) ([]*Expectation, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // editors of Windows begin a text with this
	s := newSource(name, text)
	if err := s.failNoText(text); err != nil {
		return nil, err
	}
	if len(text) > MaxFile {
		reason := fmt.Sprintf("a file of expectations has %d bytes at most, this has more", MaxFile)
		return nil, &Error{File: name, Reason: reason}
	}
	if line := tooDeepLine(s.lines); line > 0 {
		return nil, s.at(line, 1, fmt.Sprintf("lists and mappings stand in each other deeper than %d", maxNesting))
	}
	tokens := lexer.Tokenize(string(text))
	if err := s.failNesting(tokens); err != nil {
		return nil, err
	}
	file, err := parser.Parse(tokens, 0)
	if err != nil {
		return nil, s.failSyntax(err)
	}
	var list []*Expectation
	for _, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.NullType || doc.Body.Type() == ast.CommentType {
			continue
		}
		l := &loader{source: s, schema: schema}
		e, err := l.load(doc.Body)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	if len(list) == 0 {
		return nil, &Error{File: name, Reason: "there is no expectation in this file"}
	}
	return list, nil
}

var keysOfExpectation = []string{
	"name", "protocol", "filter", "per", "begins", "having", "fulfilled", "mode", "sequence", "bounds",
}

// load loads the expectation of a document.
func (l *loader) load(n ast.Node) (*Expectation, error) {
	keys, err := l.mapping(n, "an expectation", keysOfExpectation...)
	if err != nil {
		return nil, err
	}
	line, _ := position(n)
	l.expectation = &Expectation{
		File: l.name, Line: line, per: perConversation, mode: modeLoose, fulfilled: Range{Any, Any},
	}
	l.ids = make(map[string]*Step)
	if keys["name"] == nil {
		return nil, l.fail(n, "the expectation has no name")
	}
	if l.expectation.Name, err = l.text(keys["name"], "name"); err != nil {
		return nil, err
	}
	if err := l.target(keys); err != nil {
		return nil, err
	}
	if keys["sequence"] == nil && keys["bounds"] == nil {
		return nil, l.fail(n, "the expectation expects nothing: it has neither a sequence nor bounds")
	}
	if n := keys["sequence"]; n != nil {
		if err := l.sequence(n); err != nil {
			return nil, err
		}
	}
	if n := keys["bounds"]; n != nil {
		if err := l.bounds(n); err != nil {
			return nil, err
		}
	}
	return l.expectation, nil
}

// sequence loads the sequence of an expectation.
func (l *loader) sequence(n ast.Node) (err error) {
	e := l.expectation
	if e.protocol == nil {
		return l.fail(n, "say whose messages the steps name: protocol is missing")
	}
	if e.sequence, err = l.items(n, "sequence", inOrder); err != nil {
		return err
	}
	if err := l.resolve(); err != nil {
		return err
	}
	if e.sequence.nullable() && len(e.steps) == 0 && !hasNever(e.sequence) {
		return l.fail(n, "the sequence expects nothing")
	}
	return nil
}

func hasNever(i *item) bool { return i.kind == never || slices.ContainsFunc(i.parts, hasNever) }

// target loads which messages the expectation is about.
func (l *loader) target(keys map[string]ast.Node) (err error) {
	e := l.expectation
	if n := keys["protocol"]; n != nil {
		name, err := l.text(n, "protocol")
		if err != nil {
			return err
		}
		if e.protocol, err = l.schema.Protocol(name); err != nil {
			return l.fail(n, "%v", err)
		}
	}
	for _, f := range []struct {
		key string
		to  **filter.Filter
	}{{"filter", &e.filter}, {"begins", &e.begins}, {"having", &e.having}} {
		if *f.to, err = l.filter(keys[f.key], nil); err != nil {
			return err
		}
	}
	if n := keys["per"]; n != nil {
		if e.per, err = l.choice(n, "per", perConversation, perClient, perServer, perCapture); err != nil {
			return err
		}
	}
	if n := keys["mode"]; n != nil {
		if e.mode, err = l.choice(n, "mode", modeLoose, modeOrdered, modeStrict, modeOpen); err != nil {
			return err
		}
	}
	if n := keys["fulfilled"]; n != nil {
		switch text, _ := l.text(n, "fulfilled"); text {
		case "all":
		case "some":
			e.fulfilled = Range{1, Any}
		default:
			if e.fulfilled, err = l.count(n, "fulfilled (all, some or a number)"); err != nil {
				return err
			}
		}
	}
	return nil
}

const maxDepth = 50

// items loads a list of steps.
func (l *loader) items(n ast.Node, what string, kind itemKind) (*item, error) {
	if l.depth++; l.depth > maxDepth {
		return nil, l.fail(n, "steps stand in steps deeper than %d", maxDepth)
	}
	defer func() { l.depth-- }()
	nodes, err := l.list(n, what)
	if err != nil {
		return nil, err
	}
	if kind == anyOrder {
		l.openParallel(nodes)
		defer l.closeParallel()
	}
	whole := &item{kind: kind}
	for at, node := range nodes {
		if kind == anyOrder {
			l.parallelPart[len(l.parallelPart)-1] = at
		}
		i, err := l.item(node)
		if err != nil {
			return nil, err
		}
		if last := len(whole.parts) - 1; kind == inOrder && last >= 0 && whole.parts[last].kind == rest {
			return nil, l.fail(node, "behind rest nothing is looked at")
		}
		switch {
		case i.kind == rest && l.depth > 1:
			return nil, l.fail(node, "rest stands at the end of the whole sequence")
		case i.kind == never && (kind != inOrder || len(l.parallel) > 0):
			return nil, l.fail(node, "never stands in a sequence, and not beside other steps in any_order")
		}
		if kind == inOrder {
			i.stand(at)
		}
		whole.parts = append(whole.parts, i)
	}
	return whole, nil
}

// stand sets the index in its sequence of an item's step.
func (i *item) stand(at int) {
	for i.kind == repeat {
		i = i.parts[0]
	}
	if i.step != nil {
		i.step.place = at
	}
}

var (
	kindsOfItem  = []string{"expect", "never", "any_order", "one_of", "sequence", "rest"}
	keysOfExpect = []string{"from", "id", "where", "within", "after", "save", "repeat", "optional"}
)

// itemKinds are the kinds that contain further steps.
var itemKinds = map[string]itemKind{"any_order": anyOrder, "one_of": oneOf, "sequence": inOrder}

// item loads a step of any kind.
func (l *loader) item(n ast.Node) (*item, error) {
	keys, err := l.mapping(n, "a step", append(slices.Clone(kindsOfItem), append(keysOfExpect, "until")...)...)
	if err != nil {
		return nil, err
	}
	var kind string
	for _, k := range kindsOfItem {
		if keys[k] == nil {
			continue
		}
		if kind != "" {
			return nil, l.fail(n, "a step is either %s or %s", kind, k)
		}
		kind = k
	}
	if kind == "" {
		return nil, l.fail(n, "a step is one of %s; this has none of them", strings.Join(kindsOfItem, ", "))
	}
	allowed := map[string][]string{
		"expect": keysOfExpect, "never": {"from", "where", "until"}, "any_order": {"repeat", "optional"},
		"one_of": {"repeat", "optional"}, "sequence": {"repeat", "optional"},
	}[kind]
	for k := range keys {
		if k != kind && !slices.Contains(allowed, k) {
			return nil, l.fail(keys[k], "%s does not go with %s", k, kind)
		}
	}
	var i *item
	switch kind {
	case "expect":
		i, err = l.expect(keys)
	case "never":
		return l.never(keys)
	case "rest":
		_, err := l.choice(keys[kind], kind, "anything")
		return &item{kind: rest}, err
	default:
		l.repeating = l.repeating || keys["repeat"] != nil
		i, err = l.items(keys[kind], kind, itemKinds[kind])
	}
	if err != nil {
		return nil, err
	}
	return l.repeated(i, keys)
}

// repeated wraps an item that may come several times, or not at all.
func (l *loader) repeated(i *item, keys map[string]ast.Node) (*item, error) {
	times := Range{1, 1}
	var err error
	if n := keys["repeat"]; n != nil {
		if times, err = l.count(n, "repeat"); err != nil {
			return nil, err
		}
		if times.Most == 0 {
			return nil, l.fail(n, "what comes 0 times does not come; never says so")
		}
		if i.nullable() {
			return nil, l.fail(n, "what is repeated may be without a message, so it could be repeated for ever")
		}
	}
	if n := keys["optional"]; n != nil {
		is, err := l.boolean(n, "optional")
		if err != nil {
			return nil, err
		}
		if is && i.nullable() {
			return nil, l.fail(n, "each part of this is optional already")
		}
		if is {
			if times == (Range{1, 1}) {
				times.Least = 0
			} else if times.Least > 0 {
				return &item{kind: repeat, times: Range{0, 1}, parts: []*item{{kind: repeat, times: times, parts: []*item{i}}}}, nil
			}
		}
	}
	if times == (Range{1, 1}) {
		return i, nil
	}
	return &item{kind: repeat, times: times, parts: []*item{i}}, nil
}

// failNoText returns an error if the file is not a text: a capture, or a file with control characters.
func (s *source) failNoText(text []byte) error {
	if len(text) > MaxFile { // it was cut, perhaps inside a character
		text = text[:MaxFile]
		for range utf8.UTFMax - 1 {
			if r, size := utf8.DecodeLastRune(text); r == utf8.RuneError && size == 1 {
				text = text[:len(text)-1]
			}
		}
	}
	if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		return &Error{File: s.name, Reason: "this is no text; files of expectations are YAML, and captures are named with -r"}
	}
	for i, line := range s.lines {
		column := 0
		for _, r := range line {
			if column++; r < ' ' && r != '\t' && r != '\r' || r == 0x7f {
				return s.at(i+1, column, "this character stands in no text")
			}
		}
	}
	return nil
}

// failSyntax returns the error of invalid YAML.
func (s *source) failSyntax(err error) *Error {
	var bad yaml.Error
	if errors.As(err, &bad) && bad.GetToken() != nil && bad.GetToken().Position != nil {
		p := bad.GetToken().Position
		e := s.at(p.Line, p.Column, "this is no YAML: "+bad.GetMessage())
		if strings.Contains(e.Source, ": !") || strings.Contains(e.Source, "- !") {
			e.Reason += "; a value that begins with ! has to stand in quotes"
		}
		return e
	}
	return &Error{File: s.name, Reason: err.Error()}
}
