package iceball

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/ask"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// requestRules: requests are answered one after the other. Where bytes are missing it is unknown which answer is to
// which of them.
var requestRules = &ask.Rules{Most: 16}

// requests are those of HTTP clients.
type requests struct {
	connections *bounded.LRU[route, connection] // by client
}

// connection is one of HTTP, with what was asked for on it.
type connection struct {
	number   int // of the conversation
	requests ask.List[request]
}

type request struct {
	list bool // for the list, with its body
}

func newRequests(b *bounded.Budget) *requests {
	return &requests{bounded.NewLRU(b, bounded.Kind{Name: "HTTP requests to Iceball heartbeat servers",
		Silent: "iceball.master-json"}, bounded.Values[route, connection]{Held: (*connection).held})}
}

func (c *connection) held() int { return c.requests.Held() }

// of returns the requests of a message's connection, by its client and the client's lane. A new connection on the same
// ports replaces an old one with its unanswered requests.
func (s *requests) of(client route, lane uint32, p *wire.Place) *ask.List[request] {
	c := s.connections.MakeAt(lane, client)
	if c.number != p.Conversation {
		*c = connection{number: p.Conversation}
	}
	return &c.requests
}

// unanswered ranks a request for ask.List.Answer: 0 if it has an answer already.
func unanswered(q *ask.Question[request]) int {
	if q.Answers > 0 {
		return 0
	}
	return 1
}

// answer returns to which request the next answer on a connection is: which list it asked for if that is sure, and
// whether it is one at all as far as is known. A connection on which nothing is awaited is forgotten.
func (s *requests) answer(p *wire.Place) (asked clock.Moment, list bool) {
	client, lane := route{p.Dst, p.Src}, wire.ReverseLane(p.Lane)
	if s.connections.GetAt(lane, client) == nil {
		return clock.Moment{}, true
	}
	open := s.of(client, lane, p)
	q, _ := open.Answer(requestRules, p.Time, unanswered)
	if !open.Complete(requestRules, p.Time) {
		return clock.Moment{}, false
	}
	if open.Find(requestRules, unanswered) == nil {
		s.connections.Delete(client)
	}
	if q == nil {
		return clock.Moment{}, true
	}
	return clock.At(q.Asked), q.Value.list
}

// forget notes that bytes of a connection are lost.
func (s *requests) forget(p *wire.Place) {
	for _, client := range []route{{p.Src, p.Dst}, {p.Dst, p.Src}} {
		s.of(client, 0, p).Miss(p.Time)
	}
}
