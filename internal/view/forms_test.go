package view

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/testcapture"
)

// TestForms checks that each field of each message has the same values in the page's rows as in JSON.
func TestForms(t *testing.T) {
	for _, name := range testcapture.Names(t, "../../testdata/pcap/*") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			v := openFile(t, name)
			for n := range v.rows.len() {
				m, err := v.rows.message(n)
				if err != nil {
					t.Fatal(err)
				}
				if m == nil { // a finding
					continue
				}
				inJSON := testcapture.Values(t, (&format.JSON{Tree: m.Tree()}).AppendFields(nil))
				d := call[detailAnswer](t, v, "detail", fmt.Sprintf(`{"row": %d, "all": true}`, n))
				if d.LeftOut > 0 {
					continue
				}
				got := make(map[string][]string)
				gatherNodes(got, inJSON, "", d.Tree)
				if want := shownValues(inJSON); !reflect.DeepEqual(got, want) {
					t.Fatalf("row %d, %s (-json +page):\n%s", n, d.Name, cmp.Diff(want, got))
				}
			}
		})
	}
}

// shownValues returns the values in the form that the page shows: without empty values, and with long values cut.
func shownValues(inJSON map[string][]string) map[string][]string {
	shown := make(map[string][]string)
	for name, values := range inJSON {
		for _, v := range values {
			if v != "" {
				shown[name] = append(shown[name], beginning(string(format.AppendEscaped(nil, []byte(v)))))
			}
		}
	}
	return shown
}

// beginning returns the part of a value that the page shows.
func beginning(v string) string { return v[:min(len(v), 2*maxBytes)] }

func gatherNodes(values, inJSON map[string][]string, above string, nodes []*Node) {
	for _, n := range nodes {
		name := above
		if !strings.HasSuffix(n.Name, "]") { // an element has the name of its list
			name = strings.TrimPrefix(above+"."+n.Name, ".")
		}
		gatherNodes(values, inJSON, name, n.Children)
		switch v := n.Value; n.Kind {
		case "text":
			if v = strings.TrimSuffix(strings.TrimPrefix(v, `"`), `"`); v != "" {
				values[name] = append(values[name], beginning(v))
			}
		case "vector":
			values[name] = append(values[name], strings.Split(strings.Trim(v, "()"), ", ")...)
		default:
			if v, _, _ = strings.Cut(v, " ... "); v != "" { // long bytes are cut
				values[name] = append(values[name], strings.ReplaceAll(v, " ", ""))
			}
		}
		if bits := name + "_bits"; inJSON[bits] != nil {
			values[bits] = append(values[bits], strings.Fields(n.Meaning)...)
		} else if n.Meaning != "" && inJSON[name+"_name"] != nil {
			values[name+"_name"] = append(values[name+"_name"], beginning(n.Meaning))
		}
	}
}
