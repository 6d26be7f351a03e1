package tally

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/layers"
)

// tableMeanings are the tables that are not of a protocol.
var tableMeanings = [][2]string{
	{"protocols", "messages, bytes, time span and rate of each protocol"},
	{"messages", "count, bytes and sizes of each kind of message"},
	{"conv", "conversations: who, how much each way, from when to when"},
	{"endpoints", "what each endpoint sent and received"},
	{"findings", "the rules that were broken"},
	{"findings,who", "who sent what breaks them, the most often first"},
	{TimelineName, "what happened, event by event; with -q it is written while packets are read"},
	{"io,SECONDS", "packets, messages, bytes and findings in each so many seconds, by protocol; " +
		"io,10,avg(response_time),max(bzflag24.lag) has numbers of fields, and of what was measured: " +
		"count, sum, min, max or avg"},
	{"other", "packets of other traffic: by EtherType, IP protocol and port"},
}

// StatisticsHelp says what -z can show, in lines of a width.
func StatisticsHelp(width int) string {
	b := []byte("Tables that -z TABLE shows (-z may repeat):\n")
	for _, t := range tableMeanings {
		b = appendTableHelp(b, t[0], t[1], width)
	}
	b = append(b, "\nOf what was measured (PROTOCOL shows all of one protocol, PROTOCOL,TABLE one):\n"...)
	for _, name := range MeasuredNames() {
		var columns, protocols []string
		for _, p := range layers.All() {
			if t := p.Table(name); t != nil {
				protocols = append(protocols, p.Name)
				for _, column := range slices.Concat(t.Columns, t.Steps) {
					if !slices.Contains(columns, column) {
						columns = append(columns, column)
					}
				}
			}
		}
		text := strings.Join(protocols, ", ")
		if len(columns) > 0 {
			text += ": " + strings.Join(columns, ", ")
		}
		b = appendTableHelp(b, name, text, width)
	}
	return string(b)
}

func appendTableHelp(b []byte, name, text string, width int) []byte {
	const column = 16
	b = fmt.Appendf(b, "  %-*s", column-2, name)
	return append(term.AppendFitting(b, []byte(text), column, column, width), '\n')
}

// isTable reports whether -z takes a name.
func isTable(name string) bool {
	return slices.Contains(NamedTables, name) || slices.Contains(MeasuredNames(), name)
}

// TableHint says how a table is shown, if a word that stands where none may be is the name of one.
func TableHint(word string) string {
	if !isTable(word) {
		return ""
	}
	return fmt.Sprintf("%s is a table: gamedissect -r FILE -q -z %s", word, word)
}

// nothing says that there is nothing in the tables of a name, and what there is.
func (t *Totals) nothing(name string, c decode.Counters) string {
	text := "nothing for " + name
	if t.Stats.Messages == 0 {
		return text + ": " + t.packets(c)
	}
	protocol, _, _ := strings.Cut(name, ",")
	if !slices.Contains(MeasuredNames(), name) && layers.ByName(protocol) == nil {
		return text
	}
	var others []string
	for _, p := range layers.All() {
		if counted := t.Stats.Protocols[p.Name]; counted != nil && (protocol == name || p.Name == protocol) {
			for _, table := range slices.Sorted(maps.Keys(counted.Tables)) {
				others = append(others, p.Name+","+table)
			}
		}
	}
	if len(others) == 0 {
		return text
	}
	return text + " (there are the tables " + strings.Join(others, ", ") + ")"
}

// TableNames are the names of a protocol's tables.
func TableNames(p *wire.Protocol) []string {
	var names []string
	for _, t := range p.Tables {
		names = append(names, t.Name)
	}
	return names
}

// MeasuredNames are the names of all tables of protocols.
func MeasuredNames() []string {
	var names []string
	for _, p := range layers.All() {
		names = append(names, TableNames(p)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
