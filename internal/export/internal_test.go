package export

// LeaveDays lets an Exporter begin n more days.
func (e *Exporter) LeaveDays(n int) { e.begun = maxBegun - n }
