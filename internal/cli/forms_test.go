package cli

import (
	"encoding/csv"
	"encoding/json"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/internal/testcapture"
)

// TestForms checks that each field of each message has the same values in JSON, CSV, fields and the tree, and no value
// if the message lacks the field. TestFormsOfOtherPrograms compares EK and PDML. The tests of internal/export and
// internal/view compare tables and the page.
func TestForms(t *testing.T) {
	wiretest.WithoutDetector(t)
	schema := session.NewSchema()
	for _, name := range files(t) {
		if !wiretest.Full() && wrapped.MatchString(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(clitest.Captures, name)
			messages := messagesOf(t, schema, file)
			compareColumns(t, "csv", file, messages)
			compareColumns(t, "fields", file, messages)
			compareTrees(t, file, messages)
		})
	}
}

// A shownMessage is a message as -T json shows it.
type shownMessage struct {
	Message, Protocol string
	Fields            json.RawMessage
	Finding           any
	path              string              // name of the message in filters
	values            map[string][]string // values by field name
}

func messagesOf(t *testing.T, schema *filter.Schema, file string) (list []*shownMessage) {
	t.Helper()
	out, _, _ := dissect("-r", file, "-T", "json")
	for line := range strings.Lines(out) {
		m := new(shownMessage)
		clitest.NoError(t, json.Unmarshal([]byte(line), m))
		if m.Finding != nil {
			continue
		}
		m.path = messagePathOf(schema, m.Protocol, m.Message)
		m.values = make(map[string][]string)
		for path, values := range testcapture.Values(t, m.Fields) {
			m.values[m.path+"."+path] = values
		}
		list = append(list, m)
	}
	return list
}

// compareColumns compares all columns of -T csv or -T fields with the messages.
func compareColumns(t *testing.T, form, file string, messages []*shownMessage) {
	t.Helper()
	const aggregator = "<and>"
	all := make(map[string]bool)
	for _, m := range messages {
		for name := range m.values {
			all[name] = true
		}
	}
	names := slices.Sorted(maps.Keys(all))
	if len(names) == 0 {
		return
	}
	args := []string{"-r", file, "-T", form, "-E", "header=n", "-E", "separator=\t", "-E", "aggregator=" + aggregator}
	for _, name := range names {
		args = append(args, "-e", name)
	}
	lines := csv.NewReader(strings.NewReader(shownOf(t, args...)))
	lines.Comma, lines.LazyQuotes = '\t', form == "fields"
	for i, m := range messages {
		cells, err := lines.Read()
		clitest.NoError(t, err)
		for column, name := range names {
			var got []string
			if cells[column] != "" || m.values[name] != nil {
				got = split(cells[column], aggregator)
			}
			if want := plain(m.values[name]); !slices.Equal(got, want) {
				t.Fatalf("-T %s: message %d: %s is %q, want %q", form, i, name, got, want)
			}
		}
	}
}

// split returns the values in a cell. It splits vectors into numbers.
func split(cell, aggregator string) (values []string) {
	for value := range strings.SplitSeq(cell, aggregator) {
		if vector := vectorText.FindStringSubmatch(strings.ReplaceAll(value, " ", "")); vector != nil {
			values = append(values, vector[1:]...)
		} else {
			values = append(values, value)
		}
	}
	return values
}

// plain returns the printable form of values.
func plain(values []string) (list []string) {
	for _, v := range values {
		list = append(list, format.Unquoted(v))
	}
	return list
}

// shownOf runs the program on a capture, which may be damaged.
func shownOf(t *testing.T, args ...string) string {
	t.Helper()
	out, stderr, _ := dissect(args...)
	if out == "" {
		t.Fatalf("%q: %s", args, stderr)
	}
	return out
}

// compareTrees compares complete trees, in which no list is shortened.
func compareTrees(t *testing.T, file string, messages []*shownMessage) {
	t.Helper()
	trees := treesOf(t, file, messages)
	for i, m := range messages {
		want := make(map[string][]string)
		for name, values := range m.values {
			for _, v := range values {
				if v != "" {
					want[name] = append(want[name], string(format.AppendEscaped(nil, []byte(v))))
				}
			}
		}
		if !reflect.DeepEqual(trees[i], want) {
			t.Fatalf("-T tree: message %d, %s (-json +tree):\n%s", i, m.path, cmp.Diff(want, trees[i]))
		}
	}
}

var (
	treeLine  = regexp.MustCompile(`^([ \d-]{11})  ( *)([^ ]+?)(?:\[\d+\])?(?: +(.*))?$`)
	treeValue = regexp.MustCompile(`^("(?:[^"\\]|\\.)*"|\([^)]*\)|.*?)(?:  +(.*?))?$`)
)

// treesOf returns the non-empty values in the tree of each message.
func treesOf(t *testing.T, file string, messages []*shownMessage) (list []map[string][]string) {
	t.Helper()
	var path []string
	var m *shownMessage
	for line := range strings.Lines(shownOf(t, "-r", file, "-T", "tree", "-V")) {
		line = strings.TrimSuffix(line, "\n")
		if next := len(list); next < len(messages) && isHead(line, messages[next]) {
			m = messages[next]
			list = append(list, make(map[string][]string))
			continue
		}
		parts := treeLine.FindStringSubmatch(line)
		if parts == nil || m == nil || strings.TrimSpace(parts[1]) == "" {
			continue
		}
		depth := len(parts[2]) / 2
		for len(path) < depth { // inside an element, which has the name of its list
			path = append(path, "")
		}
		path = append(path[:depth], "."+parts[3])
		value := treeValue.FindStringSubmatch(parts[4])
		gatherTree(list[len(list)-1], m, m.path+strings.Join(path, ""), value[1], value[2])
	}
	if len(list) != len(messages) {
		t.Fatalf("-T tree has %d messages, -T json %d", len(list), len(messages))
	}
	return list
}

// isHead reports whether a line begins a message.
func isHead(line string, m *shownMessage) bool {
	_, ends, ok := strings.Cut(line, " > ")
	words := strings.Fields(ends)
	return ok && len(words) > 2 && words[1] == m.Protocol && words[2] == m.Message
}

// gatherTree adds a value of a tree and the value's meaning.
func gatherTree(values map[string][]string, m *shownMessage, name, value, meaning string) {
	switch {
	case value == "" || value == "none" || value == `""`:
	case value[0] == '"':
		values[name] = append(values[name], value[1:len(value)-1])
	case value[0] == '(':
		values[name] = append(values[name], split(value, "<and>")...)
	default:
		values[name] = append(values[name], strings.ReplaceAll(value, " ", ""))
	}
	meaning = strings.TrimSpace(strings.TrimSuffix(meaning, "(computed)"))
	if bits := name + "_bits"; m.values[bits] != nil {
		values[bits] = append(values[bits], strings.Fields(meaning)...)
	} else if meaning != "" && m.values[name+"_name"] != nil { // JSON has no names for plain values in a list
		values[name+"_name"] = append(values[name+"_name"], meaning)
	}
}
