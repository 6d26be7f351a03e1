package tally

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/internal/cli/known"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/layers"
)

// Options say which statistics are shown or written.
type Options struct {
	Tables []string
	Io     []*IoOptions // of these
	File   string       // "": none; - is standard output
}

func (o *Options) Flags(c *cobra.Command) {
	f := c.Flags()
	f.StringArrayVarP(&o.Tables, "statistics", "z", nil,
		"show the statistics `TABLE` instead of totals; -z help lists them; may repeat")
	f.Var((*option.FileName)(&o.File), "stats", "write all statistics as JSON to `FILE`; - is standard output, instead of totals")
	option.CompleteBy(c, "statistics", completeTables)
	option.Must(c.MarkFlagFilename("stats", "json"))
}

// Check finds names of tables that do not exist.
func (o *Options) Check() error {
	o.Io = nil
	for _, name := range o.Tables {
		io, ok, err := ParseIO(name)
		if err != nil {
			return fmt.Errorf("-z %s: %w", name, err)
		}
		if ok {
			o.Io = append(o.Io, io)
			continue
		}
		protocol, table, named := strings.Cut(name, ",")
		p := layers.ByName(protocol)
		switch {
		case isTable(name) || p != nil && !named:
		case p == nil || table == "":
			return fmt.Errorf("-z %s: there is no such table (-z help lists them)", name)
		case p.Table(table) == nil:
			return fmt.Errorf("-z %s: of %s there are %s", name, protocol, strings.Join(TableNames(p), ", "))
		}
	}
	return nil
}

// Measures reports whether -z io tells of fields.
func (o *Options) Measures() bool {
	return slices.ContainsFunc(o.Io, func(io *IoOptions) bool { return len(io.Measures) > 0 })
}

// completeTables completes what -z takes, and fields of which io tells.
func completeTables(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if at := strings.LastIndexAny(begun, ",("); at >= 0 && strings.HasPrefix(begun, "io,") {
		var found []string
		if begun[at] == '(' {
			fields, directive := session.CompleteNames(c, args, begun[at+1:])
			for _, name := range fields {
				found = append(found, begun[:at+1]+name)
			}
			return found, directive | cobra.ShellCompDirectiveNoSpace
		}
		for _, of := range measureFunctions {
			found = append(found, begun[:at+1]+of+"(")
		}
		return found, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	}
	names := slices.Concat(NamedTables, MeasuredNames(), known.Names())
	for _, p := range layers.All() {
		for _, table := range TableNames(p) {
			names = append(names, p.Name+","+table)
		}
	}
	return append(names, "io,10", "help"), cobra.ShellCompDirectiveNoFileComp
}

// CountsOthers reports whether anything shows what other traffic is.
func (o *Options) CountsOthers() bool {
	return o.File != "" || slices.Contains(o.Tables, "other")
}

// numbers reports whether anything shows the numbers of conversations.
func (o *Options) numbers() bool { return slices.Contains(o.Tables, "conv") }

// Gathers reports whether anything shows what trackers measured: totals do not, and of the tables that every protocol
// has one tells who is a player.
func (o *Options) Gathers() bool {
	return o.File != "" || slices.ContainsFunc(o.Tables, func(name string) bool {
		return name == "findings,who" || !slices.Contains(NamedTables, name) && !strings.HasPrefix(name, "io,")
	})
}

// NamedTables are those that every protocol has.
var NamedTables = []string{"protocols", "messages", "conv", "endpoints", "findings", "findings,who", "other",
	TimelineName}

const TimelineName = "timeline"

// printNamed writes the tables of a name.
func (t *Totals) printNamed(p *Printer, name string, c decode.Counters) {
	some := name == TimelineName && t.Timeline.Print(p)
	for _, of := range t.Intervals {
		if of.name == name {
			some = of.Print(p)
		}
	}
	for _, of := range t.tablesNamed(name) {
		some = p.Table(of) || some
	}
	if !some && p.Form.Text() {
		p.text(t.nothing(name, c))
	}
}

// tablesNamed makes the tables of a name.
func (t *Totals) tablesNamed(name string) []*table.Table {
	switch name {
	case TimelineName:
		return nil // it writes itself, and so does io
	case "protocols":
		return []*table.Table{t.protocolTable()}
	case "messages":
		return []*table.Table{t.sizeTable()}
	case "conv":
		return []*table.Table{t.conversationTable()}
	case "endpoints":
		return []*table.Table{t.endpointTable()}
	case "findings":
		return []*table.Table{t.FindingTable()}
	case "other":
		return []*table.Table{t.otherTable()}
	case "findings,who":
		return []*table.Table{t.SenderTable()}
	}
	if strings.HasPrefix(name, "io,") {
		return nil
	}
	protocol, only, _ := strings.Cut(name, ",")
	if p := layers.ByName(protocol); p != nil {
		return t.MeasuredTables(p, only)
	}
	var list []*table.Table
	for _, p := range layers.All() {
		list = append(list, t.MeasuredTables(p, name)...)
	}
	return list
}
