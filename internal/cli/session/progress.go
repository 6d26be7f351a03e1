package session

import (
	"io"

	"github.com/schollz/progressbar/v3"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// Progress shows how far the reading of long files is. The zero Progress shows nothing.
type Progress struct {
	bar   *progressbar.ProgressBar
	calls int
}

const (
	progressFrom  = 32 << 20 // bytes of input that are worth a bar
	progressEvery = 10_000   // packets
)

// ShowProgress makes a bar when a person watches and nothing else is written to the terminal.
func (s *FileSource) ShowProgress(w io.Writer, out term.Terminal, textless bool) {
	var size int64
	for _, file := range s.files {
		if file.Size() == 0 {
			return // a pipe: no end to count towards
		}
		size += file.Size()
	}
	s.bar = NewProgress(size, w, out, textless)
}

// NewProgress shows how far the reading of so many bytes is, see showProgress.
func NewProgress(size int64, w io.Writer, out term.Terminal, textless bool) Progress {
	if size < progressFrom || !term.Watched(w, out, textless) {
		return Progress{}
	}
	return Progress{bar: progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(w), progressbar.OptionShowBytes(true), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetDescription("reading"), progressbar.OptionSetWidth(30))}
}

func (p *Progress) update(files []*capture.File) {
	if p.bar == nil {
		return
	}
	if p.calls++; p.calls%progressEvery != 0 {
		return
	}
	var at int64
	for _, f := range files {
		at += f.Offset()
	}
	p.Show(at)
}

// Show says how many bytes are read.
func (p *Progress) Show(at int64) {
	if p.bar != nil {
		_ = p.bar.Set64(at) // only for show
	}
}

func (p *Progress) Done() {
	if p.bar != nil {
		_ = p.bar.Finish() // only for show
	}
}
