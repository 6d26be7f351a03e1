package main

import (
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/gamedissect/gamedissect/internal/print"
)

var colourTimes = []string{"auto", "always", "never"}

// colourFlag is --color.
func colourFlag(c *cobra.Command, when *string) {
	c.Flags().StringVar(when, "color", "auto", "`WHEN` to colour the output: auto, always or never; NO_COLOR is honoured")
	completeWith(c, "color", colourTimes...)
}

// terminal describes where the output goes.
type terminal struct {
	is    bool
	width int // columns; 0: nobody said how many
	style print.Style
}

// newTerminal looks at what is written to, and reads --color. COLUMNS in the environment is the width of what is
// written, whatever that goes to.
func newTerminal(w io.Writer, colour string) (terminal, error) {
	var t terminal
	if f, ok := w.(*os.File); ok && isTerminal(w) {
		t.is = true
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			t.width = width
		}
	}
	if width, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && width > 0 {
		t.width = width
	}
	switch colour {
	case "auto":
		if t.is && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" {
			t.style = colours
		}
	case "always":
		t.style = colours
	case "never":
	default:
		return t, oneOf("--color", colour, colourTimes)
	}
	return t, nil
}

// proseWidth is how wide texts are that people read: as their terminal is, and no wider than is good to read.
func proseWidth(terminal int) int {
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

// watched reports whether a person watches standard error to which nothing else is written: no text comes to
// the terminal by the way of standard output.
func watched(stderr io.Writer, out terminal, textless bool) bool {
	return isTerminal(stderr) && (!out.is || textless)
}

var colours = print.Style{
	Range: "\x1b[2m", Name: "\x1b[36m", Meaning: "\x1b[32m",
	Note: "\x1b[34m", Warning: "\x1b[33m", Error: "\x1b[31m", Reset: "\x1b[0m",
}
