package tally

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/internal/report"
)

// Options select the statistics to show or write.
type Options struct {
	Protocols []*wire.Protocol
	Tables    []string
	Intervals []*Intervals // the interval tables in Tables, see Check
	Order     report.Order // order of the rows of Tables
	File      string       // file for --stats; "": none, -: standard output
}

// Flags adds -z and --stats.
func (o *Options) Flags(c *cobra.Command) {
	f := c.Flags()
	f.StringArrayVarP(&o.Tables, "statistics", "z", nil,
		"show the statistics `TABLE` instead of totals; -z help lists them; may repeat")
	f.Var((*option.FileName)(&o.File), "stats",
		"write all statistics as JSON to `FILE`; - is standard output, instead of totals; -z TABLE -T json has "+
			"one table")
	f.StringVar(&o.Order.Column, "sort", "",
		"with -z: sort the rows by this `COLUMN`: numbers descending, texts ascending; -COLUMN reverses the order")
	f.IntVar(&o.Order.Top, "top", 0, "with -z: show only the first `N` rows of each table")
	option.CompleteBy(c, "statistics", o.complete)
	option.CompleteBy(c, "sort", o.completeColumn)
	option.Must(c.MarkFlagFilename("stats", "json"))
}

// Check returns an error for names of tables that do not exist.
func (o *Options) Check() error {
	o.Intervals = nil
	switch {
	case o.Order.Top < 0:
		return errors.New("--top: give the number of rows, as in --top 10")
	case o.Order.Given() && len(o.Tables) == 0:
		return errors.New("--sort and --top need a table: name one with -z TABLE")
	}
	for _, name := range o.Tables {
		t, err := report.ParseIntervals(name)
		if t != nil {
			o.Intervals = append(o.Intervals, &Intervals{Intervals: t, name: name})
			continue
		}
		if err == nil {
			if _, err = report.Lookup(o.Protocols, name); err != nil {
				err = fmt.Errorf("%w%s", err, filter.DidYouMean(filter.Nearest(name, report.Names(o.Protocols))))
			}
		}
		if err != nil {
			return fmt.Errorf("-z %s: %w", name, err)
		}
	}
	return nil
}

// Measures reports whether an interval table uses numbers of fields, or values that trackers measure.
func (o *Options) Measures() bool { return slices.ContainsFunc(o.Intervals, (*Intervals).Measures) }

// completeColumn completes the name of a column of the protocols' tables.
func (o *Options) completeColumn(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, p := range o.Protocols {
		for i := range p.Tables {
			for _, column := range p.Tables[i].Columns {
				if name := strings.ReplaceAll(column, " ", "_"); !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// complete completes the names of tables, and the fields in interval tables.
func (o *Options) complete(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	at := strings.LastIndexAny(begun, ",(")
	if at < 0 || !strings.HasPrefix(begun, report.IntervalsName+",") {
		return append(report.Names(o.Protocols), report.IntervalsName+",10", "help"), cobra.ShellCompDirectiveNoFileComp
	}
	names, directive := []string(nil), cobra.ShellCompDirectiveNoFileComp
	if begun[at] == '(' {
		names, directive = session.CompleteNames(c, args, begun[at+1:])
	} else {
		for _, of := range report.MeasureFunctions {
			names = append(names, of+"(")
		}
	}
	for i, name := range names {
		names[i] = begun[:at+1] + name
	}
	return names, directive | cobra.ShellCompDirectiveNoSpace
}

// Needs returns what must be gathered for the statistics that are shown or written.
func (o *Options) Needs() (all report.Needs) {
	for _, name := range o.Tables {
		needs, _ := report.Lookup(o.Protocols, name) // fails for interval tables, which gather what they need themselves
		all.Values = all.Values || needs.Values
		all.Others = all.Others || needs.Others
		all.Rows = all.Rows || needs.Rows
	}
	if o.File != "" {
		all = report.Needs{Values: true, Others: true, Rows: true}
	}
	return all
}
