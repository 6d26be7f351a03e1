package tribes

import "github.com/gamedissect/gamedissect/decode/wire"

// replies checks replies against the queries that they answer.
type replies struct {
	reporter  *reporter
	time      *captureTime
	exchanges *exchanges
	coverage  *coverage
	lists     *lists
	queries   *queries
	servers   *servers
	listed    *listedServers
}

// check checks that a query asked for an answer. It does not check the content of the answer.
func (s *replies) check(l wire.Layer, p *wire.Place, k kind, key [2]byte) {
	if k == kindInfo && len(l.Core().Contents) < minimum {
		s.queries.answer(p, k, nil)
		return
	}
	r := s.queries.match(p, k, &key, k == kindInfo)
	if k == kindGameSpy && r.broadcast {
		r.mismatched = false // several servers may answer a broadcast, one of them with the sequence of an earlier query
	}
	s.queries.measureTime(p, &r, true)
	s.queries.markAnswered(p, &r)
	s.queries.reportUnasked(l, p, &r)
}

// checkGameSpy checks a GameSpy-style answer. A packet of the game itself may look like one.
func (s *replies) checkGameSpy(l wire.Layer, p *wire.Place, m *GameSpyReply) {
	switch {
	case string(m.Game) == "Tribes":
		s.check(l, p, kindGameSpy, m.Sequence)
		s.servers.answered(l, m, p)
	case l.Core().Truncated(), l.(*Layer).Answers:
		s.queries.answer(p, kindGameSpy, nil)
	}
}

// checkVerification handles an answer without content to a verification.
func (s *replies) checkVerification(p *wire.Place, m *InfoQuery) {
	s.listed.answerOtherType(p)
	if m.HasKey {
		s.queries.answer(p, kindMatchmaking, &m.Key)
	}
}

func (s *replies) checkGameInfo(l wire.Layer, p *wire.Place, m *GameInfoReply) {
	s.servers.describedToMaster(m, p)
	core := l.Core()
	var key *[2]byte
	if m.HasKey {
		k := m.Key
		key = &k
	} else if core.Truncated() {
		s.queries.answer(p, kindMatchmaking, nil)
		return
	}
	r := s.queries.match(p, kindMatchmaking, key, oneAnswer)
	s.queries.measureTime(p, &r, true)
	s.queries.markAnswered(p, &r)
	known := !r.mismatched && !r.unasked || s.coverage.hasQueries(l, p, r.exchange, r.kind)
	s.listed.answer(l, p, m, &r, known)
	s.queries.reportUnasked(l, p, &r)
	if q := r.query; q != nil && q.Value.verification && !core.Truncated() {
		checkName(l, m, &q.Value)
	}
}

// checkName compares the name in the reply to a verification with the query's keys.
func checkName(l wire.Layer, m *GameInfoReply, q *query) {
	switch {
	case m.Layout == ListedInfo:
		if q.requestsName && len(m.Information) == 0 {
			reportHeader(l, ruleNameMissing, "s_name was asked for, no value came")
		}
	case q.requestsName && m.Name == nil:
		reportHeader(l, ruleNameMissing, "s_name was asked for, the packet ends before the name")
	case !q.requestsName && q.keysKnown && len(wire.Trim(m.Name)) > 0:
		off := 10
		if m.Layout == DocumentInfo {
			off = 6
		}
		l.Core().Report(ruleNameUnasked, off, len(m.Name), "s_name was not asked for")
	}
}

// checkList checks a packet of a list.
func (s *replies) checkList(l wire.Layer, p *wire.Place, m *MasterListReply) {
	core := l.Core()
	if len(core.Contents) < minimum {
		r := s.queries.match(p, kindMatchmaking, nil, manyAnswers)
		r.unreadable = !core.Truncated()
		s.queries.markAnswered(p, &r)
		return
	}
	r := s.queries.match(p, kindMatchmaking, &m.Key, manyAnswers)
	s.queries.measureTime(p, &r, false)
	s.queries.markAnswered(p, &r)
	unsolicited := s.queries.reportUnasked(l, p, &r)
	if unsolicited && !s.coverage.asked(p.Src) {
		return // a list without a query does not show that its sender is a master
	}
	who := s.reporter.ends.pair(p.Dst, p.Src)
	x := s.exchanges.use(who)
	s.lists.finishLate(who, x)
	switch {
	case r.query != nil:
		s.coverage.gotList(who.client)
		r.query.Active = s.time.now
	case r.unasked && !unsolicited:
		r.query = addQuery(&x.queries, query{compactPlace: s.reporter.compact(p), number: AllPackets}, s.time.now)
		r.query.Answers = 1
	}
	if r.broadcast {
		r.query = nil // several masters may answer a broadcast
	}
	requested := s.checkNumber(l, x, &r, m)
	to := s.lists.answerTo(x, r.query)
	if packet := s.lists.add(l, p, x, to, requested); packet != nil {
		s.listed.addPacket(p, m, to, packet)
	}
}

// checkNumber reports whether a packet has the requested number.
func (s *replies) checkNumber(l wire.Layer, x *exchange, r *reply, m *MasterListReply) bool {
	q := r.query
	if q == nil || r.mismatched || q.Value.number == AllPackets {
		return true
	}
	for i := range x.queries.Len() {
		o := x.queries.At(i)
		v := &o.Value
		if v.isLike(&q.Value) && o.Open(queryRules, s.time.now) && (v.number == AllPackets || v.number == m.Number) {
			return true
		}
	}
	l.Core().Report(ruleWrongNumber, 2, 1, "packet %d came, packet %d was asked for", m.Number, q.Value.number)
	return false
}
