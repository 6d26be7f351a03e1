package expect

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"github.com/gamedissect/gamedissect/internal/filter"
)

// Error says what is wrong with a file of expectations, and where.
type Error struct {
	File   string
	Line   int // from 1; 0 for none
	Column int // in characters, from 1
	Reason string
	Source string // the line
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Reason
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Reason)
}

// excerpt is how much of a line is shown, in characters.
const excerpt = 160

// Excerpt is the line and a mark below the column, "" if there is no line.
func (e *Error) Excerpt() string {
	if e.Source == "" {
		return ""
	}
	line := []rune(strings.ReplaceAll(e.Source, "\t", " "))
	at := min(e.Column-1, len(line))
	from := max(at-excerpt/2, 0)
	line = line[from:min(from+excerpt, len(line))]
	return string(line) + "\n" + strings.Repeat(" ", at-from) + "^"
}

// A source is a file of expectations.
type source struct {
	name  string
	lines []string
}

func newSource(name string, text []byte) *source {
	return &source{name, strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")}
}

func (s *source) at(line, column int, reason string) *Error {
	e := &Error{File: s.name, Line: line, Column: max(column, 1), Reason: reason}
	if line >= 1 && line <= len(s.lines) {
		e.Source = s.lines[line-1]
	}
	return e
}

// fail is the error of a node.
func (s *source) fail(n ast.Node, format string, args ...any) *Error {
	line, column := position(n)
	return s.at(line, column, fmt.Sprintf(format, args...))
}

// position is where a node begins.
func position(n ast.Node) (line, column int) {
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) > 0 {
		n = m.Values[0]
	}
	if v, ok := n.(*ast.MappingValueNode); ok {
		n = v.Key
	}
	t := n.GetToken()
	if t == nil || t.Position == nil {
		return 0, 0
	}
	return t.Position.Line, t.Position.Column
}

// failFilter is the error of a filter that stands in a node.
func (s *source) failFilter(n ast.Node, err error) *Error {
	bad, ok := errors.AsType[*filter.Error](err)
	if !ok {
		return s.fail(n, "%v", err)
	}
	line, column := position(n)
	if line >= 1 && line <= len(s.lines) { // a filter on one line: point into it
		runes := []rune(s.lines[line-1])
		if before, _, ok := strings.Cut(string(runes[min(column-1, len(runes)):]), bad.Text); ok {
			column += utf8.RuneCountInString(before) + utf8.RuneCountInString(bad.Text[:bad.Off])
			return s.at(line, column, bad.Reason+bad.Meant())
		}
	}
	return s.at(line, column, bad.Error())
}

// failNoText is the error of what is no text: another file, such as a capture, or one with a control character.
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

// failSyntax is the error of a text that is no YAML.
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
