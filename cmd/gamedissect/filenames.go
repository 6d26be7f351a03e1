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
