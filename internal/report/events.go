package report

import (
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Events makes the timeline of events. first is the time of the first packet. If severalFiles is set, rows have the
// names of their files.
func Events(events []wire.Value, first int64, severalFiles bool) *Table {
	t := &Table{Name: TimelineName, Title: "Timeline", Columns: slices.Concat([]Column{{Name: "time", Kind: Time, Only: Programs}},
		columns(Seconds, "seconds"), columns(Number, "frame"), columns(File, "file"),
		columns(Word, "protocol", "server", "event"), columns(Text, "who", "whom", "text"))}
	for i := range events {
		v := &events[i]
		protocol, file := "", ""
		if v.Protocol != nil {
			protocol = v.Protocol.Name
		}
		if severalFiles {
			file = v.File
		}
		t.add(v.Time, v.Time-first, int64(v.Frame), file, protocol, address(v.Server), v.What, v.Who, v.Whom, v.Text)
	}
	return t
}
