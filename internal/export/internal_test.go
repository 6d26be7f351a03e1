package export

// LeaveDays lets an Exporter begin only n more days.
func (e *Exporter) LeaveDays(n int) { e.begun = maxBegun - n }
