package decode

import "github.com/gamedissect/gamedissect/decode/wire/bounded"

// Counters are the counts of an Engine.
type Counters struct {
	Packets      int64
	Bytes        int64 // on the wire
	Messages     int64
	Recognised   int64               // packets of recognised conversations, including fragments
	Other        int64               // all other packets, including fragments of incomplete datagrams
	Carried      int64               // bytes of recognised conversations within messages
	Skipped      Skipped             // bytes of recognised conversations outside messages
	Gaps         int64               // gaps in TCP streams, except those that the snap length caused
	Missing      int64               // missing bytes in these gaps
	OutOfOrder   int64               // TCP segments of recognised conversations that came after later ones
	Truncated    int64               // packets of which only a part was captured
	UnknownLinks []UnknownLink       // unknown link types, in order of appearance
	FurtherLinks int64               // packets with unknown link types that UnknownLinks has no room for
	Forgotten    []bounded.Forgotten // entries dropped because Options.Memory was full
	Others       []OtherTraffic      // not set by Engine.Counters; callers may set it to the result of Engine.Others
}

// UnknownLink counts the packets of an unknown link type.
type UnknownLink struct {
	Type    uint16 // as registered by tcpdump.org
	File    string
	First   int // number of the first such packet in its file
	Packets int64
}

const maxLinks = 16 // maximum length of Counters.UnknownLinks

// noteLink counts a frame of an unknown link type.
func (c *Counters) noteLink(f *Frame) {
	for i := range c.UnknownLinks {
		if l := &c.UnknownLinks[i]; l.Type == f.Link && l.File == f.File {
			l.Packets++
			return
		}
	}
	if len(c.UnknownLinks) < maxLinks {
		c.UnknownLinks = append(c.UnknownLinks, UnknownLink{Type: f.Link, File: f.File, First: f.Number, Packets: 1})
		return
	}
	c.FurtherLinks++
}
