package main

import (
	"strconv"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode/stats"
)

// shownOthers is how many kinds of other traffic the table lists.
const shownOthers = 50

// appendOthers writes what the packets are that are of no protocol.
func (t *totals) appendOthers(b []byte) []byte {
	list := t.Others
	show := table{heading: []string{"link type", "tunnel", "in", "what", "port", "packets", "bytes", "first frame"},
		right: []bool{false, false, false, false, true, true, true, true}}
	more := 0
	var rest stats.Other
	for i := range list {
		o := &list[i]
		if i >= shownOthers || o.Kinds > 0 {
			more += max(1, o.Kinds)
			if rest.Packets == 0 || o.File == rest.File && o.Frame < rest.Frame {
				rest.File, rest.Frame = o.File, o.Frame
			}
			rest.Packets += o.Packets
			rest.Bytes += o.Bytes
			continue
		}
		port := ""
		if o.Port != 0 {
			port = strconv.Itoa(int(o.Port))
		}
		who := []string{capture.LinkType(o.LinkType).String(), o.Tunnel, o.Layer, o.Name, port}
		show.rows = append(show.rows, append(who, t.counts(o)...))
	}
	if more > 0 {
		who := []string{"and " + thousands(int64(more)) + " more", "", "", "", ""}
		show.rows = append(show.rows, append(who, t.counts(&rest)...))
	}
	return show.append(b)
}

// counts are the numbers of a row.
func (t *totals) counts(o *stats.Other) []string {
	return []string{thousands(o.Packets), thousands(o.Bytes), t.first(o.File, o.Frame)}
}

// first names a packet, with its file if several are read.
func (t *totals) first(file string, frame int) string {
	if t.files {
		return string(appendPlain(nil, file)) + ":" + strconv.Itoa(frame)
	}
	return strconv.Itoa(frame)
}
