package message

import (
	"slices"
	"strconv"

	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// FileNames are those of several files, or interfaces, that lines are about. Where there is one it is not named: nil.
type FileNames struct {
	names []string
	short bool // they are short enough to stand in narrow lines
	told  []bool
	met   []string // in tables, and yet to be introduced
}

func NewFileNames(names []string) *FileNames {
	if len(names) < 2 {
		return nil
	}
	const short = 5 // eth0
	long := slices.ContainsFunc(names, func(name string) bool { return len(name) > short })
	return &FileNames{names: names, short: !long, told: make([]bool, len(names))}
}

func (f *FileNames) Several() bool { return f != nil }

// appendLabel writes what a file is called in narrow lines: its number, or its name where all are short.
func (f *FileNames) appendLabel(b []byte, name string) []byte {
	if f.short {
		return term.AppendPlain(b, name)
	}
	return strconv.AppendInt(b, int64(slices.Index(f.names, name)+1), 10)
}

// introduce writes which file a number stands for in front of the first line that has it.
func (f *FileNames) introduce(b []byte, name string, width int) []byte {
	if f == nil || f.short {
		return b
	}
	i := slices.Index(f.names, name)
	if i < 0 || f.told[i] {
		return b
	}
	f.told[i] = true
	start := len(b)
	b = append(strconv.AppendInt(b, int64(i+1), 10), " = "...)
	from := len(b) - start
	return append(term.AppendFitting(b, term.AppendPlain(nil, name), from, from, width), '\n')
}

// FrameCell is a packet in a table: 1:17 is number 17 of the first file.
func (f *FileNames) FrameCell(file string, frame int) table.Cell {
	c := table.Cell{Text: strconv.Itoa(frame), Value: int64(frame)}
	if f != nil {
		f.met = append(f.met, file)
		c.Text = string(f.appendLabel(nil, file)) + ":" + c.Text
	}
	return c
}

// IntroduceMet writes which files the numbers in a table stand for.
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
