package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/docs"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// newHelp makes the command that shows the help of commands and the pages of the documentation.
func newHelp(std streams) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND | TOPIC]",
		Short: "show the help of a command, or a page of the documentation",
		Long: `help shows what a command is for and the options it takes, or a page of the documentation, each of
which answers a question. Without a word it lists both.`,
		Example:           "  gamedissect help check\n  gamedissect help not-listed\n  gamedissect help tribes | less",
		ValidArgsFunction: completeHelp,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listTopics(c, std)
			}
			about, rest, err := c.Root().Find(args)
			isCommand := err == nil && len(rest) == 0
			page := pageNamed(strings.Join(args, "-"))
			if isCommand {
				about.InitDefaultHelpFlag()
				about.InitDefaultVersionFlag()
				if err := about.Help(); err != nil || page == nil {
					return err
				}
				return showPage(std, "\n", page) // --help is the options alone
			}
			if page == nil {
				return noHelp(c.Root(), args)
			}
			return showPage(std, "", page)
		},
	}
}

// pageNamed gives a page by its name, nil if there is none.
func pageNamed(name string) *docs.Page {
	for _, p := range docs.Pages() {
		if strings.EqualFold(name, p.Name) {
			return &p
		}
	}
	return nil
}

// topics are the pages that help lists: all but the one that does the same.
func topics() []docs.Page {
	return slices.DeleteFunc(docs.Pages(), func(p docs.Page) bool { return p.Name == docs.Index })
}

// listTopics shows the program's help, and the pages.
func listTopics(c *cobra.Command, std streams) error {
	if err := c.Root().Help(); err != nil {
		return err
	}
	t, err := newTerminal(std.out, "never")
	if err != nil {
		return err
	}
	out := newOutput(std.out, 0)
	out.buf = append(out.buf, "\nTopics, each of which \"gamedissect help TOPIC\" shows:\n"...)
	for _, p := range topics() {
		out.buf = appendTopic(out.buf, &p, proseWidth(t.width))
	}
	return out.flush()
}

// appendTopic appends a page's name and what it answers: beside it, or below it where that would be too narrow to read.
func appendTopic(b []byte, p *docs.Page, width int) []byte {
	const indent, least = 2, 12
	column := 20
	if width-column < least {
		column = 2 * indent
		b = fmt.Appendf(b, "%*s%s\n%*s", indent, "", p.Name, column, "")
	} else {
		b = fmt.Appendf(b, "%*s%-*s", indent, "", column-indent, p.Name)
	}
	return append(appendFitting(b, []byte(p.Title), column, column, width), '\n')
}

// showPage writes a page, behind something.
func showPage(std streams, before string, p *docs.Page) error {
	t, err := newTerminal(std.out, "auto")
	if err != nil {
		return err
	}
	out := newOutput(std.out, 0)
	out.buf = appendPage(append(out.buf, before...), p.Text, proseWidth(t.width), &t.style)
	return out.flush()
}

// noHelp says what there is instead of help about words.
func noHelp(root *cobra.Command, args []string) error {
	about := strings.Join(args, " ")
	hint := tableHint(args[0])
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
	for _, p := range topics() {
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

// completeHelp completes names of commands, and of pages.
func completeHelp(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var names []string
	if within, rest, err := c.Root().Find(args); err == nil && len(rest) == 0 {
		for _, below := range within.Commands() {
			if below.IsAvailableCommand() {
				names = append(names, cobra.CompletionWithDesc(below.Name(), below.Short))
			}
		}
	}
	if len(args) == 0 {
		for _, p := range topics() {
			if _, rest, err := c.Root().Find([]string{p.Name}); err != nil || len(rest) > 0 { // else it is there
				names = append(names, cobra.CompletionWithDesc(p.Name, p.Title))
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
