package serve

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	dto "github.com/prometheus/client_model/go"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/layers"
)

// exampleDir is the folder of examples for other programs.
var exampleDir = filepath.Join(clitest.Root, "examples")

// everything returns metrics with at least one sample of each metric.
func everything(t *testing.T) map[string]*dto.MetricFamily {
	t.Helper()
	m := NewMetrics(layers.All())
	for _, p := range layers.All() {
		for _, what := range spanNames(p) {
			m.Value(&wire.Value{Place: wire.Place{Protocol: p}, Table: serversTable, Who: "x", What: what, Number: 1, Unit: "s"})
		}
		m.Value(&wire.Value{Place: wire.Place{Protocol: p}, Table: playersTable, Who: "x", What: "x"})
	}
	return families(t, m)
}

var (
	selector  = regexp.MustCompile(`\b(gamedissect_\w+|up)\b(?:\{([^}]*)\})?`)
	matcher   = regexp.MustCompile(`(\w+)\s*(=~|=|!=|!~)\s*"([^"]*)"`)
	grouping  = regexp.MustCompile(`\bby\s*\(([^)]*)\)`)
	legend    = regexp.MustCompile(`\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}`)
	histogram = regexp.MustCompile(`_(bucket|sum|count)$`)
)

// checkExpression checks that the metrics, labels and label values in an expression exist.
func checkExpression(t *testing.T, all map[string]*dto.MetricFamily, expr string, shown ...string) {
	t.Helper()
	labels := []string{"instance", "job", "le"} // added by Prometheus
	asked := selector.FindAllStringSubmatch(expr, -1)
	if len(asked) == 0 {
		t.Errorf("no metric in %s", expr)
	}
	for _, s := range asked {
		f := all[s[1]]
		if whole := histogram.ReplaceAllString(s[1], ""); f == nil && all[whole].GetType() == dto.MetricType_HISTOGRAM {
			f = all[whole]
		}
		if f == nil && s[1] != "up" {
			t.Errorf("there is no %s, in %s", s[1], expr)
		}
		for _, pair := range f.GetMetric() {
			for _, l := range pair.GetLabel() {
				labels = append(labels, l.GetName())
			}
		}
		for _, match := range matcher.FindAllStringSubmatch(s[2], -1) {
			checkMatcher(t, f, match[1], match[3], expr)
		}
	}
	for _, by := range grouping.FindAllStringSubmatch(expr, -1) {
		for name := range strings.SplitSeq(by[1], ",") {
			if !slices.Contains(labels, strings.TrimSpace(name)) {
				t.Errorf("nothing has the label %q, in %s", name, expr)
			}
		}
	}
	for _, text := range shown {
		for _, name := range legend.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(labels, name[1]) {
				t.Errorf("nothing has the label %q, in %s", name[1], text)
			}
		}
	}
}

// checkMatcher checks that a metric family has a label, and that the label has each of the values in "a|b".
func checkMatcher(t *testing.T, f *dto.MetricFamily, name, values, expr string) {
	t.Helper()
	if name == "instance" || name == "job" {
		return
	}
	var known []string
	for _, x := range f.GetMetric() {
		for _, l := range x.GetLabel() {
			if l.GetName() == name {
				known = append(known, l.GetValue())
			}
		}
	}
	for value := range strings.SplitSeq(values, "|") {
		if len(known) == 0 || !strings.HasPrefix(value, "$") && !slices.Contains(known, value) {
			t.Errorf("%s has no label %s with value %q, in %s", f.GetName(), name, value, expr)
		}
	}
}

