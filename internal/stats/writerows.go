package stats

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// MarshalJSON returns the conversation as JSON, with the parts of its key and its Community ID. The row of the others
// has neither.
func (c *Conversation) MarshalJSON() ([]byte, error) {
	return written(func(j *jsonWriter) { j.conversation(c) })
}

// MarshalJSON returns the count as JSON, with the parts of its key.
func (b *Broken) MarshalJSON() ([]byte, error) { return written(func(j *jsonWriter) { j.broken(b) }) }

// MarshalJSON returns the endpoint as JSON, with the parts of its key.
func (e *Endpoint) MarshalJSON() ([]byte, error) {
	return written(func(j *jsonWriter) { j.endpoint(e) })
}

// MarshalJSON returns the finding as JSON, with the name of its severity.
func (f *Finding) MarshalJSON() ([]byte, error) { return written(func(j *jsonWriter) { j.finding(f) }) }

// MarshalJSON returns the row as JSON, with the parts of its key.
func (r *Row) MarshalJSON() ([]byte, error) { return written(func(j *jsonWriter) { j.row(r) }) }

func (j *jsonWriter) conversation(c *Conversation) {
	j.begin('{')
	if c.key.A.IsValid() && c.key.B.IsValid() {
		j.name("community_id")
		j.text = wire.AppendCommunityID(append(j.text, '"'), c.key.Transport, c.key.A, c.key.B)
		j.text = append(j.text, '"')
	}
	j.transport(c.key.Transport, c.key.A)
	j.address("a", c.key.A)
	j.address("b", c.key.B)
	j.word("protocol", c.Protocol)
	j.number("stream", int64(c.Stream))
	j.number("first_ns", c.First)
	j.number("last_ns", c.Last)
	j.side("a_to_b", c.AB)
	j.side("b_to_a", c.BA)
	j.end('}')
}

// transport writes the transport of a key. The zero key has none.
func (j *jsonWriter) transport(t wire.Transport, at netip.AddrPort) {
	if at.IsValid() {
		j.word("transport", t.String())
	}
}

func (j *jsonWriter) side(name string, s Side) {
	j.name(name)
	j.begin('{')
	j.number("messages", s.Messages)
	j.number("bytes", s.Bytes)
	j.end('}')
}

func (j *jsonWriter) endpoint(e *Endpoint) {
	j.begin('{')
	j.transport(e.key.Transport, e.key.At)
	j.address("address", e.key.At)
	j.word("protocol", e.Protocol)
	j.side("sent", e.Sent)
	j.side("received", e.Received)
	j.end('}')
}

func (j *jsonWriter) finding(f *Finding) {
	j.begin('{')
	j.number("severity", int64(f.Severity))
	j.number("count", f.Count)
	j.word("first_file", f.File)
	j.number("first_frame", int64(f.Frame))
	j.number("first_ns", f.Time)
	j.address("first_sender", f.Sender)
	j.word("example", f.Text)
	j.word("severity_name", f.Severity.String())
	j.end('}')
}

func (j *jsonWriter) broken(b *Broken) {
	j.begin('{')
	j.optionalWord("rule", b.key.Rule)
	j.address("sender", b.key.At)
	j.number("severity", int64(b.Severity))
	j.number("count", b.Count)
	j.packet("first", &b.First)
	j.packet("last", &b.Last)
	j.word("severity_name", b.Severity.String())
	j.end('}')
}

func (j *jsonWriter) packet(name string, p *Packet) {
	j.name(name)
	j.begin('{')
	j.word("file", p.File)
	j.number("frame", int64(p.Frame))
	j.number("ns", p.Time)
	j.end('}')
}

func (j *jsonWriter) message(m *Message) {
	j.begin('{')
	j.histogram("sizes", &m.Sizes)
	j.end('}')
}

func (j *jsonWriter) row(r *Row) {
	j.begin('{')
	j.address("server", r.key.Server)
	j.optionalWord("who", r.key.Who)
	j.optionalWord("whom", r.key.Whom)
	j.name("measured")
	j.begin('{')
	for _, x := range r.Series {
		j.series(x)
	}
	j.end('}')
	j.end('}')
}

func (j *jsonWriter) series(x *Series) {
	j.name(x.What)
	j.begin('{')
	unit := x.Unit()
	if unit == durations {
		unit = nanoseconds
	}
	j.optionalWord("unit", unit)
	if x.Numbers != nil {
		j.histogram("numbers", x.Numbers)
	}
	j.optional("total", x.Total)
	j.states(x.States())
	j.optional("longest", int64(x.longest()))
	j.end('}')
}

func (j *jsonWriter) states(states []State) {
	if len(states) == 0 {
		return
	}
	j.name("states")
	j.begin('[')
	for i := range states {
		j.next()
		j.begin('{')
		j.number("ns", states[i].Time)
		j.optional("rank", int64(states[i].Rank))
		j.optionalWord("text", states[i].Text.text)
		j.end('}')
	}
	j.end(']')
}

func (j *jsonWriter) histogram(name string, h *Histogram) {
	j.name(name)
	j.begin('{')
	j.number("count", h.Count)
	j.number("sum", h.Sum)
	j.number("min", h.Min)
	j.number("max", h.Max)
	j.name("buckets")
	j.begin('[')
	for _, b := range h.Buckets {
		j.next()
		j.begin('{')
		j.number("low", b.Low())
		j.number("count", b.Count())
		j.end('}')
	}
	j.end(']')
	j.end('}')
}
