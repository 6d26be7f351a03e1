package wire_test

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// percent is a text that Report must not treat as a format if there are no arguments. It is a variable because go vet
// would report a constant.
var percent = "100 %"

// A message has at most 100 findings. Each finding keeps its position. Making the tree adds no findings.
func TestFindings(t *testing.T) {
	var n uint8
	l := readWhole(t, []byte{1, 2, 3}, func(c *wire.Cursor) {
		wire.U8(c, "a", &n)
		wire.U8(c, "b", &n)
		c.Report(toyRule, percent, []any{}...)
		c.ReportRange(toyRule, 0, 3, "%d %%", n)
		wire.U8(c, "c", &n)
		for range 96 {
			c.Report(toyRule, "again")
		}
	})
	l.annotate(t)
	l.Report(toyRule, 7, 0, "the %dth", 99)
	l.Report(toyRule, 8, 0, "the last")
	l.Report(toyRule, 9, 0, "one too many")
	all := l.Findings()
	if len(all) != 100 {
		t.Fatalf("%d findings", len(all))
	}
	for i, want := range map[int]wire.Finding{
		0: {Rule: toyRule, Text: "100 %", Off: 1, Size: 1}, 1: {Rule: toyRule, Text: "2 %", Off: 0, Size: 3},
		2: {Rule: toyRule, Text: "again", Off: 2, Size: 1}, 98: {Rule: toyRule, Text: "the 99th", Off: 7},
		99: {Rule: toyRule, Text: "the last", Off: 8},
	} {
		if all[i] != want {
			t.Errorf("%d: %+v, want %+v", i, all[i], want)
		}
	}
}

// A Reporter passes the findings and values to its functions, if it has any.
func TestReporter(t *testing.T) {
	place := wire.Place{Frame: 7}
	var none wire.Reporter
	none.Report(&place, toyRule, "to no function")
	none.Measured(wire.Value{What: "ping"})
	var texts []string
	var values []wire.Value
	r := wire.Reporter{
		Finding: func(f *wire.TrafficFinding) {
			if f.Frame != 7 || f.Rule != toyRule {
				t.Errorf("%+v", f)
			}
			texts = append(texts, f.Text)
		},
		Value: func(v *wire.Value) { values = append(values, *v) },
	}
	r.Report(&place, toyRule, percent, []any{}...)
	r.Report(&place, toyRule, "%d %%", 50)
	r.Measured(wire.Value{What: "ping", Number: 3})
	if len(texts) != 2 || texts[0] != "100 %" || texts[1] != "50 %" {
		t.Errorf("%q", texts)
	}
	if len(values) != 1 || values[0] != (wire.Value{What: "ping", Number: 3}) {
		t.Errorf("%+v", values)
	}
}

// Each kind of evidence has its own name and sentence.
func TestEvidence(t *testing.T) {
	seen := make(map[string]bool)
	for e := wire.OnBytes; e <= wire.OnTime; e++ {
		seen[e.String()], seen[e.Sentence()] = true, true
	}
	if len(seen) != 12 || !seen["bytes"] || !seen["time"] || seen[""] {
		t.Errorf("%v", seen)
	}
}
