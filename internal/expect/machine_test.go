package expect

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// build makes a random item for the messages a to c, and an expression with the same meaning.
func build(r *rand.Rand, depth int, steps *[]*Step) (*item, string) {
	kind := r.IntN(6)
	if depth == 0 {
		kind = 0
	}
	several := func(kind itemKind, sign string) (*item, string) {
		i := &item{kind: kind}
		var parts []string
		for range 1 + r.IntN(3) {
			x, text := build(r, depth-1, steps)
			i.parts = append(i.parts, x)
			parts = append(parts, text)
		}
		return i, sign + "(" + strings.Join(parts, " ") + ")"
	}
	switch kind {
	case 1:
		return several(inOrder, "seq")
	case 2:
		return several(oneOf, "one")
	case 3:
		return several(anyOrder, "any")
	case 4, 5:
		x, text := build(r, depth-1, steps)
		if x.nullable() {
			return x, text
		}
		times := Range{r.IntN(3), 0}
		times.Most = times.Least + r.IntN(2)
		if times.Most == 0 || r.IntN(3) == 0 {
			times.Most = Any
		}
		return &item{kind: repeat, times: times, parts: []*item{x}}, text + "{" + times.String() + "}"
	}
	name := string(rune('a' + r.IntN(3)))
	st := &Step{Message: name, mark: -1}
	*steps = append(*steps, st)
	return &item{kind: single, step: st}, name
}

// language returns all words, up to a maximum length, that an item accepts. It is simple and slow.
func language(i *item, most int) map[string]bool {
	words := make(map[string]bool)
	switch i.kind {
	case single:
		if most > 0 {
			words[i.step.Message] = true
		}
	case inOrder:
		words[""] = true
		for _, x := range i.parts {
			words = product(words, language(x, most), most, joined)
		}
	case oneOf:
		for _, x := range i.parts {
			for w := range language(x, most) {
				words[w] = true
			}
		}
	case anyOrder:
		words[""] = true
		for _, x := range i.parts {
			words = product(words, language(x, most), most, shuffled)
		}
	case repeat:
		part := language(i.parts[0], most)
		power := map[string]bool{"": true}
		for n := 0; n <= most || n <= i.times.Least; n++ {
			if n >= i.times.Least && (i.times.Most == Any || n <= i.times.Most) {
				for w := range power {
					words[w] = true
				}
			}
			power = product(power, part, most, joined)
		}
	}
	return words
}

func product(a, b map[string]bool, most int, mix func(a, b string) []string) map[string]bool {
	words := make(map[string]bool)
	for x := range a {
		for y := range b {
			if len(x)+len(y) <= most {
				for _, w := range mix(x, y) {
					words[w] = true
				}
			}
		}
	}
	return words
}

func joined(a, b string) []string { return []string{a + b} }

// shuffled returns all words that interleave two words.
func shuffled(a, b string) []string {
	if a == "" || b == "" {
		return []string{a + b}
	}
	var words []string
	for _, w := range shuffled(a[1:], b) {
		words = append(words, a[:1]+w)
	}
	for _, w := range shuffled(a, b[1:]) {
		words = append(words, b[:1]+w)
	}
	return words
}

// accepts reports whether the machine accepts a word.
func accepts(m *machine, start *state, word string) bool {
	states := []*state{start}
	for _, letter := range word {
		var next []*state
		for _, s := range states {
			for _, o := range m.expand(s).options {
				if o.step.Message == string(letter) && !slices.Contains(next, o.after) {
					next = append(next, o.after)
				}
			}
		}
		states = next
	}
	return slices.ContainsFunc(states, func(s *state) bool { return m.expand(s).ends })
}

func TestMachineAgainstModel(t *testing.T) {
	const most = 4
	var words []string
	for n := range most + 1 {
		for i := range pow(3, n) {
			w := ""
			for range n {
				w += string(rune('a' + i%3))
				i /= 3
			}
			words = append(words, w)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var steps []*Step
		i, text := build(r, 3, &steps)
		want := language(i, most)
		m := newMachine(new(budget))
		start := m.push(i, nil)
		for _, w := range words {
			if got := accepts(m, start, w); got != want[w] {
				t.Fatalf("%s: %q: %v, want %v", text, w, got, want[w])
			}
		}
		if i.nullable() != want[""] {
			t.Fatalf("%s: nullable is %v", text, i.nullable())
		}
	}
}

func pow(b, n int) int {
	p := 1
	for range n {
		p *= b
	}
	return p
}

func TestMachineIsBounded(t *testing.T) {
	i := &item{kind: anyOrder}
	for n := range 40 {
		st := &Step{Message: fmt.Sprint(n)}
		i.parts = append(i.parts, &item{kind: single, step: st})
	}
	m := newMachine(new(budget))
	states := []*state{m.push(i, nil)}
	for range 20 { // all 2^40 subsets of 40 parts would be too many
		var next []*state
		for _, s := range states {
			for _, o := range m.expand(s).options {
				next = append(next, o.after)
			}
			if len(m.states) >= maxStates {
				break
			}
		}
		states = next[:min(len(next), 20_000)]
	}
	if len(m.states) > maxStates {
		t.Errorf("%d states", len(m.states))
	}
	if !m.overflow {
		t.Error("no machine overflowed, so the limit was not tested")
	}
}
