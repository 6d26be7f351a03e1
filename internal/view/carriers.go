package view

import (
	"slices"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// carriers finds the packets that carry a message: the segments of a stream, or the fragments of a datagram. It
// remembers packets whose bytes are not yet part of a message.
type carriers struct {
	segments  map[streamEnd][]segment
	fragments map[int64][]uint32 // packets, by the number of their datagram
	count     int                // packets in segments and fragments
	rows      []int              // of UDP: rows of the current packet whose bytes are not in it
}

type streamEnd struct {
	conversation int
	second       bool
}

// segment is a packet, with the position of its first byte in the stream.
type segment struct {
	at    int64
	frame uint32
}

// maxCarriers bounds the remembered packets. Above it carriers forgets them all, and an incomplete message then has
// only its last packet.
const maxCarriers = 1 << 17

// maxSegments bounds the segments of one direction, and so the time to search them.
const maxSegments = 1 << 12

// message notes the packets of a message that became a row. whole reports whether the current packet contains all of
// it.
func (c *carriers) message(x *index, m *decode.Message, row int, whole bool) {
	if m.Transport != wire.TCP {
		if !whole {
			c.rows = append(c.rows, row)
		}
		return
	}
	e := streamEnd{m.Conversation, decode.FromSecondEnd(m.Src, m.Dst)}
	list := c.segments[e]
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
	kept := slices.DeleteFunc(list, func(s segment) bool { return s.at < last })
	c.count -= len(list) - len(kept)
	if len(list) > 0 {
		c.segments[e] = kept
	}
}

// packet notes a packet, after the messages that it completed.
func (c *carriers) packet(x *index, frame uint32, p *decode.PacketInfo) {
	if c.count >= maxCarriers {
		c.segments, c.fragments, c.count = nil, nil, 0
	}
	if c.segments == nil {
		c.segments, c.fragments = map[streamEnd][]segment{}, map[int64][]uint32{}
	}
	if p.Datagram > 0 {
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
		e := streamEnd{p.Conversation, p.Second}
		list := c.segments[e]
		if len(list) >= maxSegments {
			c.count -= len(list)
			list = list[:0]
		}
		c.segments[e] = append(list, segment{p.At, frame})
		c.count++
	}
}

// carry notes the packets that carry a row, other than the row's own packet.
func (x *index) carry(row int, frames []uint32) {
	own := x.row(row).frame
	if more := slices.DeleteFunc(slices.Clone(frames), func(n uint32) bool { return n == own }); len(more) > 0 {
		x.held += x.carriers.add(row, more...)
	}
}

// maxBeginning is how many of a connection's first packets are remembered. An exported capture contains them, so its
// reader can recognise the protocol and tell the client from the server.
const maxBeginning = 32

// begin notes a packet if it is one of the first of its connection.
func (x *index) begin(conversation int, frame uint32) {
	list, known := x.beginnings[conversation]
	if len(list) >= maxBeginning || conversation < 0 || x.held >= x.limit {
		return
	}
	if x.beginnings == nil {
		x.beginnings = map[int][]uint32{}
	}
	if !known {
		x.held += 64 // approximate size of a map entry
	}
	x.beginnings[conversation] = append(list, frame)
	x.held += 4
}
