package decode_test

import (
	"encoding/binary"
	"hash/maphash"
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/ip"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers"
)

// A streamMessage is a message over TCP. It is identified by its position in its stream, not by its packet.
type streamMessage struct {
	src, dst netip.AddrPort
	at       uint32 // sequence number of the first byte
	name     string
	bytes    uint64 // hash of the message's bytes
}

var hashSeed = maphash.MakeSeed()

// A listener records the messages over TCP that an engine finds.
type listener struct {
	messages []streamMessage
	ways     []wire.Direction
	frames   []int // for each message, the frame that completed it
	of       []int // for each message, its conversation
	findings []string
}

func listen(frames []decode.Frame, packet func(*decode.PacketInfo)) *listener {
	l := new(listener)
	e := decode.New(decode.Options{
		Protocols: layers.All(),
		Packet:    packet,
		Message: func(m *decode.Message) {
			if m.Transport == wire.TCP {
				l.messages = append(l.messages, streamMessage{m.Src, m.Dst, uint32(m.At), m.Name, maphash.Bytes(hashSeed, m.Data)})
				l.ways = append(l.ways, m.Direction)
				l.frames, l.of = append(l.frames, m.Frame), append(l.of, m.Conversation)
			}
		},
		Finding: func(f *wire.TrafficFinding) { l.findings = append(l.findings, f.Rule.ID+": "+f.Text) },
	})
	for i := range frames {
		f := frames[i]
		e.Frame(&f)
	}
	e.Close()
	return l
}

// A direction is one side of a connection.
type direction struct {
	conversation int
	second       bool
}

// A recording is a capture with its messages. Tests cut it at any frame.
type recording struct {
	frames []decode.Frame
	whole  *listener
	known  map[streamMessage]wire.Direction // all messages of the uncut capture

	// For each frame, the TCP segment with data in it, if there is one. Otherwise the size is 0.
	segments []segment
	begins   map[int]int // for each conversation, the frame in which it begins

	// Frames over UDP that every cut keeps.
	kept map[int]bool
}

type segment struct {
	direction
	at   int64 // position of the first byte
	data int   // offset of the data in the frame
	size int
}

func record(frames []decode.Frame) *recording {
	r := &recording{
		frames: frames, segments: make([]segment, len(frames)),
		begins: make(map[int]int), known: make(map[streamMessage]wire.Direction), kept: make(map[int]bool),
	}
	for i := range frames {
		frames[i].Number = i + 1
	}
	at := 0 // the next frame; loops skip frames without an IP packet
	infos := make([]decode.PacketInfo, 0, len(frames))
	r.whole = listen(frames, func(p *decode.PacketInfo) { infos = append(infos, *p) })
	r.know(r.whole)
	for _, p := range infos {
		var l ip.Layout
		for ok := false; !ok; at++ {
			l, ok = ip.Locate(frames[at].Link, frames[at].Data, frames[at].Length)
		}
		// HTTP is recognised as Iceball's only if the host has spoken Iceball over UDP.
		r.kept[at-1] = p.Transport == wire.UDP && p.Protocol != nil && p.Protocol.Name == "iceball"
		if p.Transport != wire.TCP || p.Conversation == decode.NoConversation || l.Fragment {
			continue
		}
		if _, ok := r.begins[p.Conversation]; !ok {
			r.begins[p.Conversation] = at - 1
		}
		content := frames[at-1].Data[l.Transport:l.End]
		header, size, _ := decode.SplitTransport(l.Protocol, content, l.Missing)
		r.segments[at-1] = segment{direction{p.Conversation, p.Second}, p.At, l.Transport + header, size}
	}
	return r
}

// know adds messages to r.known.
func (r *recording) know(l *listener) {
	for i, m := range l.messages {
		m.bytes = 0
		r.known[m] = l.ways[i]
	}
}

