package view

import (
	"slices"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// carriers finds the packets that carry a message: segments of a stream, or fragments of a datagram. It also remembers
// packets that have bytes of messages that are not yet complete.
type carriers struct {
	segments  map[streamEnd]*[]segment
	latest    streamEnd
	list      *[]segment         // segments of the latest direction; the messages of a packet arrive one after another
	fragments map[int64][]uint32 // packets, by the number of the datagram that they are part of
	count     int                // number of packets in segments and fragments
	rows      []int              // for UDP: rows of the current packet that have bytes from other packets
}

type streamEnd struct {
	conversation int
	second       bool
}

// A segment is a packet, with the position of its first byte in the stream.
type segment struct {
	at    int64
	frame uint32
}

// maxCarriers limits the number of remembered packets. At the limit, carriers forgets all of them. For a message that
// is incomplete at that moment, only the last packet is then known.
const maxCarriers = 1 << 17

// maxSegments limits the number of segments of one direction, and thus the time to search them.
const maxSegments = 1 << 12

// message records the packets of a message that has become a row. whole says whether the current packet contains all of
// the message.
func (c *carriers) message(x *index, m *decode.Message, row int, whole bool) {
	if m.Transport != wire.TCP {
		if !whole {
			c.rows = append(c.rows, row)
		}
		return
	}
	stored := c.stream(streamEnd{m.Conversation, x.ends[x.contexts[x.row(row).context].ends].second})
	list := *stored
	end := m.At + int64(len(m.Data))
	first, last := int64(-1), int64(-1) // positions of the segments in which this message and the next one begin
	for _, s := range list {
		if s.at <= m.At {
			first = max(first, s.at)
		}
		if s.at <= end {
			last = max(last, s.at)
		}
	}
	if !whole {
		var frames []uint32
		for _, s := range list {
			if s.at >= first && s.at < end {
				frames = append(frames, s.frame)
			}
		}
		x.carry(row, frames)
	}
	*stored = slices.DeleteFunc(list, func(s segment) bool { return s.at < last })
	c.count -= len(list) - len(*stored)
}

// stream returns the segments of a stream.
func (c *carriers) stream(e streamEnd) *[]segment {
	if c.list != nil && c.latest == e {
		return c.list
	}
	list := c.segments[e]
	if list == nil {
		if c.segments == nil {
			c.segments = map[streamEnd]*[]segment{}
		}
		list = new([]segment)
		c.segments[e] = list
	}
	c.latest, c.list = e, list
	return list
}

// packet records a packet. It must be called after message has been called for the messages that the packet completed.
func (c *carriers) packet(x *index, frame uint32, p *decode.PacketInfo) {
	if c.count >= maxCarriers {
		*c = carriers{rows: c.rows}
	}
	if p.Datagram > 0 {
		if c.fragments == nil {
			c.fragments = map[int64][]uint32{}
		}
		c.fragments[p.Datagram] = append(c.fragments[p.Datagram], frame)
		c.count++
	}
	if p.Joined != nil {
		list := c.fragments[p.Datagram]
		for _, row := range c.rows {
			x.carry(row, list)
		}
		delete(c.fragments, p.Datagram)
		c.count -= len(list)
	}
	c.rows = c.rows[:0]
	if p.Transport == wire.TCP {
		x.begin(p.Conversation, frame)
	}
	if p.Transport == wire.TCP && p.At > 0 {
		list := c.stream(streamEnd{p.Conversation, p.Second})
		if len(*list) >= maxSegments {
			c.count -= len(*list)
			*list = (*list)[:0]
		}
		*list = append(*list, segment{p.At, frame})
		c.count++
	}
}

// carry records the packets that carry a row, except the row's own packet.
func (x *index) carry(row int, frames []uint32) {
	own := x.row(row).frame
	if more := slices.DeleteFunc(slices.Clone(frames), func(n uint32) bool { return n == own }); len(more) > 0 {
		x.used += x.carriers.add(row, more...)
	}
}

// maxBeginning is the number of packets remembered from the beginning of each connection. An exported capture contains
// these packets. Without them, its reader could not recognise the protocol or distinguish the client from the server.
const maxBeginning = 32

// begin records a packet if it is one of the first of its connection.
func (x *index) begin(conversation int, frame uint32) {
	if conversation < 0 || x.used >= x.limit {
		return
	}
	if more := conversation + 1 - len(x.beginnings); more > 0 {
		x.beginnings = append(x.beginnings, make([][]uint32, more)...)
		x.used += more * int(unsafe.Sizeof([]uint32{}))
	}
	if list := &x.beginnings[conversation]; len(*list) < maxBeginning {
		*list = append(*list, frame)
		x.used += 4
	}
}

// beginning returns the first packets of the TCP connection that e belongs to.
func (x *index) beginning(e *ends) []uint32 {
	if e.transport != wire.TCP || e.conversation < 0 || e.conversation >= len(x.beginnings) {
		return nil
	}
	return x.beginnings[e.conversation]
}
