package view

import "github.com/gamedissect/gamedissect/internal/filter"

// Bounds of what is tried to find what a proposal stands for.
const (
	maxProposals = 5
	triedBefore  = 6  // places before what is wrong
	triedAfter   = 12 // places after it
)

// mended returns, for each of the proposals of an error, the whole filter with it: a proposal stands for what is wrong,
// or for all of the comparison around it. "" where no such filter is right.
func (f *filters) mended(e *filter.Error, proposals []string) []string {
	var list []string
	end := min(e.Off+e.Size, len(e.Text))
	before, after := places(e.Text[:e.Off], true), places(e.Text[end:], false)
	for _, proposal := range proposals {
		list = append(list, f.mendedBy(e.Text, proposal, e.Off, end, before, after))
	}
	return list
}

// mendedBy puts a proposal in the place of as little as makes a filter.
func (f *filters) mendedBy(text, proposal string, from, to int, before, after []int) string {
	for wider := range len(before) + len(after) - 1 {
		for back := max(wider-len(after)+1, 0); back <= min(wider, len(before)-1); back++ {
			first, rest := text[:from-before[back]], text[to+after[wider-back]:]
			if glued(first, proposal) || glued(proposal, rest) {
				continue
			}
			if _, err := f.compile(first + proposal + rest); err == nil {
				return first + proposal + rest
			}
		}
	}
	return ""
}

// glued reports whether two texts would make one word.
func glued(a, b string) bool {
	return a != "" && b != "" && inName(rune(a[len(a)-1])) && inName(rune(b[0]))
}

// places are how far away the ends of words and signs are from one end of a text.
func places(text string, fromEnd bool) []int {
	limit := triedAfter
	if fromEnd {
		limit = triedBefore
	}
	list := []int{0}
	for n := 1; n <= len(text) && len(list) <= limit; n++ {
		at := n
		if fromEnd {
			at = len(text) - n
		}
		if at == 0 || at == len(text) || inName(rune(text[at-1])) != inName(rune(text[at])) {
			list = append(list, n)
		}
	}
	return list
}
