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
	wire.Done:        "The asker got what it wanted. It is said only if that took long.",
	wire.Left:        "The asker went away before it wanted anything, or said goodbye. It is never said.",
	wire.Refused:     "The asked end said no, or the asker gave up for a reason that the capture shows.",
	wire.Removed:     "The asked end took away what it had granted: a kick.",
	wire.Unanswered:  "What was awaited did not come in time, though the capture would have it.",
	wire.Unreachable: "ICMP or a reset said that nothing is there, or nothing answered the connection.",
	wire.Closed:      "The asked end closed the connection.",
	wire.Abandoned:   "The asker closed the connection before it got an answer.",
	wire.Expired:     "What was granted lapsed, since it was not renewed.",
	wire.Absent:      "It was granted, but a complete list lacks it.",
	wire.NotKnown:    "The capture lacks what would show it. It is no failure.",
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
				said := trouble(t, filepath.Join("testdata", "troubles", name+".pcap"), label)
				page = fmt.Appendf(page, "\n### %s\n\n%s\n\n```\n%s```\n\n%s\n", lines[1], lines[2], said, lines[3])
			})
		}
	}
	wiretest.Golden(t, filepath.Join(clitest.Root, "docs", "troubles.md"), page)
}

// trouble returns the line of the first screen that begins with a label, and its continuation lines.
func trouble(t *testing.T, file, label string) (said string) {
	screen, errs, code := dissect(file)
	if code != term.ExitDone || errs != "" {
		t.Errorf("exit code %d, %s", code, errs)
	}
	_, health, _ := strings.Cut(screen, "\nHEALTH ")
	for line := range strings.Lines(health) {
		if strings.HasPrefix(line, "  "+label+" ") && said == "" || strings.HasPrefix(line, "     ") && said != "" {
			said += line
		} else if said != "" {
			break
		}
	}
	if said == "" {
		t.Errorf("no line begins with %q:\n%s", label, screen)
	}
	return said
}

func troublesHead() []byte {
	b := []byte(`# What goes wrong, and what does it look like?

` + "`gamedissect FILE`" + ` says on its first screen what somebody wanted and did not get, or lost again: to be listed, to join, to
stay, to get an answer. Its HEALTH counts these failures. They are facts and accuse nobody. Below are troubles that
operators meet: what the capture shows, what the first screen says of it, and what to do.

` + "`gamedissect -r FILE -q -z joins -z listing -z queries`" + ` has a row for each attempt, and ` + "`-z timeline`" + ` says when it
failed. ` + "`gamedissect summary -T json FILE`" + ` has the same as ` + "`attempts`" + `.

## What may become of an attempt?

An attempt is what one end, the asker, wants of another, the asked end. The pages of the protocols say which attempts
are followed, who has to act after each step, and for how long that is awaited. Absence proves nothing if the capture
lacks bytes, has a hole, or lacks one direction: then it is not known what became of the attempt.

| outcome | what it means |
|---|---|
`)
	for o := wire.Done; o <= wire.NotKnown; o++ {
		b = fmt.Appendf(b, "| `%s` | %s |\n", o, outcomes[o])
	}
	return b
}
