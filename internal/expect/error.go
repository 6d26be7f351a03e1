package expect

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"

	"github.com/gamedissect/gamedissect/internal/filter"
)

// Error describes an error in a file of expectations and its position.
type Error struct {
	File   string
	Line   int // from 1; 0: unknown
	Column int // in characters, from 1
	Reason string
	Source string // text of the line
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Reason
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Reason)
}

// excerpt limits the shown part of a line, in characters.
const excerpt = 160

// Excerpt returns the line, and a second line with a mark below the column. If the line is unknown, it returns "".
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

// fail stops loading because of an error at a node. It panics with the *Error, which catch returns.
func (s *source) fail(n ast.Node, format string, args ...any) {
	line, column := position(n)
	panic(s.at(line, column, fmt.Sprintf(format, args...)))
}

// catch calls f. It returns the error that fail reported, or nil.
func catch(f func()) (err error) {
	defer func() {
		switch bad := recover().(type) {
		case nil:
		case *Error:
			err = bad
		default:
			panic(bad)
		}
	}()
	f()
	return nil
}

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

func (s *source) failFilter(n ast.Node, err error) {
	bad, ok := errors.AsType[*filter.Error](err)
	if !ok {
		s.fail(n, "%v", err)
	}
	line, column := position(n)
	if line >= 1 && line <= len(s.lines) { // the filter is on one line, so the exact column is known
		runes := []rune(s.lines[line-1])
		if before, _, ok := strings.Cut(string(runes[min(column-1, len(runes)):]), bad.Text); ok {
			column += utf8.RuneCountInString(before) + utf8.RuneCountInString(bad.Text[:bad.Off])
			panic(s.at(line, column, bad.Reason+bad.Meant()))
		}
	}
	panic(s.at(line, column, bad.Error()))
}
