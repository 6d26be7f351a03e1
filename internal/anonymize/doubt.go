package anonymize

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// trailing is the name of the field that wire.Trailing reads.
const trailing = "trailing"

// limit reduces w.kept, which marks the bytes of public fields, to bytes that may belong to another field than the
// sender intended. It reports whether there are any. If the message is shorter or longer than its counts and lengths
// say, these are all bytes of public fields. Otherwise they are the public texts that have findings.
func (w *messageRewriter) limit(partial bool) bool {
	if partial || !w.core.Exact() && !w.core.Truncated() ||
		slices.ContainsFunc(w.tree.Nodes, func(n wire.Node) bool { return n.Name == trailing }) {
		return true
	}
	kept, some := make([]bool, len(w.kept)), false
	for _, f := range w.core.Findings() {
		for i := range w.tree.Nodes {
			n := &w.tree.Nodes[i]
			if n.Kind == wire.String && n.Size > 0 && int(n.Off) == f.Off && int(n.Size) == f.Size {
				copy(kept[f.Off:f.Off+f.Size], w.kept[f.Off:])
				some = true
			}
		}
	}
	w.kept = kept
	return some
}

// doubt replaces the texts in the public fields of a doubtful message. Since a wrong count or length moves the
// following bytes to other fields, a player's name may be in the field for a map. A text is kept only if the message
// decodes differently without it, because then the text is part of the format.
func (w *messageRewriter) doubt(data []byte, read func([]byte) string) {
	before := read(data)
	replace := func(from, to int) bool {
		old := string(data[from:to])
		w.anonymizer.texts.text(data[from:to])
		if read(data) == before {
			return true
		}
		copy(data[from:], old)
		return false
	}
	for from := 0; from < len(data); {
		to := from
		for to < len(data) && w.kept[to] {
			to++
		}
		for at := from; at < to; {
			n, isText := wordAt(data[at:to], false)
			if isText && !replace(at, at+n) {
				w.doubtFields(at, at+n, replace)
			}
			at += max(n, 1)
		}
		from = to + 1
	}
}

// doubtFields handles a text that spans several fields. It tries to replace the part in each field separately.
func (w *messageRewriter) doubtFields(from, to int, replace func(from, to int) bool) {
	for i := range w.tree.Nodes {
		n := &w.tree.Nodes[i]
		start, end := max(from, int(n.Off)), min(to, int(n.Off+n.Size))
		if !n.Composite() && !n.Computed && !n.Inside && end-start > 1 && end-start < to-from {
			replace(start, end)
		}
	}
}

// fewLetters is the number of consecutive letters that may occur by chance in the bytes of a number.
const fewLetters = 2

// wordAt returns the length of the word at the beginning of b, in ASCII or UTF-8. A word has only letters or, if
// lettersOnly is false, printable characters. isText reports whether the word has more letters than a number would have
// by chance.
func wordAt(b []byte, lettersOnly bool) (n int, isText bool) {
	letters := 0
	for n < len(b) {
		r, size := utf8.DecodeRune(b[n:])
		isLetter := unicode.IsLetter(r)
		if r == utf8.RuneError || r == ' ' || !isLetter && (lettersOnly || !unicode.IsPrint(r)) {
			break
		}
		if isLetter || unicode.IsDigit(r) {
			letters++
		}
		n += size
	}
	return n, letters > fewLetters
}
