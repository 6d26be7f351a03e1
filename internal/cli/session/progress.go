package session

import (
	"io"

	"github.com/schollz/progressbar/v3"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// Progress is a bar that shows how much of a large input has been read. The zero value shows nothing.
type Progress struct {
	bar   *progressbar.ProgressBar
	calls int
}

const (
	progressFrom  = 32 << 20 // bytes of input; no bar for less
	progressEvery = 10_000   // packets between updates
)

// ShowProgress begins a bar on w for the files. It shows none if one of them is a pipe, since the size of a pipe is
// unknown. See NewProgress.
func (s *FileSource) ShowProgress(w io.Writer, out term.Terminal, textless bool) {
	var size int64
	for _, file := range s.files {
		if file.Size() == 0 {
			return
		}
		size += file.Size()
	}
	s.bar = NewProgress(size, w, out, textless)
}

// NewProgress returns a bar for size bytes on w. It returns the zero Progress if size is small, or if nobody would see
// the bar (see term.Watched).
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

// Show sets how many bytes have been read.
func (p *Progress) Show(at int64) {
	if p.bar != nil {
		_ = p.bar.Set64(at) // an error of the bar must not end the run
	}
}

// Done removes the bar.
func (p *Progress) Done() {
	if p.bar != nil {
		_ = p.bar.Finish() // an error of the bar must not end the run
	}
}
