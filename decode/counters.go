package decode

import "github.com/gamedissect/gamedissect/decode/wire/bounded"

// Counters tell what an Engine has seen.
type Counters struct {
	Packets      int64
	Bytes        int64 // on the wire
	Messages     int64
	Recognised   int64   // packets of recognised conversations, with fragments
	Other        int64   // the rest; with fragments whose datagram is not whole yet
	Carried      int64   // bytes of recognised conversations that are in messages
	Skipped      Skipped // bytes of recognised conversations that are in none
	Gaps         int64   // of TCP streams, and how many bytes these lack; without what the snap length cut off
	Missing      int64
	OutOfOrder   int64               // TCP segments of recognised conversations that came after later ones
	Truncated    int64               // packets of which the capture has only the beginning
	UnknownLinks []UnknownLink       // unknown link types, in the order in which they came
	FurtherLinks int64               // packets of unknown link types beyond the first 16
	Forgotten    []bounded.Forgotten // for want of Options.Memory
	Others       []OtherTraffic      // not set by Engine.Counters; for callers that add Engine.Others
}

// UnknownLink counts the packets of a link type that is not known.
type UnknownLink struct {
	Type    uint16 // as registered by tcpdump.org
	File    string
	First   int // number of the first one in the file
	Packets int64
}

const maxLinks = 16 // in Counters.UnknownLinks

// noteLink counts a frame of a link type that is not known.
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
