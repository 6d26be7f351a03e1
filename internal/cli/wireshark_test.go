package cli

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/option"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// needTshark skips a test unless GAMEDISSECT_TSHARK is "need".
func needTshark(t *testing.T) {
	t.Helper()
	if os.Getenv("GAMEDISSECT_TSHARK") != "need" {
		leftOut.Store("GAMEDISSECT_TSHARK=need", true)
		t.Skip("GAMEDISSECT_TSHARK=need runs it")
	}
	if _, err := exec.LookPath("tshark"); err != nil {
		t.Fatal(err)
	}
}

// inTshark is a message as tshark shows it.
type inTshark struct {
	frame  int
	name   string              // name of the message in filters
	values map[string][]string // values by field name
}

// tshark shows the same as -T json: the fields of all messages, and the findings.
func TestWiresharkShowsWhatJSONHas(t *testing.T) {
	needTshark(t)
	for _, name := range files(t) {
		name := filepath.Join(clitest.Captures, name)
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			compareWithTshark(t, name)
		})
	}
}

func compareWithTshark(t *testing.T, name string) {
	t.Helper()
	want, wantFound := expectedInTshark(t, name)
	got, gotFound := shownInTshark(t, name)
	for i := range min(len(got), len(want)) {
		for name := range got[i].values { // JSON has no names for numbers in a list
			if base, ok := strings.CutSuffix(name, "_name"); ok && want[i].values[name] == nil && want[i].values[base] != nil {
				delete(got[i].values, name)
			}
		}
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Fatalf("frame %d, message %d (-json +tshark):\n%s", want[i].frame, i,
				cmp.Diff(want[i], got[i], cmp.AllowUnexported(inTshark{})))
		}
	}
	if len(got) != len(want) {
		t.Errorf("tshark has %d messages, -T json %d", len(got), len(want))
	}
	if diff := cmp.Diff(wantFound, gotFound); diff != "" {
		t.Errorf("findings (-json +tshark):\n%s", diff)
	}
}

// expectedInTshark returns the messages of -T json.
func expectedInTshark(t *testing.T, name string) (list []inTshark, found []string) {
	t.Helper()
	schema := session.NewSchema()
	out, _, _ := dissect("-r", name, "-T", "json")
	for line := range strings.Lines(out) {
		type finding struct {
			Rule, Severity, Text string
			Frame                int
		}
		var m struct {
			Frame             int
			Protocol, Message string
			Fields            map[string]any
			Findings          []finding
			Finding           *finding
		}
		decodeNumbers(t, line, &m)
		note := func(frame int, f *finding) {
			if frame > 0 {
				found = append(found, fmt.Sprintf("%d %s %s %.100s", frame, f.Rule, f.Severity, inPDML(f.Text)))
			}
		}
		if m.Finding != nil {
			note(m.Finding.Frame, m.Finding)
			continue
		}
		for i := range m.Findings {
			note(m.Frame, &m.Findings[i])
		}
		path := messagePathOf(schema, m.Protocol, m.Message)
		x := inTshark{frame: m.Frame, name: path, values: make(map[string][]string)}
		gatherAll(x.values, path, m.Fields)
		list = append(list, x)
	}
	return inOrder(list), sorted(found)
}

// inOrder sorts messages by frame, and the values of each field.
func inOrder(list []inTshark) []inTshark {
	slices.SortStableFunc(list, func(a, b inTshark) int { return a.frame - b.frame })
	for i := range list {
		for _, v := range list[i].values {
			sort.Strings(v)
		}
	}
	return list
}

func sorted(list []string) []string {
	sort.Strings(list)
	return list
}

// gatherAll gathers the content of a JSON value, including additions to the values.
func gatherAll(values map[string][]string, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if !strings.HasSuffix(key, "_hex") && !strings.HasSuffix(key, "_not_shown") {
				gatherAll(values, path+"."+key, value)
			}
		}
	case []any:
		for _, x := range v {
			gatherAll(values, path, x)
		}
	default:
		if text := inPDML(v); text != "" { // tshark omits empty values
			values[path] = append(values[path], text)
		}
	}
}

// inPDML converts a value of -T json to tshark's notation.
func inPDML(v any) string {
	switch v := v.(type) {
	case bool:
		return map[bool]string{true: "1", false: "0"}[v]
	case json.Number:
		return ofFloat(v.String())
	case string:
		if word, ok := map[string]string{"NaN": "nan", "+Inf": "inf", "-Inf": "-inf"}[v]; ok {
			return word
		}
		var b strings.Builder
		for _, r := range strings.ReplaceAll(v, "\r\n", "\n") { // as in XML
			switch {
			case r == 0:
				b.WriteRune('␀')
			case r == '\r':
				b.WriteByte('\n')
			case r < ' ' && r != '\t' && r != '\n', r == 0x7f:
				fmt.Fprintf(&b, `\x%x`, r)
			default:
				b.WriteRune(r)
			}
		}
		return b.String()
	}
	return fmt.Sprint(v)
}

