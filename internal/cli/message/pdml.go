package message

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// pdmlWriter writes Wireshark's Packet Details Markup Language. Each frame in which a message ends is a packet element,
// and each message is a proto element in it. Positions are offsets in the message, which may span several packets.
type pdmlWriter struct {
	out   *term.Output
	paths fieldPaths
	began bool   // the heading has been written
	open  bool   // a packet element is open
	frame int    // frame of the open packet element
	file  string // file of the open packet element
	cell  []byte
}

func newPDMLWriter(out *term.Output) *pdmlWriter {
	out.Width = 0 // output for programs: do not cut lines
	return &pdmlWriter{out: out}
}

func (w *pdmlWriter) End(decode.Counters) error {
	w.begin()
	w.close()
	w.write("</pdml>\n")
	return nil
}

func (w *pdmlWriter) Message(m *decode.Message) {
	w.packet(&m.Place)
	w.protocol(m.Protocol.Name, m.Protocol.Title+", "+m.Name, m.Length)
	path := w.paths.message(m)
	w.field(path, m.Name, m.Name, 0, m.Length)
	w.write(">\n")
	t := m.Tree()
	w.nodes(t, 0, int32(len(t.Nodes)), path, m.Data)
	w.write("</field>\n")
	for i := range m.Findings {
		f := &m.Findings[i]
		w.found(f.Rule, f.Text, f.Off, f.Size)
	}
	w.write("</proto>\n")
}

func (w *pdmlWriter) Finding(f *wire.TrafficFinding) {
	w.packet(&f.Place)
	name, title := "gamedissect", "Finding"
	if f.Protocol != nil {
		name, title = f.Protocol.Name, f.Protocol.Title
	}
	w.protocol(name, title, 0)
	w.found(f.Rule, f.Text, 0, 0)
	w.write("</proto>\n")
}

func (w *pdmlWriter) write(text string) { w.out.Buf = append(w.out.Buf, text...) }

func (w *pdmlWriter) begin() {
	if !w.began {
		w.began = true
		w.write("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<pdml version=\"0\"")
		w.attribute("creator", "gamedissect/"+term.Version())
		w.write(">\n")
	}
}

func (w *pdmlWriter) close() {
	if w.open {
		w.write("</packet>\n")
	}
	w.open = false
}

// packet opens the packet element of a place, unless it is open.
func (w *pdmlWriter) packet(p *wire.Place) {
	w.begin()
	if w.open && p.Frame == w.frame && p.File == w.file {
		return
	}
	w.close()
	w.open, w.frame, w.file = true, p.Frame, p.File
	w.write("<packet>\n")
	at := time.Unix(0, p.Time).UTC()
	number := strconv.Itoa(p.Frame)
	w.protocol("geninfo", "General information", 0)
	w.plain("num", "Number", number)
	w.plain("timestamp", "Captured Time", at.Format("Jan _2, 2006 15:04:05.000000000 UTC"))
	w.write("</proto>\n")
	w.protocol("frame", "Frame "+number, 0)
	w.plain("frame.number", "Frame Number", number)
	w.plain("frame.time_epoch", "Epoch Time", fmt.Sprintf("%d.%09d", at.Unix(), at.Nanosecond()))
	if p.File != "" {
		w.plain("frame.file", "File", p.File)
	}
	w.write("</proto>\n")
	if p.Src.IsValid() && p.Dst.IsValid() {
		w.endpoints(p)
	}
}

// endpoints writes the network layer and the transport layer.
func (w *pdmlWriter) endpoints(p *wire.Place) {
	network, src, dst := networkOf(p.Src.Addr()), p.Src.Addr().String(), p.Dst.Addr().String()
	w.protocol(network, "Internet Protocol, Src: "+src+", Dst: "+dst, 0)
	w.plain(network+".src", "Source Address", src)
	w.plain(network+".dst", "Destination Address", dst)
	w.write("</proto>\n")
	if p.Transport == wire.NoTransport {
		return
	}
	transport := p.Transport.String()
	src, dst = strconv.Itoa(int(p.Src.Port())), strconv.Itoa(int(p.Dst.Port()))
	w.protocol(transport, transport+", Src Port: "+src+", Dst Port: "+dst, 0)
	w.plain(transport+".srcport", "Source Port", src)
	w.plain(transport+".dstport", "Destination Port", dst)
	if p.Conversation >= 0 {
		w.plain(transport+".stream", "Stream index", strconv.Itoa(p.Conversation))
	}
	w.write("</proto>\n")
}

