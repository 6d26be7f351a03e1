package stats

import "cmp"

// Merge adds the counts of what came after. The result is what one Stats would have counted of both,
// as long as no list is full. Engines and trackers, though, see less in a capture that is cut: a
// conversation that goes over the cut may be recognised later, a message that is cut in two is lost,
// and an answer stands without its question.
func (s *Stats) Merge(o *Stats) {
	s.Packets += o.Packets
	s.Bytes += o.Bytes
	s.Recognised += o.Recognised
	if o.Messages > 0 {
		s.Messages += o.Messages
		if s.Messages == o.Messages {
			s.First, s.Last = o.First, o.Last
		}
		s.First, s.Last = min(s.First, o.First), max(s.Last, o.Last)
	}
	for name, p := range o.Protocols {
		s.mergeProtocol(name, p)
	}
	for key, c := range o.Conversations {
		mine := s.conversation(key, c.Protocol, c.First)
		mine.First, mine.Last = min(mine.First, c.First), max(mine.Last, c.Last)
		mine.AB.add(c.AB)
		mine.BA.add(c.BA)
	}
	for key, e := range o.Endpoints {
		mine := s.endpoint(key, e.Protocol)
		mine.Sent.add(e.Sent)
		mine.Received.add(e.Received)
	}
	for rule, f := range o.Findings {
		s.mergeFinding(rule, f)
	}
}

func (s *Stats) mergeProtocol(name string, o *Protocol) {
	p := s.protocol(name)
	for message, m := range o.Messages {
		mine := p.Messages[message]
		if mine == nil {
			mine = new(Message)
			p.Messages[message] = mine
		}
		mine.Sizes.merge(&m.Sizes)
	}
	for table, t := range o.Tables {
		for who, row := range t {
			for what, x := range row {
				mine := s.series(name, table, who, what)
				mine.Unit = cmp.Or(mine.Unit, x.Unit)
				mine.Numbers.merge(&x.Numbers)
				mine.Total = addSaturating(mine.Total, x.Total)
				for _, n := range x.States {
					mine.addState(n)
				}
			}
		}
	}
}
