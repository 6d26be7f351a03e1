package tribes

import "github.com/gamedissect/gamedissect/decode/wire"

// checkAnswer checks an answer that has no check of its own.
func (t *tracker) checkAnswer(l wire.Layer, p *wire.Place, k kind, key [2]byte) {
	if k == kindInfo && len(l.Core().Contents) < minimum {
		t.noteKeylessAnswer(p, k)
		return
	}
	r := t.matchReply(p, k, &key, k == kindInfo)
	if k == kindGameSpy && r.copies {
		r.stranger = false // several servers may answer, one of them with a sequence that it was asked with before
	}
	t.measurePing(p, &r)
	t.noteAnswered(p, &r)
	t.reportUnasked(l, p, &r)
}

// tellStrange reports an answer with another key than its query, which has no other answer.
func (t *tracker) tellStrange(who pair, q *query) {
	s := q.strange
	if s == nil {
		return
	}
	rule, what := ruleUnknownKey, "key"
	if q.kind == kindGameSpy {
		rule, what = ruleSequence, "sequence"
	}
	t.reporter.Report(t.place(&s.spot, who.server, who.client), rule,
		"%s %x, the query has %x and got no other answer", what, s.key, q.key)
}

// noteKeylessAnswer handles an answer that lacks its key.
func (t *tracker) noteKeylessAnswer(p *wire.Place, k kind) {
	r := t.matchReply(p, k, nil, true)
	t.noteAnswered(p, &r)
}

// noteVerificationReply handles an answer without content to a verification.
func (t *tracker) noteVerificationReply(p *wire.Place, m *InfoQuery) {
	if m.HasKey {
		r := t.matchReply(p, kindMatchmaking, &m.Key, true)
		t.noteAnswered(p, &r)
	}
}

// checkGameInfo checks a game info reply.
func (t *tracker) checkGameInfo(l wire.Layer, p *wire.Place, m *GameInfoReply) {
	t.measureState(m, p)
	core := l.Core()
	var key *[2]byte
	if m.HasKey {
		k := m.Key
		key = &k
	} else if core.Truncated() {
		t.noteKeylessAnswer(p, kindMatchmaking)
		return
	}
	r := t.matchReply(p, kindMatchmaking, key, false)
	t.measurePing(p, &r)
	t.noteAnswered(p, &r)
	t.listReply(l, p, m, &r)
	t.reportUnasked(l, p, &r)
	if q := r.query; q != nil && q.Value.verification && !core.Truncated() {
		checkName(l, m, &q.Value)
	}
}

// checkName compares the reply to a verification with the query.
func checkName(l wire.Layer, m *GameInfoReply, q *query) {
	switch {
	case m.Layout == ListedInfo:
		if q.wantsName && len(m.Information) == 0 {
			reportHeader(l, ruleNameMissing, "s_name was asked for, no value came")
		}
	case q.wantsName && m.Name == nil:
		reportHeader(l, ruleNameMissing, "s_name was asked for, the packet ends before the name")
	case !q.wantsName && q.keysKnown && len(wire.Trim(m.Name)) > 0:
		off := 10
		if m.Layout == DocumentInfo {
			off = 6
		}
		l.Core().Report(ruleNameUnasked, off, len(m.Name), "s_name was not asked for")
	}
}

// measurePing measures the response time of an answer, if its query is known.
func (t *tracker) measurePing(p *wire.Place, r *reply) {
	q := r.query
	if q == nil || !q.Value.seen || r.stranger || q.Answers > 0 && !r.copies {
		return
	}
	if r.exchange != nil {
		for i := range r.exchange.queries.Len() {
			o := r.exchange.queries.At(i)
			v := &o.Value
			if v.kind == q.Value.kind && v.key == q.Value.key && v.time != q.Value.time && o.Open(queries, t.now) {
				return // either of the two
			}
		}
	}
	if s, ok := seconds(q.Value.time, p.Time); ok && t.reporter.Value != nil {
		t.reporter.Measured(wire.Value{Place: *p, Table: servers, Server: p.Src, What: "ping", Number: s, Unit: "s",
			Answer: true})
	}
}
