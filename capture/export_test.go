package capture

import "slices"

// Files gives the names of the files that were written and not removed since,
// the oldest first. What NewWriter writes to has none.
func (w *Writer) Files() []string { return slices.Clone(w.files.existing) }

// Held returns how many of the files of a merge are open, and how many bytes of memory they take together.
func Held(merge Source) (open, bytes int) {
	m := merge.(*merger)
	for _, f := range m.files {
		if f.share != nil {
			open++
		}
	}
	return open, m.budget.taken
}

// MaxHeld is the bound of those bytes.
const MaxHeld = maxHeld
