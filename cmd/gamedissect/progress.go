package main

import (
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/gamedissect/gamedissect/capture"
)

// progress shows how far the reading of long files is. The zero pointer shows nothing.
type progress struct {
	bar   *progressbar.ProgressBar
	files []*capture.File
	calls int
}

const (
	progressFrom  = 32 << 20 // bytes of input that are worth a bar
	progressEvery = 10_000   // packets
)

// newProgress makes a bar when a person watches and nothing else is written to the terminal.
func newProgress(w io.Writer, t terminal, form string, files []*capture.File) *progress {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || t.is && form != "none" {
		return nil
	}
	var size int64
	for _, file := range files {
		if file.Size() == 0 {
			return nil // a pipe: no end to count towards
		}
		size += file.Size()
	}
	if size < progressFrom {
		return nil
	}
	return &progress{files: files, bar: progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(w), progressbar.OptionShowBytes(true), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetDescription("reading"), progressbar.OptionSetWidth(30))}
}

func (p *progress) update() {
	if p == nil {
		return
	}
	if p.calls++; p.calls%progressEvery != 0 {
		return
	}
	var at int64
	for _, f := range p.files {
		at += f.Offset()
	}
	_ = p.bar.Set64(at) // only for show
}

func (p *progress) done() {
	if p != nil {
		_ = p.bar.Finish() // only for show
	}
}
