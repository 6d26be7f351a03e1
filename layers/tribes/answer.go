package tribes

import "github.com/gamedissect/gamedissect/decode/wire"

// answered sees an answer of which nothing else is to be judged.
func (t *tracker) answered(l wire.Layer, p *wire.Place, k kind, key [2]byte) {
	if k == kindInfo && len(l.Core().Contents) < minimum {
		t.vague(p, k)
		return
	}
	r := t.find(p, k, &key, k == kindInfo)
	t.ping(p, &r)
	t.settle(p, &r)
	if k == kindGameSpy {
		r.stranger = false // a sequence is no key
	}
	t.judge(l, p, &r)
}

// vague sees an answer that lacks its key.
func (t *tracker) vague(p *wire.Place, k kind) {
	r := t.find(p, k, nil, true)
	t.settle(p, &r)
}

// touch sees that a verification got an answer that says nothing.
func (t *tracker) touch(p *wire.Place, m *InfoQuery) {
	if m.HasKey {
		r := t.find(p, kindMatchmaking, &m.Key, true)
		t.settle(p, &r)
	}
}

// informed sees a game info reply.
func (t *tracker) informed(l wire.Layer, p *wire.Place, m *GameInfoReply) {
	t.describe(m, p)
	part := l.Core()
	var key *[2]byte
	if m.HasKey {
		k := m.Key
		key = &k
	} else if part.Truncated() {
		t.vague(p, kindMatchmaking)
		return
	}
	r := t.find(p, kindMatchmaking, key, false)
	t.ping(p, &r)
	t.settle(p, &r)
	if t.judge(l, p, &r) && r.late == nil {
		reportHeader(l, ruleUnasked, "%s sent no 0x03 to %s in the last 30 s that waits for an answer", p.Dst, p.Src)
	}
	if q := r.query; q != nil && q.verification && !part.Truncated() {
		checkName(l, m, q)
	}
}

// checkName holds the reply to a verification against what was asked.
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

// ping measures how long an answer took, where it is known what it answers.
func (t *tracker) ping(p *wire.Place, r *reply) {
	q := r.query
	if q == nil || !q.seen || r.stranger || q.answered && !r.copies {
		return
	}
	if r.exchange != nil {
		for i := range r.exchange.queries {
			o := &r.exchange.queries[i]
			if o.kind == q.kind && o.key == q.key && o.time != q.time && t.open(o) {
				return // either of the two
			}
		}
	}
	if s, ok := elapsed(q.time, p.Time); ok && t.reporter.Value != nil {
		t.reporter.Measured(wire.Value{Place: *p, Table: servers, Who: p.Src.String(), What: "ping", Number: s, Unit: "s", Answer: true})
	}
}
