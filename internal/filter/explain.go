package filter

import (
	"regexp"
	"strings"
	"sync"
)

// Echo reports whether the filter only compares a field with a saved value, as in cookie == $cookie.
func (f *Filter) Echo() (field *Field, binding int, ok bool) {
	r, ok := f.root.(*relation)
	if !ok || r.op != equal || r.every {
		return nil, 0, false
	}
	left, ok := r.left.(*fieldOperand)
	right, ok2 := r.right.(*boundOperand)
	if !ok || !ok2 {
		return nil, 0, false
	}
	return left.target, right.index, true
}

// comparisonText splits a comparison into its left side, its operator and its right side.
var comparisonText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([A-Za-z_][^\s"=!<>~]*)\s*(===?|eq|any_eq|all_eq|[!~<>=]+|` +
		`\b(?:ne|all_ne|any_ne|lt|le|gt|ge|contains|matches|in|not\s+in)\b)\s*(.+)$`)
})

// NotSaved is the end of Explain's text if the filter uses a value that has not been saved.
const NotSaved = ", which was not saved"

// Explain says why the filter is false for a subject. It names the field's value and the expected value.
func (f *Filter) Explain(x *Subject) string {
	text := strings.TrimSpace(f.text)
	for strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") && !isJunction(f.root) {
		text = strings.TrimSpace(text[1 : len(text)-1])
	}
	if _, ok := f.root.(*presenceTest); ok {
		return text + " is not there"
	}
	parts := comparisonText().FindStringSubmatch(text)
	r, ok := f.root.(*relation)
	if !ok || parts == nil {
		return "it is not true that " + text
	}
	want, bound := parts[3], ""
	if b, ok := r.right.(*boundOperand); ok {
		if values := b.values(x, nil); len(values) > 0 {
			want, bound = listed(values), " ("+want+")"
		} else {
			bound = NotSaved
		}
	}
	if r.op != equal {
		want = parts[2] + " " + want
	}
	return parts[1] + " is " + listed(r.left.values(x, nil)) + ", expected " + want + bound
}

func isJunction(n node) bool { _, is := n.(*junction); return is }

// listed returns the first five values as one line.
func listed(values []Value) string {
	const limit = 5
	var list []string
	for i := range values {
		if i == limit {
			list = append(list, "...")
			break
		}
		list = append(list, values[i].Short())
	}
	if len(list) == 0 {
		return "not there"
	}
	return strings.Join(list, ", ")
}
