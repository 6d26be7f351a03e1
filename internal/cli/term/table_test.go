package term

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/report"
	"github.com/gamedissect/gamedissect/internal/stats"
	"github.com/gamedissect/gamedissect/layers"
)

// tableText returns a table in a form.
func tableText(t *testing.T, show *report.Table, form string, width int, options ...string) string {
	t.Helper()
	f, err := NewTableForm(form, options, width)
	clitest.NoError(t, err)
	out := NewOutput(new(strings.Builder), 0)
	f.Write(out, show)
	return string(out.Buf)
}

func players() *report.Table {
	return &report.Table{
		Name:    "players",
		Caption: "chess players",
		Columns: []report.Column{{Name: "name"}, {Name: "kills", Kind: report.Count},
			{Name: "lag p50/max", Kind: report.Duration, Only: report.People},
			{Name: "lag max", Kind: report.Duration, Only: report.Programs}, {Name: "joined", Kind: report.Seconds},
			{Name: "from", Kind: report.Word, Whole: true}, {Name: "reason", Below: true},
			{Name: "chat lines", Kind: report.Count}},
		Rows: [][]report.Cell{
			{"1 a\x1b[31m\"b\",c", int64(12345), int64(12_300_000), int64(12_300_000), int64(-1_500_000_000), "10.0.0.1:40000",
				"was here, and is not any more", int64(3)},
			{"2 界界界界界界界界界界界界界界界界界界", int64(0), nil, nil, nil, nil, nil, int64(12)},
		},
	}
}

func TestTableForms(t *testing.T) {
	for _, test := range []struct {
		form    string
		width   int
		options []string
		want    string
	}{
		{"text", 0, nil, `
chess players
name                                     kills  lag p50/max  joined  from            reason                         chat lines
1 a\x1b[31m"b",c                        12,345       12.3ms  -1.500  10.0.0.1:40000  was here, and is not any more           3
2 界界界界界界界界界界界界界界界界界界       0                                                                              12
`},
		{"text", 80, nil, `
chess players
name                              kills      lag  joined  from             chat
                                         p50/max                          lines
1 a\x1b[31m"b",c                 12,345   12.3ms  -1.500  10.0.0.1:40000      3
  reason: was here, and is not any more
2 界界界界界界界界界界界界界界…       0                                      12
`},
		{"text", 40, nil, `
chess players
name                      kills      lag
                                 p50/max
1 a\x1b[31m"b",c         12,345   12.3ms
  reason: was here, and is not any more
2 界界界界界界界界界界…       0
not shown: joined, from, chat lines; a
pipe has all
`},
		{"json", 80, nil, `
{"table":"players","name":"1 a\u001b[31m\"b\",c","kills":12345,"lag_max":0.0123,"joined":-1.5,"from":"10.0.0.1:40000","reason":"was here, and is not any more","chat_lines":3}
{"table":"players","name":"2 界界界界界界界界界界界界界界界界界界","kills":0,"chat_lines":12}
`},
		{"csv", 80, nil, `
name,kills,lag_max,joined,from,reason,chat_lines
"1 a\x1b[31m""b"",c",12345,0.0123,-1.5,10.0.0.1:40000,"was here, and is not any more",3
2 界界界界界界界界界界界界界界界界界界,0,,,,,12
`},
		{"fields", 80, []string{"separator=;", "guard=y", "quote=s", "bom=y"}, `
` + "\ufeff" + `'1 a\x1b[31m"b",c';'12345';'0.0123';'-1.5';'10.0.0.1:40000';'was here, and is not any more';'3'
'2 界界界界界界界界界界界界界界界界界界';'0';'';'';'';'';'12'
`},
	} {
		if diff := cmp.Diff(test.want, "\n"+tableText(t, players(), test.form, test.width, test.options...)); diff != "" {
			t.Errorf("%s, %d columns (-want +got):\n%s", test.form, test.width, diff)
		}
	}
}

// Whatever a table contains, no line is wider than the terminal, and no unprintable character reaches the terminal. The
// first columns are shown.
func TestTablesFit(t *testing.T) {
	wiretest.WithoutDetector(t)
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "word ", "界", "é", "e\u0301", "\x1b[31m", "\u202e", "☺\ufe0f", "👨\u200d👩", "\xff", "\"", "…", " ", "\t\n", "1,234 "}
	text := func() string {
		var b strings.Builder
		for range r.IntN(1 << r.IntN(7)) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	for range 600 {
		show := &report.Table{}
		for i := range 1 + r.IntN(9) {
			c := report.Column{Name: fmt.Sprintf("column %d", i)}
			switch r.IntN(5) {
			case 0:
				c.Wraps = true
			case 1:
				c.Below = true
			case 2: // a heading like those with players' names
				c.Name += " " + cutCell(format.Unquoted(text()), 40)
			case 3:
				c.Kind = report.Count
			}
			show.Columns = append(show.Columns, c)
		}
		for range 1 + r.IntN(4) {
			var row []report.Cell
			for i := range show.Columns {
				if show.Columns[i].Kind.Numeric() {
					row = append(row, int64(r.IntN(1<<r.IntN(30))))
				} else {
					row = append(row, text())
				}
			}
			show.Rows = append(show.Rows, row)
		}
		for _, width := range []int{80, 40} {
			got := string(AppendTable(nil, show, width))
			if bad := clitest.Unprintable(got); bad != "" || !utf8.ValidString(got) {
				t.Fatalf("%s reaches the terminal", bad)
			}
			for line := range strings.Lines(got) {
				if n := clitest.LineWidth(strings.TrimSuffix(line, "\n")); n > width {
					t.Fatalf("a line of %d columns, wider than %d:\n%s", n, width, got)
				}
			}
			if !strings.HasPrefix(strings.TrimLeft(got, " "), "column") ||
				len(show.Columns) > 1 && !show.Columns[1].Below && strings.Count(got, "column") < 2 {
				t.Fatalf("the first columns are missing:\n%s", got)
			}
			if strings.Count(got, "not shown: ") > 1 {
				t.Fatalf("two lines list the missing columns:\n%s", got)
			}
		}
	}
}