// nodes writes t.Nodes[from:to]. above is the path of their parent.
func (w *pdmlWriter) nodes(t *wire.Tree, from, to int32, above string, data []byte) {
	for i := from; i < to; i = t.Nodes[i].Next {
		w.out.Buf = w.out.Pass(w.out.Buf)
		n := &t.Nodes[i]
		path := w.paths.below(above, n)
		if !n.Composite() {
			w.leaf(path, n, data)
			continue
		}
		label := n.Name
		if n.Element > 0 {
			label = "[" + strconv.Itoa(int(n.Element)-1) + "]"
		}
		w.field(path, label, "", int(n.Off), int(n.Size))
		w.write(">\n")
		w.nodes(t, i+1, n.Next, path, data)
		w.write("</field>\n")
	}
}

// leaf writes a field with a value. The attribute "show" has the value as text, and the attribute "value" has its
// bytes.
func (w *pdmlWriter) leaf(path string, n *wire.Node, data []byte) {
	bare := *n
	bare.Symbols = wire.Symbols{}
	show := string(format.AppendValue(nil, &bare, 0))
	if n.Kind == wire.String {
		show = string(format.AppendEscaped(nil, n.Bytes))
	}
	label := n.Name + ": " + string(format.AppendValue(nil, n, maxLabelBytes))
	if meaning := format.AppendMeaning(nil, n); len(meaning) > 0 {
		label += " (" + string(meaning) + ")"
	}
	w.field(path, label, show, int(n.Off), int(n.Size))
	if off := int(n.Off); !n.Computed && !n.Inside && n.Size > 0 && off < len(data) {
		w.write(` value="`)
		w.out.Buf = hex.AppendEncode(w.out.Buf, data[off:min(off+int(n.Size), len(data))])
		w.write(`"`)
	}
	w.write("/>\n")
}

// maxLabelBytes is the maximum number of bytes of an opaque value in its label.
const maxLabelBytes = 64

// found writes a finding as Wireshark writes expert information.
func (w *pdmlWriter) found(r *wire.Rule, text string, off, size int) {
	w.field("_ws.expert", "Expert Info ("+r.Severity.String()+"): "+text, "", off, size)
	w.write(">\n")
	w.plain("finding.rule", "Rule", r.ID)
	w.plain("_ws.expert.message", "Message", text)
	w.plain("_ws.expert.severity", "Severity level", r.Severity.String())
	w.write("</field>\n")
}

// protocol begins a proto element.
func (w *pdmlWriter) protocol(name, showname string, size int) {
	w.element("proto", name, showname, size, 0)
	w.write(">\n")
}

// plain writes a field that has no bytes in the message.
func (w *pdmlWriter) plain(name, label, show string) {
	w.field(name, label+": "+show, show, 0, 0)
	w.write("/>\n")
}

// field begins the tag of a field element. More attributes can follow.
func (w *pdmlWriter) field(name, showname, show string, pos, size int) {
	w.element("field", name, showname, size, pos)
	w.attribute("show", show)
}

func (w *pdmlWriter) element(tag, name, showname string, size, pos int) {
	w.write("<" + tag)
	w.attribute("name", name)
	w.attribute("showname", showname)
	w.out.Buf = fmt.Appendf(w.out.Buf, ` size="%d" pos="%d"`, size, pos)
}

func (w *pdmlWriter) attribute(name, value string) {
	w.write(" " + name + `="`)
	w.cell = format.AppendPlain(w.cell[:0], value)
	w.out.Buf = append(appendXML(w.out.Buf, w.cell), '"')
}

// appendXML appends a printable text, escaped for the value of an attribute.
func appendXML(b, text []byte) []byte {
	for _, c := range text {
		switch c {
		case '&':
			b = append(b, "&amp;"...)
		case '<':
			b = append(b, "&lt;"...)
		case '>':
			b = append(b, "&gt;"...)
		case '"':
			b = append(b, "&quot;"...)
		default:
			b = append(b, c)
		}
	}
	return b
}