// cut returns the frames from index first on, preceded by the earlier frames that must be kept. In each direction that
// has already begun, it removes up to the given number of bytes from the start of the first segment with data. from is
// the position at which each of these directions now begins.
func (r *recording) cut(first, bytes int) (frames []decode.Frame, from map[direction]int64) {
	from = make(map[direction]int64)
	for i := range first {
		if r.kept[i] {
			frames = append(frames, r.frames[i])
		}
	}
	for i := first; i < len(r.frames); i++ {
		f, s := r.frames[i], &r.segments[i]
		if _, ok := from[s.direction]; s.size > 0 && !ok && r.begins[s.conversation] < first {
			n := min(bytes, s.size-1)
			from[s.direction] = s.at + int64(n)
			f = shorten(f, s.data, n)
		}
		frames = append(frames, f)
	}
	return frames, from
}

// shorten removes n bytes of TCP data from a frame. at is their offset in the frame.
func shorten(f decode.Frame, at, n int) decode.Frame {
	l, _ := ip.Locate(f.Link, f.Data, f.Length)
	f.Data = slices.Delete(slices.Clone(f.Data), at, at+n)
	f.Length -= n
	seq := f.Data[l.Transport+4:]
	binary.BigEndian.PutUint32(seq, binary.BigEndian.Uint32(seq)+uint32(n))
	size := f.Data[l.Network+2:]
	if f.Data[l.Network]>>4 == 6 {
		size = f.Data[l.Network+4:]
	}
	if before := binary.BigEndian.Uint16(size); before > 0 {
		binary.BigEndian.PutUint16(size, before-uint16(n))
	}
	return f
}

// A loss counts the effects of a cut.
type loss struct {
	wanted, missing int // numbers of messages
	tooMany         int // missing messages beyond the number that a direction may lack
	wrong           int // messages that were not sent, or not in that direction
}

func (l *loss) add(x loss) {
	l.wanted += x.wanted
	l.missing += x.missing
	l.tooMany += x.tooMany
	l.wrong += x.wrong
}

// most is the number of messages that may be missing in a direction that began before the capture. The cut message is
// not counted.
const most = 2

// compare returns the loss caused by a cut.
func (r *recording) compare(first, bytes int) (all loss) {
	frames, from := r.cut(first, bytes)
	got := make(map[streamMessage]int)
	l := listen(frames, nil)
	for i, m := range l.messages {
		got[m]++
		m.bytes = 0 // if the snap length cuts the message, its bytes differ
		// The direction may be unknown if it is unknown which end is the server.
		if way, ok := r.known[m]; !ok || way != l.ways[i] && l.ways[i] != wire.Unknown {
			all.wrong++
		}
	}
	lacking := make(map[direction]int)
	for i, m := range r.whole.messages {
		of := r.directionOf(i)
		begin, running := from[of]
		if r.whole.frames[i] <= first || running && int32(m.at-uint32(begin)) < 0 {
			continue
		}
		all.wanted++
		if got[m]--; got[m] < 0 {
			all.missing++
			lacking[of]++
			if !running || lacking[of] > most {
				all.tooMany++
			}
		}
	}
	return all
}

// directionOf returns the direction of message i of the uncut capture.
func (r *recording) directionOf(i int) direction {
	s := &r.segments[r.whole.frames[i]-1]
	d := direction{r.whole.of[i], s.second}
	if m := &r.whole.messages[i]; !r.sentBy(m.src, r.whole.frames[i]-1) {
		d.second = !d.second
	}
	return d
}

// sentBy reports whether an endpoint sent a frame.
func (r *recording) sentBy(a netip.AddrPort, frame int) bool {
	f := &r.frames[frame]
	l, ok := ip.Locate(f.Link, f.Data, f.Length)
	if !ok || l.End < l.Transport+2 {
		return false
	}
	src, _ := ip.Addresses(f.Data[l.Network:])
	addr, _ := netip.AddrFromSlice(src)
	return addr.Unmap() == a.Addr().Unmap() && binary.BigEndian.Uint16(f.Data[l.Transport:]) == a.Port()
}
