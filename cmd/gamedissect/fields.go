package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode/filter"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers"
)

// newFields makes the command that lists the fields of all messages.
func newFields(std streams) *cobra.Command {
	return &cobra.Command{
		Use:   "fields [PREFIX]",
		Short: "list the fields of all messages with their types and symbols",
		Long: `fields lists every field of every message with its type and, where its values have names, the
names. The list is made by the code that reads the messages, so it is complete. A name is
protocol.message.field; inside lists and groups the names are joined by a dot.`,
		Example: "  gamedissect fields tribes.master_list_reply",
		Args:    cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var names []string
			eachMessage(func(path string, _ *wire.Protocol, _ *wire.MessageType) { names = append(names, path) })
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			prefix := strings.Join(args, "")
			t := table{heading: []string{"field", "type", "symbols"}}
			listed := make(map[string]bool) // both sides may send the same field
			eachMessage(func(path string, p *wire.Protocol, m *wire.MessageType) {
				for _, f := range p.Describe(m) {
					if name := path + "." + f.Name; strings.HasPrefix(name, prefix) && !listed[name] {
						listed[name] = true
						t.rows = append(t.rows, []string{name, fieldType(&f), symbols(f.Symbols)})
					}
				}
			})
			if len(t.rows) == 0 {
				return fmt.Errorf("no field begins with %q (gamedissect fields lists them all)", prefix)
			}
			out := newOutput(std.out, 0)
			out.buf = t.append(out.buf)
			return out.flush()
		},
	}
}

// eachMessage calls the function for every message with its name in filters.
func eachMessage(f func(path string, p *wire.Protocol, m *wire.MessageType)) {
	for _, p := range layers.All() {
		for _, m := range p.Messages.All() {
			f(filter.MessagePath(p, m), p, m)
		}
	}
}

func fieldType(f *wire.Field) string {
	t := f.Kind.String()
	if f.Bits > 0 && (f.Kind == wire.Uint || f.Kind == wire.Int) {
		t = fmt.Sprintf("%s %d", t, f.Bits)
	}
	if f.Computed {
		t += ", computed"
	}
	return t
}

func symbols(list wire.Symbols) string {
	const most = 8
	var s []string
	for i, x := range list {
		if i == most {
			s = append(s, fmt.Sprintf("... %d more", len(list)-most))
			break
		}
		s = append(s, fmt.Sprintf("%d %s", x.Value, x.Name))
	}
	return strings.Join(s, ", ")
}
