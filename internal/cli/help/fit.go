package help

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// Fit wraps the help of a command to a width.
func Fit(c *cobra.Command, width int) {
	c.Long = fitParagraphs(c.Long, width)
	c.Example = fitExamples(c.Example, width)
}

// UsageTemplate returns cobra's template with flags wrapped to a width. The help of the program itself groups the flags
// and omits the rare ones.
func UsageTemplate(root *cobra.Command, width int) string {
	template := strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", fmt.Sprintf(".FlagUsagesWrapped %d", width))
	const from, to = "{{if .HasAvailableLocalFlags}}", "{{if .HasHelpSubCommands}}"
	before, rest, _ := strings.Cut(template, from)
	flags, after, _ := strings.Cut(rest, to)
	return before + "{{if .HasParent}}" + from + flags + "{{else}}\n\n" + flagUsages(root, width, false) +
		"\n\n\"gamedissect help " + allOptions + "\" describes all options.{{end}}" + to + after
}

// fitParagraphs wraps paragraphs. It does not change a paragraph that begins with a space.
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

// fitExamples moves the remark after a command to the next line if both do not fit on one line.
func fitExamples(text string, width int) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		command, remark, ok := strings.Cut(strings.TrimLeft(line, " "), "    ")
		if remark = strings.TrimLeft(remark, " "); ok && len(line) > width {
			lines = append(lines, "  "+command, "      "+remark)
			continue
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
