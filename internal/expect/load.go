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

// Load loads a file of expectations. The file is YAML with one document per expectation. The error is an *Error.
func Load(name string, text []byte, schema *filter.Schema) (list []*Expectation, err error) {
	err = catch(func() { list = load(name, text, schema) })
	return list, err
}

// load does the work of Load, but panics with the *Error.
func load(name string, text []byte, schema *filter.Schema) (list []*Expectation) {
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // the byte order mark that Windows editors write
	s := newSource(name, text)
	s.checkText(text)
	if len(text) > MaxFile {
		reason := fmt.Sprintf("the file is too large; a file of expectations has at most %d bytes", MaxFile)
		panic(&Error{File: name, Reason: reason})
	}
	if line := tooDeepLine(s.lines); line > 0 {
		panic(s.at(line, 1, fmt.Sprintf(tooDeep, maxNesting)))
	}
	tokens := lexer.Tokenize(string(text))
	s.checkNesting(tokens)
	file, err := parser.Parse(tokens, 0)
	if err != nil {
		panic(s.syntaxError(err))
	}
	for _, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.NullType || doc.Body.Type() == ast.CommentType {
			continue
		}
		l := &loader{source: s, schema: schema, ids: make(map[string]*Step)}
		list = append(list, l.load(doc.Body))
	}
	if len(list) == 0 {
		panic(&Error{File: name, Reason: "there is no expectation in this file"})
	}
	return list
}

var keysOfExpectation = []string{
	"name", "protocol", "filter", "per", "begins", "having", "fulfilled", "mode", "sequence", "bounds",
}

func (l *loader) load(n ast.Node) *Expectation {
	keys := l.mapping(n, "an expectation", keysOfExpectation...)
	line, _ := position(n)
	l.expectation = &Expectation{
		File: l.name, Line: line, per: perConversation, mode: modeLoose, fulfilled: Range{Any, Any},
	}
	if keys["name"] == nil {
		l.fail(n, "the expectation has no name")
	}
	l.expectation.Name = l.text(keys["name"], "name")
	l.target(keys)
	if keys["sequence"] == nil && keys["bounds"] == nil {
		l.fail(n, "the expectation expects nothing: it has neither a sequence nor bounds")
	}
	if n := keys["sequence"]; n != nil {
		l.sequence(n)
	}
	if n := keys["bounds"]; n != nil {
		l.bounds(n)
	}
	return l.expectation
}

func (l *loader) sequence(n ast.Node) {
	e := l.expectation
	if e.protocol == nil {
		l.fail(n, "protocol is missing; the steps name its messages")
	}
	e.sequence = l.items(n, "sequence", inOrder)
	l.resolve()
	if e.sequence.nullable() && len(e.steps) == 0 && !hasNever(e.sequence) {
		l.fail(n, "the sequence expects nothing")
	}
}

func hasNever(i *item) bool { return i.kind == never || slices.ContainsFunc(i.parts, hasNever) }

// target loads the keys that say which messages the expectation is about.
func (l *loader) target(keys map[string]ast.Node) {
	e := l.expectation
	if n := keys["protocol"]; n != nil {
		var err error
		if e.protocol, err = l.schema.Protocol(l.text(n, "protocol")); err != nil {
			l.fail(n, "%v", err)
		}
	}
	e.filter = l.filter(keys["filter"], nil)
	e.begins = l.filter(keys["begins"], nil)
	e.having = l.filter(keys["having"], nil)
	if n := keys["per"]; n != nil {
		e.per = l.choice(n, "per", perConversation, perClient, perServer, perCapture)
	}
	if n := keys["mode"]; n != nil {
		e.mode = l.choice(n, "mode", modeLoose, modeOrdered, modeStrict, modeOpen)
	}
	if n := keys["fulfilled"]; n != nil {
		const what = "fulfilled (all, some or a number)"
		switch l.text(n, what) {
		case "all":
		case "some":
			e.fulfilled = Range{1, Any}
		default:
			e.fulfilled = l.count(n, what)
		}
	}
}

const maxDepth = 50

