package anonymize

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/privacy"
)

// A strength determines which bytes of unknown content are replaced. Since some findings depend on such bytes, rewrite
// uses the first strength that preserves the message's fields and findings.
type strength uint8

const (
	everything  strength = iota // all bytes except zeros
	afterHead                   // like wordsOnly in the first eight bytes (often numbers and types); then like everything
	wordsOnly                   // only words of printable characters
	lettersOnly                 // only words of letters
	weakest     = lettersOnly
)

func (a *Anonymizer) rewrite(m *decode.Message, partial bool) []byte {
	if a.options.SecretsOnly {
		return a.mask(m)
	}
	w := messageRewriter{anonymizer: a, protocol: m.Protocol, core: m.Layer.Core(), name: m.Name, tree: m.Tree()}
	w.kept, w.inside = make([]bool, len(m.Data)), w.privateInside()
	data := w.rewrite(m.Data, everything)
	doubtful := w.limit(partial)
	if bytes.Equal(data, m.Data) && !doubtful {
		return data
	}
	r := a.reader(m.Protocol)
	in := w.core.Context
	in.Sealed = in.Sealed || w.opaque
	read := func(data []byte) string { return r.read(m, data, in) }
	before, foreign := read(m.Data), false
	for s := afterHead; read(data) != before; s++ {
		if foreign = !w.unknown || s > weakest; foreign {
			data = w.rewrite(m.Data, everything) // the fields change anyway
			break
		}
		data = w.rewrite(m.Data, s)
	}
	switch {
	case w.opaque:
		a.report.Opaque++
	case foreign:
		a.report.Foreign++
	}
	if doubtful {
		w.doubt(data, read)
	}
	return data
}

func (a *Anonymizer) mask(m *decode.Message) []byte {
	core := m.Layer.Core()
	data := privacy.Masked(core, m.Protocol, m.Tree())
	if data == nil {
		return m.Data
	}
	data = data[:min(len(data), len(m.Data))]
	r := a.reader(m.Protocol)
	if r.read(m, data, core.Context) != r.read(m, m.Data, core.Context) {
		a.report.Foreign++
	}
	return data
}

type messageRewriter struct {
	anonymizer *Anonymizer
	protocol   *wire.Protocol
	core       *wire.Base
	name       string
	tree       *wire.Tree

	strength strength
	out      []byte
	header   []byte         // name of the current HTTP header
	unknown  bool           // there are bytes of unknown content
	kept     []bool         // bytes of public fields
	inside   map[int32]bool // for fields that contain a message, by offset: whether anything in it is private
	opaque   bool           // such a field was replaced as a whole
}

func (w *messageRewriter) rewrite(data []byte, s strength) []byte {
	w.out, w.strength = bytes.Clone(data), s
	privacy.EachField(w.tree, func(path string, n *wire.Node) {
		if int(n.Off+n.Size) <= len(w.out) && !n.Inside { // otherwise it is replaced with the field that contains it
			w.field(path, n)
		}
	})
	w.leftOut()
	return w.out
}

// privateInside finds the fields that contain messages, see messageRewriter.inside. Everything that was not decoded
// counts as private.
func (w *messageRewriter) privateInside() map[int32]bool {
	private := make(map[int32]bool)
	privacy.EachField(w.tree, func(path string, n *wire.Node) {
		if n.Inside || n.Unread {
			hidden := n.Unread || w.protocol.Private.OfNode(w.name, path, n) != wire.Public
			private[n.Off] = private[n.Off] || hidden
		}
	})
	for i := range w.tree.Nodes {
		if n := &w.tree.Nodes[i]; n.Inside && n.Composite() && n.Num > 0 {
			private[n.Off] = true // the tree omits some elements
		}
	}
	return private
}

// leftOut replaces the elements of long lists that the tree omits.
func (w *messageRewriter) leftOut() {
	for i := range w.tree.Nodes {
		n := &w.tree.Nodes[i]
		if !n.Composite() || n.Num == 0 {
			continue
		}
		from, to := n.Off, n.Off+n.Size
		if last := &w.tree.Nodes[n.Next-1]; int(n.Next) > i+1 {
			from = last.Off + last.Size
		}
		if from < to && int(to) <= len(w.out) {
			w.bytes(w.out[from:to])
		}
	}
}

func (w *messageRewriter) field(path string, n *wire.Node) {
	all := w.out[n.Off : n.Off+n.Size]
	if path == wire.Undecoded {
		w.undecoded(all, int(n.Off))
		return
	}
	how := w.protocol.Private.OfNode(w.name, path, n)
	lead := min(int(n.Lead), len(all))
	if private, holds := w.inside[n.Off]; holds && (private || how != wire.Public) {
		w.opaque = true
		w.anonymizer.texts.bytes(all[lead:])
		return
	}
	value := all[lead:min(lead+len(n.Bytes), len(all))]
	switch how {
	case wire.Public:
		for i := n.Off; i < n.Off+n.Size; i++ {
			w.kept[i] = w.strength == everything || w.kept[i]
		}
		if strings.HasSuffix(path, "headers.name") {
			w.header = n.Bytes
		}
		return
	case wire.PrivateBytes:
		w.bytes(all[lead:])
		return
	case wire.PrivateAddress:
		w.address(value)
		return
	case wire.PrivateChat:
		w.chat(value)
	case wire.PrivateTarget:
		_, query, _ := bytes.Cut(value, []byte("?"))
		w.anonymizer.texts.text(query)
	case wire.PrivateHeader:
		if !publicHeaders[strings.ToLower(string(w.header))] {
			w.anonymizer.texts.text(value)
		}
	case wire.PrivateDocument:
		copy(value, w.anonymizer.document(value, func(key string) wire.Privacy {
			v, _ := w.protocol.Private.Of(w.name, path+"."+key, wire.String)
			return v
		}))
	default:
		w.anonymizer.texts.text(value)
	}
	if rest := all[lead+len(value):]; len(rest) > 0 && rest[0] == 0 {
		w.bytes(rest) // the text ends with a zero; the rest of an older text may follow
	}
}

