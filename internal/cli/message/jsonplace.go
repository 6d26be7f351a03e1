package message

import (
	"net/netip"
	"strconv"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// jsonPlaces caches JSON text about the places of messages: transport, conversation, endpoints and protocol. All
// messages in one direction of a conversation have the same text.
type jsonPlaces struct {
	slots []placeText
}

// placeSlots is the size of the cache. A text is stored at the index lane % placeSlots. A lane is the number of one
// direction of a conversation.
const placeSlots = 1 << 12

// placeText is the text of a place, and what it was made from.
type placeText struct {
	protocol     *wire.Protocol
	src, dst     netip.AddrPort
	conversation int
	transport    wire.Transport
	text         []byte
	id           int // where the Community ID begins; 0: there is none
}

// append appends the transport, conversation, community ID, endpoints and protocol of a place.
func (j *jsonPlaces) append(b []byte, p *wire.Place) []byte {
	if j.slots == nil {
		j.slots = make([]placeText, placeSlots)
	}
	s := &j.slots[p.Lane%placeSlots]
	if s.protocol != p.Protocol || s.conversation != p.Conversation || s.transport != p.Transport || s.src != p.Src ||
		s.dst != p.Dst {
		s.set(p, &j.slots[wire.ReverseLane(p.Lane)%placeSlots])
	}
	return append(b, s.text...)
}

// set makes the text of a place. If possible, it copies the Community ID from the text of the reverse direction,
// because computing it takes as long as making the rest of the text.
func (s *placeText) set(p *wire.Place, reverse *placeText) {
	s.protocol, s.src, s.dst, s.conversation, s.transport = p.Protocol, p.Src, p.Dst, p.Conversation, p.Transport
	s.id = 0
	b := jsonText(s.text[:0], "transport", p.Transport.String())
	if p.Conversation != decode.NoConversation {
		b = jsonKey(b, "stream")
		b = strconv.AppendInt(b, int64(p.Conversation), 10)
		b = append(b, `,"community_id":"`...)
		start := len(b)
		if reverse.id > 0 && reverse.transport == p.Transport && reverse.src == p.Dst && reverse.dst == p.Src {
			b = append(b, reverse.text[reverse.id:reverse.id+wire.CommunityIDSize]...)
		} else {
			b = p.AppendCommunityID(b)
		}
		if len(b) > start {
			s.id = start
		}
		b = append(b, '"')
	}
	b = append(b, `,"src":"`...)
	b = p.Src.AppendTo(b)
	b = append(b, `","dst":"`...)
	b = p.Dst.AppendTo(b)
	b = append(b, '"')
	s.text = jsonText(b, "protocol", p.Protocol.Name)
}