// items loads a list of steps.
func (l *loader) items(n ast.Node, what string, kind itemKind) *item {
	if l.depth++; l.depth > maxDepth {
		l.fail(n, "steps are nested deeper than %d levels", maxDepth)
	}
	defer func() { l.depth-- }()
	nodes := l.list(n, what)
	if kind == anyOrder {
		l.openParallel(nodes)
		defer l.closeParallel()
	}
	whole := &item{kind: kind}
	for at, node := range nodes {
		if kind == anyOrder {
			l.parallelPart[len(l.parallelPart)-1] = at
		}
		i := l.item(node)
		if last := len(whole.parts) - 1; kind == inOrder && last >= 0 && whole.parts[last].kind == rest {
			l.fail(node, "rest must be the last step")
		}
		switch {
		case i.kind == rest && l.depth > 1:
			l.fail(node, "rest must be at the end of the whole sequence, not inside another step")
		case i.kind == never && (kind != inOrder || len(l.parallel) > 0):
			l.fail(node, "never must be in a sequence, and not inside any_order")
		}
		if kind == inOrder {
			i.setPlace(at)
		}
		whole.parts = append(whole.parts, i)
	}
	return whole
}

// setPlace sets the index in the sequence for the step of an item.
func (i *item) setPlace(at int) {
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

// itemKinds are the kinds of items that contain other steps.
var itemKinds = map[string]itemKind{"any_order": anyOrder, "one_of": oneOf, "sequence": inOrder}

// item loads a step of any kind.
func (l *loader) item(n ast.Node) *item {
	keys := l.mapping(n, "a step", append(slices.Clone(kindsOfItem), append(keysOfExpect, "until")...)...)
	var kind string
	for _, k := range kindsOfItem {
		if keys[k] == nil {
			continue
		}
		if kind != "" {
			l.fail(n, "a step cannot have both %s and %s", kind, k)
		}
		kind = k
	}
	if kind == "" {
		l.fail(n, "a step needs one of the keys %s", strings.Join(kindsOfItem, ", "))
	}
	allowed := map[string][]string{
		"expect": keysOfExpect, "never": {"from", "where", "until"}, "any_order": {"repeat", "optional"},
		"one_of": {"repeat", "optional"}, "sequence": {"repeat", "optional"},
	}[kind]
	for k := range keys {
		if k != kind && !slices.Contains(allowed, k) {
			l.fail(keys[k], "%s cannot be used with %s", k, kind)
		}
	}
	switch kind {
	case "expect":
		return l.repeated(l.expect(keys), keys)
	case "never":
		return l.never(keys)
	case "rest":
		l.choice(keys[kind], kind, "anything")
		return &item{kind: rest}
	}
	l.repeating = l.repeating || keys["repeat"] != nil
	return l.repeated(l.items(keys[kind], kind, itemKinds[kind]), keys)
}

// repeated wraps an item that may come several times or not at all.
func (l *loader) repeated(i *item, keys map[string]ast.Node) *item {
	once := Range{1, 1}
	times, optional := once, false
	if n := keys["repeat"]; n != nil {
		times = l.count(n, "repeat")
		if times.Most == 0 {
			l.fail(n, "a step cannot come 0 times; use never")
		}
		if i.nullable() {
			l.fail(n, "the repeated steps may match no message, so they could repeat forever")
		}
	}
	if n := keys["optional"]; n != nil {
		optional = l.boolean(n, "optional")
		if optional && i.nullable() {
			l.fail(n, "all parts of this step are optional already")
		}
	}
	if times != once {
		i = &item{kind: repeat, times: times, parts: []*item{i}}
	}
	if optional && times.Least > 0 {
		i = &item{kind: repeat, times: Range{0, 1}, parts: []*item{i}}
	}
	return i
}

// checkText fails if the file is not a text, for example if it is a capture or contains control characters.
func (s *source) checkText(text []byte) {
	if len(text) > MaxFile { // truncate the text, perhaps inside a character
		text = text[:MaxFile]
		for range utf8.UTFMax - 1 {
			if r, size := utf8.DecodeLastRune(text); r == utf8.RuneError && size == 1 {
				text = text[:len(text)-1]
			}
		}
	}
	if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		const reason = "this is no text; files of expectations are YAML, and captures are named with -r"
		panic(&Error{File: s.name, Reason: reason})
	}
	for i, line := range s.lines {
		column := 0
		for _, r := range line {
			if column++; r < ' ' && r != '\t' && r != '\r' || r == 0x7f {
				panic(s.at(i+1, column, "this character stands in no text"))
			}
		}
	}
}

func (s *source) syntaxError(err error) *Error {
	var bad yaml.Error
	if !errors.As(err, &bad) || bad.GetToken() == nil || bad.GetToken().Position == nil {
		return &Error{File: s.name, Reason: err.Error()}
	}
	p := bad.GetToken().Position
	e := s.at(p.Line, p.Column, "this is not YAML: "+bad.GetMessage())
	if strings.Contains(e.Source, ": !") || strings.Contains(e.Source, "- !") {
		e.Reason += "; put a value that begins with ! in quotes"
	}
	return e
}
