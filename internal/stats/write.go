package stats

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"io"
	"net/netip"
	"slices"
	"strconv"
)

// WriteJSON writes the result of MarshalJSON, indented by two spaces per level. It writes pieces, and never splits a
// character. In addition to a piece, it buffers at most one entry of a list.
func (s *Stats) WriteJSON(w io.Writer) error {
	j := &jsonWriter{to: w}
	j.stats(s)
	j.flush()
	return j.err
}

// MarshalJSON returns the counts as JSON. An empty list becomes an empty object.
func (s *Stats) MarshalJSON() ([]byte, error) { return written(func(j *jsonWriter) { j.stats(s) }) }

// MarshalJSON returns the counts of a protocol as JSON. An empty list becomes an empty object.
func (p *Protocol) MarshalJSON() ([]byte, error) {
	return written(func(j *jsonWriter) { j.protocol(p) })
}

// written returns the output of a function.
func written(write func(*jsonWriter)) ([]byte, error) {
	var b bytes.Buffer
	j := &jsonWriter{to: &b}
	write(j)
	j.flush()
	return b.Bytes(), j.err
}

// A jsonWriter writes objects and lists in parts. It does not use reflection, which is slow for tens of thousands of
// rows. It keeps the first error.
type jsonWriter struct {
	to    io.Writer
	text  []byte // not yet written
	depth int    // number of open objects
	some  bool   // the innermost object or list has members
	err   error
}

// pieceSize is the approximate size of a piece in bytes.
const pieceSize = 16 << 10

func (j *jsonWriter) stats(s *Stats) {
	j.begin('{')
	j.number("packets", s.Packets)
	j.number("bytes", s.Bytes)
	j.number("packets_ours", s.Recognised)
	j.number("messages", s.Messages)
	if len(s.Skipped) > 0 {
		j.member("bytes_skipped", s.Skipped)
	}
	j.optional("first_packet_ns", s.Begin)
	j.number("first_ns", s.First)
	j.number("last_ns", s.Last)
	j.name("protocols")
	writeNamed(j, s.Protocols, j.protocol)
	j.name("conversations")
	writeList(j, s.Conversations, j.conversation)
	j.name("endpoints")
	writeList(j, s.Endpoints, j.endpoint)
	j.name("findings")
	writeNamed(j, s.Findings, j.finding)
	j.name("senders")
	writeList(j, s.Senders, j.broken)
	writeRows(j, "attempts", s.Attempts)
	writeRows(j, "others", s.Others)
	if len(s.Full) > 0 {
		j.member("full", s.Full)
	}
	j.end('}')
}

func (j *jsonWriter) protocol(p *Protocol) {
	j.begin('{')
	j.name("messages")
	writeNamed(j, p.Messages, j.message)
	j.name("tables")
	writeNamed(j, p.Tables, func(t Table) { writeList(j, t, j.row) })
	j.end('}')
}

// writeRows writes a member that is a list, unless it is empty.
func writeRows[T any](j *jsonWriter, name string, rows []T) {
	if len(rows) == 0 {
		return
	}
	j.name(name)
	j.begin('[')
	for i := range rows {
		j.next()
		j.value(&rows[i])
	}
	j.end(']')
}

// An entry is a key of a list, as text, and its value.
type entry[V any] struct {
	key   string
	value V
}

// writeNamed writes an object with its members ordered by name.
func writeNamed[V any](j *jsonWriter, list map[string]V, write func(V)) {
	entries := make([]entry[V], 0, len(list))
	for name, v := range list {
		entries = append(entries, entry[V]{name, v})
	}
	writeEntries(j, entries, write)
}

// writeList writes an object with its members ordered by the text of the key.
func writeList[K interface {
	comparable
	encoding.TextMarshaler
}, V any](j *jsonWriter, list map[K]V, write func(V)) {
	entries := make([]entry[V], 0, len(list))
	for key, v := range list {
		text, err := key.MarshalText()
		j.fail(err)
		entries = append(entries, entry[V]{string(text), v})
	}
	writeEntries(j, entries, write)
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
	j.text = append(j.text, bracket)
	j.depth++
	j.some = false
}

func (j *jsonWriter) end(bracket byte) {
	j.depth--
	if j.some {
		j.line()
	}
	j.text = append(j.text, bracket)
	j.some = true // the object is itself a member
}

func (j *jsonWriter) line() {
	j.text = append(j.text, '\n')
	for range j.depth {
		j.text = append(j.text, "  "...)
	}
}

// name begins a member of an object. The caller must write its value next.
func (j *jsonWriter) name(name string) {
	j.next()
	j.quoted(name)
	j.text = append(j.text, ": "...)
}

// next begins a member of an object or a list.
func (j *jsonWriter) next() {
	if j.some {
		j.text = append(j.text, ',')
	}
	if len(j.text) >= pieceSize {
		j.flush()
	}
	j.line()
	j.some = true
}

// number writes a member that is a number.
func (j *jsonWriter) number(name string, n int64) {
	j.name(name)
	j.text = strconv.AppendInt(j.text, n, 10)
}

// optional writes a member that is a number, unless it is zero.
func (j *jsonWriter) optional(name string, n int64) {
	if n != 0 {
		j.number(name, n)
	}
}

// word writes a member that is a text.
func (j *jsonWriter) word(name, text string) {
	j.name(name)
	j.quoted(text)
}

// optionalWord writes a member that is a text, unless it is empty.
func (j *jsonWriter) optionalWord(name, text string) {
	if text != "" {
		j.word(name, text)
	}
}

// address writes a member that is an endpoint, unless it is missing.
func (j *jsonWriter) address(name string, a netip.AddrPort) {
	switch {
	case a == netip.AddrPort{}:
	case a.Addr().Zone() != "": // a zone may contain any text
		j.word(name, a.String())
	default:
		j.name(name)
		j.text = append(a.AppendTo(append(j.text, '"')), '"')
	}
}

// quoted writes a text as encoding/json does.
func (j *jsonWriter) quoted(text string) {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			j.value(text)
			return
		}
	}
	j.text = append(append(append(j.text, '"'), text...), '"')
}

// member writes a member of any type. It is slow, so it must only be used for few, small members.
func (j *jsonWriter) member(name string, v any) {
	j.name(name)
	j.value(v)
}

func (j *jsonWriter) value(v any) {
	b, err := json.MarshalIndent(v, string(bytes.Repeat([]byte("  "), j.depth)), "  ")
	j.text = append(j.text, b...)
	j.fail(err)
}

func (j *jsonWriter) flush() {
	if j.err == nil {
		_, err := j.to.Write(j.text)
		j.fail(err)
	}
	j.text = j.text[:0]
}

func (j *jsonWriter) fail(err error) { j.err = cmp.Or(j.err, err) }
