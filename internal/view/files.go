package view

import (
	"fmt"
	"io"
	"slices"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/summary"
)

// A File is a capture file. A View may read the file in any call. If the file is compressed, another goroutine also
// reads it.
type File struct {
	Reader io.ReaderAt
	Size   int64
	Name   string // used in errors and answers
}

// files are the files of a View. Offsets count through all files, as if their bytes formed one sequence.
type files struct {
	all    []File
	from   []int64 // offset at which each file begins
	size   int64
	counts []summary.File
	byName map[string]int
	latest int
}

func newFiles(all []File) *files {
	f := &files{byName: make(map[string]int)}
	for i, one := range all {
		name := one.Name
		for n := 2; ; n++ {
			if _, taken := f.byName[one.Name]; !taken {
				break
			}
			one.Name = fmt.Sprintf("%s (%d)", name, n)
		}
		f.byName[one.Name] = i
		f.all, f.from, f.size = append(f.all, one), append(f.from, f.size), f.size+one.Size
		f.counts = append(f.counts, summary.File{Name: format.Unquoted(one.Name)})
	}
	return f
}

// open opens all files and returns their packets in time order.
func (f *files) open() (opened []*capture.File, from capture.Source, err error) {
	for _, one := range f.all {
		file, err := capture.NewReader(io.NewSectionReader(one.Reader, 0, one.Size), one.Name)
		if err != nil {
			for _, file := range opened {
				_ = file.Close() // close errors do not matter for input
			}
			return nil, nil, err
		}
		opened = append(opened, file)
	}
	return opened, capture.Merge(opened...), nil
}

func (f *files) at(name string) int {
	if f.all[f.latest].Name != name {
		f.latest = f.byName[name] // a finding without a packet belongs to the first file
	}
	return f.latest
}

// name returns a single name for all files together.
func (f *files) name() string {
	if n := len(f.all) - 1; n > 0 {
		return fmt.Sprintf("%s and %d more", f.all[0].Name, n)
	}
	return f.all[0].Name
}

// ReadAt does not read beyond the end of the file that contains the offset.
func (f *files) ReadAt(p []byte, at int64) (int, error) {
	i, found := slices.BinarySearch(f.from, at)
	if !found {
		i--
	}
	return f.all[i].Reader.ReadAt(p, at-f.from[i])
}

func (f *files) message(m *decode.Message) {
	at := f.at(m.File)
	f.counts[at].Messages++
	for i := range m.Findings {
		f.counts[at].Found(m.Findings[i].Rule)
	}
}