// ofFloat rounds a number that is not an integer, because tshark writes fewer digits.
func ofFloat(text string) string {
	if f, err := strconv.ParseFloat(text, 64); err == nil && strings.ContainsAny(text, ".e") {
		return strconv.FormatFloat(f, 'g', 6, 32)
	}
	return text
}

var severalBytes = regexp.MustCompile(`^[0-9a-f]{2}(:[0-9a-f]{2})+$`)

// shownInTshark returns the messages that tshark shows.
func shownInTshark(t *testing.T, name string) (list []inTshark, found []string) {
	t.Helper()
	out, stderr, code := dissect("wireshark", "--tshark", name, "-T", "pdml")
	if strings.Contains(stderr, "Lua") || strings.Contains(out, "Lua Error") {
		t.Fatalf("code %d\n%s", code, stderr)
	}
	p := pdmlReader{t: t, schema: session.NewSchema(), d: xml.NewDecoder(bufio.NewReader(strings.NewReader(out)))}
	p.read()
	return inOrder(p.list), sorted(p.found)
}

// A pdmlReader reads tshark's PDML.
type pdmlReader struct {
	t     *testing.T
	d     *xml.Decoder
	list  []inTshark
	found []string

	frame       int
	at          *inTshark // current message
	schema      *filter.Schema
	rule, about string // of the current finding
}

func (p *pdmlReader) read() {
	games := option.ProtocolNames()
	depth := 0
	for {
		token, err := p.d.Token()
		if err == io.EOF {
			return
		}
		clitest.NoError(p.t, err)
		if end, ok := token.(xml.EndElement); ok && end.Name.Local == "proto" {
			if depth--; depth == 0 {
				p.at = nil
			}
			continue
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		of := attributes(start)
		if start.Name.Local == "proto" {
			depth++
			if slices.Contains(games, of["name"]) && !strings.HasSuffix(of["showname"], "about the traffic") &&
				!strings.HasSuffix(of["showname"], ", answered") {
				p.list = append(p.list, inTshark{frame: p.frame, name: of["name"], values: make(map[string][]string)})
				p.at = &p.list[len(p.list)-1]
			}
		}
		p.field(of)
	}
}

// attributes returns the attributes of an element by name.
func attributes(start xml.StartElement) map[string]string {
	of := make(map[string]string)
	for _, a := range start.Attr {
		of[a.Name.Local] = a.Value
	}
	return of
}

// expertLevels are the levels of Wireshark's expert information.
var expertLevels = map[string]string{"4194304": "note", "6291456": "warning", "8388608": "error"}

func (p *pdmlReader) field(of map[string]string) {
	name := of["name"]
	switch {
	case name == "frame.number":
		p.frame, _ = strconv.Atoi(of["show"])
	case strings.HasPrefix(name, "finding."):
		p.rule = strings.TrimPrefix(name, "finding.")
	case name == "_ws.expert.message":
		p.about = of["show"]
	case name == "_ws.expert.severity" && p.rule != "":
		p.found = append(p.found, fmt.Sprintf("%d %s %s %.100s", p.frame, p.rule, expertLevels[of["show"]], p.about))
		p.rule = ""
	case p.at == nil:
	case strings.HasPrefix(name, p.at.name+".") && strings.Count(p.at.name, ".") == 0 && of["hide"] == "yes" && of["show"] == "":
		p.at.name = name
	case strings.HasPrefix(name, p.at.name+"."):
		p.value(name, of)
	}
}

func (p *pdmlReader) value(name string, of map[string]string) {
	if of["show"] == "" || strings.HasSuffix(of["showname"], " element") || strings.HasSuffix(of["showname"], " elements") {
		return // a group, a list, or an empty value
	}
	if field := p.schema.Field(name); field != nil && slices.Contains(field.Kinds, wire.Float) {
		of["float"] = "yes"
	}
	for _, axis := range []string{".x", ".y", ".z"} {
		name = strings.TrimSuffix(name, axis)
	}
	text := of["show"]
	if severalBytes.MatchString(text) {
		text = strings.ReplaceAll(text, ":", "")
	} else if of["float"] != "" {
		text = ofFloat(strings.Replace(text, "-nan", "nan", 1))
	}
	p.at.values[name] = append(p.at.values[name], text)
}
