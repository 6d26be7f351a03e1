package stats

import "math"

// Merge adds other Stats. The result does not depend on the order or grouping of merges, even if lists are full. Others
// is an exception, see mergeOthers. The result equals Stats that counted all parts in order of time, unless a list is
// full or a state has the same text in several parts, see Series.States. However, engines and trackers find less in the
// parts of a capture than in the whole: a conversation may be recognised later, a message that is cut in two is lost,
// and an answer may lack its question.
func (s *Stats) Merge(o *Stats) {
	s.Packets += o.Packets
	s.Bytes += o.Bytes
	s.Recognised += o.Recognised
	if s.Begin == 0 || o.Begin != 0 && o.Begin < s.Begin {
		s.Begin = o.Begin
	}
	if o.Messages > 0 {
		s.Messages += o.Messages
		if s.Messages == o.Messages {
			s.First, s.Last = o.First, o.Last
		}
		s.First, s.Last = min(s.First, o.First), max(s.Last, o.Last)
	}
	for why, n := range o.Skipped {
		s.skip(why, n)
	}
	k := s.keeping()
	s.lower(o.Full)
	for name, p := range o.Protocols {
		s.mergeProtocol(name, p)
	}
	for key, c := range o.Conversations {
		k.conversations.row(key).merge(c)
	}
	for key, e := range o.Endpoints {
		k.endpoints.row(key).merge(e)
	}
	for rule, f := range o.Findings {
		s.mergeFinding(rule, f)
	}
	for key, b := range o.Senders {
		k.broken(key).merge(b)
	}
	for _, a := range o.Attempts {
		s.addAttempts(a)
	}
	s.mergeOthers(o.Others)
}

func (s *Stats) mergeProtocol(name string, o *Protocol) {
	p := s.protocol(name)
	for message, m := range o.Messages {
		mine := p.Messages[message]
		if mine == nil {
			mine = new(Message)
			p.Messages[message] = mine
		}
		mine.Sizes.Merge(&m.Sizes)
	}
	for of, rows := range o.Tables {
		t := s.keeping().table(s, name, of)
		for who, r := range rows {
			mine := t.row(who)
			before := mine.bytes()
			mine.merge(r)
			t.grow(mine, mine.bytes()-before)
		}
	}
}

// merge adds a row of other Stats.
func (r *Row) merge(o *Row) {
	for _, x := range o.Series {
		mine, _ := r.make(x.What)
		if mine.merge(x); r.key == (RowKey{}) {
			mine.Texts = nil
		}
	}
}

// bytes returns the approximate memory of a row's series in bytes.
func (r *Row) bytes() (n int) {
	for _, x := range r.Series {
		n += seriesCost + x.cost()
	}
	return n
}

func (c *Conversation) merge(o *Conversation) {
	c.Protocol = first(c.Protocol, o.Protocol)
	c.Stream = min(c.Stream, o.Stream)
	c.First, c.Last = min(c.First, o.First), max(c.Last, o.Last)
	c.AB.add(o.AB)
	c.BA.add(o.BA)
}

func (e *Endpoint) merge(o *Endpoint) {
	e.Protocol = first(e.Protocol, o.Protocol)
	e.Sent.add(o.Sent)
	e.Received.add(o.Received)
}

func (c *Conversation) clear() {
	*c = Conversation{First: math.MaxInt64, Last: math.MinInt64, Stream: math.MaxInt}
}

func (e *Endpoint) clear() { *e = Endpoint{} }
func (b *Broken) clear()   { *b = Broken{} }
func (r *Row) clear()      { *r = Row{} }
