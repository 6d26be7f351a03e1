package help

import (
	"path"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/gamedissect/gamedissect/decode/wire/print"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

type markdownWriter struct {
	b      []byte
	source []byte
	width  int
	style  *print.Style
}

// appendPage appends Markdown wrapped to a width. It does not wrap code.
func appendPage(b []byte, markdown string, width int, style *print.Style) []byte {
	w := markdownWriter{b: b, source: []byte(markdown), width: width, style: style}
	parser := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser()
	w.blocks(parser.Parse(text.NewReader(w.source)), 0)
	return w.b
}

// blocks writes the blocks of a node, indented and separated by empty lines.
func (w *markdownWriter) blocks(within ast.Node, indent int) {
	first := true
	for n := within.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() == ast.KindHTMLBlock { // comments are HTML blocks
			continue
		}
		if !first {
			w.b = append(w.b, '\n')
		}
		first = false
		w.block(n, indent)
	}
}

func (w *markdownWriter) block(n ast.Node, indent int) {
	switch n := n.(type) {
	case *ast.Heading:
		w.heading(n)
	case *ast.List:
		w.list(n, indent)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		w.code(n, indent)
	case *tables.Table:
		w.table(n, indent)
	case *ast.Blockquote:
		w.blocks(n, indent+2)
	default:
		w.b = term.AppendBlanks(w.b, indent)
		w.paragraph(n, indent)
	}
}

func (w *markdownWriter) paragraph(n ast.Node, indent int) {
	w.b = append(term.AppendFitting(w.b, []byte(w.inline(n)), indent, indent, w.width), '\n')
}

// heading writes a title. It underlines titles of the first two levels.
func (w *markdownWriter) heading(n *ast.Heading) {
	title := w.inline(n)
	w.b = append(w.b, w.style.Name...)
	w.b = append(term.AppendFitting(w.b, []byte(title), 0, 0, w.width), w.reset()...)
	w.b = append(w.b, '\n')
	if n.Level <= 2 {
		line := [...]string{"=", "-"}[n.Level-1]
		w.b = append(append(w.b, strings.Repeat(line, min(term.CellWidth(title), w.width))...), '\n')
	}
}

func (w *markdownWriter) reset() string {
	if w.style.Name == "" {
		return ""
	}
	return w.style.Reset
}

func (w *markdownWriter) list(n *ast.List, indent int) {
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		if item != n.FirstChild() && !n.IsTight {
			w.b = append(w.b, '\n')
		}
		mark := "- "
		if n.IsOrdered() {
			mark = strconv.Itoa(number) + ". "
			number++
		}
		w.b = append(term.AppendBlanks(w.b, indent), mark...)
		for n := item.FirstChild(); n != nil; n = n.NextSibling() {
			if n == item.FirstChild() {
				w.paragraph(n, indent+len(mark))
				continue
			}
			w.block(n, indent+len(mark))
		}
	}
}

// code writes lines without wrapping them. It indents them if the longest then still fits.
func (w *markdownWriter) code(n ast.Node, indent int) {
	const codeIndent = 4
	widest := 0
	for _, line := range n.Lines().Sliced(0, n.Lines().Len()) {
		widest = max(widest, term.CellWidth(strings.TrimRight(string(line.Value(w.source)), "\n")))
	}
	if indent+codeIndent+widest <= w.width {
		indent += codeIndent
	}
	for _, line := range n.Lines().Sliced(0, n.Lines().Len()) {
		value := line.Value(w.source)
		if len(value) > 1 {
			w.b = term.AppendBlanks(w.b, indent)
		}
		w.b = append(w.b, value...)
	}
}

// inline returns the text of a node without Markdown's marks.
func (w *markdownWriter) inline(within ast.Node) string {
	var b strings.Builder
	for n := within.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Value(w.source))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.URL(w.source))
		case *ast.RawHTML:
		case *ast.Image:
			b.WriteString("(a picture: " + w.inline(n) + ")")
		case *ast.Link:
			b.WriteString(w.inline(n) + linkTarget(string(n.Destination), w.inline(n)))
		case *ast.CodeSpan:
			b.WriteString(strings.ReplaceAll(w.inline(n), "\n", " "))
		default: // such as emphasis
			b.WriteString(w.inline(n))
		}
	}
	return b.String()
}

// linkTarget returns the target of a link in parentheses, or "" if readers do not need it.
func linkTarget(destination, text string) string {
	file, _, _ := strings.Cut(destination, "#")
	switch {
	case strings.Contains(destination, "://"):
		return " (" + destination + ")"
	case file == "" || strings.HasPrefix(file, "images/"):
		return ""
	case path.Base(file) == file:
		return " (help " + strings.TrimSuffix(file, ".md") + ")"
	}
	if file = strings.TrimPrefix(file, "../"); file == text {
		return ""
	}
	return " (" + file + ")"
}
