package wire

import "fmt"

// Report reports that the last field visited breaks a rule. It does nothing while writing and describing, and after an
// error.
func (c *Cursor) Report(r *Rule, format string, args ...any) {
	if !c.failed {
		c.ReportRange(r, c.last, c.pos-c.last, format, args...)
	}
}

// Report reports that the message decoded last breaks a rule. It is for sessions and trackers, which know earlier
// messages.
func (b *Base) Report(r *Rule, off, size int, format string, args ...any) {
	b.cursor.ReportRange(r, off, size, format, args...)
}

const maxFindings = 100

// ReportRange reports that some bytes of the message break a rule, even after an error.
func (c *Cursor) ReportRange(r *Rule, off, size int, format string, args ...any) {
	if c.mode != reading || c.tree != nil || len(c.findings) >= maxFindings {
		return
	}
	c.findings = append(c.findings, Finding{Rule: r, Text: sprintf(format, args), Off: off, Size: size})
}

// sprintf is fmt.Sprintf, but returns the format unchanged if there are no arguments.
func sprintf(format string, args []any) string {
	if len(args) == 0 {
		return format
	}
	return fmt.Sprintf(format, args...)
}
