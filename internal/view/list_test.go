package view

import (
	"fmt"
	"testing"
)

// TestNext checks that the operation next visits exactly those rows that the list shows with findings, forwards and
// backwards.
func TestNext(t *testing.T) {
	for _, filter := range []string{"", "frame.number > 20", "frame.number < 3"} {
		for _, ms := range []int{0, 10_000} {
			t.Run(fmt.Sprint(filter, ms), func(t *testing.T) {
				v := openFile(t, "../../testdata/pcap/bloodmasters-malformed.pcap")
				var want []int
				all := call[rowsAnswer](t, v, "rows", fmt.Sprintf(`{"count": 1000, "ms": 10000, "filter": %q}`, filter))
				for _, r := range all.Rows {
					if r.Severity != "" {
						want = append(want, r.Row)
					}
				}
				v.filters.jobs = nil
				from := func(row int, back bool) int {
					for {
						a := call[nextAnswer](t, v, "next", fmt.Sprintf(`{"row": %d, "back": %t, "filter": %q, "ms": %d}`, row, back, filter, ms))
						if a.Done || a.Row >= 0 {
							return a.Row
						}
					}
				}
				row := -1
				for _, w := range want {
					if row = from(row, false); row != w {
						t.Fatalf("next returns %d, want %d", row, w)
					}
				}
				if got := from(row, false); got != -1 && len(want) > 0 {
					t.Errorf("next returns %d after the last row with findings", got)
				}
				row = v.rows.len()
				for i := range want {
					if row = from(row, true); row != want[len(want)-1-i] {
						t.Fatalf("next returns %d backwards, want %d", row, want[len(want)-1-i])
					}
				}
				if got := from(row, true); got != -1 {
					t.Errorf("next returns %d before the first row with findings", got)
				}
				if filter == "" && len(want) < 5 {
					t.Errorf("only %d rows have findings", len(want))
				}
			})
		}
	}
}
