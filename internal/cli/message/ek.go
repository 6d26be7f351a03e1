package message

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// ekWriter writes the format of Elasticsearch's bulk API, as tshark -T ek does. Each message takes two lines. The first
// names the Elasticsearch index for the message's day. In the second, the name of a field begins with the name of its
// layer, and has _ instead of dots.
type ekWriter struct {
	out    *term.Output
	paths  fieldPaths
	layers int               // number of layers written for the current message
	names  []string          // fields of the current layer, in order, without repetition
	values map[string][]byte // JSON values by field, separated by commas
}

func newEKWriter(out *term.Output) *ekWriter {
	out.Width = 0 // output for programs: do not cut lines
	return &ekWriter{out: out, values: make(map[string][]byte)}
}

func (w *ekWriter) Message(m *decode.Message) {
	w.begin(&m.Place)
	path := w.paths.message(m)
	w.text("protocol", m.Protocol.Name)
	w.text("direction", m.Direction.String())
	w.text("message", m.Name)
	w.number("length", m.Length)
	w.layer("gamedissect")
	t := m.Tree()
	w.nodes(t, 0, int32(len(t.Nodes)), path)
	w.layer(m.Protocol.Name)
	for i := range m.Findings {
		w.found(m.Findings[i].Rule, m.Findings[i].Text)
	}
	w.layer("finding")
	w.out.Buf = append(w.out.Buf, "}}\n"...)
}

func (w *ekWriter) Finding(f *wire.TrafficFinding) {
	w.begin(&f.Place)
	w.found(f.Rule, f.Text)
	w.layer("finding")
	w.out.Buf = append(w.out.Buf, "}}\n"...)
}

// begin writes the first line, and the layers frame, network and transport of the second line.
func (w *ekWriter) begin(p *wire.Place) {
	at := time.Unix(0, p.Time).UTC()
	b := append(w.out.Buf, `{"index":{"_index":"packets-`...)
	b = at.AppendFormat(b, "2006-01-02")
	b = append(b, "\"}}\n{\"timestamp\":\""...)
	b = strconv.AppendInt(b, at.UnixMilli(), 10)
	w.out.Buf = append(b, `","layers":{`...)
	w.layers = 0
	w.number("frame.number", p.Frame)
	w.put("frame.time", at.AppendFormat(nil, `"2006-01-02T15:04:05.000000000Z"`))
	if p.File != "" {
		w.text("frame.file", p.File)
	}
	w.layer("frame")
	if !p.Src.IsValid() || !p.Dst.IsValid() {
		return
	}
	network := networkOf(p.Src.Addr())
	w.text(network+".src", p.Src.Addr().String())
	w.text(network+".dst", p.Dst.Addr().String())
	w.layer(network)
	if p.Transport == wire.NoTransport {
		return
	}
	transport := p.Transport.String()
	w.number(transport+".srcport", int(p.Src.Port()))
	w.number(transport+".dstport", int(p.Dst.Port()))
	if p.Conversation >= 0 {
		w.number(transport+".stream", p.Conversation)
	}
	w.layer(transport)
}

// put adds a value, encoded as JSON, to a field of the current layer.
func (w *ekWriter) put(name string, value []byte) {
	old, ok := w.values[name]
	if !ok {
		w.names = append(w.names, name)
	} else {
		old = append(old, ',')
	}
	w.values[name] = append(old, value...)
}

func (w *ekWriter) text(name, text string) { w.put(name, format.AppendJSONText(nil, text)) }

func (w *ekWriter) number(name string, n int) { w.put(name, strconv.AppendInt(nil, int64(n), 10)) }

// layer writes the current layer under a name, if the layer has fields, and begins the next one.
func (w *ekWriter) layer(name string) {
	if len(w.names) == 0 {
		return
	}
	b := w.out.Buf
	if w.layers++; w.layers > 1 {
		b = append(b, ',')
	}
	b = append(append(append(b, '"'), name...), `":{`...)
	for i, field := range w.names {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(w.out.Pass(b), '"')
		b = append(append(append(b, name...), '_'), strings.ReplaceAll(field, ".", "_")...)
		value := w.values[field]
		b = append(append(append(b, `":[`...), value...), ']')
	}
	w.out.Buf = append(b, '}')
	w.names = w.names[:0]
	clear(w.values)
}

// found adds the fields of a finding.
func (w *ekWriter) found(r *wire.Rule, text string) {
	w.text("finding.rule", r.ID)
	w.text("finding.severity", r.Severity.String())
	w.text("finding.text", text)
}

// nodes adds the values of t.Nodes[from:to]. above is the path of their parent.
func (w *ekWriter) nodes(t *wire.Tree, from, to int32, above string) {
	for i := from; i < to; i = t.Nodes[i].Next {
		n := &t.Nodes[i]
		if n.Key {
			continue
		}
		path := w.paths.below(above, n)
		switch {
		case n.Composite():
			w.nodes(t, i+1, n.Next, path)
		case n.Kind == wire.Vector:
			for axis, f := range n.Vec {
				w.float(path+"."+"xyz"[axis:axis+1], f)
			}
		case n.Kind == wire.Float:
			w.float(path, math.Float32frombits(uint32(n.Num)))
		default:
			w.put(path, (&format.JSON{Tree: t}).AppendValue(nil, n))
			if names := standsFor(n); names != "" {
				w.text(path+"_name", names)
			}
		}
	}
}

// float adds a number. It leaves out infinity and NaN, which JSON cannot express.
func (w *ekWriter) float(name string, f float32) {
	if x := float64(f); !math.IsNaN(x) && !math.IsInf(x, 0) {
		w.put(name, format.AppendFloat(nil, f))
	}
}

// standsFor returns the name of a value such as a constant or an address, or "" if it has none.
func standsFor(n *wire.Node) string {
	if !slices.Contains([]wire.Kind{wire.Enum, wire.SignedEnum, wire.Bits, wire.Address}, n.Kind) {
		return ""
	}
	return string(format.AppendMeaning(nil, n))
}
