// Package clitest has helpers for tests of the command line.
package clitest

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/layers"
)

func init() { option.SetProtocols(layers.All()) }

// Captures is the folder of captures in testdata.
var Captures = filepath.Join(Root, "testdata", "pcap")

// Root is the root folder of the module.
var Root = moduleRoot()

func moduleRoot() string {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	return "" // a test script runs this binary as the program, in a folder outside the module
}

// NoError fails a test immediately if err is not nil.
func NoError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ReadFile returns the content of a file.
func ReadFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	NoError(t, err)
	return b
}

// ReadCapture returns the packets of a capture.
func ReadCapture(t testing.TB, name string) (all []capture.Packet) {
	t.Helper()
	f, err := capture.Open(name)
	NoError(t, err)
	defer func() { _ = f.Close() }() // harmless: the file was only read
	for {
		var p capture.Packet
		if f.Next(&p) != nil {
			return all
		}
		p.Data = bytes.Clone(p.Data)
		all = append(all, p)
	}
}

// Full is a writer that fails like a full disk.
type Full struct{}

func (Full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// Closed is a writer that fails like a pipe whose reader is gone.
type Closed struct{}

func (Closed) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// Unprintable returns the text around the first character that must not reach a terminal, or "" if there is none. All
// unprintable characters count, except newlines and the tabs between columns.
func Unprintable(output string) string {
	for at, r := range output {
		_, size := utf8.DecodeRuneInString(output[at:])
		if r != '\n' && r != '\t' && !strconv.IsPrint(r) || r == utf8.RuneError && size == 1 {
			return fmt.Sprintf("%q", output[max(0, at-60):min(len(output), at+20)])
		}
	}
	return ""
}

// LineWidth returns how many columns a line takes on a terminal.
func LineWidth(line string) (n int) {
	for _, r := range line {
		n += runewidth.RuneWidth(r)
	}
	return n
}

// HostileNames are names that would change what a terminal shows. They contain escape sequences, control characters as
// single bytes and in UTF-8, marks that reverse the text direction, and line breaks that fake additional lines.
var HostileNames = []string{
	"\x1b[2J\x1b]0;owned\x07", "\x9b31m\x90", "\u009b31m", "a\rb\nc\td", "user\u202egpj.exe", "\u2066\u2069\u200f\ufeff",
	"\x00\x01\x7f", "\xff\xfe\xfd", "quote\"back\\slash", "caf\u00e9 \u6f22\u5b57", "\u2028\u2029", "\U000e0001\U000e0041",
}

// Replayed is a live source that plays back captures one after another.
type Replayed struct {
	Files []*capture.File
	Ticks func(now time.Time)
	Now   time.Time
}

// Next returns the packets of the files in turn, then io.EOF.
func (r *Replayed) Next(p *capture.Packet) error {
	for len(r.Files) > 0 {
		switch err := r.Files[0].Next(p); err {
		case io.EOF:
			r.Files = r.Files[1:]
		default:
			if t := time.Unix(0, p.Time); t.After(r.Now) {
				r.Now = t
			}
			return err
		}
	}
	return io.EOF
}

// Tick calls Ticks with the time of the latest packet.
func (r *Replayed) Tick(bool) {
	if r.Ticks != nil {
		r.Ticks(r.Now)
	}
}

func (*Replayed) Halt() bool { return true }

func (*Replayed) Done() {}

func (*Replayed) Endless() bool { return true }
