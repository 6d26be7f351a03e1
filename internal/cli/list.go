package cli

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/known"
	"github.com/gamedissect/gamedissect/internal/cli/message"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// newProtocols makes the command that lists the protocols.
func newProtocols(std term.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "protocols",
		Short: "list the protocols, their ports, and where documents differ",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			t, err := term.NewTerminal(std.Out, "auto")
			if err != nil {
				return err
			}
			out := term.NewOutput(std.Out, 0)
			for i, p := range known.Protocols() {
				if i > 0 {
					out.Buf = append(out.Buf, '\n')
				}
				out.Buf = appendProtocol(out.Buf, p, t.Width)
			}
			return out.Flush()
		},
	}
}

// appendProtocol writes what is known of a protocol. Of width 0 each fact is a line, for grep.
func appendProtocol(b []byte, p *wire.Protocol, width int) []byte {
	const indent = 13
	fact := func(what, text string) {
		b = fmt.Appendf(b, "  %-*s", indent-2, what)
		b = append(term.AppendFitting(b, []byte(text), indent, indent, width), '\n')
	}
	b = append(term.AppendFitting(b, []byte(p.Name+": "+p.Title), 0, 2, width), '\n')
	fact("UDP ports", ports(p.UDP))
	if len(p.TCP) > 0 {
		fact("TCP ports", ports(p.TCP))
	}
	fact("messages", strings.Join(messageNames(p), ", "))
	fact("rules", fmt.Sprintf("%d (gamedissect rules %s)", len(p.Rules), p.Name))
	for _, d := range p.Differences {
		d = strings.ReplaceAll(d, "`", "") // it is Markdown, for the protocol's page
		b = append(term.AppendFitting(append(b, "  - "...), []byte(d), 4, 4, width), '\n')
	}
	return b
}

// messageNames lists the messages, those that both sides send once.
func messageNames(p *wire.Protocol) []string {
	var names []string
	for _, m := range p.Messages.All() {
		if !slices.Contains(names, m.Name) {
			names = append(names, m.Name)
		}
	}
	return names
}

// ports writes ports with runs put together.
func ports(list []uint16) string {
	var s []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		switch j - i {
		case 0, 1:
			for ; i <= j; i++ {
				s = append(s, fmt.Sprint(list[i]))
			}
		default:
			s = append(s, fmt.Sprintf("%d-%d", list[i], list[j]))
			i = j + 1
		}
	}
	return strings.Join(s, ", ")
}

// newFields makes the command that lists what filters can name.
func newFields(std term.Streams) *cobra.Command {
	all := false
	c := &cobra.Command{
		Use:   "fields [PATTERN...]",
		Short: "list the names for -Y and -e: fields, messages, what carries them",
		Long: `fields lists everything that -Y and -e can name, with its type and, where its values have names, the names.
The list is made by the code that reads the messages, so it is complete. A name is protocol.message.field, or
protocol.field for every message that has the field; inside lists and groups the names are joined by a dot.

A PATTERN is a part of names between dots, a pattern as shells have them, or what names begin with.

On a terminal long lines go on below. A pipe gets a line a name, with tabs between the columns, for grep and cut.`,
		Example: `  gamedissect fields tribes.master_list_reply
  gamedissect fields killed bzflag24.shot_begin
  gamedissect fields 'bzflag24.*flag*' -V
  gamedissect fields frame ip udp
  gamedissect fields | grep duration | cut -f1`,
		ValidArgsFunction: func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
			return session.CompleteNames(nil, nil, begun)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			list := message.ListFields()
			names := make([]string, len(list))
			byName := make(map[string]*message.Nameable, len(list))
			for i := range list {
				names[i], byName[list[i].Name] = list[i].Name, &list[i]
			}
			names, err := option.NamedBy(args, names, "field")
			if err != nil {
				return err
			}
			var e table.Entries
			for _, name := range names {
				n := byName[name]
				e = append(e, []string{n.Name, n.Kind, n.Told(all)})
			}
			return e.Print(std, "name", "type", "values or meaning")
		},
	}
	c.Flags().BoolVarP(&all, "verbose", "V", false, "list all names of values, however many there are")
	return c
}

