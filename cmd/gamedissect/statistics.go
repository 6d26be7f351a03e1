package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/layers"
)

// statisticsOptions say which statistics are shown or written.
type statisticsOptions struct {
	tables []string
	io     []*ioOptions // of these
	file   string       // "": none; - is standard output
}

func (o *statisticsOptions) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringArrayVarP(&o.tables, "statistics", "z", nil,
		"show the statistics `TABLE` instead of totals; -z help lists them; may repeat")
	f.Var((*fileName)(&o.file), "stats", "write all statistics as JSON to `FILE`; - is standard output, instead of totals")
	completeBy(c, "statistics", completeTables)
	must(c.MarkFlagFilename("stats", "json"))
}

// check finds names of tables that do not exist.
func (o *statisticsOptions) check() error {
	o.io = nil
	for _, name := range o.tables {
		io, ok, err := parseIO(name)
		if err != nil {
			return fmt.Errorf("-z %s: %w", name, err)
		}
		if ok {
			o.io = append(o.io, io)
			continue
		}
		protocol, table, named := strings.Cut(name, ",")
		p := layers.ByName(protocol)
		switch {
		case isTable(name) || p != nil && !named:
		case p == nil || table == "":
			return fmt.Errorf("-z %s: there is no such table (-z help lists them)", name)
		case p.Table(table) == nil:
			return fmt.Errorf("-z %s: of %s there are %s", name, protocol, strings.Join(tableNames(p), ", "))
		}
	}
	return nil
}

// measures reports whether -z io tells of fields.
func (o *statisticsOptions) measures() bool {
	return slices.ContainsFunc(o.io, func(io *ioOptions) bool { return len(io.measures) > 0 })
}

// completeTables completes what -z takes, and fields of which io tells.
func completeTables(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if at := strings.LastIndexAny(begun, ",("); at >= 0 && strings.HasPrefix(begun, "io,") {
		var found []string
		if begun[at] == '(' {
			fields, directive := completeNames(c, args, begun[at+1:])
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
	names := slices.Concat(namedTables, measuredNames(), protocolNames())
	for _, p := range layers.All() {
		for _, table := range tableNames(p) {
			names = append(names, p.Name+","+table)
		}
	}
	return append(names, "io,10", "help"), cobra.ShellCompDirectiveNoFileComp
}

// countsOthers reports whether anything shows what other traffic is.
func (o *statisticsOptions) countsOthers() bool {
	return o.file != "" || slices.Contains(o.tables, "other")
}

// numbers reports whether anything shows the numbers of conversations.
func (o *statisticsOptions) numbers() bool { return slices.Contains(o.tables, "conv") }

// gathers reports whether anything shows what trackers measured: totals do not, and of the tables that every protocol
// has one tells who is a player.
func (o *statisticsOptions) gathers() bool {
	return o.file != "" || slices.ContainsFunc(o.tables, func(name string) bool {
		return name == "findings,who" || !slices.Contains(namedTables, name) && !strings.HasPrefix(name, "io,")
	})
}

// namedTables are those that every protocol has.
var namedTables = []string{"protocols", "messages", "conv", "endpoints", "findings", "findings,who", "other",
	timelineName}

const timelineName = "timeline"

// printNamed writes the tables of a name.
func (t *totals) printNamed(p *printer, name string, c decode.Counters) {
	some := name == timelineName && t.timeline.print(p)
	for _, of := range t.intervals {
		if of.name == name {
			some = of.print(p)
		}
	}
	for _, of := range t.tablesNamed(name) {
		some = p.table(of) || some
	}
	if !some && p.form.text() {
		p.text(t.nothing(name, c))
	}
}

// tablesNamed makes the tables of a name.
func (t *totals) tablesNamed(name string) []*table {
	switch name {
	case timelineName:
		return nil // it writes itself, and so does io
	case "protocols":
		return []*table{t.protocolTable()}
	case "messages":
		return []*table{t.sizeTable()}
	case "conv":
		return []*table{t.conversationTable()}
	case "endpoints":
		return []*table{t.endpointTable()}
	case "findings":
		return []*table{t.findingTable()}
	case "other":
		return []*table{t.otherTable()}
	case "findings,who":
		return []*table{t.senderTable()}
	}
	if strings.HasPrefix(name, "io,") {
		return nil
	}
	protocol, only, _ := strings.Cut(name, ",")
	if p := layers.ByName(protocol); p != nil {
		return t.measuredTables(p, only)
	}
	var list []*table
	for _, p := range layers.All() {
		list = append(list, t.measuredTables(p, name)...)
	}
	return list
}
