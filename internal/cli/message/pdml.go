package message

import (
	"encoding/hex"
	"fmt"
	"net/netip"
	"strconv"
	"time"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// pdmlWriter writes Wireshark's Packet Details Markup Language: a packet element for each frame in which a message
// ended, and in it a proto element for each message. Positions are offsets in the message, which may span packets.
type pdmlWriter struct {
	out   *term.Output
	paths fieldPaths
	began bool   // the heading is written
	open  bool   // a packet element is open
	frame int    // of the open packet
	file  string // of the open packet
	cell  []byte
}

func newPDMLWriter(out *term.Output) *pdmlWriter {
	out.Width = 0 // for other programs: no line is cut
	return &pdmlWriter{out: out}
}

// Text implements textSink.
func (w *pdmlWriter) Text() (*term.Output, bool) { return w.out, true }

// End implements endSink.
func (w *pdmlWriter) End(decode.Counters) error {
	w.begin()
	w.close()
	w.out.Buf = append(w.out.Buf, "</pdml>\n"...)
	return nil
}

func (w *pdmlWriter) Message(m *decode.Message) {
	w.packet(&m.Place)
	w.protocol(m.Protocol.Name, m.Protocol.Title+", "+m.Name, m.Length)
	path := w.paths.message(m)
	w.field(path, m.Name, m.Name, 0, m.Length)
	w.out.Buf = append(w.out.Buf, ">\n"...)
	t := m.Tree()
	w.nodes(t, 0, int32(len(t.Nodes)), path, m.Data)
	w.out.Buf = append(w.out.Buf, "</field>\n"...)
	for i := range m.Findings {
		f := &m.Findings[i]
		w.found(f.Rule, f.Text, f.Off, f.Size)
	}
	w.out.Buf = append(w.out.Buf, "</proto>\n"...)
}

func (w *pdmlWriter) Finding(f *wire.TrafficFinding) {
	w.packet(&f.Place)
	name, title := "gamedissect", "What was found"
	if f.Protocol != nil {
		name, title = f.Protocol.Name, f.Protocol.Title
	}
	w.protocol(name, title, 0)
	w.found(f.Rule, f.Text, 0, 0)
	w.out.Buf = append(w.out.Buf, "</proto>\n"...)
}

// begin writes the heading.
func (w *pdmlWriter) begin() {
	if w.began {
		return
	}
	w.began = true
	w.out.Buf = append(w.out.Buf, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"...)
	w.out.Buf = append(w.out.Buf, "<pdml version=\"0\" creator=\"gamedissect/"...)
	w.out.Buf = append(appendXML(w.out.Buf, []byte(term.Version())), "\">\n"...)
}

func (w *pdmlWriter) close() {
	if w.open {
		w.out.Buf = append(w.out.Buf, "</packet>\n"...)
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
	w.out.Buf = append(w.out.Buf, "<packet>\n"...)
	at := time.Unix(0, p.Time).UTC()
	number := strconv.Itoa(p.Frame)
	w.protocol("geninfo", "General information", 0)
	w.plain("num", "Number", number)
	w.plain("timestamp", "Captured Time", at.Format("Jan _2, 2006 15:04:05.000000000 UTC"))
	w.out.Buf = append(w.out.Buf, "</proto>\n"...)
	w.protocol("frame", "Frame "+number, 0)
	w.plain("frame.number", "Frame Number", number)
	w.plain("frame.time_epoch", "Epoch Time", epoch(at))
	if p.File != "" {
		w.plain("frame.file", "File", p.File)
	}
	w.out.Buf = append(w.out.Buf, "</proto>\n"...)
	if p.Src.IsValid() && p.Dst.IsValid() {
		w.endpoints(p)
	}
}

// epoch formats a time in seconds since 1970.
func epoch(t time.Time) string { return fmt.Sprintf("%d.%09d", t.Unix(), t.Nanosecond()) }

// endpoints writes the network and the transport layer.
func (w *pdmlWriter) endpoints(p *wire.Place) {
	network := networkOf(p.Src.Addr())
	w.protocol(network, "Internet Protocol, Src: "+p.Src.Addr().String()+", Dst: "+p.Dst.Addr().String(), 0)
	w.plain(network+".src", "Source Address", p.Src.Addr().String())
	w.plain(network+".dst", "Destination Address", p.Dst.Addr().String())
	w.out.Buf = append(w.out.Buf, "</proto>\n"...)
	transport := p.Transport.String()
	port := func(a netip.AddrPort) string { return strconv.Itoa(int(a.Port())) }
	w.protocol(transport, transport+", Src Port: "+port(p.Src)+", Dst Port: "+port(p.Dst), 0)
	w.plain(transport+".srcport", "Source Port", port(p.Src))
	w.plain(transport+".dstport", "Destination Port", port(p.Dst))
	if p.Conversation >= 0 {
		w.plain(transport+".stream", "Stream index", strconv.Itoa(p.Conversation))
	}
	w.out.Buf = append(w.out.Buf, "</proto>\n"...)
}

// nodes writes t.Nodes[from:to], whose parent's path is above.
func (w *pdmlWriter) nodes(t *wire.Tree, from, to int32, above string, data []byte) {
	for i := from; i < to; i = t.Nodes[i].Next {
		w.out.Buf = w.out.Pass(w.out.Buf)
		n := &t.Nodes[i]
		path := w.paths.below(above, n)
		if n.Composite() {
			label := n.Name
			if n.Element > 0 {
				label = "[" + strconv.Itoa(int(n.Element)-1) + "]"
			}
			w.field(path, label, "", int(n.Off), int(n.Size))
			w.out.Buf = append(w.out.Buf, ">\n"...)
			w.nodes(t, i+1, n.Next, path, data)
			w.out.Buf = append(w.out.Buf, "</field>\n"...)
			continue
		}
		w.leaf(path, n, data)
	}
}

// leaf writes a field with a value: show has its text, value its bytes.
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
		w.out.Buf = append(w.out.Buf, ` value="`...)
		w.out.Buf = hex.AppendEncode(w.out.Buf, data[off:min(off+int(n.Size), len(data))])
		w.out.Buf = append(w.out.Buf, '"')
	}
	w.out.Buf = append(w.out.Buf, "/>\n"...)
}

// maxLabelBytes is how many bytes of an opaque value its label shows.
const maxLabelBytes = 64

// found writes a finding as Wireshark writes its own.
func (w *pdmlWriter) found(r *wire.Rule, text string, off, size int) {
	w.field("_ws.expert", "Expert Info ("+r.Severity.String()+"): "+text, "", off, size)
	w.out.Buf = append(w.out.Buf, ">\n"...)
	w.plain("finding.rule", "Rule", r.ID)
	w.plain("_ws.expert.message", "Message", text)
	w.plain("_ws.expert.severity", "Severity level", r.Severity.String())
	w.out.Buf = append(w.out.Buf, "</field>\n"...)
}

// protocol begins a proto element.
func (w *pdmlWriter) protocol(name, showname string, size int) {
	w.out.Buf = append(w.out.Buf, "<proto"...)
	w.attribute("name", name)
	w.attribute("showname", showname)
	w.out.Buf = append(w.out.Buf, ` size="`...)
	w.out.Buf = strconv.AppendInt(w.out.Buf, int64(size), 10)
	w.out.Buf = append(w.out.Buf, "\" pos=\"0\">\n"...)
}

// plain writes a field that stands for no bytes of the message.
func (w *pdmlWriter) plain(name, label, show string) {
	w.field(name, label+": "+show, show, 0, 0)
	w.out.Buf = append(w.out.Buf, "/>\n"...)
}

// field begins the tag of a field element and leaves it open for more attributes.
func (w *pdmlWriter) field(name, showname, show string, pos, size int) {
	w.out.Buf = append(w.out.Buf, "<field"...)
	w.attribute("name", name)
	w.attribute("showname", showname)
	w.out.Buf = append(w.out.Buf, ` size="`...)
	w.out.Buf = strconv.AppendInt(w.out.Buf, int64(size), 10)
	w.out.Buf = append(w.out.Buf, `" pos="`...)
	w.out.Buf = append(strconv.AppendInt(w.out.Buf, int64(pos), 10), '"')
	w.attribute("show", show)
}

func (w *pdmlWriter) attribute(name, value string) {
	w.out.Buf = append(append(append(w.out.Buf, ' '), name...), '=', '"')
	w.cell = format.AppendPlain(w.cell[:0], value)
	w.out.Buf = append(appendXML(w.out.Buf, w.cell), '"')
}

// appendXML appends a printable text, escaped for an attribute's value.
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
