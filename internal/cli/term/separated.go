package term

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/gamedissect/gamedissect/internal/cli/option"
)

// Separated is the format of values in the lines of -T fields and -T csv. The options of -E set it.
type Separated struct {
	separator, Aggregator string
	quote                 string // "": none
	Occurrence            byte   // 'f', 'l' or 'a'
	Header                bool
	guard                 bool // protect cells that look like formulas
	bom                   bool // begin the output with a byte order mark
	csv                   bool // quote only if necessary
}

// NewSeparated parses the options of -E.
func NewSeparated(options []string, csv bool) (Separated, error) {
	s := Separated{separator: "\t", Aggregator: ",", Occurrence: 'a', csv: csv}
	if csv {
		s.separator, s.Header, s.Aggregator = ",", true, ";"
	}
	for _, option := range options {
		if err := s.option(option); err != nil {
			return s, err
		}
	}
	return s, nil
}

// option parses one option of -E. The options are those of tshark.
func (s *Separated) option(text string) error {
	name, value, _ := strings.Cut(text, "=")
	value = strings.NewReplacer("/t", "\t", "/s", " ").Replace(value)
	choices := map[string][]string{"header": {"y", "n"}, "quote": {"d", "s", "n"}, "occurrence": {"f", "l", "a"},
		"guard": {"y", "n"}, "bom": {"y", "n"}}
	if known, ok := choices[name]; ok && !slices.Contains(known, value) {
		return option.OneOf("-E "+name+"=", value, known)
	}
	switch name {
	case "separator":
		s.separator = value
	case "aggregator":
		s.Aggregator = value
	case "header":
		s.Header = value == "y"
	case "guard":
		s.guard = value == "y"
	case "bom":
		s.bom = value == "y"
	case "occurrence":
		s.Occurrence = value[0]
	case "quote":
		s.quote = map[string]string{"d": `"`, "s": "'", "n": ""}[value]
		s.csv = s.csv && value == "n"
	default:
		return option.OneOf("-E", name, []string{"separator", "aggregator", "header", "quote", "occurrence", "guard", "bom"})
	}
	if (name == "separator" || name == "aggregator") && (value == "" || strings.ContainsAny(value, "\n\r")) {
		return errors.New("-E " + name + "=: a character must follow")
	}
	return nil
}

// Begin appends the byte order mark if -E asks for one.
func (s *Separated) Begin(b []byte) []byte {
	if s.bom {
		s.bom = false
		return append(b, "\ufeff"...)
	}
	return b
}

// Put appends the cell of a column.
func (s *Separated) Put(b []byte, column int, cell []byte) []byte {
	if column > 0 {
		b = append(b, s.separator...)
	}
	quote := s.quote
	if s.csv && (bytes.ContainsAny(cell, `"`) || bytes.Contains(cell, []byte(s.separator))) {
		quote = `"`
	}
	b = append(b, quote...)
	if s.guard && isFormula(cell) {
		b = append(b, '\'')
		if quote == "'" {
			b = append(b, '\'') // a quote in a quoted cell is doubled
		}
	}
	for _, x := range cell {
		if quote != "" && x == quote[0] {
			b = append(b, x) // a quote in a quoted cell is doubled
		}
		b = append(b, x)
	}
	return append(b, quote...)
}

// isFormula reports whether a spreadsheet would read a cell as a formula. A number is not a formula.
func isFormula(cell []byte) bool {
	if len(cell) == 0 || !bytes.ContainsRune([]byte("=+-@\t\r"), rune(cell[0])) {
		return false
	}
	_, err := strconv.ParseFloat(string(cell), 64)
	return err != nil
}
