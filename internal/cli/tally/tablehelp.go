package tally

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/report"
)

// StatisticsHelp lists the tables of -z, wrapped to a width.
func StatisticsHelp(protocols []*wire.Protocol, width int) string {
	const column = 16
	b := []byte("Tables that -z TABLE shows (-z may repeat):\n")
	measured := false
	for _, s := range report.Specs(protocols) {
		text := s.Meaning
		if s.Protocols != nil {
			if !measured {
				b = append(b, "\nMeasurements (PROTOCOL shows all tables of a protocol, PROTOCOL,TABLE one):\n"...)
				measured = true
			}
			text = strings.TrimSuffix(strings.Join(s.Protocols, ", ")+": "+s.Meaning, ": ")
		}
		b = fmt.Appendf(b, "  %-*s", column-2, s.Name+s.Args)
		b = append(term.AppendFitting(b, []byte(text), column, column, width), '\n')
	}
	return string(b)
}

// TableHint says how to show a table, if word is the table's name. Otherwise it returns "".
func TableHint(protocols []*wire.Protocol, word string) string {
	for _, s := range report.Specs(protocols) {
		if s.Name == word && s.Args == "" {
			return fmt.Sprintf("%s is a table: gamedissect -r FILE -q -z %s", word, word)
		}
	}
	return ""
}

// nothing describes an empty table: it says that the table is empty, and which other tables exist.
func nothing(name string, src *report.Source) string {
	text := "nothing for " + name
	if src.Stats.Messages == 0 {
		return text + ": " + src.Packets()
	}
	protocol, _, _ := strings.Cut(name, ",")
	measured := slices.ContainsFunc(report.Specs(src.Protocols), func(s report.Spec) bool {
		return s.Protocols != nil && (s.Name == name || slices.Contains(s.Protocols, protocol))
	})
	var others []string
	for _, p := range src.Protocols {
		if counted := src.Stats.Protocols[p.Name]; measured && counted != nil && (protocol == name || p.Name == protocol) {
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
