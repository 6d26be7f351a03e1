package stats

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"io"
	"slices"
)

// WriteJSON writes what MarshalJSON returns, indented by two spaces a level, in pieces that end between characters. It
// buffers at most one entry of a list in addition to a piece.
func (s *Stats) WriteJSON(w io.Writer) error {
	j := &jsonWriter{to: w}
	j.stats(s)
	j.flush()
	return j.err
}

// MarshalJSON writes the counts. Empty lists are objects too.
func (s *Stats) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	err := s.WriteJSON(&b)
	return b.Bytes(), err
}

// MarshalJSON does the same for a protocol.
func (p *Protocol) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	j := &jsonWriter{to: &b}
	j.protocol(p)
	j.flush()
	return b.Bytes(), j.err
}

// A jsonWriter writes objects and lists in parts. The first error stays.
type jsonWriter struct {
	to    io.Writer
	text  bytes.Buffer // not yet written
	depth int          // number of open objects
	some  bool         // members of the innermost
	err   error
}

// pieceSize is how much is written at a time, about.
const pieceSize = 16 << 10

func (j *jsonWriter) stats(s *Stats) {
	j.begin('{')
	j.member("packets", s.Packets)
	j.member("bytes", s.Bytes)
	j.member("packets_ours", s.Recognised)
	j.member("messages", s.Messages)
	if len(s.Skipped) > 0 {
		j.member("bytes_skipped", s.Skipped)
	}
	if s.Begin != 0 {
		j.member("first_packet_ns", s.Begin)
	}
	j.member("first_ns", s.First)
	j.member("last_ns", s.Last)
	j.name("protocols")
	writeNamed(j, s.Protocols, j.protocol)
	j.name("conversations")
	writeList(j, s.Conversations)
	j.name("endpoints")
	writeList(j, s.Endpoints)
	j.name("findings")
	writeNamed(j, s.Findings, func(f *Finding) { j.value(f) })
	j.name("senders")
	writeList(j, s.Senders)
	if len(s.Others) > 0 {
		j.name("others")
		j.begin('[')
		for i := range s.Others {
			j.next()
			j.value(&s.Others[i])
		}
		j.end(']')
	}
	if len(s.Full) > 0 {
		j.member("full", s.Full)
	}
	j.end('}')
}

func (j *jsonWriter) protocol(p *Protocol) {
	j.begin('{')
	j.name("messages")
	writeNamed(j, p.Messages, func(m *Message) { j.value(m) })
	j.name("tables")
	writeNamed(j, p.Tables, func(t Table) { writeList(j, t) })
	j.end('}')
}

// An entry is one of a list, under the text of its key.
type entry[V any] struct {
	key   string
	value V
}

// writeNamed writes an object of what has names, in their order.
func writeNamed[V any](j *jsonWriter, list map[string]V, write func(V)) {
	entries := make([]entry[V], 0, len(list))
	for name, v := range list {
		entries = append(entries, entry[V]{name, v})
	}
	writeEntries(j, entries, write)
}

// writeList does the same for a list with text keys.
func writeList[K interface {
	comparable
	encoding.TextMarshaler
}, V any](j *jsonWriter, list map[K]V) {
	entries := make([]entry[V], 0, len(list))
	for key, v := range list {
		text, err := key.MarshalText()
		j.fail(err)
		entries = append(entries, entry[V]{string(text), v})
	}
	writeEntries(j, entries, func(v V) { j.value(v) })
}

func writeEntries[V any](j *jsonWriter, entries []entry[V], write func(V)) {
	slices.SortFunc(entries, func(a, b entry[V]) int { return cmp.Compare(a.key, b.key) })
	j.begin('{')
	for _, e := range entries {
		j.name(e.key)
		write(e.value)
	}
	j.end('}')
}

func (j *jsonWriter) begin(bracket byte) {
	j.text.WriteByte(bracket)
	j.depth++
	j.some = false
}

func (j *jsonWriter) end(bracket byte) {
	j.depth--
	if j.some {
		j.line()
	}
	j.text.WriteByte(bracket)
	j.some = true // it is a member itself
}

func (j *jsonWriter) line() {
	j.text.WriteByte('\n')
	j.text.Write(bytes.Repeat([]byte("  "), j.depth))
}

// name begins a member of an object. Its value is to follow.
func (j *jsonWriter) name(name string) {
	j.next()
	j.value(name)
	j.text.WriteString(": ")
}

// next begins a member of an object or a list.
func (j *jsonWriter) next() {
	if j.some {
		j.text.WriteByte(',')
	}
	if j.text.Len() >= pieceSize {
		j.flush()
	}
	j.line()
	j.some = true
}

func (j *jsonWriter) member(name string, v any) {
	j.name(name)
	j.value(v)
}

// value writes one that is not large.
func (j *jsonWriter) value(v any) {
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Indent(&j.text, b, string(bytes.Repeat([]byte("  "), j.depth)), "  ")
	}
	j.fail(err)
}

func (j *jsonWriter) flush() {
	if j.err == nil {
		_, err := j.to.Write(j.text.Bytes())
		j.fail(err)
	}
	j.text.Reset()
}

func (j *jsonWriter) fail(err error) { j.err = cmp.Or(j.err, err) }
