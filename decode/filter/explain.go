package filter

import "strings"

// Echo reports whether the filter says no more than that a field equals a bound name, as in cookie == $cookie.
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

// Explain says why the filter is not true of a subject: what the fields are that it compares.
func (f *Filter) Explain(x *Subject) string {
	r, ok := f.root.(*relation)
	if !ok {
		return f.text + " is not true"
	}
	text := f.text + ": it is " + listed(r.left.values(x, nil))
	if r.right != nil {
		text += ", the other is " + listed(r.right.values(x, nil))
	}
	return text
}

// listed writes values in a line, the first five of them.
func listed(values []Value) string {
	const most = 5
	var list []string
	for i := range values {
		if i == most {
			list = append(list, "...")
			break
		}
		list = append(list, values[i].String())
	}
	if len(list) == 0 {
		return "not there"
	}
	return strings.Join(list, ", ")
}
