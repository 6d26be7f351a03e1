// Package help fits the help of commands to the terminal and shows pages of the documentation and the manual. It also
// lists protocols, field names for filters, and rules.
package help

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/docs"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/tally"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/filter"
)

func pageNamed(name string) *docs.Page {
	for _, p := range docs.Pages() {
		if strings.EqualFold(name, p.Name) {
			return &p
		}
	}
	return nil
}

// topics returns the pages that help lists, which are all except the index.
func topics() []docs.Page {
	return slices.DeleteFunc(docs.Pages(), func(p docs.Page) bool { return p.Name == docs.Index })
}

// Show shows the help of a command or a page of the documentation. If a command and a page have the same name, it shows
// both. Without arguments it lists commands and pages.
func Show(c *cobra.Command, args []string, std term.Streams) error {
	if len(args) == 0 {
		return listTopics(c, std)
	}
	if args[0] == allOptions && len(args) == 1 {
		return showOptions(c.Root(), std)
	}
	about, rest, err := c.Root().Find(args)
	page := pageNamed(strings.Join(args, "-"))
	if err == nil && len(rest) == 0 {
		about.InitDefaultHelpFlag()
		about.InitDefaultVersionFlag()
		if err := about.Help(); err != nil || page == nil {
			return err
		}
		return showPage(std, "\n", page)
	}
	if page == nil {
		return noHelp(c.Root(), args)
	}
	return showPage(std, "", page)
}

// listTopics shows the program's help and lists the pages.
func listTopics(c *cobra.Command, std term.Streams) error {
	if err := c.Root().Help(); err != nil {
		return err
	}
	t, err := term.NewTerminal(std.Out, "never")
	if err != nil {
		return err
	}
	out := term.NewOutput(std.Out, 0)
	out.Buf = append(out.Buf, "\n\"gamedissect help TOPIC\" shows a topic:\n"...)
	for _, s := range docs.Sections() {
		if s.Title != "" {
			out.Buf = fmt.Appendf(out.Buf, "\n%s\n", s.Title)
		}
		for _, p := range s.Pages {
			out.Buf = appendTopic(out.Buf, &p, term.ProseWidth(t.Width))
		}
	}
	return out.Flush()
}

// appendTopic appends a page's name and title. If the terminal is too narrow for one line, the title goes below the
// name.
func appendTopic(b []byte, p *docs.Page, width int) []byte {
	const indent, minTitle = 2, 12
	column := 20
	if width-column < minTitle {
		column = 2 * indent
		b = fmt.Appendf(b, "%*s%s\n%*s", indent, "", p.Name, column, "")
	} else {
		b = fmt.Appendf(b, "%*s%-*s", indent, "", column-indent, p.Name)
	}
	return append(term.AppendFitting(b, []byte(p.Title), column, column, width), '\n')
}

func showPage(std term.Streams, before string, p *docs.Page) error {
	t, err := term.NewTerminal(std.Out, "auto")
	if err != nil {
		return err
	}
	out := term.NewOutput(std.Out, 0)
	out.Buf = appendPage(append(out.Buf, before...), p.Text, term.ProseWidth(t.Width), &t.Style)
	return out.Flush()
}

// noHelp returns the error for unknown arguments, with similar topics.
func noHelp(root *cobra.Command, args []string) error {
	about := strings.Join(args, " ")
	hint := tally.TableHint(option.Protocols(), args[0])
	if hint == "" {
		hint = "gamedissect help lists commands and topics"
		if likely := likelyTopics(root, about); len(likely) > 0 {
			hint = "did you mean " + strings.Join(likely, " or ") + "? " + hint
		}
	}
	return fmt.Errorf("no help about %q (%s)", about, hint)
}

// likelyTopics returns the commands and pages with similar names. If there are none, it returns the pages whose titles
// contain all words of about.
func likelyTopics(root *cobra.Command, about string) []string {
	const limit = 4
	var names, titled []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	for _, p := range topics() {
		names = append(names, p.Name)
		title := strings.ToLower(p.Title)
		if !slices.ContainsFunc(strings.Fields(strings.ToLower(about)), func(word string) bool {
			return !strings.Contains(title, strings.Trim(word, "?.,"))
		}) {
			titled = append(titled, p.Name)
		}
	}
	if near := filter.Nearest(about, names); len(near) > 0 {
		return near
	}
	return titled[:min(len(titled), limit)]
}

// Complete completes names of commands and pages.
func Complete(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	if within, rest, err := c.Root().Find(args); err == nil && len(rest) == 0 {
		for _, below := range within.Commands() {
			if below.IsAvailableCommand() {
				names = append(names, cobra.CompletionWithDesc(below.Name(), below.Short))
			}
		}
	}
	if len(args) == 0 {
		names = append(names, cobra.CompletionWithDesc(allOptions, "all flags of the program"))
		for _, p := range topics() {
			// A command with this name is already listed.
			if _, rest, err := c.Root().Find([]string{p.Name}); err != nil || len(rest) > 0 {
				names = append(names, cobra.CompletionWithDesc(p.Name, p.Title))
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
