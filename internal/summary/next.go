package summary

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// next returns commands that show more about the most important finding, and tables that show what is wrong. If nothing
// is wrong, the tables show what is in the capture. The commands name files as the caller did.
func (s *Summary) next(from *Source) []string {
	list := []string{}
	if all := s.Health.Findings; len(all) > 0 && all[0].severity > wire.Note {
		list = append(list, "gamedissect explain "+all[0].Rule)
		if name, ok := typed(all[0].File); ok && all[0].Frame > 0 {
			list = append(list, "gamedissect -r "+name+" -Y frame.number=="+strconv.Itoa(all[0].Frame))
		}
	}
	tables := s.tables(from)
	if names := typedAll(from.Given); names != "" && len(tables) > 0 {
		return append(list, "gamedissect -r"+names+" -q -z "+strings.Join(tables, " -z "))
	}
	for len(tables) > 0 {
		file := s.fileOf(from, tables[0])
		text := ""
		tables = slices.DeleteFunc(tables, func(table string) bool {
			here := s.fileOf(from, table) == file
			if here {
				text += " -z " + table
			}
			return here
		})
		if name, ok := typed(file); ok {
			list = append(list, "gamedissect -r "+name+" -q"+text)
		}
	}
	return list
}

// tables returns the names of the tables to look at. If many packets belong to no game, it includes the table of these
// packets.
func (s *Summary) tables(from *Source) []string {
	list := s.gameTables(from)
	if s.Others >= manyOthers && s.Others*othersPart >= s.Packets && !slices.Contains(list, tableOther) {
		list = append(list, tableOther)
	}
	return list
}

const (
	tableOther = "other"
	manyOthers = 20
	othersPart = 5 // at least one in this many packets belongs to no game
)

// gameTables returns the names of the tables that show what is wrong. If nothing is wrong, it returns those that show
// what is in the capture.
func (s *Summary) gameTables(from *Source) (list []string) {
	h := &s.Health
	if len(h.NotListed) > 0 {
		list = append(list, tableListing)
	}
	if len(h.Refused) > 0 {
		list = append(list, tableRefused)
	}
	if len(h.Unanswered) > 0 {
		list = append(list, tableQueries)
	}
	for _, a := range s.Attempts {
		if !a.Failed {
			continue
		}
		if from.has(a.Kind) && !slices.Contains(list, a.Kind) {
			list = append(list, a.Kind)
		}
		if a.Kind != tableListing && a.Kind != tableQueries && (len(s.Players) > 0 || !from.has(a.Kind)) &&
			!slices.Contains(list, "timeline") {
			list = append(list, "timeline")
		}
	}
	switch {
	case len(list) > 0 || s.Packets == 0:
		return list
	case s.Messages == 0:
		return []string{tableOther}
	case len(s.Players) > 0:
		return []string{tablePlayers, "timeline"}
	}
	for _, table := range []string{tableServers, tableLists, tableList} {
		if from.has(table) {
			return []string{table, "timeline"}
		}
	}
	return []string{"messages"}
}

// has reports whether a table has rows.
func (s *Source) has(table string) bool {
	for _, p := range s.Stats.Protocols {
		if len(p.Tables[table]) > 0 {
			return true
		}
	}
	return false
}

// fileOf returns the name of a file that has data for a table.
func (s *Summary) fileOf(from *Source, table string) string {
	if name, met := from.FileOf[table]; met && len(s.Files) > 1 {
		return name
	}
	return s.largest()
}

// largest returns the name of the file with the most messages.
func (s *Summary) largest() string {
	best := 0
	for i := range s.Files {
		if s.Files[i].Messages > s.Files[best].Messages {
			best = i
		}
	}
	if len(s.Files) == 0 {
		return ""
	}
	return s.Files[best].Name
}

// special reports whether a character needs quoting in a shell.
func special(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("_./:@%+=,-", r)
}

// typedAll returns names as arguments for a shell, each after a space. It returns "" if one of them cannot be typed.
func typedAll(names []string) (text string) {
	for _, name := range names {
		one, ok := typed(name)
		if !ok {
			return ""
		}
		text += " " + one
	}
	return text
}

// typed returns the name of a file as an argument for a shell. ok is false for unprintable names, and for standard
// input, which has already been read.
func typed(name string) (text string, ok bool) {
	if name == "" || name == "-" || strings.ContainsFunc(name, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return "", false
	}
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	if !strings.ContainsFunc(name, special) {
		return name, true
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'", true
}
