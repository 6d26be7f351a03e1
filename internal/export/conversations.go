package export

import (
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// A conversation counts the messages between two endpoints.
type conversation struct {
	first           wire.Place // place of its first message
	direction       wire.Direction
	last            int64 // time of its last message
	messages, bytes [2]int64
	findings        int64
}

// conversations counts the messages of each conversation. To make room, it writes the least recently used conversation.
// If that conversation continues, it gets another row. If each day has its own tables, a conversation gets a row for
// each day.
type conversations struct {
	list  *bounded.LRU[conversationKey, conversation]
	begin func(at int64) int64 // returns the beginning of the day
	write func(*conversation)  // called before a conversation is dropped
}

type conversationKey struct {
	wire.ConversationID
	protocol *wire.Protocol
}

const conversationMemory = 16 << 20

func newConversations(begin func(int64) int64, write func(*conversation)) *conversations {
	return &conversations{begin: begin, write: write, list: bounded.NewLRU(bounded.NewBudget(conversationMemory),
		bounded.Kind{Name: "conversations"}, bounded.Values[conversationKey, conversation]{
			Dropped: func(_ conversationKey, c *conversation) {
				if c.first.Protocol != nil {
					write(c)
				}
			},
		})}
}

func (s *conversations) message(m *decode.Message) {
	if m.Conversation == decode.NoConversation {
		return
	}
	c := s.list.Make(conversationKey{m.ConversationID(), m.Protocol})
	if c.first.Protocol != nil && s.begin(m.Time) != s.begin(c.first.Time) {
		s.write(c)
	}
	if c.first.Protocol == nil {
		c.first, c.direction = m.Place, m.Direction
	}
	if c.direction == wire.Unknown && m.Src == c.first.Src {
		c.direction = m.Direction
	}
	side := 0
	if m.Src != c.first.Src {
		side = 1
	}
	c.last = m.Time
	c.messages[side]++
	c.bytes[side] += int64(m.Length)
	c.findings += int64(len(m.Findings))
}

// each calls f for all conversations that were not yet written.
func (s *conversations) each(f func(*conversation)) {
	s.list.Each(func(_ conversationKey, c *conversation) {
		if c.first.Protocol != nil {
			f(c)
		}
	})
}
