package message

import (
	"slices"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/report"
)

// FileNames labels packets with the file or interface that they come from. A nil FileNames adds no labels, because
// there is only one file.
type FileNames struct {
	names      []string
	short      bool   // names short enough for narrow lines
	introduced []bool // numbers whose file name has been shown
}

// NewFileNames returns a FileNames. If there is only one name, it returns nil.
func NewFileNames(names []string) *FileNames {
	if len(names) < 2 {
		return nil
	}
	const short = 5 // enough for eth0
	long := slices.ContainsFunc(names, func(name string) bool { return len(name) > short })
	return &FileNames{names: names, short: !long, introduced: make([]bool, len(names))}
}

// Several reports whether there are several files.
func (f *FileNames) Several() bool { return f != nil }

// appendLabel appends the label of a file in narrow lines. The label is the file's number, or its name if all names are
// short.
func (f *FileNames) appendLabel(b []byte, name string) []byte {
	if f.short {
		return format.AppendPlain(b, name)
	}
	return strconv.AppendInt(b, int64(slices.Index(f.names, name)+1), 10)
}

// introduce appends a line that says which file a number stands for. It does so only once for each file.
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
	return append(term.AppendFitting(b, format.AppendPlain(nil, name), from, from, width), '\n')
}

// IntroduceTable adds file numbers to the packets in a table, such as 1:17 for packet 17 of the first file. It also
// writes which files the numbers stand for.
func (f *FileNames) IntroduceTable(b []byte, t *report.Table, width int) []byte {
	if f == nil {
		return b
	}
	var met []string
	for _, row := range t.Rows {
		for i, cell := range row {
			if p, ok := cell.(report.Packet); ok {
				met = append(met, p.File)
				label := append(f.appendLabel(nil, p.File), ':')
				row[i] = report.Shown{Text: string(strconv.AppendInt(label, int64(p.Number), 10)), Value: p}
			}
		}
	}
	before := len(b)
	slices.SortFunc(met, func(x, y string) int { return slices.Index(f.names, x) - slices.Index(f.names, y) })
	for _, name := range slices.Compact(met) {
		b = f.introduce(b, name, width)
	}
	if len(b) > before {
		b = append(b, '\n')
	}
	return b
}
