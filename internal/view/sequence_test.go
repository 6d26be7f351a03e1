package view

import (
	"fmt"
	"net/netip"
	"path/filepath"
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/testcapture"
)

// sequenceOf returns all lines of a diagram.
func sequenceOf(t *testing.T, v *View, what string) (lines []Arrow, a sequenceAnswer) {
	t.Helper()
	for {
		request := fmt.Sprintf(`{%s "from": %d, "count": 1000, "ms": 10000}`, what, len(lines))
		a = call[sequenceAnswer](t, v, "sequence", request)
		lines = append(lines, a.Lines...)
		if len(lines) >= a.Total {
			return lines, a
		}
	}
}

// TestSequence checks that each row of each capture is in one line, between the row's own ends, that "around" finds
// that line, and that a run unfolds into its rows.
func TestSequence(t *testing.T) {
	others := []string{`"apart": true,`, `"clients": ["all"],`, `"hosts": ["all"], "filter": "length > 20 || finding",`}
	for i, name := range testcapture.Names(t, "../../testdata/pcap/*", "../../testdata/odd/*") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			v := openFile(t, name)
			asked := []string{"", others[i%len(others)]}
			if wiretest.Full() {
				asked = append([]string{""}, others...)
			}
			for _, what := range asked {
				lines, a := sequenceOf(t, v, what)
				if !a.Done || a.Hidden != 0 {
					t.Fatalf("%s: %+v", what, a)
				}
				seen := map[int]bool{}
				for _, l := range lines {
					checkLine(t, v, what, &l, seen)
				}
				want := v.rows.len()
				if a.Examined != want || len(seen) != a.Arrows {
					t.Errorf("%s: %d of %d rows are in lines: %+v", what, len(seen), want, a)
				}
				if what == "" && len(seen) != want {
					t.Errorf("%d of %d rows are shown", len(seen), want)
				}
			}
		})
	}
}

// TestSequenceLateFindings checks that a finding that is reported late is drawn in order of time, and that "around"
// finds its row there.
func TestSequenceLateFindings(t *testing.T) {
	v := openFile(t, "../../testdata/pcap/bloodmasters-malformed.pcap")
	lines, a := sequenceOf(t, v, `"apart": true,`)
	if a.Moved == 0 {
		t.Fatal("no finding was drawn late")
	}
	for i, l := range lines {
		if i > 0 && l.Time < lines[i-1].Time {
			t.Errorf("%+v comes after %+v", l, lines[i-1])
		}
	}
}

// checkLine compares a line with its rows.
func checkLine(t *testing.T, v *View, what string, l *Arrow, seen map[int]bool) {
	t.Helper()
	if l.Count == 0 {
		if l.Silence <= 2 || l.From != noColumn || l.To != noColumn {
			t.Errorf("%+v", l)
		}
		return
	}
	run := call[sequenceAnswer](t, v, "sequence", fmt.Sprintf(`{%s "run": %d, "count": 1000}`, what, l.Line))
	if run.Total != l.Count || len(run.Lines) != min(l.Count, 1000) || run.Lines[0].Row.Row != l.Row.Row {
		t.Fatalf("%s: run of %+v: %d of %d", what, l, len(run.Lines), run.Total)
	}
	for i, one := range run.Lines {
		if seen[one.Row.Row] {
			t.Fatalf("%s: row %d appears twice", what, one.Row.Row)
		}
		seen[one.Row.Row] = true
		same := one.Name == l.Name && one.From == l.From && one.To == l.To
		if !same || len(one.Rules) > 0 && one.Rules[0] != l.Rules[0] {
			t.Errorf("%s: %+v in the run of %+v", what, one, l)
		}
		if i%101 == 0 || i == l.Count-1 {
			request := fmt.Sprintf(`{%s "around": %d, "count": 1}`, what, one.Row.Row)
			at := call[sequenceAnswer](t, v, "sequence", request)
			if at.At != l.Line {
				t.Errorf("%s: row %d is in line %d, but \"around\" finds it in line %d", what, one.Row.Row, l.Line, at.At)
			}
		}
	}
	for n := 1000; n < l.Count; n += 1000 {
		request := fmt.Sprintf(`{%s "run": %d, "from": %d, "count": 1000}`, what, l.Line, n)
		run := call[sequenceAnswer](t, v, "sequence", request)
		for _, one := range run.Lines {
			seen[one.Row.Row] = true
		}
	}
}

// TestSequenceEnds checks that servers come first, and that requests can join and hide ends.
func TestSequenceEnds(t *testing.T) {
	v := openFile(t, "../../testdata/pcap/bz24-ctf-capture.pcap")
	_, a := sequenceOf(t, v, "")
	if len(a.Ends) < 3 || a.Ends[0].ID != "127.0.0.1:5154" || !a.Ends[0].Server || a.Ends[1].Server {
		t.Errorf("ends: %+v", a.Ends)
	}
	for _, l := range a.Lines {
		if l.Count > 0 && l.From != a.Ends[0].End && l.To != a.Ends[0].End {
			t.Errorf("%+v does not begin or end at the server", l)
		}
	}
	_, joined := sequenceOf(t, v, `"clients": ["127.0.0.1:5154"],`)
	if len(joined.Ends) != 2 || joined.Ends[1].ID != "clients of 127.0.0.1:5154" || joined.Ends[1].Joined != len(a.Ends)-1 ||
		joined.Arrows != a.Arrows || joined.Total >= a.Total {
		t.Errorf("%d lines, %d before joining; ends: %+v", joined.Total, a.Total, joined.Ends)
	}
	_, hosts := sequenceOf(t, v, `"hosts": ["127.0.0.1"],`)
	if len(hosts.Ends) != 1 || hosts.Ends[0].Joined != len(a.Ends) {
		t.Errorf("ends: %+v", hosts.Ends)
	}
	gone := a.Ends[1]
	_, hidden := sequenceOf(t, v, `"hide": ["`+gone.ID+`"],`)
	if len(hidden.Ends) != len(a.Ends)-1 || hidden.Hidden != gone.Messages || hidden.Arrows != a.Arrows-gone.Messages {
		t.Errorf("got %+v without the hidden end %+v", hidden, gone)
	}
	first := call[sequenceAnswer](t, v, "sequence", `{"hide": ["`+gone.ID+`"], "around": 1000000}`)
	if first.At != -1 || len(first.Lines) == 0 {
		t.Errorf("a row that does not exist is in line %d", first.At)
	}
}

// TestSequenceMostEnds checks that the number of columns is limited, because a sender can invent any number of ends.
func TestSequenceMostEnds(t *testing.T) {
	v := openFile(t, "../../testdata/pcap/bz24-ctf-capture.pcap")
	c := newColumns(nil, nil, nil)
	e := v.rows.ends[0]
	for range 3 * maxColumns {
		e.src = netip.AddrPortFrom(e.src.Addr(), e.src.Port()+1)
		c.column(e.src, e.dst, false, false)
	}
	last := c.list[len(c.list)-1]
	if len(c.list) != maxColumns+1 || last.ID != otherEnds || last.Joined != 2*maxColumns {
		t.Errorf("%d columns, %+v", len(c.list), last)
	}
}