// publicHeaders are the HTTP headers about the document or the connection.
var publicHeaders = map[string]bool{
	"length": true, "content-length": true, "content-type": true, "content-encoding": true, "transfer-encoding": true,
	"connection": true, "accept": true, "accept-encoding": true, "cache-control": true,
}

// address maps the address at the beginning of the value.
func (w *messageRewriter) address(value []byte) {
	switch len(value) {
	case 4, 16:
		w.anonymizer.addresses.bytes(value)
	case 8: // see wire.IPv4PortNumber
		w.anonymizer.addresses.bytes(value[:4])
	default:
		w.bytes(value)
	}
}

// chat maps a chat text. It keeps the word of a command, and maps a secret separately.
func (w *messageRewriter) chat(text []byte) {
	if w.protocol.Secret != nil {
		if from, to := w.protocol.Secret(text); from < to {
			w.anonymizer.texts.text(text[from:to])
			text = text[:from]
		}
	}
	if bytes.HasPrefix(text, []byte("/")) {
		word, _, _ := bytes.Cut(text, []byte(" "))
		text = text[len(word):]
	}
	w.anonymizer.texts.text(text)
}

func (w *messageRewriter) bytes(b []byte) {
	const head = 8
	w.unknown = w.unknown || len(bytes.Trim(b, "\x00")) > 0
	switch w.strength {
	case everything:
		w.anonymizer.texts.bytes(b)
	case afterHead:
		w.anonymizer.texts.words(b[:min(head, len(b))], false)
		w.anonymizer.texts.bytes(b[min(head, len(b)):])
	default:
		w.anonymizer.texts.words(b, w.strength == lettersOnly)
	}
}

// undecoded replaces the bytes after an error. If the error is a text that is longer than the message, it keeps the
// length field of the text.
func (w *messageRewriter) undecoded(b []byte, off int) {
	if f := w.core.Fault(); f != nil && f.Offset == off {
		b = b[min(f.Lead, len(b)):]
	}
	w.bytes(b)
}

type reader struct {
	layer wire.Layer
	tree  wire.Tree
	text  []byte
}

func (a *Anonymizer) reader(p *wire.Protocol) *reader {
	r := a.spare[p]
	if r == nil {
		r = &reader{layer: p.New()}
		a.spare[p] = r
	}
	return r
}

// read decodes a message's data and returns a key for the result. The key contains the fields with their positions, the
// broken rules, and whether the protocol recognises the data.
func (r *reader) read(m *decode.Message, data []byte, in wire.Context) string {
	part := r.layer.Core()
	part.Context = in
	_ = wire.Recall(r.layer, data, wire.Keep(m.Layer)) // the tree shows the error
	b := append(r.text[:0], byte(part.Direction))
	if m.Transport == wire.TCP || m.At == 0 {
		b = append(b, confidence(m, data))
	}
	b = append(b, part.CodeText(r.layer)...)
	b = append(b, part.Message.Name...)
	for _, f := range part.Findings() {
		b = append(b, f.Rule.ID...)
	}
	part.Annotate(r.layer, &r.tree)
	for i := range r.tree.Nodes {
		n := &r.tree.Nodes[i]
		b = append(b, n.Name...)
		b = append(b, byte(n.Kind), n.Depth, byte(n.Off), byte(n.Off>>8), byte(n.Off>>16), byte(n.Size), byte(n.Size>>8),
			byte(n.Size>>16))
		if n.Computed && n.Depth == 0 {
			b = append(b, n.Bytes...)
		}
	}
	r.text = b
	return string(b)
}

// confidence returns how sure the protocol would be about data at the beginning of a conversation. The data is a
// datagram, or a message of a stream.
func confidence(m *decode.Message, data []byte) byte {
	p := m.Protocol
	probe, ports := p.Probe, p.UDP
	if m.Transport == wire.TCP {
		probe, ports = p.ProbeStream, p.TCP
	}
	if probe == nil {
		return 0
	}
	v := probe(&wire.Probe{
		Datagram: &wire.Datagram{Src: m.Src, Dst: m.Dst, Payload: data, Missing: m.Length - len(data)},
		ToPort:   slices.Contains(ports, m.Dst.Port()), FromPort: slices.Contains(ports, m.Src.Port()),
	})
	return byte(v.Confidence)<<4 | byte(v.Direction)
}
