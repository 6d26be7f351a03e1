package view

import (
	"fmt"
	"testing"
)

// TestPlotGreatest checks that, if there are too many series, a plot has those with the greatest numbers.
func TestPlotGreatest(t *testing.T) {
	v := openFile(t, "../../testdata/pcap/tribes-list-40.pcap")
	v.values.order = nil
	for i := range maxLines + 1 {
		s := &series{seriesKey: seriesKey{what: "lag", who: fmt.Sprint(i)}, count: 1, max: float64(i), points: []point{{}}}
		v.values.order = append(v.values.order, s)
	}
	a := call[plotAnswer](t, v, "plot", `{"measured": {"what": "lag"}}`)
	if len(a.Lines) != maxLines || a.LeftOut != 1 || a.Lines[0].Name != fmt.Sprint(maxLines) {
		t.Errorf("%d lines, the first is %s, %d are left out", len(a.Lines), a.Lines[0].Name, a.LeftOut)
	}
}
