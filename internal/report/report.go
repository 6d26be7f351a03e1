// Package report makes tables of counts. Other packages write the tables as text, JSON and CSV, and show them in the
// viewer.
//
// Each table that -z names is an entry in specs or in a protocol's Tables. This package must not depend on how a
// terminal shows a table.
package report

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// A Source is the data from which tables are made.
type Source struct {
	Stats     *stats.Stats
	Counters  decode.Counters // counters of the engine
	Protocols []*wire.Protocol
	First     int64 // time of the first packet, nanoseconds since 1970
	Brief     bool  // for people: a long table ends with a row for all others
}

// Needs is the data that a table needs in addition to messages and findings.
type Needs struct {
	Values bool // values of trackers, see stats.Stats.Value
	Others bool // packets of no protocol, see decode.Options.Others
	Rows   bool // rows of conversations, endpoints and senders, see stats.Stats.Brief
}

// A Spec describes a table of -z.
type Spec struct {
	Name      string
	Args      string // arguments after the name, such as ",SECONDS"
	Meaning   string
	Protocols []string // protocols whose trackers measure the table; nil: a table for all protocols
	Needs     Needs

	make func(*Source) *Table // nil: made by Events, Intervals or Source.measured
}

// These tables are made by Events and Intervals while packets are read.
const (
	TimelineName  = "timeline"
	IntervalsName = "io"
)

// specs are the tables that no tracker measures.
var specs = []Spec{
	{Name: "protocols", Meaning: "messages, bytes, time span and rate of each protocol", Needs: Needs{Rows: true},
		make: (*Source).protocols},
	{Name: "messages", Meaning: "count, bytes and sizes of each kind of message", make: (*Source).messages},
	{Name: everyMessage, Meaning: "the same, with kinds that did not occur", make: (*Source).everyMessage},
	{Name: "conv", Meaning: "conversations: endpoints, traffic each way, first and last time", Needs: Needs{Rows: true},
		make: (*Source).conversations},
	{Name: "endpoints", Meaning: "what each endpoint sent and received", Needs: Needs{Rows: true},
		make: (*Source).endpoints},
	{Name: "findings", Meaning: "the broken rules", make: (*Source).findings},
	{Name: "findings,who", Meaning: "who broke each rule, most frequent first",
		Needs: Needs{Values: true, Rows: true}, make: (*Source).senders},
	{Name: TimelineName, Meaning: "events in time order; with -q it is written while packets are read"},
	{Name: IntervalsName, Args: ",SECONDS",
		Meaning: "packets, messages, bytes and findings per interval, by protocol; " +
			"io,10,avg(response_time),max(bzflag24.lag) adds numbers of fields and measurements: " +
			"count, sum, min, max or avg; max(bzflag24.servers.players) has players over time"},
	{Name: "other", Meaning: "packets of other traffic: by EtherType, IP protocol and port", Needs: Needs{Others: true},
		make: (*Source).others},
}

// Specs returns all tables: first specs, then the tables that trackers measure, by name.
func Specs(protocols []*wire.Protocol) []Spec {
	list := slices.Clone(specs)
	for _, p := range protocols {
		for _, t := range p.Tables {
			at := slices.IndexFunc(list, func(s Spec) bool { return s.Protocols != nil && s.Name == t.Name })
			if at < 0 {
				at, list = len(list), append(list, Spec{Name: t.Name, Needs: Needs{Values: true}})
			}
			s := &list[at]
			s.Protocols = append(s.Protocols, p.Name)
			for _, column := range slices.Concat(t.Columns, t.Steps) {
				if !slices.Contains(strings.Split(s.Meaning, ", "), column) {
					s.Meaning = strings.TrimPrefix(s.Meaning+", "+column, ", ")
				}
			}
		}
	}
	slices.SortFunc(list[len(specs):], func(a, b Spec) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// Names returns the names that Lookup accepts.
func Names(protocols []*wire.Protocol) (names []string) {
	for _, s := range Specs(protocols) {
		if s.Args == "" {
			names = append(names, s.Name)
		}
	}
	for _, p := range protocols {
		names = append(names, p.Name)
	}
	for _, p := range protocols {
		for _, t := range p.Tables {
			names = append(names, p.Name+","+t.Name)
		}
	}
	return names
}

// Lookup returns the needs of the tables with a name. The name may be TABLE for a table of Specs without arguments,
// PROTOCOL for all tables of a protocol's tracker, or PROTOCOL,TABLE for one of these.
func Lookup(protocols []*wire.Protocol, name string) (Needs, error) {
	for _, s := range Specs(protocols) {
		if s.Name == name && s.Args == "" {
			return s.Needs, nil
		}
	}
	of, table, named := strings.Cut(name, ",")
	p := find(protocols, of)
	switch {
	case p == nil || named && table == "":
		return Needs{}, errors.New("there is no such table (-z help lists them)")
	case named && p.Table(table) == nil:
		var names []string
		for _, t := range p.Tables {
			names = append(names, t.Name)
		}
		return Needs{}, fmt.Errorf("%s has the tables %s", of, strings.Join(names, ", "))
	}
	return Needs{Values: true}, nil
}

func find(protocols []*wire.Protocol, name string) *wire.Protocol {
	at := slices.IndexFunc(protocols, func(p *wire.Protocol) bool { return p.Name == name })
	if at < 0 {
		return nil
	}
	return protocols[at]
}

// Tables makes the tables with a name that Lookup accepts. It does not make the timeline, see Events.
func (s *Source) Tables(name string) (list []*Table) {
	for _, of := range specs {
		switch {
		case of.Name != name:
		case of.make == nil:
			return nil
		default:
			return []*Table{of.make(s)}
		}
	}
	protocol, only, _ := strings.Cut(name, ",")
	if p := find(s.Protocols, protocol); p != nil {
		return s.measured(p, only)
	}
	for _, p := range s.Protocols {
		list = append(list, s.measured(p, name)...)
	}
	return list
}

// All makes all tables that have rows, except those of Events and Intervals.
func (s *Source) All() (list []*Table) {
	for _, of := range specs {
		if of.make != nil && of.Name != everyMessage {
			list = append(list, of.make(s))
		}
	}
	list = append(list, s.Skipped())
	for _, p := range s.Protocols {
		list = append(list, s.measured(p, "")...)
	}
	return slices.DeleteFunc(list, func(t *Table) bool { return len(t.Rows) == 0 })
}
