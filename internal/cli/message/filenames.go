package message

import (
	"slices"
	"strconv"

	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/report"
)

// FileNames are those of several files, or interfaces, that lines are about. Where there is one it is not named: nil.
type FileNames struct {
	names []string
	short bool // they are short enough to stand in narrow lines
	told  []bool
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

// IntroduceTable names the files of packets in a table, where 1:17 is number 17 of the first file, and writes which
// files these numbers stand for.
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
