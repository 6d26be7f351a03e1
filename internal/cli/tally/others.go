package tally

import (
	"strconv"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// shownOthers is how many kinds of other traffic people are shown.
const shownOthers = 50

// otherTable says what the packets are that are of no protocol.
func (t *Totals) otherTable() *table.Table {
	show := &table.Table{Name: "other", Columns: append(table.TextColumns("what", "in"),
		table.NumberColumns("port", "packets", "bytes", "first frame")...)}
	show.Columns = append(append(show.Columns, table.FileColumn("first file")), table.TextColumns("tunnel", "link type")...)
	more := 0
	var rest stats.Other
	for i := range t.Stats.Others {
		o := &t.Stats.Others[i]
		if i >= shownOthers && t.Form.Text() || o.Kinds > 0 {
			more += max(1, o.Kinds)
			if rest.Packets == 0 || o.File == rest.File && o.Frame < rest.Frame {
				rest.File, rest.Frame = o.File, o.Frame
			}
			rest.Packets += o.Packets
			rest.Bytes += o.Bytes
			continue
		}
		port := table.None
		if o.Port != 0 {
			port = table.Cell{Text: strconv.Itoa(int(o.Port)), Value: int64(o.Port)}
		}
		show.Rows = append(show.Rows, t.otherRow(o, table.WordCell(o.Name), table.WordCell(o.Layer), port, table.WordCell(o.Tunnel),
			table.StringCell(capture.LinkType(o.LinkType))))
	}
	if more > 0 {
		what := table.Cell{Text: "and " + term.Thousands(int64(more)) + " more", Value: others}
		show.Rows = append(show.Rows, t.otherRow(&rest, what, table.None, table.None, table.None, table.None))
	}
	return show
}

// otherRow is a row with the counts of a kind, or of several.
func (t *Totals) otherRow(o *stats.Other, what, in, port, tunnel, link table.Cell) []table.Cell {
	return []table.Cell{what, in, port, table.NumberCell(o.Packets), table.NumberCell(o.Bytes), t.Files.FrameCell(o.File, o.Frame),
		table.FileCell(o.File), tunnel, link}
}
