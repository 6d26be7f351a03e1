package message

import (
	"strconv"
	"time"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// jsonWriter writes a JSON object for each message and traffic finding, one per line.
type jsonWriter struct {
	out     *term.Output
	files   bool // include the file's name in each object
	seconds jsonSeconds
	places  jsonPlaces
}

func newJSONWriter(out *term.Output, files bool) *jsonWriter {
	out.Width = 0 // output for programs: do not cut lines
	return &jsonWriter{out: out, files: files}
}

func (w *jsonWriter) Message(m *decode.Message) {
	b := w.out.Buf
	b = append(b, `{"frame":`...)
	b = strconv.AppendInt(b, int64(m.Frame), 10)
	if w.files {
		b = jsonKey(b, "file")
		b = format.AppendJSONText(b, m.File)
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
	t := format.JSON{Tree: m.Tree(), Pass: w.out.Pass}
	b = t.AppendFields(b)
	b = jsonFindings(b, m.Findings)
	w.out.Buf = append(b, "}\n"...)
}

func (w *jsonWriter) Finding(f *wire.TrafficFinding) {
	b := w.out.Buf
	b = append(b, `{"finding":{"rule":`...)
	b = format.AppendJSONText(b, f.Rule.ID)
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
	w.out.Buf = append(b, "}}\n"...)
}

// jsonSeconds caches the text of the last second, since many packets share it.
type jsonSeconds struct {
	second int64
	text   []byte
}

func (s *jsonSeconds) append(b []byte, ns int64) []byte {
	second, rest := ns/1e9, ns%1e9
	if rest < 0 { // before 1970
		second, rest = second-1, rest+1e9
	}
	if len(s.text) == 0 || second != s.second {
		s.second = second
		s.text = time.Unix(second, 0).UTC().AppendFormat(s.text[:0], `,"time":"2006-01-02T15:04:05.`)
	}
	b = append(append(b, s.text...), `000000000Z"`...)
	for i := len(b) - len(`0Z"`); rest > 0; i-- {
		b[i] = byte('0' + rest%10)
		rest /= 10
	}
	return b
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

func jsonKey(b []byte, name string) []byte {
	return append(append(append(b, `,"`...), name...), `":`...)
}

func jsonText(b []byte, name, value string) []byte {
	return format.AppendJSONText(jsonKey(b, name), value)
}
