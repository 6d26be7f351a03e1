package cli

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
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
)

// The forms for other programs have the same content as -T json for each message.
func TestFormsOfOtherPrograms(t *testing.T) {
	wiretest.WithoutDetector(t)
	for _, name := range small(t) {
		if !wiretest.Full() && wrapped.MatchString(name) {
			continue
		}
		name := filepath.Join(clitest.Captures, name)
		t.Run(filepath.Base(name), func(t *testing.T) {
			want, findings := shownAsJSON(t, name)
			got := shownAsEK(t, name)
			for i := range min(len(got), len(want)) {
				if !reflect.DeepEqual(got[i], want[i]) { // fast check, because cmp.Diff is slow
					t.Fatalf("message %d of -T ek (-json +ek):\n%s", i, cmp.Diff(want[i], got[i]))
				}
			}
			if len(got) != len(want) {
				t.Errorf("-T ek has %d messages, -T json %d", len(got), len(want))
			}
			shown, found := shownAsPDML(t, name)
			if len(shown) != len(want) || found != findings {
				t.Fatalf("-T pdml has %d messages and %d findings, -T json %d and %d", len(shown), found, len(want), findings)
			}
			for i := range want {
				if want, got := inOwnPDML(want[i]), shown[i]; !reflect.DeepEqual(got, want) {
					t.Fatalf("message %d of -T pdml (-json +pdml):\n%s", i, cmp.Diff(want, got))
				}
			}
		})
	}
}

// shownAsJSON returns the plain values of each message by path, and the number of findings.
func shownAsJSON(t *testing.T, name string) (list []map[string][]string, findings int) {
	t.Helper()
	out, _, _ := dissect("-r", name, "-T", "json")
	for line := range strings.Lines(out) {
		var m struct {
			Message  string
			Fields   map[string]any
			Findings []any
			Finding  any
		}
		decodeNumbers(t, line, &m)
		if m.Finding != nil {
			findings++
			continue
		}
		findings += len(m.Findings)
		values := map[string][]string{"": {m.Message}}
		gatherValues(values, "", m.Fields)
		list = append(list, sortedValues(values))
	}
	return list, findings
}

// gatherValues gathers the content of a JSON value, without additions such as x_name.
func gatherValues(values map[string][]string, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if base, addition := baseName(key); addition && v[base] != nil {
				continue
			}
			gatherValues(values, path+"_"+key, value)
		}
	case []any:
		for _, x := range v {
			gatherValues(values, path, x)
		}
	default:
		for _, axis := range []string{"_x", "_y", "_z"} {
			path = strings.TrimSuffix(path, axis)
		}
		if text := fmt.Sprint(v); text != "NaN" && !strings.HasSuffix(text, "Inf") {
			values[path] = append(values[path], text)
		}
	}
}

// baseName returns the name of the field to which -T json or -T ek adds a key, such as x for x_name.
func baseName(key string) (base string, ok bool) {
	for _, suffix := range []string{"_name", "_bits", "_hex", "_not_shown"} {
		if base, ok := strings.CutSuffix(key, suffix); ok {
			return base, true
		}
	}
	return key, false
}

func sortedValues(values map[string][]string) map[string][]string {
	for _, list := range values {
		slices.Sort(list)
	}
	return values
}

func shownAsEK(t *testing.T, name string) (list []map[string][]string) {
	t.Helper()
	schema := session.NewSchema()
	out, _, _ := dissect("-r", name, "-T", "ek")
	for i, line := range slices.Collect(strings.Lines(out)) {
		if i%2 == 0 {
			if !strings.HasPrefix(line, `{"index":{"_index":"packets-`) {
				t.Fatalf("line %d: %s", i, line)
			}
			continue
		}
		var m struct {
			Layers map[string]map[string][]any
		}
		decodeNumbers(t, line, &m)
		of := m.Layers["gamedissect"]
		if of == nil {
			continue
		}
		protocol := of["gamedissect_protocol"][0].(string)
		message := of["gamedissect_message"][0].(string)
		values := map[string][]string{"": {message}}
		above := protocol + "_" + strings.ReplaceAll(messagePathOf(schema, protocol, message), ".", "_")
		for key, value := range m.Layers[protocol] {
			path, ok := strings.CutPrefix(key, above)
			if !ok {
				t.Fatalf("%s is not in %s", key, above)
			}
			base, addition := baseName(key)
			if _, has := m.Layers[protocol][base]; addition && has {
				continue
			}
			gatherValues(values, path, value)
		}
		list = append(list, sortedValues(values))
	}
	return list
}

// messagePathOf returns the name of a message in filters. If no message is recognised, it returns the name of the
// protocol.
func messagePathOf(s *filter.Schema, protocol, name string) string {
	p, message, err := s.Message(protocol, name)
	if err != nil {
		return protocol
	}
	return filter.MessagePath(p, message)
}

func shownAsPDML(t *testing.T, name string) (list []map[string][]string, findings int) {
	t.Helper()
	const next = "?"
	var above string // message name; next: set by the next field; "": outside a message
	out, _, _ := dissect("-r", name, "-T", "pdml")
	d := xml.NewDecoder(bufio.NewReader(strings.NewReader(out)))
	for {
		token, err := d.Token()
		if err == io.EOF {
			for i := range list {
				list[i] = sortedValues(list[i])
			}
			return list, findings
		}
		clitest.NoError(t, err)
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		of := attributes(start)
		switch {
		case of["name"] == "_ws.expert":
			findings++
		case start.Name.Local == "proto":
			above = ""
			if strings.Contains(of["showname"], ", ") && of["size"] != "0" {
				list = append(list, make(map[string][]string))
				above = next
			}
		case above == next:
			above = of["name"]
			list[len(list)-1][""] = []string{of["show"]}
		case above != "" && of["show"] != "" && strings.HasPrefix(of["name"], above):
			path := strings.ReplaceAll(strings.TrimPrefix(of["name"], above), ".", "_")
			texts := []string{strings.ReplaceAll(of["show"], " ", "")} // with separators between bytes
			if vector := vectorText.FindStringSubmatch(texts[0]); vector != nil {
				texts = vector[1:]
			}
			for _, text := range texts {
				gatherValues(list[len(list)-1], path, text)
			}
		}
	}
}

func decodeNumbers(t *testing.T, line string, v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(line))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
}

// vectorText matches a vector, and its numbers.
var vectorText = regexp.MustCompile(`^\(([-+.\deINafn]+),([-+.\deINafn]+),([-+.\deINafn]+)\)$`)

// inOwnPDML converts values to the notation of our PDML, without spaces and without empty values.
func inOwnPDML(values map[string][]string) map[string][]string {
	in := make(map[string][]string)
	for path, list := range values {
		for _, text := range list {
			if text != "" {
				text = string(format.AppendEscaped(nil, []byte(text)))
				in[path] = append(in[path], strings.ReplaceAll(text, " ", ""))
			}
		}
	}
	return sortedValues(in)
}
