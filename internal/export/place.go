package export

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// placeColumns are the columns of a wire.Place. All tables have them.
type placeColumns struct {
	file, frame, time          *column
	protocol                   *column
	transport, stream, id      *column
	src, srcPort, dst, dstPort *column
}

// addWhen adds the columns of the packet and the time.
func (c *placeColumns) addWhen(p *plan) {
	c.file, c.frame, c.time = p.add("file", text), p.add("frame", long), p.add("time", moment)
}

// addWho adds the columns of the endpoints and the conversation.
func (c *placeColumns) addWho(p *plan) {
	c.protocol = p.add("protocol", text)
	c.transport, c.stream, c.id = p.add("transport", text), p.add("stream", long), p.add("community_id", text)
	c.src, c.srcPort = p.add("src", text), p.add("src_port", integer)
	c.dst, c.dstPort = p.add("dst", text), p.add("dst_port", integer)
}

// put puts a place.
func (c *placeColumns) put(e *Exporter, p *wire.Place) {
	e.shred.name(c.file, p.File, 0, 0)
	c.frame.number(0, uint64(p.Frame))
	c.time.number(0, uint64(p.Time))
	c.putWho(p, &e.names)
}

// putWho puts the endpoints and the conversation of a place.
func (c *placeColumns) putWho(p *wire.Place, names *places) {
	if p.Protocol == nil { // the packet is of no known protocol
		for _, x := range [...]*column{c.protocol, c.transport, c.stream, c.id, c.src, c.srcPort, c.dst, c.dstPort} {
			x.null(0, 0)
		}
		return
	}
	n := names.of(p)
	c.protocol.putText(0, p.Protocol.Name)
	c.transport.putText(0, p.Transport.String())
	if p.Conversation == decode.NoConversation {
		c.stream.null(0, 0)
		c.id.null(0, 0)
	} else {
		c.stream.number(0, uint64(p.Conversation))
		c.id.putText(0, n.id)
	}
	putAddress(c.src, c.srcPort, p.Src, n.src)
	putAddress(c.dst, c.dstPort, p.Dst, n.dst)
}

func putAddress(host, port *column, a netip.AddrPort, name string) {
	host.putText(0, name)
	port.number(0, uint64(a.Port()))
}

// places caches the texts of places, which are the same for all messages of a direction.
type places struct {
	slots []placeNames
	room  []byte
}

// placeSlots is the size of the cache, a direct-mapped one by lane.
const placeSlots = 1 << 12

// placeNames are the texts of a place.
type placeNames struct {
	place            wire.Place // its endpoints are compared
	id, src, dst     string
	fromSrc, fromDst string // with the ports
}

// of returns the texts of a place.
func (s *places) of(p *wire.Place) *placeNames {
	if s.slots == nil {
		s.slots = make([]placeNames, placeSlots)
	}
	n := &s.slots[p.Lane%placeSlots]
	if n.place.Src != p.Src || n.place.Dst != p.Dst || n.place.Transport != p.Transport || n.id == "" {
		s.room = p.AppendCommunityID(s.room[:0])
		*n = placeNames{place: *p, id: string(s.room), src: p.Src.Addr().String(), dst: p.Dst.Addr().String(),
			fromSrc: p.Src.String(), fromDst: p.Dst.String()}
	}
	return n
}

// server returns the text of the server among the two endpoints, "" if the direction is unknown.
func (n *placeNames) server(d wire.Direction) string {
	switch d {
	case wire.ToServer:
		return n.fromDst
	case wire.FromServer:
		return n.fromSrc
	}
	return ""
}
