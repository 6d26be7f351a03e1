package help

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/docs"
	"github.com/gamedissect/gamedissect/internal/cli/known"
	"github.com/gamedissect/gamedissect/internal/cli/tally"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// PageNamed gives a page by its name, nil if there is none.
func PageNamed(name string) *docs.Page {
	for _, p := range docs.Pages() {
		if strings.EqualFold(name, p.Name) {
			return &p
		}
	}
	return nil
}

// Topics are the pages that help lists: all but the one that does the same.
func Topics() []docs.Page {
	return slices.DeleteFunc(docs.Pages(), func(p docs.Page) bool { return p.Name == docs.Index })
}

// ListTopics shows the program's help, and the pages.
func ListTopics(c *cobra.Command, std term.Streams) error {
	if err := c.Root().Help(); err != nil {
		return err
	}
	t, err := term.NewTerminal(std.Out, "never")
	if err != nil {
		return err
	}
	out := term.NewOutput(std.Out, 0)
	out.Buf = append(out.Buf, "\nTopics, each of which \"gamedissect help TOPIC\" shows:\n"...)
	for _, p := range Topics() {
		out.Buf = AppendTopic(out.Buf, &p, term.ProseWidth(t.Width))
	}
	return out.Flush()
}

// AppendTopic appends a page's name and what it answers: beside it, or below it where that would be too narrow to read.
func AppendTopic(b []byte, p *docs.Page, width int) []byte {
	const indent, least = 2, 12
	column := 20
	if width-column < least {
		column = 2 * indent
		b = fmt.Appendf(b, "%*s%s\n%*s", indent, "", p.Name, column, "")
	} else {
		b = fmt.Appendf(b, "%*s%-*s", indent, "", column-indent, p.Name)
	}
	return append(term.AppendFitting(b, []byte(p.Title), column, column, width), '\n')
}

// ShowPage writes a page, behind something.
func ShowPage(std term.Streams, before string, p *docs.Page) error {
	t, err := term.NewTerminal(std.Out, "auto")
	if err != nil {
		return err
	}
	out := term.NewOutput(std.Out, 0)
	out.Buf = AppendPage(append(out.Buf, before...), p.Text, term.ProseWidth(t.Width), &t.Style)
	return out.Flush()
}

// NoHelp says what there is instead of help about words.
func NoHelp(root *cobra.Command, args []string) error {
	about := strings.Join(args, " ")
	hint := tally.TableHint(known.Protocols(), args[0])
	if hint == "" {
		hint = "gamedissect help lists commands and topics"
		if likely := likelyTopics(root, about); len(likely) > 0 {
			hint = "did you mean " + strings.Join(likely, " or ") + "? " + hint
		}
	}
	return fmt.Errorf("no help about %q (%s)", about, hint)
}

// likelyTopics gives commands and pages that may be meant by words: those whose names are nearly so, or else those
// whose questions have all of the words in them.
func likelyTopics(root *cobra.Command, about string) []string {
	const most = 4
	var names, asking []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	for _, p := range Topics() {
		names = append(names, p.Name)
		title := strings.ToLower(p.Title)
		if !slices.ContainsFunc(strings.Fields(strings.ToLower(about)), func(word string) bool {
			return !strings.Contains(title, strings.Trim(word, "?.,"))
		}) {
			asking = append(asking, p.Name)
		}
	}
	if near := filter.Nearest(about, names); len(near) > 0 {
		return near
	}
	return asking[:min(len(asking), most)]
}

// CompleteHelp completes names of commands, and of pages.
func CompleteHelp(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	if within, rest, err := c.Root().Find(args); err == nil && len(rest) == 0 {
		for _, below := range within.Commands() {
			if below.IsAvailableCommand() {
				names = append(names, cobra.CompletionWithDesc(below.Name(), below.Short))
			}
		}
	}
	if len(args) == 0 {
		for _, p := range Topics() {
			if _, rest, err := c.Root().Find([]string{p.Name}); err != nil || len(rest) > 0 { // else it is there
				names = append(names, cobra.CompletionWithDesc(p.Name, p.Title))
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
