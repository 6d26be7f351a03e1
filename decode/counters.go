package decode

import "github.com/gamedissect/gamedissect/decode/wire/bounded"

// Counters tell what an Engine has seen.
type Counters struct {
	Packets      int64
	Bytes        int64 // on the wire
	Messages     int64
	Recognised   int64               // packets that carried a datagram of our protocols, or a fragment of one
	Other        int64               // the rest; fragments as long as their datagram is not whole
	Carried      int64               // bytes of recognised conversations that are in messages
	Skipped      Skipped             // and those that are in none
	Truncated    int64               // packets of which the capture has only the beginning
	UnknownLinks []UnknownLink       // link types that are not known, in the order they came
	FurtherLinks int64               // packets of further ones: there are many
	Forgotten    []bounded.Forgotten // what Options.Memory had no room for
	Others       []OtherTraffic      // what Other is, if Engine.Others was asked
}

// UnknownLink counts the packets of a link type that is not known.
type UnknownLink struct {
	Type    uint16 // as registered by tcpdump.org
	File    string
	First   int // number of the first one in the file
	Packets int64
}

const maxLinks = 16 // unknown link types that are remembered

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
