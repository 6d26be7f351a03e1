package message

import (
	"strconv"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// jsonPlaces caches the texts of places. Places in one direction of a conversation differ only in their time.
type jsonPlaces struct {
	slots []placeText
}

// placeSlots is the size of the cache, which is direct-mapped and indexed by lane.
const placeSlots = 1 << 12

// placeText is a place and its text without the time.
type placeText struct {
	place wire.Place
	text  []byte
}

// append appends the transport, conversation, community ID, endpoints and protocol of a place.
func (j *jsonPlaces) append(b []byte, p *wire.Place) []byte {
	if j.slots == nil {
		j.slots = make([]placeText, placeSlots)
	}
	s := &j.slots[p.Lane%placeSlots]
	if s.place.Protocol != p.Protocol || s.place.Conversation != p.Conversation || s.place.Transport != p.Transport ||
		s.place.Src != p.Src || s.place.Dst != p.Dst {
		s.place = *p
		s.text = appendJSONPlace(s.text[:0], p)
	}
	return append(b, s.text...)
}

func appendJSONPlace(b []byte, p *wire.Place) []byte {
	b = jsonText(b, "transport", p.Transport.String())
	if p.Conversation != decode.NoConversation {
		b = jsonKey(b, "stream")
		b = strconv.AppendInt(b, int64(p.Conversation), 10)
		b = append(b, `,"community_id":"`...)
		b = p.AppendCommunityID(b)
		b = append(b, '"')
	}
	b = append(b, `,"src":"`...)
	b = p.Src.AppendTo(b)
	b = append(b, `","dst":"`...)
	b = p.Dst.AppendTo(b)
	b = append(b, '"')
	return jsonText(b, "protocol", p.Protocol.Name)
}
