package view

import (
	"fmt"
	"io"
	"slices"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/decode/wire/privacy"
)

// rows has the messages read so far, and the findings that belong to no message. It decodes messages again for each
// request.
type rows struct {
	index
	extent
	files       *files
	window      window // buffered access to the files
	dialect     wire.Dialect
	maskSecrets bool

	layers   map[*wire.Protocol]wire.Layer
	recalled decode.Message
	reported wire.TrafficFinding
	tree     wire.Tree // tree of the latest message, with secrets masked

	secret   bool // a message has a password or a token
	searched int  // number of rows searched for secrets so far
}

func (x *rows) fileOf(r *row) string { return x.files.all[x.contexts[r.context].file].Name }

// bytes returns a row's bytes.
func (x *rows) bytes(r *row) ([]byte, error) {
	if r.at < 0 {
		return x.copies.get(^r.at, int(r.size)), nil
	}
	return x.window.get(r.at, int(r.size))
}

// message decodes a row's message again. If the row is a finding, message returns nil. The result is valid until the
// next call.
func (x *rows) message(n int) (*decode.Message, error) {
	r := x.row(n)
	if r.flags&isFinding != 0 {
		return nil, nil
	}
	data, err := x.bytes(r)
	if err != nil {
		return nil, err
	}
	a := &x.contexts[r.context]
	place := x.place(r, x.fileOf(r))
	l := x.layers[place.Protocol]
	if l == nil {
		l = place.Protocol.New()
		x.layers[place.Protocol] = l
	}
	core := l.Core()
	core.Context = wire.Context{
		Direction: a.direction, Dialect: x.dialect, Missing: int(a.missing), IPv6: a.ipv6, Transport: place.Transport,
	}
	// The layer keeps the error, see wire.Base.Fault.
	var kept any
	if a.kept > 0 {
		kept = x.kept.all[a.kept-1]
	}
	_ = wire.Recall(l, data, kept)
	if core.Message == nil { // the file has changed
		return nil, fmt.Errorf("the message cannot be read any more: the file changed")
	}
	x.recalled.Findings = x.recalled.Findings[:0]
	if r.flags&hasFindings != 0 {
		x.recalled.Findings = x.index.findings(x.recalled.Findings, n)
	}
	if x.maskSecrets {
		privacy.Mask(l, place.Protocol, &x.tree)
	}
	m := &x.recalled
	*m = decode.Message{ // keep the Findings slice of recalled
		Place: place, Direction: core.Direction, Name: core.Message.Name, Code: core.CodeText(l), Length: core.Size(),
		Data: core.Contents, Layer: l, Findings: x.recalled.Findings, Copy: r.flags&isCopy != 0,
	}
	return m, nil
}

// finding returns a row's finding, or nil if the row is a message. The result is valid until the next call.
func (x *rows) finding(n int) *wire.TrafficFinding {
	r := x.row(n)
	if r.flags&isFinding == 0 {
		return nil
	}
	x.recalled.Findings = x.index.findings(x.recalled.Findings[:0], n)
	f := x.recalled.Findings[0]
	x.reported = wire.TrafficFinding{Place: x.place(r, x.fileOf(r)), Rule: f.Rule, Text: f.Text}
	return &x.reported
}

// Row is an entry of the list.
type Row struct {
	Row       int      `json:"row"`
	Frame     int      `json:"frame"`
	Time      float64  `json:"time"`
	Stream    string   `json:"stream,omitempty"`
	Src       string   `json:"src,omitempty"`
	Dst       string   `json:"dst,omitempty"`
	Protocol  string   `json:"protocol,omitempty"`
	Direction string   `json:"direction,omitempty"`
	Name      string   `json:"name,omitempty"`
	Code      string   `json:"code,omitempty"`
	Length    int      `json:"length,omitempty"`
	Summary   string   `json:"summary,omitempty"`
	Severity  string   `json:"severity,omitempty"`
	Rules     []string `json:"rules,omitempty"`
	Finding   bool     `json:"finding,omitempty"` // a finding that does not belong to a message
	Copy      bool     `json:"copy,omitempty"`    // the server had already sent the event to another client
	Move      bool     `json:"move,omitempty"`    // a position report
}

func (x *rows) rowOf(n int) (Row, error) {
	if n < 0 || n >= x.len() {
		return Row{}, fmt.Errorf("no such row: %d", n)
	}
	if f := x.finding(n); f != nil {
		r := x.rowAt(n, &f.Place)
		r.Finding, r.Summary = true, format.Unquoted(f.Text)
		return r, nil
	}
	m, err := x.message(n)
	if err != nil {
		return Row{}, err
	}
	r := x.rowAt(n, &m.Place)
	r.Direction, r.Name, r.Code, r.Length, r.Copy = m.Direction.String(), m.Name, format.Unquoted(m.Code), m.Length, m.Copy
	r.Summary, r.Move = string(format.AppendSummary(nil, m.Layer)), x.kinds[x.row(n).kind].move
	return r, nil
}

func (x *rows) rowAt(n int, p *wire.Place) Row {
	r := Row{Row: n, Frame: p.Frame, Time: x.seconds(p.Time)}
	if p.Protocol != nil {
		r.Protocol, r.Src, r.Dst = p.Protocol.Name, endpoint(p.Src), endpoint(p.Dst)
		r.Stream = streamOf(p)
	}
	if x.row(n).flags&hasFindings != 0 {
		r.Severity = wire.Severity(x.row(n).worst).String()
		for _, f := range x.found.of(n) {
			if id := x.rules.all[f.rule].ID; !slices.Contains(r.Rules, id) {
				r.Rules = append(r.Rules, id)
			}
		}
	}
	return r
}

// window provides buffered access to the bytes of files.
type window struct {
	r    io.ReaderAt
	size int64
	buf  []byte
	base int64
}

const windowSize = 64 << 10 // consecutive requests usually read neighbouring bytes

// get returns the bytes at an offset. The result is valid until the next call.
func (w *window) get(at int64, size int) ([]byte, error) {
	if at < 0 || int64(size) > w.size-at {
		return nil, io.ErrUnexpectedEOF
	}
	if at < w.base || at+int64(size) > w.base+int64(len(w.buf)) {
		n := int(min(max(windowSize, int64(size)), w.size-at))
		if cap(w.buf) < n {
			w.buf = make([]byte, max(n, windowSize))
		}
		got, err := w.r.ReadAt(w.buf[:n], at)
		w.base, w.buf = at, w.buf[:got]
		if got < size {
			return nil, fmt.Errorf("the file cannot be read any more: %w", err)
		}
	}
	from := int(at - w.base)
	return w.buf[from : from+size : from+size], nil
}