// At 80 columns, rules are shown in full, whatever the other columns contain.
func TestRulesAreNotCut(t *testing.T) {
	long := strings.Repeat("an example that goes on ", 20)
	found := (&report.Source{Stats: new(stats.Stats)}).Tables("findings")[0]
	rules := decode.Rules()
	for _, p := range layers.All() {
		rules = append(rules, p.Rules...)
	}
	for _, rule := range rules {
		found.Rows = append(found.Rows, []report.Cell{rule.Severity.String(), rule.ID, int64(1_000), report.Packet{Number: 1_234}, nil,
			long, "[2001:db8:1234:5678:9abc:def0:1234:5678]:65535"})
	}
	got := string(AppendTable(nil, found, 80))
	for _, rule := range rules {
		if !strings.Contains(got, " "+rule.ID+" ") {
			t.Errorf("%s is cut", rule.ID)
		}
	}
	if !strings.HasSuffix(got, "not shown: who; a pipe has all\n") {
		t.Errorf("the end is\n%s", got[len(got)-500:])
	}
}

// If a row has no room for both a rule and an example of it, the example goes below. If there is no room for the rule
// either, the rule is cut.
func TestRulesBeforeExamples(t *testing.T) {
	rules := &report.Table{Columns: []report.Column{{Name: "severity", Whole: true}, {Name: "rule", Whole: true},
		{Name: "count", Kind: report.Count}, {Name: "example", Below: true}},
		Rows: [][]report.Cell{{"note", "bloodmasters.trailing-bytes", int64(9), "10 bytes after the last field"}}}
	for width, want := range map[int]string{
		55: "severity  rule                         count\nnote      bloodmasters.trailing-bytes      9\n" +
			"  example: 10 bytes after the last field\n",
		37: "severity  rule\nnote      bloodmasters.trailing-bytes\n  example: 10 bytes after the last\n  field\n" +
			"not shown: count; a pipe has all\n",
		36: "severity  rule\nnote      bloodmasters.trailing-byt…\n  example: 10 bytes after the last\n  field\n" +
			"not shown: count; a pipe has all\n",
	} {
		if diff := cmp.Diff(want, tableText(t, rules, "text", width)); diff != "" {
			t.Errorf("%d columns (-want +got):\n%s", width, diff)
		}
	}
}

// Colours mark headings, severities and less important text.
func TestTableColours(t *testing.T) {
	found := &report.Table{Columns: []report.Column{{Name: "severity"}, {Name: "rule"}, {Name: "example", Below: true}, {Name: "who"}},
		Rows: [][]report.Cell{{"error", "x.one", "what is found in more than a line", "10.0.0.1"}, {"note", "x.two", nil, nil}}}
	f := TableForm{Name: "text", Width: 30, Style: Colours}
	out := NewOutput(new(strings.Builder), 0)
	f.Write(out, found)
	want := "\x1b[1mseverity  rule   who\x1b[0m\n\x1b[31merror\x1b[0m     x.one  10.0.0.1\n" +
		"\x1b[2m  example:\x1b[0m what is found in\n  more than a line\n\x1b[34mnote\x1b[0m      x.two\n"
	if diff := cmp.Diff(want, string(out.Buf)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Programs can read a table back from JSON and CSV.
func TestTableFormsAreRead(t *testing.T) {
	show := players()
	show.Rows[1][0] = "\xff\x00\u202e,\r\n\""
	var object map[string]any
	lines := strings.Split(tableText(t, show, "json", 0), "\n")
	if err := json.Unmarshal([]byte(lines[1]), &object); err != nil || object["name"] != "\u00ff\x00â\u0080®,\r\n\"" || object["kills"] != 0.0 {
		t.Errorf("%v: %q", err, object)
	}
	records, err := csv.NewReader(strings.NewReader(tableText(t, show, "csv", 0))).ReadAll()
	if err != nil || len(records) != 3 || len(records[2]) != 7 || records[1][0] != `1 a\x1b[31m"b",c` {
		t.Errorf("%v: %q", err, records)
	}
}

func BenchmarkTable(b *testing.B) {
	show := players()
	for i := range 20_000 {
		show.Rows = append(show.Rows, []report.Cell{fmt.Sprint(i, " player"), int64(i), nil, nil, nil,
			fmt.Sprint("10.0.0.1:", i), nil, int64(i)})
	}
	for b.Loop() {
		AppendTable(nil, show, 80)
	}
}
