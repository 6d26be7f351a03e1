// Package print writes annotated trees as text. Each field has a line, with its findings below.
//
// This package must not know where the text goes, how wide a line may be, or any protocol.
//
// Other programs must not rely on it, see docs/api.md.
package print

import (
	"bytes"
	"strconv"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// Style contains the escape sequences that colour parts of a tree. The zero Style colours nothing.
type Style struct {
	Heading, Range, Name, Meaning, Note, Warning, Error, Reset string
}

// ForSeverity returns the escape sequence for a severity.
func (s *Style) ForSeverity(v wire.Severity) string {
	return [...]string{s.Note, s.Warning, s.Error}[v]
}

// A Printer writes trees as text. Each field has a line with its range of bytes, its name, its value and the value's
// meaning. Append allocates memory only to grow its argument dst.
type Printer struct {
	Bytes bool // show the bytes next to the fields
	All   bool // fold nothing: print all elements of lists, each field on its own line, and texts in full
	Style Style

	// If not nil, Pass is called after each line with the text so far. It returns the slice to append to: the same
	// slice, or an empty one if it wrote the text, so a large tree need not stay in memory. If Pass is nil, the text
	// stays in one slice.
	Pass func([]byte) []byte

	// If not nil, Finding appends a finding, beginning at the given column, and ends the line. If Finding is nil, each
	// finding takes one line.
	Finding func(dst []byte, column int, f *wire.Finding) []byte

	findings []wire.Finding
	shown    []bool
	data     []byte
}

const (
	inlineMax  = 16 // maximum number of fields of an element on one line
	besideMax  = 4  // the same if the element has findings
	nestedMax  = 3  // maximum number of elements that take several lines each
	rangeWidth = 11 // length of "65000-65535"
	nameWidth  = 21
	valueWidth = 8
	bytesWidth = 8  // bytes per line
	opaqueMax  = 24 // maximum number of bytes shown of an opaque value

	textMax    = 240     // maximum number of bytes shown of a text
	allTextMax = 1 << 20 // the same if All is set; some worlds have names of megabytes
)

// Append appends the tree of the message in data, with its findings.
func (p *Printer) Append(dst []byte, t *wire.Tree, data []byte, findings []wire.Finding) []byte {
	p.findings, p.data = findings, data
	p.shown = p.shown[:0]
	for range findings {
		p.shown = append(p.shown, false)
	}
	dst = p.appendNodes(dst, t, 0, int32(len(t.Nodes)))
	for i := range findings {
		if !p.shown[i] {
			dst = p.appendFinding(dst, &findings[i])
		}
	}
	return dst
}

func (p *Printer) appendNodes(dst []byte, t *wire.Tree, from, to int32) []byte {
	for i := from; i < to; i = t.Nodes[i].Next {
		n := &t.Nodes[i]
		dst = p.pass(dst)
		switch n.Kind {
		case wire.Sequence:
			dst = p.appendList(dst, t, i)
		case wire.Group:
			dst = endLine(p.appendHead(dst, n))
			dst = p.appendNodes(dst, t, i+1, n.Next)
			dst = p.appendHidden(dst, n, n.Num)
		default:
			if n.Parsed && !p.All && n.Next < to {
				dst = p.appendParsed(dst, n, &t.Nodes[n.Next])
			} else {
				dst = p.appendField(dst, n)
			}
			dst = p.appendFindingsIn(dst, n)
		}
	}
	return dst
}

// appendParsed writes a reference to the node next, instead of the text n whose parsed values are in next.
func (p *Printer) appendParsed(dst []byte, n, next *wire.Node) []byte {
	dst = p.appendHead(dst, n)
	dst = strconv.AppendInt(dst, int64(len(n.Bytes)), 10)
	dst = append(dst, " bytes, see "...)
	return append(append(dst, next.Name...), '\n')
}

// appendList writes a list. If it is folded, only its first elements and elements with findings are written.
func (p *Printer) appendList(dst []byte, t *wire.Tree, at int32) []byte {
	list := &t.Nodes[at]
	if list.Next == at+1 && list.Num == 0 {
		dst = p.appendHead(dst, list)
		return append(dst, "none\n"...)
	}
	hidden := list.Num
	for i := at + 1; i < list.Next; i = t.Nodes[i].Next {
		n := &t.Nodes[i]
		found, inLine := p.hasFinding(n), fitsInLine(t, i)
		if !p.All && !found && (n.Folds() || n.Element > nestedMax && !inLine) {
			hidden++
			continue
		}
		dst = p.pass(dst)
		if isBareValue(t, i) {
			value := t.Nodes[i+1]
			value.Name, value.Depth, value.Element = list.Name, list.Depth, n.Element
			dst = p.appendField(dst, &value)
			dst = p.appendFindingsIn(dst, n)
			continue
		}
		named := *n
		named.Name, named.Depth = list.Name, list.Depth
		dst = p.appendHead(dst, &named)
		if !p.All && inLine && (!found || n.Next-i-1 <= besideMax) {
			dst = p.appendInLine(dst, t, i)
			dst = p.appendFindingsIn(dst, n)
			continue
		}
		dst = endLine(dst)
		dst = p.appendNodes(dst, t, i+1, n.Next)
	}
	return p.appendHidden(dst, list, hidden)
}

// appendHidden writes the number of elements that are not shown, if there are any.
func (p *Printer) appendHidden(dst []byte, of *wire.Node, hidden uint64) []byte {
	if hidden == 0 {
		return dst
	}
	dst = p.appendIndent(dst, of.Depth)
	dst = append(dst, "... "...)
	dst = strconv.AppendUint(dst, hidden, 10)
	dst = append(dst, " more"...)
	if p.All {
		dst = append(dst, ", not shown: a tree takes at most "...)
		dst = strconv.AppendInt(dst, wire.MaxTree>>20, 10)
		dst = append(dst, " MB"...)
	}
	return append(dst, '\n')
}

func (p *Printer) pass(dst []byte) []byte {
	if p.Pass == nil {
		return dst
	}
	return p.Pass(dst)
}

// isBareValue reports whether the element is a single value without a name. Such a value is printed with the list's
// name.
func isBareValue(t *wire.Tree, at int32) bool {
	end := t.Nodes[at].Next
	return end == at+2 && t.Nodes[at+1].Name == "" && !t.Nodes[at+1].Composite()
}

func fitsInLine(t *wire.Tree, at int32) bool {
	end := t.Nodes[at].Next
	if end-at-1 > inlineMax {
		return false
	}
	for i := at + 1; i < end; i++ {
		if t.Nodes[i].Composite() {
			return false
		}
	}
	return true
}

// appendInLine writes the fields of an element on one line.
func (p *Printer) appendInLine(dst []byte, t *wire.Tree, at int32) []byte {
	for i := at + 1; i < t.Nodes[at].Next; i++ {
		n := &t.Nodes[i]
		if i > at+1 {
			dst = append(dst, "  "...)
		}
		if n.Name != "" {
			dst = p.appendColoured(dst, p.Style.Name, n.Name)
			dst = append(dst, ' ')
		}
		dst = p.appendValue(dst, n)
		if mark := len(dst); n.Symbols != nil {
			dst = append(dst, ' ')
			dst = format.AppendMeaning(dst, n)
			if len(dst) == mark+1 {
				dst = dst[:mark]
			}
		}
	}
	return append(dst, '\n')
}

func (p *Printer) appendField(dst []byte, n *wire.Node) []byte {
	dst = p.appendHead(dst, n)
	start := len(dst)
	dst = p.appendValue(dst, n)
	dst = endLine(p.appendMeaning(dst, start, n))
	if p.Bytes && p.All && !n.Inside {
		dst = p.appendMoreBytes(dst, n)
	}
	return dst
}

// appendValue writes a value, or the beginning of a long one.
func (p *Printer) appendValue(dst []byte, n *wire.Node) []byte {
	opaque, text := opaqueMax, textMax
	if p.All {
		text = allTextMax
		if !p.Bytes {
			opaque = allTextMax
		}
	}
	if n.Kind != wire.String || len(n.Bytes) <= text {
		return format.AppendValue(dst, n, opaque)
	}
	for back := 1; back < utf8.UTFMax && !utf8.RuneStart(n.Bytes[text]); back++ {
		text-- // do not split a character
	}
	dst = format.AppendQuoted(dst, n.Bytes[:text])
	dst = append(dst, " ... "...)
	dst = strconv.AppendInt(dst, int64(len(n.Bytes)), 10)
	return append(dst, " bytes"...)
}

// appendMeaning writes the meaning of the value that begins at start, if it has one.
func (p *Printer) appendMeaning(dst []byte, start int, n *wire.Node) []byte {
	end := len(dst)
	dst = pad(dst, start, valueWidth)
	dst = append(dst, "  "...)
	dst = append(dst, p.Style.Meaning...)
	text := len(dst)
	dst = format.AppendMeaning(dst, n)
	if n.Computed {
		if len(dst) > text {
			dst = append(dst, ' ')
		}
		dst = append(dst, "(computed)"...)
	}
	if len(dst) == text {
		return dst[:end]
	}
	if p.Style.Meaning != "" {
		dst = append(dst, p.Style.Reset...)
	}
	return dst
}

// appendHead writes the beginning of a line: the range, the bytes if p.Bytes is set, and the name.
func (p *Printer) appendHead(dst []byte, n *wire.Node) []byte {
	var buf [2 * rangeWidth]byte
	span := appendRange(buf[:0], n)
	dst = append(dst, p.Style.Range...)
	dst = pad(dst, len(dst), rangeWidth-len(span))
	dst = append(dst, span...)
	if p.Bytes {
		dst = append(dst, "  "...)
		own := n.Size
		if n.Inside {
			own = 0 // the bytes are shown with the field that contains them
		}
		dst = p.appendBytes(dst, n.Off, min(own, bytesWidth), own > bytesWidth)
	}
	if p.Style.Range != "" {
		dst = append(dst, p.Style.Reset...)
	}
	dst = append(dst, "  "...)
	dst = pad(dst, len(dst), 2*int(n.Depth))
	dst = append(dst, p.Style.Name...)
	start := len(dst)
	dst = append(dst, n.Name...)
	if n.Element > 0 {
		dst = append(dst, '[')
		dst = strconv.AppendInt(dst, int64(n.Element-1), 10)
		dst = append(dst, ']')
	}
	width := len(dst) - start
	if p.Style.Name != "" {
		dst = append(dst, p.Style.Reset...)
	}
	return pad(dst, len(dst), max(nameWidth-width, 0)+1)
}

// appendBytes writes some bytes in hexadecimal, padded to bytesWidth.
func (p *Printer) appendBytes(dst []byte, off, size int32, more bool) []byte {
	start := len(dst)
	dst = format.AppendHex(dst, p.data[off:off+size], 0)
	if more && !p.All {
		dst = append(dst, " +"...)
	}
	return pad(dst, start, 3*bytesWidth+1)
}

// appendMoreBytes writes lines with the bytes that do not fit on the field's own line.
func (p *Printer) appendMoreBytes(dst []byte, n *wire.Node) []byte {
	for off := n.Off + bytesWidth; off < n.Off+n.Size; off += bytesWidth {
		start := len(dst)
		dst = pad(dst, start, rangeWidth+2)
		dst = format.AppendHex(dst, p.data[off:min(off+bytesWidth, n.Off+n.Size)], 0)
		dst = append(dst, '\n')
	}
	return dst
}

func (p *Printer) indent(depth uint8) int {
	width := rangeWidth + 2 + 2*int(depth)
	if p.Bytes {
		width += 3*bytesWidth + 3
	}
	return width
}

func (p *Printer) appendIndent(dst []byte, depth uint8) []byte {
	return pad(dst, len(dst), p.indent(depth))
}

func (p *Printer) appendColoured(dst []byte, colour, text string) []byte {
	dst = append(dst, colour...)
	dst = append(dst, text...)
	if colour != "" {
		dst = append(dst, p.Style.Reset...)
	}
	return dst
}

// endLine ends a line and removes trailing blanks.
func endLine(dst []byte) []byte {
	return append(bytes.TrimRight(dst, " "), '\n')
}

const blanks = "                                                                "

// pad appends blanks until dst[start:] is width bytes long.
func pad(dst []byte, start, width int) []byte {
	for n := width - (len(dst) - start); n > 0; n -= len(blanks) {
		dst = append(dst, blanks[:min(n, len(blanks))]...)
	}
	return dst
}

func appendRange(dst []byte, n *wire.Node) []byte {
	if n.Size == 0 {
		return append(dst, '-')
	}
	dst = strconv.AppendInt(dst, int64(n.Off), 10)
	if n.Size > 1 {
		dst = append(dst, '-')
		dst = strconv.AppendInt(dst, int64(n.Off+n.Size-1), 10)
	}
	return dst
}
