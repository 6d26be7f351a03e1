package stats

import (
	"cmp"
	"slices"

	"github.com/gamedissect/gamedissect/decode"
)

// Other counts packets of one kind that belong to no protocol.
type Other struct {
	OtherKind

	Packets int64  `json:"packets"`
	Bytes   int64  `json:"bytes"` // on the wire
	File    string `json:"first_file"`
	Frame   int    `json:"first_frame"`
}

// OtherKind is a kind of packet. Kinds beyond maxOthers are counted together, in an OtherKind of which only Kinds is
// set.
type OtherKind struct {
	LinkType uint16 `json:"link_type"`
	Tunnel   string `json:"tunnel,omitempty"` // the innermost tunnel
	Layer    string `json:"layer,omitempty"`  // the innermost header that was read: "EtherType", "IPv4"
	Number   uint16 `json:"number"`           // number in that header that identifies the data after it
	Name     string `json:"name"`             // name of the data after that header: "ARP", "UDP", "broken header"
	Port     uint16 `json:"port,omitempty"`   // the lower port

	Kinds int `json:"kinds,omitempty"` // number of kinds that are counted together; 0: a single kind
}

// maxOthers is the maximum number of kinds that are counted separately.
const maxOthers = 4096

// countOthers adds an engine's counts of packets that do not belong to a protocol.
func (s *Stats) countOthers(all []decode.OtherTraffic) {
	list := make([]Other, 0, len(all))
	for i := range all {
		from := &all[i]
		o := Other{Packets: from.Packets, Bytes: from.Bytes, File: legible(from.File), Frame: from.First}
		if o.Kinds = from.Kinds; o.Kinds == 0 {
			o.LinkType, o.Tunnel, o.Port = from.Link, from.Tunnel.String(), from.Port
			o.Layer, o.Number, o.Name = from.Kind.Layer.String(), from.Kind.Number, from.Kind.String()
		}
		if from.Fragment {
			o.Name += " fragments"
		}
		list = append(list, o)
	}
	s.mergeOthers(list)
}

// mergeOthers adds the counts of other Stats. The most frequent kind comes first. The order of merges may determine
// which kinds are counted together.
func (s *Stats) mergeOthers(list []Other) {
	if len(list) == 0 {
		return
	}
	all := make(map[OtherKind]Other, len(s.Others)+len(list))
	var rest Other
	for _, o := range slices.Concat(s.Others, list) {
		if o.Kinds > 0 {
			rest.add(&o)
			continue
		}
		before := all[o.OtherKind]
		o.add(&before)
		all[o.OtherKind] = o
	}
	s.Others = s.Others[:0]
	for _, o := range all {
		s.Others = append(s.Others, o)
	}
	slices.SortFunc(s.Others, func(a, b Other) int {
		return cmp.Or(cmp.Compare(b.Packets, a.Packets), cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.File, b.File),
			cmp.Compare(a.Frame, b.Frame), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Tunnel, b.Tunnel),
			cmp.Compare(a.Port, b.Port)) // the same frame may be the first of several kinds
	})
	for len(s.Others) > maxOthers {
		rest.add(&s.Others[len(s.Others)-1])
		s.Others = s.Others[:len(s.Others)-1]
	}
	if rest.Kinds > 0 {
		s.Others = append(s.Others, rest)
	}
}

// add adds the counts of another row, which has the same kind. If o is the row of kinds that are counted together, the
// other row may have any kind.
func (o *Other) add(from *Other) {
	if from.Packets == 0 {
		return
	}
	if o.Packets == 0 || cmp.Or(cmp.Compare(from.File, o.File), cmp.Compare(from.Frame, o.Frame)) < 0 {
		o.File, o.Frame = from.File, from.Frame
	}
	if o.Name == "" {
		o.Kinds += max(1, from.Kinds)
	}
	o.Packets += from.Packets
	o.Bytes += from.Bytes
}
