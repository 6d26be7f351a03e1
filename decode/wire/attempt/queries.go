package attempt

import (
	"math"
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// Columns of a table of queries. A row is for one asker and one server.
const (
	QueryAsked      = "asked"
	QueryAnswered   = "answered"
	QueryUnanswered = "unanswered"
	QueryUnreached  = "unreachable" // ICMP reports that the question did not arrive
	QueryAnswer     = "answer"      // the text of the last answer
)

const (
	maxQuestions = 4                      // maximum number of kinds of questions
	answerTime   = int64(5 * time.Second) // time for an answer before the capture ends
)

// Queries counts questions and answers. It is for askers that send many similar questions, whose individual outcomes
// are not interesting. The methods of a nil *Queries do nothing.
type Queries struct {
	reporter *wire.Reporter
	table    string
	waiting  *bounded.LRU[queryKey, queryState]
	protocol *wire.Protocol
	files    Files
}

// A queryKey is an asker and its server. It contains no pointers, because there may be very many keys.
type queryKey struct{ asker, asked endpoint }

type endpoint struct {
	addr [16]byte
	port uint16
}

func endpointOf(a netip.AddrPort) endpoint { return endpoint{a.Addr().As16(), a.Port()} }

func (e endpoint) addrPort() netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom16(e.addr).Unmap(), e.port)
}

// queryState contains the open questions of an asker to a server. If there are none, there is no queryState.
type queryState struct {
	last         int64  // time of the last question
	frame        uint32 // the place of the last question
	conversation int32
	file         uint16
	waiting      [maxQuestions]uint16 // numbers of open questions, by kind
	transport    wire.Transport
	lossy        bool // answers may be missing
}

// NewQueries makes Queries that report the values of a table. It returns nil if the reporter accepts no values. The
// plural noun in what names the questions in reports about dropped ones.
func NewQueries(r *wire.Reporter, what, table string) *Queries {
	if r.Value == nil {
		return nil
	}
	kind := bounded.Kind{Name: what, Silent: "count of unanswered ones"}
	q := &Queries{reporter: r, table: table,
		waiting: bounded.NewLRU(r.Memory, kind, bounded.Values[queryKey, queryState]{})}
	r.Watch(q)
	return q
}

// Signal handles signals. It counts questions that, according to ICMP, did not arrive.
func (q *Queries) Signal(s wire.Signal, p *wire.Place) {
	k := queryKey{endpointOf(p.Src), endpointOf(p.Dst)}
	if x := q.waiting.Peek(k); s == wire.Undelivered && x != nil && x.transport == p.Transport {
		q.count(p, p.Src, p.Dst, QueryUnreached, x.total())
		q.waiting.Delete(k)
	}
}

// total returns the number of open questions.
func (s *queryState) total() (n int) {
	for _, waiting := range s.waiting {
		n += int(waiting)
	}
	return n
}

// Ask records a question. The parameter about is the kind of the question, from 0.
func (q *Queries) Ask(p *wire.Place, asker, asked netip.AddrPort, about uint8) {
	if q == nil {
		return
	}
	q.protocol = p.Protocol
	q.count(p, asker, asked, QueryAsked, 1)
	s := q.waiting.MakeAt(p.Lane, queryKey{endpointOf(asker), endpointOf(asked)})
	s.waiting[about] += min(1, math.MaxUint16-s.waiting[about])
	s.last, s.frame, s.conversation = p.Time, uint32(min(max(p.Frame, 0), math.MaxUint32)), int32(p.Conversation)
	s.file, s.transport = q.files.Number(p.File), p.Transport
	s.lossy = s.lossy || p.Lossy && p.Transport == wire.TCP
}

// Answer records an answer and its text. A question to a broadcast address stays open, because asked is the host that
// answers.
func (q *Queries) Answer(p *wire.Place, asker, asked netip.AddrPort, about uint8, text string) {
	if q == nil {
		return
	}
	k := queryKey{endpointOf(asker), endpointOf(asked)}
	if s := q.waiting.GetAt(p.Lane, k); s != nil {
		if s.waiting[about] > 0 {
			s.waiting[about]--
		}
		if s.waiting == [maxQuestions]uint16{} {
			q.waiting.Delete(k)
		}
	}
	q.count(p, asker, asked, QueryAnswered, 1)
	q.reporter.Measured(wire.Value{Place: *p, Table: q.table, Server: asked, Who: askerName(asker), What: QueryAnswer,
		State: true, Text: text})
}

func (q *Queries) count(p *wire.Place, asker, asked netip.AddrPort, what string, n int) {
	q.reporter.Measured(wire.Value{Place: *p, Table: q.table, Server: asked, Who: askerName(asker), What: what,
		Number: float64(n)})
}

// askerName names an asker. If the answer was multicast, the asker's port is unknown, and port 0 stands for it.
func askerName(a netip.AddrPort) string {
	if a.Port() == 0 {
		return a.Addr().String()
	}
	return a.String()
}

// Lost records that messages between the two ends of a connection may be missing, so it is unknown which questions were
// answered.
func (q *Queries) Lost(a, b netip.AddrPort) {
	if q == nil || q.waiting.Len() == 0 {
		return
	}
	x, y := endpointOf(a), endpointOf(b)
	for _, k := range [...]queryKey{{x, y}, {y, x}} {
		if s := q.waiting.Peek(k); s != nil && s.transport == wire.TCP {
			s.lossy = true
		}
	}
}

// Ended counts the unanswered questions of a connection that has ended.
func (q *Queries) Ended(asker, asked netip.AddrPort) {
	if q == nil || q.waiting.Len() == 0 {
		return
	}
	k := queryKey{endpointOf(asker), endpointOf(asked)}
	if s := q.waiting.Peek(k); s != nil {
		q.countUnanswered(k, s)
		q.waiting.Delete(k)
	}
}

// Jump drops all questions, see wire.Tracker.
func (q *Queries) Jump() {
	if q != nil {
		q.waiting.Clear()
	}
}

// Close counts the unanswered questions at the end of the capture, except those that could still be answered.
func (q *Queries) Close(now int64) {
	if q == nil {
		return
	}
	q.waiting.Each(func(k queryKey, s *queryState) {
		if clock.Elapsed(s.last, now) >= answerTime {
			q.countUnanswered(k, s)
		}
	})
}

func (q *Queries) countUnanswered(k queryKey, s *queryState) {
	n := s.total()
	asker, asked := k.asker.addrPort(), k.asked.addrPort()
	if n == 0 || s.lossy || isBroadcast(asked.Addr()) {
		return
	}
	p := wire.Place{Frame: int(s.frame), File: q.files.Name(s.file), Time: s.last, Transport: s.transport,
		Conversation: int(s.conversation), Src: asker, Dst: asked, Protocol: q.protocol}
	q.count(&p, asker, asked, QueryUnanswered, n)
}

// isBroadcast reports whether packets to an address may reach all hosts of a network. No host is obliged to answer
// them.
func isBroadcast(a netip.Addr) bool {
	return a.IsMulticast() || a.Is4() && a.As4()[3] == 255
}
