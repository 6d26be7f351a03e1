package term

import (
	"io"
	"os"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/print"
)

var colourTimes = []string{"auto", "always", "never"}

// ColourFlag is --color.
func ColourFlag(c *cobra.Command, when *string) {
	c.Flags().StringVar(when, "color", "auto", "`WHEN` to colour the output: auto, always or never; NO_COLOR is honoured")
	option.CompleteWith(c, "color", colourTimes...)
}

// Terminal describes where the output goes.
type Terminal struct {
	Is    bool
	Width int // columns; 0: nobody said how many
	Style print.Style
}

// NewTerminal looks at what is written to, and reads --color. COLUMNS in the environment is the width of what is
// written, whatever that goes to.
func NewTerminal(w io.Writer, colour string) (Terminal, error) {
	var t Terminal
	if f, ok := w.(*os.File); ok && isTerminal(w) {
		t.Is = true
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			t.Width = width
		}
	}
	if width, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && width > 0 {
		t.Width = width
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
		return t, option.OneOf("--color", colour, colourTimes)
	}
	return t, nil
}

// ProseWidth is how wide texts are that people read: as their terminal is, and no wider than is good to read.
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

// Watched reports whether a person watches standard error to which nothing else is written: no text comes to
// the terminal by the way of standard output.
func Watched(stderr io.Writer, out Terminal, textless bool) bool {
	return isTerminal(stderr) && (!out.Is || textless)
}

var Colours = print.Style{
	Range: "\x1b[2m", Name: "\x1b[36m", Meaning: "\x1b[32m",
	Note: "\x1b[34m", Warning: "\x1b[33m", Error: "\x1b[31m", Reset: "\x1b[0m",
}

// HasDisplay reports whether a program with windows can show them.
func HasDisplay() bool {
	return runtime.GOOS == "darwin" || runtime.GOOS == "windows" ||
		os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}
