package view

import (
	"fmt"
	"io"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/privacy"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// window shows the bytes of a file, a piece at a time.
type window struct {
	r    io.ReaderAt
	size int64
	buf  []byte
	base int64
}

// windowSize is how much is read at once: what is looked at usually stands close together.
const windowSize = 64 << 10

// get gives the bytes at an offset; they are valid until the next call.
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

// recaller decodes messages again.
type recaller struct {
	layers   map[*wire.Protocol]wire.Layer
	message  decode.Message
	finding  wire.TrafficFinding
	findings []wire.Finding
	tree     wire.Tree // in which secrets are looked for
}

// bytes gives those that a row was decoded from.
func (v *View) bytes(r *row) ([]byte, error) {
	if r.at < 0 {
		return v.index.copies.get(^r.at, int(r.size)), nil
	}
	return v.window.get(r.at, int(r.size))
}

// Message decodes the message of a row again. It is valid until the next call; nil is a row that is a finding.
func (v *View) Message(n int) (*decode.Message, error) {
	r := v.index.row(n)
	if r.flags&isFinding != 0 {
		return nil, nil
	}
	data, err := v.bytes(r)
	if err != nil {
		return nil, err
	}
	a := &v.index.arounds[r.around]
	place := v.index.place(r, v.fileOf(r))
	l := v.recall.layers[place.Protocol]
	if l == nil {
		l = place.Protocol.New()
		v.recall.layers[place.Protocol] = l
	}
	core := l.Core()
	core.Context = wire.Context{
		Direction: a.direction, Dialect: v.options.Dialect, Missing: int(a.missing), IPv6: a.ipv6, Transport: place.Transport,
	}
	// The error is in the layer as well, see wire.Base.Fault.
	var kept any
	if a.kept > 0 {
		kept = v.index.kept.all[a.kept-1]
	}
	_ = wire.Recall(l, data, kept)
	if core.Message == nil { // the file is another one now
		return nil, fmt.Errorf("the message cannot be read any more: the file changed")
	}
	v.recall.findings = v.recall.findings[:0]
	if r.flags&hasFindings != 0 {
		v.recall.findings = v.index.findings(v.recall.findings, n)
	}
	if v.options.MaskSecrets {
		privacy.Mask(l, place.Protocol, &v.recall.tree)
	}
	m := &v.recall.message
	*m = decode.Message{ // with a tree of its own
		Place: place, Direction: core.Direction, Name: core.Message.Name, Code: core.CodeText(l), Length: core.Size(),
		Data: core.Contents, Layer: l, Findings: v.recall.findings, Copy: r.flags&isCopy != 0,
	}
	return m, nil
}

// Finding gives the finding that a row is, nil if it is a message. It is valid until the next call.
func (v *View) Finding(n int) *wire.TrafficFinding {
	r := v.index.row(n)
	if r.flags&isFinding == 0 {
		return nil
	}
	v.recall.findings = v.index.findings(v.recall.findings[:0], n)
	f := v.recall.findings[0]
	v.recall.finding = wire.TrafficFinding{Place: v.index.place(r, v.fileOf(r)), Rule: f.Rule, Text: f.Text}
	return &v.recall.finding
}

// subject makes a row what a filter judges. Each row has to come once, in order.
func (v *View) subject(s *scan, n int) (*filter.Subject, error) {
	s.memory.Turn()
	h := s.history
	r := v.index.row(n)
	if f := v.Finding(n); f != nil {
		return h.Finding(f), nil
	}
	m, err := v.Message(n)
	if err != nil {
		return nil, err
	}
	if r.flags&hasAnswer != 0 {
		h.Value(&wire.Value{Place: m.Place, Answer: true, Number: v.index.answers.of(n)[0]})
	}
	return h.Message(m), nil
}
