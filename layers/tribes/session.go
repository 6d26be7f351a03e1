package tribes

import (
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// session remembers which endpoints are masters (they receive heartbeats and send lists), which game servers use a
// master's port, and the GameSpy-style queries between each pair of endpoints.
type session struct {
	ends  endpoints
	roles *bounded.LRU[endpoint, role] // only roles that the port does not show
	asked *bounded.LRU[pair, fewQuestions]
	many  *bounded.LRU[pair, questions] // for pairs with more questions than asked has room for
}

// role is the role of an endpoint.
type role uint8

const (
	byPort     role = iota
	announced       // received heartbeats
	gameServer      // sent heartbeats, or described itself
	master          // sent lists
)

func newSession(memory *bounded.Budget) wire.Session {
	kind := bounded.Kind{Name: "Tribes masters and game servers on unusual ports",
		Silent: "MasterQuery, VerificationRequest"}
	asked := bounded.Kind{Name: "GameSpy-style queries of Tribes", Silent: "GameSpyPingReply or GameSpyReply without mark"}
	ends := newEndpoints(memory)
	return &session{
		ends:  ends,
		roles: bounded.NewLRU(memory, kind, bounded.Values[endpoint, role]{}),
		asked: bounded.NewLRU(memory, asked, bounded.Values[pair, fewQuestions]{}),
		many:  bounded.NewLRU(memory, asked, bounded.Values[pair, questions]{}),
	}
}

// role returns the known role of an endpoint.
func (s *session) role(a netip.AddrPort) role {
	if s.roles.Len() == 0 {
		return byPort
	}
	if r := s.roles.Get(s.ends.Of(a)); r != nil {
		return *r
	}
	return byPort
}

// isMaster reports whether an endpoint with this role is a master.
func (r role) isMaster(a netip.AddrPort) bool {
	if r == byPort {
		return a.Port() == MasterPort || a.Port() == StarsiegeMasterPort
	}
	return r != gameServer
}

func (s *session) Before(l wire.Layer, d *wire.Datagram) {
	v := l.(*Layer)
	to := s.role(d.Dst)
	v.Peers = Peers{Known: true, FromMaster: s.role(d.Src).isMaster(d.Src), ToMaster: to.isMaster(d.Dst)}
	if to == byPort && d.Src.Port() != GamePort && len(d.Payload) > 1 && Type(d.Payload[1]) == TypeGameInfoQuery {
		v.Peers.ToMaster = false // clients send this type to game servers, so the port does not prove a master
	}
	v.Answers = s.answers(d)
}

// answers reports whether a datagram has the code and the sequence of an answer to one of its receiver's queries.
func (s *session) answers(d *wire.Datagram) bool {
	if len(d.Payload) == 0 || !isAnswer(Code(d.Payload[0])) {
		return false
	}
	who := s.ends.pair(d.Dst, d.Src)
	if few := s.asked.Get(who); few != nil {
		return answeredBy(few[:], d.Payload)
	}
	many := s.many.Get(who)
	return many != nil && answeredBy(many.asked[:], d.Payload)
}

func (s *session) After(l wire.Layer, d *wire.Datagram) {
	switch l.Core().Message {
	case heartbeat:
		s.learn(d.Dst, announced)
		s.learn(d.Src, gameServer)
	case masterListReply:
		s.learn(d.Src, master)
	case gameInfoReply, gameInfoResponse:
		s.learn(d.Src, gameServer)
	case gameSpyPingQuery, gameSpyQuery:
		if q, ok := questionIn(d.Payload); ok {
			s.ask(s.ends.pair(d.Src, d.Dst), q)
		}
	}
}

// ask remembers a query.
func (s *session) ask(who pair, q question) {
	many := s.many.Get(who)
	if many == nil {
		few := s.asked.Make(who)
		if few.add(q) {
			return
		}
		many = s.many.Make(who)
		many.next = uint8(copy(many.asked[:], few[:]))
		s.asked.Delete(who)
	}
	many.add(q)
}

// learn records the role of an endpoint, unless a higher role is known. It records nothing for the many game servers
// that do not use a master's port.
func (s *session) learn(a netip.AddrPort, is role) {
	was := s.role(a)
	if is > was && (was.isMaster(a) || is != gameServer) {
		*s.roles.Make(s.ends.Of(a)) = is
	}
}

// question identifies the answer to a GameSpy-style query: the answer must have the next code and the same sequence.
type question struct {
	code     Code
	sequence [2]byte
	bare     bool // the query is too short for a sequence; real servers still answer it, with any sequence
}

// questionIn reads a GameSpy-style query.
func questionIn(data []byte) (q question, ok bool) {
	if len(data) == 0 || Code(data[0]) != CodeGameSpyPingQuery && Code(data[0]) != CodeGameSpyQuery {
		return q, false
	}
	q.code, q.bare = Code(data[0]), copy(q.sequence[:], data[1:]) < len(q.sequence)
	return q, true
}

// isAnswer reports whether a code is the code of an answer. It is one more than the code of the query.
func isAnswer(c Code) bool { return c == CodeGameSpyPingReply || c == CodeGameSpyReply }

// answeredBy reports whether data begins like an answer to one of the questions. If the snap length cut the data, it
// compares the remaining bytes.
func (q question) answeredBy(data []byte) bool {
	if len(data) == 0 || !isAnswer(Code(data[0])) || Code(data[0]) != q.code+1 {
		return false
	}
	have := data[1:min(len(data), 1+len(q.sequence))]
	return q.bare || string(have) == string(q.sequence[:len(have)])
}

// fewQuestions holds the questions of a host that has asked only a few.
type fewQuestions [3]question

// add adds a question and reports whether there is room.
func (q *fewQuestions) add(next question) bool {
	for i, o := range q {
		if o == (question{}) || o == next {
			q[i] = next
			return true
		}
	}
	return false
}

// questions holds the last questions of a host.
type questions struct {
	asked [8]question
	next  uint8 // index of the next question
}

func (q *questions) add(next question) {
	if !slices.Contains(q.asked[:], next) {
		q.asked[q.next] = next
		q.next = (q.next + 1) % uint8(len(q.asked))
	}
}

func answeredBy(asked []question, data []byte) bool {
	return slices.ContainsFunc(asked, func(o question) bool { return o.answeredBy(data) })
}
