package report

import (
	"slices"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// maxOthers is the maximum number of kinds of other traffic that people see.
const maxOthers = 50

// others has a row for each kind of packet that belongs to no protocol, most frequent first.
func (s *Source) others() *Table {
	t := &Table{Name: "other", Title: "Other traffic", Columns: slices.Concat(columns(Word, "what", "in"),
		columns(Number, "port"), columns(Count, "packets"), sized("bytes"), columns(Frame, "first frame"),
		[]Column{{Name: "first file", Kind: File, Only: Programs}}, columns(Word, "tunnel", "link type"))}
	var rest stats.Other
	for i := range s.Stats.Others {
		o := &s.Stats.Others[i]
		if i >= maxOthers && s.Brief || o.Kinds > 0 {
			if rest.Packets == 0 || o.File == rest.File && o.Frame < rest.Frame {
				rest.File, rest.Frame = o.File, o.Frame
			}
			rest.Kinds += max(1, o.Kinds)
			rest.Packets += o.Packets
			rest.Bytes += o.Bytes
			continue
		}
		port := Cell(nil)
		if o.Port != 0 {
			port = int64(o.Port)
		}
		t.addOther(o, o.Name, o.Layer, port, o.Tunnel, capture.LinkType(o.LinkType).String())
	}
	if rest.Kinds > 0 {
		t.addOther(&rest, Shown{"and " + FormatCount(int64(rest.Kinds)) + " more", others}, nil, nil, nil, nil)
	}
	return t
}

func (t *Table) addOther(o *stats.Other, what, in, port, tunnel, link Cell) {
	t.add(what, in, port, o.Packets, o.Bytes, Packet{o.File, o.Frame}, o.File, tunnel, link)
}
