package export

// LeaveDays limits the number of days that an Exporter may still begin to n.
func (e *Exporter) LeaveDays(n int) { e.begun = maxBegun - n }
