package help

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// Fit has the help of a command and of those below it fit the terminal.
func Fit(c *cobra.Command, width int) {
	c.Long = fitParagraphs(c.Long, width)
	c.Example = fitExamples(c.Example, width)
	for _, below := range c.Commands() {
		Fit(below, width)
	}
}

// UsageTemplate is cobra's, with flags that fit the terminal.
func UsageTemplate(c *cobra.Command, width int) string {
	return strings.ReplaceAll(c.UsageTemplate(), ".FlagUsages", fmt.Sprintf(".FlagUsagesWrapped %d", width))
}

// fitParagraphs fills the lines of paragraphs. Lines that begin with a blank stay as they are.
func fitParagraphs(text string, width int) string {
	var paragraphs []string
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if !strings.HasPrefix(paragraph, " ") {
			paragraph = strings.TrimSuffix(string(term.AppendParagraph(nil, paragraph, width)), "\n")
		}
		paragraphs = append(paragraphs, paragraph)
	}
	return strings.Join(paragraphs, "\n\n")
}

// fitExamples puts what is said of a command below it where both do not fit in a line.
func fitExamples(text string, width int) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		command, says, ok := strings.Cut(strings.TrimLeft(line, " "), "    ")
		if says = strings.TrimLeft(says, " "); ok && len(line) > width {
			lines = append(lines, "  "+command, "      "+says)
			continue
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
