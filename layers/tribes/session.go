package tribes

import (
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// session remembers the masters of a capture, who receive heartbeats and send lists, and who asked whom in GameSpy's
// style.
type session struct {
	masters *bounded.LRU[endpoint, struct{}]
	asked   *bounded.LRU[pair, questions]
}

func newSession(memory *bounded.Budget) wire.Session {
	kind := bounded.Kind{Name: "Tribes masters on unusual ports", Silent: "MasterQuery, VerificationRequest"}
	asked := bounded.Kind{Name: "GameSpy-style queries of Tribes", Silent: "GameSpyPingReply or GameSpyReply without mark"}
	return &session{
		masters: bounded.NewLRU(memory, kind, bounded.Values[endpoint, struct{}]{}),
		asked:   bounded.NewLRU(memory, asked, bounded.Values[pair, questions]{}),
	}
}

// master reports whether an endpoint is a master, given the lane of what it says.
func (s *session) master(lane uint32, a netip.AddrPort) bool {
	return a.Port() == MasterPort || a.Port() == StarsiegeMasterPort ||
		s.masters.Len() > 0 && s.masters.GetAt(lane, endpointOf(a)) != nil
}

func (s *session) Before(l wire.Layer, d *wire.Datagram) {
	v := l.(*Layer)
	v.Peers = Peers{Known: true, FromMaster: s.master(d.Lane, d.Src),
		ToMaster: s.master(wire.ReverseLane(d.Lane), d.Dst)}
	v.Answers = s.answers(d)
}

// answers reports whether a datagram has the code and the sequence of an answer to what its receiver asked.
func (s *session) answers(d *wire.Datagram) bool {
	if s.asked.Len() == 0 || len(d.Payload) == 0 || !isAnswer(Code(d.Payload[0])) {
		return false
	}
	q := s.asked.GetAt(wire.ReverseLane(d.Lane), pairOf(d.Dst, d.Src))
	return q != nil && q.answeredBy(d.Payload)
}

func (s *session) After(l wire.Layer, d *wire.Datagram) {
	switch l.Core().Message {
	case heartbeat:
		s.learn(wire.ReverseLane(d.Lane), d.Dst)
	case masterListReply:
		s.learn(d.Lane, d.Src)
	case gameSpyPingQuery, gameSpyQuery:
		if q, ok := questionIn(d.Payload); ok {
			s.asked.MakeAt(d.Lane, pairOf(d.Src, d.Dst)).add(q)
		}
	}
}

func (s *session) learn(lane uint32, a netip.AddrPort) {
	if !s.master(lane, a) {
		s.masters.MakeAt(lane, endpointOf(a))
	}
}

// question is what identifies the answer to a GameSpy-style query.
type question struct {
	code     Code
	sequence [2]byte
	bare     bool // it was too short for a sequence, and real servers answer with any
}

// questionIn reads a GameSpy-style query.
func questionIn(data []byte) (q question, ok bool) {
	if len(data) == 0 || Code(data[0]) != CodeGameSpyPingQuery && Code(data[0]) != CodeGameSpyQuery {
		return q, false
	}
	q.code, q.bare = Code(data[0]), copy(q.sequence[:], data[1:]) < len(q.sequence)
	return q, true
}

// isAnswer reports whether a code is that of an answer: that of its query, and one more.
func isAnswer(c Code) bool { return c == CodeGameSpyPingReply || c == CodeGameSpyReply }

// answeredBy reports whether data begin as the answer does. Of one that the snap length cut off what is there counts.
func (q question) answeredBy(data []byte) bool {
	if len(data) == 0 || !isAnswer(Code(data[0])) || Code(data[0]) != q.code+1 {
		return false
	}
	have := data[1:min(len(data), 1+len(q.sequence))]
	return q.bare || string(have) == string(q.sequence[:len(have)])
}

// questions are the last ones of a host.
type questions struct {
	asked [8]question
	next  uint8 // has the place for the next one
}

func (q *questions) add(next question) {
	if !slices.Contains(q.asked[:], next) {
		q.asked[q.next] = next
		q.next = (q.next + 1) % uint8(len(q.asked))
	}
}

func (q *questions) answeredBy(data []byte) bool {
	return slices.ContainsFunc(q.asked[:], func(o question) bool { return o.answeredBy(data) })
}
