package main

import (
	"math"
	"strconv"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// jsonWriter writes a JSON object a line.
type jsonWriter struct {
	out     *output
	files   bool
	seconds jsonSeconds
	places  jsonPlaces
}

func newJSONWriter(out *output, files bool) *jsonWriter {
	out.width = 0 // for other programs: no line is cut
	return &jsonWriter{out: out, files: files}
}

func (w *jsonWriter) text() (*output, bool) { return w.out, true }

func (w *jsonWriter) message(m *decode.Message) {
	b := w.out.buf
	b = append(b, `{"frame":`...)
	b = strconv.AppendInt(b, int64(m.Frame), 10)
	if w.files {
		b = jsonKey(b, "file")
		b = jsonString(b, []byte(m.File))
	}
	b = w.seconds.append(b, m.Time)
	b = w.places.append(b, &m.Place)
	b = jsonText(b, "direction", m.Direction.String())
	b = jsonText(b, "message", m.Name)
	if m.Code != "" {
		b = jsonText(b, "code", m.Code)
	}
	b = jsonKey(b, "length")
	b = strconv.AppendInt(b, int64(m.Length), 10)
	if m.Copy {
		b = append(b, `,"copy":true`...)
	}
	b = jsonKey(b, "fields")
	t := jsonTree{m.Tree(), w.out.pass}
	b = t.object(b, 0, int32(len(t.Nodes)))
	b = jsonFindings(b, m.Findings)
	w.out.buf = append(b, "}\n"...)
}

func (w *jsonWriter) finding(f *wire.TrafficFinding) {
	b := w.out.buf
	b = append(b, `{"finding":{"rule":`...)
	b = jsonString(b, []byte(f.Rule.ID))
	b = jsonText(b, "severity", f.Rule.Severity.String())
	b = jsonText(b, "text", f.Text)
	b = jsonKey(b, "frame")
	b = strconv.AppendInt(b, int64(f.Frame), 10)
	if w.files {
		b = jsonText(b, "file", f.File)
	}
	b = w.seconds.append(b, f.Time)
	if f.Protocol != nil {
		b = w.places.append(b, &f.Place)
	}
	w.out.buf = append(b, "}}\n"...)
}

// jsonSeconds remembers how a second is written: packets come many in each.
type jsonSeconds struct {
	second int64
	text   []byte
}

func (s *jsonSeconds) append(b []byte, ns int64) []byte {
	at := time.Unix(0, ns).UTC()
	if len(s.text) == 0 || at.Unix() != s.second {
		s.second, s.text = at.Unix(), at.AppendFormat(s.text[:0], `,"time":"2006-01-02T15:04:05.`)
	}
	b = append(b, s.text...)
	for n, unit := at.Nanosecond(), int(1e8); unit > 0; unit /= 10 {
		b = append(b, byte('0'+n/unit%10))
	}
	return append(b, `Z"`...)
}

func jsonFindings(b []byte, findings []wire.Finding) []byte {
	if len(findings) == 0 {
		return b
	}
	b = append(b, `,"findings":[`...)
	for i := range findings {
		f := &findings[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"rule":"`...)
		b = append(b, f.Rule.ID...)
		b = append(b, '"')
		b = jsonText(b, "severity", f.Rule.Severity.String())
		b = jsonText(b, "text", f.Text)
		b = jsonKey(b, "offset")
		b = strconv.AppendInt(b, int64(f.Off), 10)
		b = jsonKey(b, "size")
		b = strconv.AppendInt(b, int64(f.Size), 10)
		b = append(b, '}')
	}
	return append(b, ']')
}

func jsonFloat(b []byte, f float32) []byte {
	if f64 := float64(f); math.IsNaN(f64) || math.IsInf(f64, 0) {
		b = append(b, '"')
		b = format.AppendFloat(b, f)
		return append(b, '"')
	}
	return format.AppendFloat(b, f)
}

func jsonKey(b []byte, name string) []byte { return jsonName(append(b, ','), name, "") }

func jsonName(b []byte, name, suffix string) []byte {
	b = append(b, '"')
	b = append(b, name...)
	b = append(b, suffix...)
	return append(b, `":`...)
}

func jsonText(b []byte, name, value string) []byte {
	return jsonString(jsonKey(b, name), []byte(value))
}

// jsonString writes a text as JSON. Bytes that are no UTF-8 are read as Latin-1, and
// whatever is not plainly printable is escaped.
func jsonString(b, text []byte) []byte {
	return append(jsonEscaped(append(b, '"'), text, !utf8.Valid(text)), '"')
}

// jsonEscaped writes a text, or a piece of one, without the quotes around it.
func jsonEscaped(b, text []byte, latin bool) []byte {
	if format.Plain(text) {
		return append(b, text...)
	}
	for len(text) > 0 {
		r, n := rune(text[0]), 1
		if !latin && r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(text)
		}
		text = text[n:]
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case strconv.IsPrint(r):
			b = utf8.AppendRune(b, r)
		case r >= 0x10000:
			high, low := utf16.EncodeRune(r)
			b = jsonEscape(jsonEscape(b, high), low)
		default:
			b = jsonEscape(b, r)
		}
	}
	return b
}

func jsonEscape(b []byte, r rune) []byte {
	return append(b, '\\', 'u', digit(r>>12), digit(r>>8), digit(r>>4), digit(r))
}

func digit(r rune) byte { return "0123456789abcdef"[r&15] }
