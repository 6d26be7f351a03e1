package main

import (
	"slices"
	"strconv"
)

// fileNames are those of several files, or interfaces, that lines are about. Where there is one it is not named: nil.
type fileNames struct {
	names []string
	short bool // they are short enough to stand in narrow lines
	told  []bool
	met   []string // in tables, and yet to be introduced
}

func newFileNames(names []string) *fileNames {
	if len(names) < 2 {
		return nil
	}
	const short = 5 // eth0
	long := slices.ContainsFunc(names, func(name string) bool { return len(name) > short })
	return &fileNames{names: names, short: !long, told: make([]bool, len(names))}
}

func (f *fileNames) several() bool { return f != nil }

// appendLabel writes what a file is called in narrow lines: its number, or its name where all are short.
func (f *fileNames) appendLabel(b []byte, name string) []byte {
	if f.short {
		return appendPlain(b, name)
	}
	return strconv.AppendInt(b, int64(slices.Index(f.names, name)+1), 10)
}

// introduce writes which file a number stands for in front of the first line that has it.
func (f *fileNames) introduce(b []byte, name string, width int) []byte {
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
	return append(appendFitting(b, appendPlain(nil, name), from, from, width), '\n')
}

// frameCell is a packet in a table: 1:17 is number 17 of the first file.
func (f *fileNames) frameCell(file string, frame int) cell {
	c := cell{strconv.Itoa(frame), int64(frame)}
	if f != nil {
		f.met = append(f.met, file)
		c.text = string(f.appendLabel(nil, file)) + ":" + c.text
	}
	return c
}

// introduceMet writes which files the numbers in a table stand for.
func (f *fileNames) introduceMet(b []byte, width int) []byte {
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

// fileCell is the name of a file for programs.
func fileCell(name string) cell {
	if name == "" {
		return none
	}
	return plainCell(name)
}

// fileColumn makes the column of such names.
func fileColumn(name string) column { return column{name: name, only: programs} }
