package capture

import "slices"

// Files returns the names of the files that were written and not yet removed, oldest first. The output of NewWriter has
// no name.
func (w *Writer) Files() []string { return slices.Clone(w.files.existing) }

// InUse returns how many files of a merge are open, and how many bytes they use together.
func InUse(merge Source) (open, bytes int) {
	m := merge.(*merger)
	for _, f := range m.files {
		if f.share != nil {
			open++
		}
	}
	return open, m.budget.taken
}

// MaxMemory is the limit on the bytes that a merge may use.
const MaxMemory = maxMemory
