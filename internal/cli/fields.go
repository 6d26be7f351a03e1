package cli

import (
	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/internal/cli/message"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

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
