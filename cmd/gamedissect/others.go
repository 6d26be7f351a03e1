package main

import (
	"strconv"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// shownOthers is how many kinds of other traffic people are shown.
const shownOthers = 50

// otherTable says what the packets are that are of no protocol.
func (t *totals) otherTable() *table {
	show := &table{name: "other", columns: append(textColumns("what", "in"),
		numberColumns("port", "packets", "bytes", "first frame")...)}
	show.columns = append(append(show.columns, fileColumn("first file")), textColumns("tunnel", "link type")...)
	more := 0
	var rest stats.Other
	for i := range t.Others {
		o := &t.Others[i]
		if i >= shownOthers && t.form.text() || o.Kinds > 0 {
			more += max(1, o.Kinds)
			if rest.Packets == 0 || o.File == rest.File && o.Frame < rest.Frame {
				rest.File, rest.Frame = o.File, o.Frame
			}
			rest.Packets += o.Packets
			rest.Bytes += o.Bytes
			continue
		}
		port := none
		if o.Port != 0 {
			port = cell{strconv.Itoa(int(o.Port)), int64(o.Port)}
		}
		show.rows = append(show.rows, t.otherRow(o, wordCell(o.Name), wordCell(o.Layer), port, wordCell(o.Tunnel),
			stringCell(capture.LinkType(o.LinkType))))
	}
	if more > 0 {
		what := cell{"and " + thousands(int64(more)) + " more", others}
		show.rows = append(show.rows, t.otherRow(&rest, what, none, none, none, none))
	}
	return show
}

// otherRow is a row with the counts of a kind, or of several.
func (t *totals) otherRow(o *stats.Other, what, in, port, tunnel, link cell) []cell {
	return []cell{what, in, port, numberCell(o.Packets), numberCell(o.Bytes), t.files.frameCell(o.File, o.Frame),
		fileCell(o.File), tunnel, link}
}
