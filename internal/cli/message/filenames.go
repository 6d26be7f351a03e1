package message

import (
	"slices"
	"strconv"

	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// FileNames labels packets with the file or interface that they come from. Nil is for a single file: no label.
type FileNames struct {
	names      []string
	short      bool     // narrow lines have room for the names
	introduced []bool   // the user was told which name the number stands for
	met        []string // in table cells, not yet introduced
}

// NewFileNames returns nil unless there are several names.
func NewFileNames(names []string) *FileNames {
	if len(names) < 2 {
		return nil
	}
	const short = 5 // eth0
	long := slices.ContainsFunc(names, func(name string) bool { return len(name) > short })
	return &FileNames{names: names, short: !long, introduced: make([]bool, len(names))}
}

// Several reports whether there are several files.
func (f *FileNames) Several() bool { return f != nil }

// appendLabel appends the label of a file in narrow lines: its number, or its name if all names are short.
func (f *FileNames) appendLabel(b []byte, name string) []byte {
	if f.short {
		return term.AppendPlain(b, name)
	}
	return strconv.AppendInt(b, int64(slices.Index(f.names, name)+1), 10)
}

// introduce appends a line that says which file a number stands for, the first time it is called for that file.
func (f *FileNames) introduce(b []byte, name string, width int) []byte {
	if f == nil || f.short {
		return b
	}
	i := slices.Index(f.names, name)
	if i < 0 || f.introduced[i] {
		return b
	}
	f.introduced[i] = true
	start := len(b)
	b = append(strconv.AppendInt(b, int64(i+1), 10), " = "...)
	from := len(b) - start
	return append(term.AppendFitting(b, term.AppendPlain(nil, name), from, from, width), '\n')
}

// FrameCell returns the table cell of a packet: 1:17 is packet 17 of the first file.
func (f *FileNames) FrameCell(file string, frame int) table.Cell {
	c := table.Cell{Text: strconv.Itoa(frame), Value: int64(frame)}
	if f != nil {
		f.met = append(f.met, file)
		c.Text = string(f.appendLabel(nil, file)) + ":" + c.Text
	}
	return c
}

// IntroduceMet appends the lines that say which files the numbers in the cells since the last call stand for.
func (f *FileNames) IntroduceMet(b []byte, width int) []byte {
	if f == nil {
		return b
	}
	before := len(b)
	slices.SortFunc(f.met, func(x, y string) int { return slices.Index(f.names, x) - slices.Index(f.names, y) })
	for _, name := range slices.Compact(f.met) {
		b = f.introduce(b, name, width)
	}
	if f.met = f.met[:0]; len(b) > before {
		b = append(b, '\n')
	}
	return b
}
