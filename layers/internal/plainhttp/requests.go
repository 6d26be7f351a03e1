package plainhttp

import (
	"bytes"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/ask"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// askRules pairs answers with requests. Servers answer requests in order, so after missing bytes the pairs are unknown.
var askRules = &ask.Rules{Most: 16}

// Requests holds the HTTP requests that wait for answers.
type Requests struct {
	connections *bounded.LRU[route, connection]
}

type route struct{ client, server netip.AddrPort }

// connection is an HTTP connection with its requests.
type connection struct {
	number   int // number of the conversation
	requests ask.List[Asked]
}

// Asked is the part of a Request that is kept until the answer comes.
type Asked struct {
	What        string         // text for use in sentences, such as "GET /master.json"
	About       uint8          // subject of the request, numbered by the protocol
	Who         netip.AddrPort // the asker of the attempt, if it is not the HTTP client: the game server that registers
	Head        bool           // the answer has no body
	Conditional bool           // the answer may be 304, which means that nothing has changed
}

// NewRequests returns an empty store. kind names it in memory reports.
func NewRequests(b *bounded.Budget, kind bounded.Kind) *Requests {
	return &Requests{bounded.NewLRU(b, kind, bounded.Values[route, connection]{Held: (*connection).held})}
}

func (c *connection) held() int {
	n := c.requests.Held()
	for i := range c.requests.Len() {
		n += len(c.requests.At(i).Value.What)
	}
	return n
}

// of returns the requests of a client. lane is the wire.Place.Lane of messages from the client. If a new connection
// uses the same ports as an old one, of drops the old one and its requests.
func (s *Requests) of(client route, lane uint32, p *wire.Place) *ask.List[Asked] {
	c := s.connections.MakeAt(lane, client)
	if c.number != p.Conversation {
		*c = connection{number: p.Conversation}
	}
	return &c.requests
}

// Ask adds a request. For about and who, see Asked.
func (s *Requests) Ask(r *Request, p *wire.Place, about uint8, who netip.AddrPort) Asked {
	a := Asked{What: r.What(), About: about, Who: who, Head: bytes.EqualFold(r.Method, []byte("HEAD")),
		Conditional: Find(r.Headers, "If-None-Match", "If-Modified-Since") != nil}
	s.of(route{p.Src, p.Dst}, p.Lane, p).Ask(askRules, p.Time, a, nil)
	return a
}

// unanswered ranks a request for ask.List.Answer. It returns 0 if the request has already been answered.
func unanswered(q *ask.Question[Asked]) int {
	if q.Answers > 0 {
		return 0
	}
	return 1
}

// Answer handles an answer. It returns the request that the answer belongs to, and the time of the request. If no
// request is open, mayBeAny is true, because the capture lacks the request. After missing bytes, Answer returns zero
// values. It drops a connection that has no open requests left.
func (s *Requests) Answer(p *wire.Place) (a Asked, when clock.Moment, mayBeAny bool) {
	client, lane := route{p.Dst, p.Src}, wire.ReverseLane(p.Lane)
	if s.connections.GetAt(lane, client) == nil {
		return Asked{}, clock.Moment{}, true
	}
	open := s.of(client, lane, p)
	q, _ := open.Answer(askRules, p.Time, unanswered)
	if !open.Complete(askRules, p.Time) {
		return Asked{}, clock.Moment{}, false
	}
	if q != nil {
		a, when = q.Value, clock.At(q.Asked)
	}
	if open.Find(askRules, unanswered) == nil {
		s.connections.Delete(client)
	}
	return a, when, q == nil
}

// Of returns the oldest open request on a connection, and which end of the connection is the client.
func (s *Requests) Of(p *wire.Place) (a Asked, client, server netip.AddrPort, ok bool) {
	for _, at := range [...]route{{p.Src, p.Dst}, {p.Dst, p.Src}} {
		if c := s.connections.Peek(at); c != nil && c.number == p.Conversation {
			if q := c.requests.Find(askRules, unanswered); q != nil {
				return q.Value, at.client, at.server, true
			}
		}
	}
	return Asked{}, client, server, false
}

// Lost records that bytes of a connection are missing.
func (s *Requests) Lost(p *wire.Place) {
	for _, at := range [...]route{{p.Src, p.Dst}, {p.Dst, p.Src}} {
		s.of(at, 0, p).Miss(p.Time)
	}
}

// Ended records that p.Src sends nothing more on a connection.
func (s *Requests) Ended(p *wire.Place) {
	at := route{p.Dst, p.Src}
	if c := s.connections.Peek(at); c != nil && c.number == p.Conversation {
		s.connections.Delete(at)
	}
}

// Clear drops all requests.
func (s *Requests) Clear() { s.connections.Clear() }
