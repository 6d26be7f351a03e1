package tribes

import (
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// session remembers which endpoints are masters (they receive heartbeats and send lists), which game servers use a
// master's port, and the GameSpy-style queries of each conversation.
type session struct {
	ends  endpoints
	roles *bounded.LRU[endpoint, role]  // only for endpoints whose port does not show it
	many  *bounded.LRU[pair, questions] // of conversations whose memo has no room
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
	m := (*memo)(d.Memo)
	if m.full() {
		many := s.many.Get(s.ends.pair(d.Dst, d.Src))
		return many != nil && slices.ContainsFunc(many.asked[:], func(q question) bool { return q.answeredBy(d) })
	}
	for i := range len(m) / questionSize {
		if m.at(i).answeredBy(d) {
			return true
		}
	}
	return false
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
		if q, ok := questionIn(d); ok {
			s.ask(d, q)
		}
	}
}

// ask remembers the query in a datagram.
func (s *session) ask(d *wire.Datagram, q question) {
	m := (*memo)(d.Memo)
	if !m.full() {
		if m.add(q) {
			return
		}
		for i := range len(m) / questionSize {
			s.remember(d, m.at(i))
		}
		*m = memo{isFull}
	}
	s.remember(d, q)
}

// remember adds a question to the entry of its direction in s.many.
func (s *session) remember(d *wire.Datagram, q question) {
	client, server := d.Src, d.Dst
	if q.flags&fromHigh != direction(d) {
		client, server = server, client
	}
	s.many.Make(s.ends.pair(client, server)).add(q)
}

// learn records the role of an endpoint, unless a higher role is known. It records nothing for the many game servers
// that do not use a master's port.
func (s *session) learn(a netip.AddrPort, is role) {
	was := s.role(a)
	if is > was && (was.isMaster(a) || is != gameServer) {
		*s.roles.Make(s.ends.Of(a)) = is
	}
}

// A question is the part of a GameSpy-style query that identifies its answer: the answer must have the next code and
// the same sequence, and the other direction. It is small, because a conversation's memo holds three of them.
type question struct {
	code     Code
	sequence [2]byte
	flags    uint8
}

const (
	bare     = 1 << iota // the query is too short for a sequence; real servers still answer it, with any sequence
	fromHigh             // the endpoint with the higher address asks
)

const questionSize = 4

func (q question) bytes() [questionSize]byte {
	return [...]byte{byte(q.code), q.sequence[0], q.sequence[1], q.flags}
}

func readQuestion(b [questionSize]byte) question { return question{Code(b[0]), [2]byte(b[1:]), b[3]} }

// direction returns the flag for the direction of a datagram.
func direction(d *wire.Datagram) uint8 {
	if d.Src.Compare(d.Dst) > 0 {
		return fromHigh
	}
	return 0
}

// questionIn reads a GameSpy-style query.
func questionIn(d *wire.Datagram) (q question, ok bool) {
	data := d.Payload
	if len(data) == 0 || Code(data[0]) != CodeGameSpyPingQuery && Code(data[0]) != CodeGameSpyQuery {
		return q, false
	}
	q.code, q.flags = Code(data[0]), direction(d)
	if copy(q.sequence[:], data[1:]) < len(q.sequence) {
		q.flags |= bare
	}
	return q, true
}

// isAnswer reports whether a code is the code of an answer. It is one more than the code of the query.
func isAnswer(c Code) bool { return c == CodeGameSpyPingReply || c == CodeGameSpyReply }

// answeredBy reports whether a datagram begins like an answer to the question. If the snap length cut the data, it
// compares the remaining bytes.
func (q question) answeredBy(d *wire.Datagram) bool {
	data := d.Payload
	if len(data) == 0 || !isAnswer(Code(data[0])) || Code(data[0]) != q.code+1 || q.flags&fromHigh == direction(d) {
		return false
	}
	have := data[1:min(len(data), 1+len(q.sequence))]
	return q.flags&bare != 0 || string(have) == string(q.sequence[:len(have)])
}

// memo is the memo of a conversation. It holds the questions, as long as there is room. Otherwise its first byte is
// isFull, and session.many holds them.
type memo wire.Memo

const isFull = 0xff

func (m *memo) full() bool { return m == nil || m[0] == isFull }

// at returns question i, or a question with the code 0 if there is none.
func (m *memo) at(i int) question { return readQuestion([questionSize]byte(m[i*questionSize:])) }

// add adds a question and reports whether there is room.
func (m *memo) add(next question) bool {
	for i := range len(m) / questionSize {
		if q := m.at(i); q.code == 0 || q == next {
			b := next.bytes()
			copy(m[i*questionSize:], b[:])
			return true
		}
	}
	return false
}

// questions holds the last questions of a conversation.
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
