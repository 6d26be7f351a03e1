package expect

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// checkMeasured fails if no protocol measures the value, or if the value's unit differs from the limit's unit.
func (l *loader) checkMeasured(n ast.Node, m *measure, limit string) {
	protocols := l.schema.Protocols()
	if p := l.expectation.protocol; p != nil {
		protocols = []*wire.Protocol{p}
	}
	names, times := measures(protocols, m.table)
	if !slices.Contains(names, m.what) {
		where := "games"
		if len(protocols) == 1 {
			where = protocols[0].Name
		}
		if m.table != "" {
			where += "," + m.table
		}
		meant := filter.DidYouMean(filter.Nearest(m.what, names))
		l.fail(n, "hold: %q is not measured%s%s", m.what, meant, there(where, names))
	}
	if p := l.expectation.protocol; p != nil && m.table == "" { // of several tables, the first is used
		at := slices.IndexFunc(p.Tables, func(t wire.Table) bool { return slices.Contains(t.Columns, m.what) })
		m.table = p.Tables[at].Name
	}
	timed := slices.Contains(times, m.what) && m.aggregate != "count"
	switch {
	case timed && m.unit == "":
		l.fail(n, "hold: %s is a time, so %s needs a unit, as in 200ms or 1.5s", m.what, limit)
	case !timed && m.unit != "":
		l.fail(n, "hold: %s is a number, not a time, but %s has a unit", strings.TrimSpace(m.what+" "+m.aggregate), limit)
	}
}

// measures lists the values that protocols measure in a table. An empty table name means any table. times lists those
// values that are in seconds.
func measures(protocols []*wire.Protocol, table string) (names, times []string) {
	for _, p := range protocols {
		for i := range p.Tables {
			if t := &p.Tables[i]; table == "" || table == t.Name {
				names = append(names, t.Columns...)
			}
		}
		times = append(times, p.Times...)
	}
	slices.Sort(names)
	return slices.Compact(names), append(times, "ping", "lag")
}

func there(what string, names []string) string {
	if len(names) == 0 {
		return "; nothing is measured for " + what
	}
	return "; the known names for " + what + " are " + strings.Join(names, ", ")
}