// examples has for each rule a case of it, made by the tests from their data: "== RULE", then lines.
//
//go:embed examples.txt
var examples string

// newRules makes the command that lists the rules.
func newRules(std term.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "rules [PATTERN...]",
		Short: "list the rules that findings name",
		Long: `rules lists the rules with what breaks them. A PATTERN is a protocol, a rule with or without its protocol, a
pattern as shells have them, or what names begin with.

On a terminal long lines go on below. A pipe gets a line a rule, with tabs between the columns, for grep and cut.`,
		Example:           "  gamedissect rules tribes iceball\n  gamedissect rules '*limit*'\n  gamedissect rules | cut -f1",
		ValidArgsFunction: completeRules,
		RunE: func(_ *cobra.Command, args []string) error {
			rules, err := rulesNamed(args)
			if err != nil {
				return err
			}
			var e table.Entries
			for _, r := range rules {
				e = append(e, []string{r.ID, r.Severity.String(), r.Title})
			}
			return e.Print(std, "rule", "severity", "broken by")
		},
	}
}

// newExplain makes the command that explains rules.
func newExplain(std term.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "explain RULE...",
		Short: "tell what a rule is about, with an example",
		Long: "explain tells what was expected where a rule is broken, what real programs do, what to look at " +
			"next,\nand where the rule comes from, and shows a case of it. Rules are named as in gamedissect rules, by " +
			"patterns, too.",
		Example: "  gamedissect explain bloodmasters.player-count\n  gamedissect explain shot-limit\n" +
			"  gamedissect explain 'bzflag24.*lag*'",
		ValidArgsFunction: completeRules,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name a rule, as in gamedissect explain tcp.gap (gamedissect rules lists them)")
			}
			rules, err := rulesNamed(args)
			if err != nil {
				return err
			}
			t, err := term.NewTerminal(std.Out, "never")
			if err != nil {
				return err
			}
			out := term.NewOutput(std.Out, t.Width) // examples are cut
			for i, r := range rules {
				if i > 0 {
					out.Buf = append(out.Buf, '\n')
				}
				out.Buf = out.Pass(appendExplanation(out.Buf, r, term.ProseWidth(t.Width)))
			}
			return out.Flush()
		},
	}
}

// rulesNamed gives the rules that words are about; all without a word.
func rulesNamed(words []string) ([]*wire.Rule, error) {
	all := session.AllRules()
	ids := make([]string, len(all))
	byID := make(map[string]*wire.Rule, len(all))
	for i, r := range all {
		ids[i], byID[r.ID] = r.ID, r
	}
	ids, err := option.NamedBy(words, ids, "rule")
	var rules []*wire.Rule
	for _, id := range ids {
		rules = append(rules, byID[id])
	}
	return rules, err
}

func completeRules(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var ids []string
	for _, r := range session.AllRules() {
		ids = append(ids, r.ID)
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// appendExplanation writes what is known of a rule, in lines of a width but for the example.
func appendExplanation(b []byte, r *wire.Rule, width int) []byte {
	b = term.AppendParagraph(b, fmt.Sprintf("%s (%s): %s", r.ID, r.Severity, r.Title), width)
	b = append(b, '\n')
	b = term.AppendParagraph(b, r.Why, width)
	b = append(b, '\n')
	b = term.AppendParagraph(b, "Source: "+r.Source, width)
	if example := exampleOf(r.ID); example != "" {
		b = append(b, "\nFor example:\n\n"...)
		b = append(b, example...)
	}
	return b
}

// exampleOf gives a case of a rule, "" if there is none.
func exampleOf(id string) string {
	_, rest, ok := strings.Cut(examples, "== "+id+"\n")
	if !ok {
		return ""
	}
	example, _, _ := strings.Cut(rest, "== ")
	return strings.TrimRight(example, "\n") + "\n"
}
