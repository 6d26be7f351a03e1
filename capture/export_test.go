package capture

import "slices"

// Files gives the names of the files that were written and not removed since,
// the oldest first. What NewWriter writes to has none.
func (w *Writer) Files() []string { return slices.Clone(w.files.existing) }