// TestDashboard checks that the metrics in the dashboard exist, and that Grafana can lay out the dashboard.
func TestDashboard(t *testing.T) {
	type query struct {
		Expr, RefID, LegendFormat string
	}
	var d struct {
		SchemaVersion int
		UID, Title    string
		Templating    struct {
			List []struct{ Name, Type, Definition string }
		}
		Panels []struct {
			ID          int
			Type, Title string
			GridPos     struct{ X, Y, W, H int }
			Datasource  struct{ UID string }
			Targets     []query
		}
	}
	text := clitest.ReadFile(t, filepath.Join(exampleDir, "grafana", "gamedissect.json"))
	clitest.NoError(t, json.Unmarshal(text, &d))
	if d.SchemaVersion < 38 || d.UID == "" || d.Title == "" {
		t.Errorf("schema %d, uid %q, title %q", d.SchemaVersion, d.UID, d.Title)
	}
	all, ids, taken := everything(t), make(map[int]bool), make(map[[2]int]string)
	variables := []string{"__rate_interval", "__range"}
	for _, v := range d.Templating.List {
		variables = append(variables, v.Name)
		if v.Type == "query" {
			checkExpression(t, all, v.Definition)
		}
	}
	queries := 0
	for _, p := range d.Panels {
		if g := p.GridPos; ids[p.ID] || g.W < 1 || g.H < 1 || g.X < 0 || g.X+g.W > 24 {
			t.Errorf("panel %q: id %d, at %+v", p.Title, p.ID, g)
		}
		ids[p.ID] = true
		for x := range p.GridPos.W {
			for y := range p.GridPos.H {
				at := [2]int{p.GridPos.X + x, p.GridPos.Y + y}
				if other := taken[at]; other != "" {
					t.Fatalf("panels %q and %q overlap", other, p.Title)
				}
				taken[at] = p.Title
			}
		}
		if p.Type != "row" && (p.Datasource.UID != "${datasource}" || len(p.Targets) == 0) {
			t.Errorf("panel %q: %d queries of %q", p.Title, len(p.Targets), p.Datasource.UID)
		}
		for i, q := range p.Targets {
			queries++
			checkExpression(t, all, q.Expr, q.LegendFormat)
			if q.RefID != string(rune('A'+i)) {
				t.Errorf("panel %q: query %d is %s", p.Title, i, q.RefID)
			}
			for _, v := range regexp.MustCompile(`\$(\w+)`).FindAllStringSubmatch(q.Expr, -1) {
				if !slices.Contains(variables, v[1]) {
					t.Errorf("panel %q: there is no variable %s", p.Title, v[0])
				}
			}
		}
	}
	for name, f := range all {
		if strings.HasPrefix(name, "gamedissect_") && name != "gamedissect_build_info" && !strings.Contains(string(text), name) {
			t.Errorf("the dashboard does not show %s: %s", name, f.GetHelp())
		}
	}
	if queries == 0 {
		t.Error("the dashboard has no queries")
	}
}

// TestAlerts checks that the metrics in the alerting rules exist.
func TestAlerts(t *testing.T) {
	var file struct {
		Groups []struct {
			Rules []struct {
				Alert, Expr string
				Annotations map[string]string
			}
		}
	}
	text := clitest.ReadFile(t, filepath.Join(exampleDir, "prometheus", "gamedissect.rules.yml"))
	clitest.NoError(t, yaml.Unmarshal(text, &file))
	all, rules := everything(t), 0
	for _, g := range file.Groups {
		for _, r := range g.Rules {
			rules++
			checkExpression(t, all, r.Expr, r.Annotations["summary"], r.Annotations["description"])
			if r.Annotations["summary"] == "" {
				t.Errorf("%s has no summary", r.Alert)
			}
		}
	}
	if rules == 0 {
		t.Error("there are no rules")
	}
}

// TestPromtool checks the examples and a scrape with promtool, if promtool is installed.
func TestPromtool(t *testing.T) {
	path, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip(err)
	}
	m, _ := measure(t, "iceball-real-session.pcap", "", "note")
	at := func(name string) string { return filepath.Join(exampleDir, "prometheus", name) }
	for _, args := range [][]string{
		{"check", "config", at("prometheus.yml")},
		{"check", "rules", at("gamedissect.rules.yml")},
		{"test", "rules", at("gamedissect.rules.test.yml")},
		{"check", "metrics"},
	} {
		c := exec.CommandContext(t.Context(), path, args...)
		c.Stdin = strings.NewReader(scrape(t, m))
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
}
