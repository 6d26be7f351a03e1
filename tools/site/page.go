package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// A page is a parsed Markdown file.
type page struct {
	path   string // relative to the root, with slashes
	source []byte
	tree   ast.Node
}

// readPage parses a file.
func readPage(root, path string) (*page, error) {
	source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	if err != nil {
		return nil, err
	}
	source = bytes.ReplaceAll(source, []byte("\r\n"), []byte("\n"))
	context := parser.NewContext(parser.WithIDs(make(anchors)))
	return &page{path, source, markdown.Parser().Parse(text.NewReader(source), parser.WithContext(context))}, nil
}

// each calls a function for all nodes of a kind, in order.
func each[T ast.Node](p *page, f func(T)) {
	_ = ast.Walk(p.tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // f returns no error
		if one, ok := n.(T); ok && entering {
			f(one)
		}
		return ast.WalkContinue, nil
	})
}

// A heading is a heading on a page.
type heading struct {
	Level    int
	ID, Text string
}

func (p *page) headings() (list []heading) {
	each(p, func(n *ast.Heading) {
		id, _ := n.AttributeString("id")
		list = append(list, heading{n.Level, fmt.Sprintf("%s", id), p.text(n)})
	})
	return list
}

// title returns the first heading of a page, which is the question that the page answers.
func (p *page) title() string {
	if list := p.headings(); len(list) > 0 {
		return list[0].Text
	}
	return p.path
}

// text returns the words in a node.
func (p *page) text(within ast.Node) string {
	var b strings.Builder
	for n := within.FirstChild(); n != nil; n = n.NextSibling() {
		if t, ok := n.(*ast.Text); ok {
			b.Write(t.Value(p.source))
			if t.SoftLineBreak() {
				b.WriteByte(' ')
			}
			continue
		}
		b.WriteString(p.text(n))
	}
	return b.String()
}

// anchors makes the same anchors for headings as code hosts, so a link with an anchor works in the repository and on
// the site.
type anchors map[string]bool

// Generate returns the anchor for a heading.
func (a anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	slug := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(string(value)))
	id := slug
	for i := 1; a[id]; i++ {
		id = fmt.Sprintf("%s-%d", slug, i)
	}
	a[id] = true
	return []byte(id)
}

// Put records an anchor that is in use.
func (a anchors) Put(value []byte) { a[string(value)] = true }
