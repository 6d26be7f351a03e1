package view

import (
	"slices"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// carriers finds the packets that carry a message: several segments of a stream, or the fragments of a datagram. It
// remembers the packets whose bytes belong to no message yet.
type carriers struct {
	segments  map[streamEnd][]segment
	fragments map[int64][]uint32 // packets of a datagram
	count     int                // of both
	rows      []int              // of UDP, from the current packet, whose bytes it does not contain
}

type streamEnd struct {
	conversation int
	second       bool
}

// segment is a packet by the position in the stream of its first byte.
type segment struct {
	at    int64
	frame uint32
}

// maxCarriers bounds the remembered packets. Beyond it carriers forgets all of them, and messages that are incomplete
// then have only their last packet.
const maxCarriers = 1 << 17

// maxSegments bounds what is remembered of one direction, and so how long it takes to look through it.
const maxSegments = 1 << 12

// message takes what brought a message that is a row; whole says that its packet has all of it.
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
	first, last := int64(-1), int64(-1) // where the segments begin in which the message begins, and the next one
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

// packet takes a packet, after the messages that it made whole.
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

// carry notes which packets carry a row besides its own.
func (x *index) carry(row int, frames []uint32) {
	own := x.row(row).frame
	if more := slices.DeleteFunc(slices.Clone(frames), func(n uint32) bool { return n == own }); len(more) > 0 {
		x.held += x.carriers.add(row, more...)
	}
}

// maxBeginning is how many of the first packets of a connection are remembered. An exported capture needs them, so that
// who reads it can recognise the protocol and tell the client from the server.
const maxBeginning = 32

// begin notes a packet of a connection, if it is one of the first.
func (x *index) begin(conversation int, frame uint32) {
	list, known := x.beginnings[conversation]
	if len(list) >= maxBeginning || conversation < 0 || x.held >= x.limit {
		return
	}
	if x.beginnings == nil {
		x.beginnings = map[int][]uint32{}
	}
	if !known {
		x.held += 64 // of the map, about
	}
	x.beginnings[conversation] = append(list, frame)
	x.held += 4
}
