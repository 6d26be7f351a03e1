package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// outcomes explains each outcome.
var outcomes = map[wire.Outcome]string{
	wire.Done:        "The attempt succeeded. The first screen shows it only if it took long.",
	wire.Left:        "The asker left before it asked for anything, or left normally. The first screen does not show it.",
	wire.Refused:     "The asked side refused, or the asker gave up for a reason that the capture shows.",
	wire.Removed:     "The asked side ended what it had granted: for example, a kick.",
	wire.Unanswered:  "The expected message did not come in time, and the capture would have it.",
	wire.Unreachable: "An ICMP error or a reset said that nothing listens there, or nothing answered the connection.",
	wire.Closed:      "The asked side closed the connection.",
	wire.Abandoned:   "The asker closed the connection before it got an answer.",
	wire.Expired:     "The asker did not renew what was granted, so it lapsed.",
	wire.Absent:      "The server was accepted, but a complete list lacks it.",
	wire.NotKnown:    "The capture does not show the outcome. This is not a failure.",
}

// TestTroubles checks that the first screen of each capture names the trouble, and that docs/troubles.md has the same
// text.
func TestTroubles(t *testing.T) {
	index, err := os.ReadFile(filepath.Join(clitest.Root, "testdata", "troubles", "index.txt"))
	clitest.NoError(t, err)
	t.Setenv("COLUMNS", "100")
	inDocs(t)
	page := troublesHead()
	for block := range strings.SplitSeq(strings.TrimSpace(string(index)), "\n\n") {
		lines := strings.Split(block, "\n")
		switch {
		case strings.HasPrefix(block, "# "):
		case strings.HasPrefix(block, "## "):
			page = fmt.Appendf(page, "\n%s\n", block)
		case len(lines) != 4:
			t.Errorf("a trouble has four lines: %q", block)
		default:
			name, label, _ := strings.Cut(lines[0], " ")
			t.Run(name, func(t *testing.T) {
				text := trouble(t, filepath.Join("testdata", "troubles", name+".pcap"), label)
				page = fmt.Appendf(page, "\n### %s\n\n%s\n\n```\n%s```\n\n%s\n", lines[1], lines[2], text, lines[3])
			})
		}
	}
	wiretest.Golden(t, filepath.Join(clitest.Root, "docs", "troubles.md"), page)
}

// trouble returns the line of the first screen that begins with a label, and its continuation lines.
func trouble(t *testing.T, file, label string) (text string) {
	screen, errs, code := dissect(file)
	if code != term.ExitDone || errs != "" {
		t.Errorf("exit code %d, %s", code, errs)
	}
	_, health, _ := strings.Cut(screen, "\nHEALTH ")
	for line := range strings.Lines(health) {
		if strings.HasPrefix(line, "  "+label+" ") && text == "" || strings.HasPrefix(line, "     ") && text != "" {
			text += line
		} else if text != "" {
			break
		}
	}
	if text == "" {
		t.Errorf("no line begins with %q:\n%s", label, screen)
	}
	return text
}

func troublesHead() []byte {
	b := []byte(`# What goes wrong, and what does it look like?

` + "`gamedissect FILE`" + ` shows on its first screen which attempts failed: to be listed, to join, to stay in a game, or to get an
answer. HEALTH counts these failures. A failure is a fact and does not mean that a program is at fault. This page lists
common troubles: what the capture shows, what the first screen says, and what to do.

` + "`gamedissect -r FILE -q -z joins -z listing -z queries`" + ` has a row for each attempt, and ` + "`-z timeline`" + ` shows when it
failed. ` + "`gamedissect summary -T json FILE`" + ` has them under ` + "`attempts`" + `.

## What outcomes can an attempt have?

An attempt is a request of one side (the asker) to another (the asked side), with all later steps. The pages of the
protocols list the attempts that gamedissect follows, who has to act after each step, and within what time. If the capture
lacks bytes, has a gap, or lacks one direction, a missing message proves nothing, and the outcome is not known.

| outcome | what it means |
|---|---|
`)
	for o := wire.Done; o <= wire.NotKnown; o++ {
		b = fmt.Appendf(b, "| `%s` | %s |\n", o, outcomes[o])
	}
	return b
}
