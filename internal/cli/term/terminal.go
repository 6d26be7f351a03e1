// Package term writes text for people. It writes large pieces to streams, and knows the width, colours and screen of a
// terminal. It lays out tables, and also writes them for programs as JSON, CSV and fields.
package term

import (
	"io"
	"os"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/gamedissect/gamedissect/decode/wire/print"
	"github.com/gamedissect/gamedissect/internal/cli/option"
)

var colourModes = []string{"auto", "always", "never"}

// ColourFlag adds the flag --color.
func ColourFlag(c *cobra.Command, when *string) {
	c.Flags().StringVar(when, "color", "auto", "`WHEN` to use colours: auto, always or never; NO_COLOR turns them off")
	option.CompleteWith(c, "color", colourModes...)
}

// Terminal describes where output goes.
type Terminal struct {
	Is    bool // false: a file, a pipe or anything else that is not a terminal
	Width int  // columns; 0: unknown, lines are not cut
	Style print.Style
}

// maxWidth limits the value of COLUMNS, since lines may be padded to that width.
const maxWidth = 1000

// NewTerminal describes w. colour is the value of --color. The environment variable COLUMNS overrides the width, even
// if w is not a terminal.
func NewTerminal(w io.Writer, colour string) (Terminal, error) {
	var t Terminal
	if f, ok := w.(*os.File); ok && isTerminal(w) {
		t.Is = true
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			t.Width = width
		}
	}
	if width, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && width > 0 {
		t.Width = min(width, maxWidth)
	}
	switch colour {
	case "auto":
		if t.Is && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" {
			t.Style = Colours
		}
	case "always":
		t.Style = Colours
	case "never":
	default:
		return t, option.OneOf("--color", colour, colourModes)
	}
	return t, nil
}

// ProseWidth returns the width of help texts, given the width of a terminal. Help texts do not fill a wide terminal,
// since long lines are hard to read.
func ProseWidth(terminal int) int {
	const unknown, widest = 80, 100
	if terminal == 0 {
		return unknown
	}
	return min(terminal, widest)
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Watched reports whether to show progress on stderr: stderr must be a terminal. So that texts do not mix, standard
// output must not be a terminal, or must get no text.
func Watched(stderr io.Writer, out Terminal, textless bool) bool {
	return isTerminal(stderr) && (!out.Is || textless)
}

// Colours are the colours of output.
var Colours = print.Style{
	Heading: "\x1b[1m", Range: "\x1b[2m", Name: "\x1b[36m", Meaning: "\x1b[32m",
	Note: "\x1b[34m", Warning: "\x1b[33m", Error: "\x1b[31m", Reset: "\x1b[0m",
}

// HasDisplay reports whether programs can open windows.
func HasDisplay() bool {
	return runtime.GOOS == "darwin" || runtime.GOOS == "windows" ||
		os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}
