// Package report makes tables of what was counted: data that text, JSON, CSV and the viewer are written from.
//
// Each table that -z names is an entry of the list of specs, or stands in the Tables of a protocol. It does not enter
// here how a table looks on a terminal.
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

// A Source is what tables are made from.
type Source struct {
	Stats     *stats.Stats
	Counters  decode.Counters // of the engine
	Protocols []*wire.Protocol
	First     int64 // time of the first packet, nanoseconds since 1970
	Brief     bool  // for people: long tables end with a sum of the rest
}

// Needs are what has to be gathered for a table besides messages and findings.
type Needs struct {
	Values bool // of trackers, see stats.Stats.Value
	Others bool // decode.Options.Others
	Rows   bool // of conversations, endpoints and senders, see stats.Stats.Brief
}

// A Spec is a table that has a name.
type Spec struct {
	Name      string
	Args      string // that follow the name: ",SECONDS"
	Meaning   string
	Protocols []string // that have a table of this name, if their trackers measure what is in it
	Needs     Needs

	make func(*Source) *Table // nil: it is made while packets are read, or of Protocols
}

// The tables that are made while packets are read: see Events and Intervals.
const (
	TimelineName  = "timeline"
	IntervalsName = "io"
)

// specs are the tables that are not of a protocol.
var specs = []Spec{
	{Name: "protocols", Meaning: "messages, bytes, time span and rate of each protocol", Needs: Needs{Rows: true},
		make: (*Source).protocols},
	{Name: "messages", Meaning: "count, bytes and sizes of each kind of message", make: (*Source).messages},
	{Name: everyMessage, Meaning: "the same, and the kinds that never came", make: (*Source).everyMessage},
	{Name: "conv", Meaning: "conversations: who, how much each way, from when to when", Needs: Needs{Rows: true},
		make: (*Source).conversations},
	{Name: "endpoints", Meaning: "what each endpoint sent and received", Needs: Needs{Rows: true},
		make: (*Source).endpoints},
	{Name: "findings", Meaning: "the rules that were broken", make: (*Source).findings},
	{Name: "findings,who", Meaning: "who sent what breaks them, the most often first",
		Needs: Needs{Values: true, Rows: true}, make: (*Source).senders},
	{Name: TimelineName, Meaning: "what happened, event by event; with -q it is written while packets are read"},
	{Name: IntervalsName, Args: ",SECONDS",
		Meaning: "packets, messages, bytes and findings in each so many seconds, by protocol; " +
			"io,10,avg(response_time),max(bzflag24.lag) has numbers of fields, and of what was measured: " +
			"count, sum, min, max or avg; max(bzflag24.servers.players) has players over time"},
	{Name: "other", Meaning: "packets of other traffic: by EtherType, IP protocol and port", Needs: Needs{Others: true},
		make: (*Source).others},
}

// Specs lists the tables: first those that are not of a protocol, then what trackers measure, by name.
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

// Names lists what Lookup takes.
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

// Lookup tells what a table needs: TABLE, which is one of Specs without arguments, PROTOCOL for all tables of one, or
// PROTOCOL,TABLE.
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
		return Needs{}, fmt.Errorf("of %s there are %s", of, strings.Join(names, ", "))
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

// Tables makes the tables of a name that Lookup takes. There are none of the timeline.
func (s *Source) Tables(name string) (list []*Table) {
	for _, of := range specs {
		if of.Name == name && of.make != nil {
			return []*Table{of.make(s)}
		} else if of.Name == name {
			return nil
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

// All makes all tables that have rows, but for those that are made while packets are read.
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
