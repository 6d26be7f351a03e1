package wire

import "fmt"

// Report notes that the field visited last breaks a rule. It does nothing unless a message
// is read, and nothing after an error.
func (c *Cursor) Report(r *Rule, format string, args ...any) {
	if !c.failed {
		c.ReportRange(r, c.last, c.pos-c.last, format, args...)
	}
}

// Report notes that the message decoded last breaks a rule, for sessions, which know what was said
// before it.
func (b *Base) Report(r *Rule, off, size int, format string, args ...any) {
	b.cursor.ReportRange(r, off, size, format, args...)
}

// maxFindings is how many findings a message may have: enough to see what is wrong with it.
const maxFindings = 100

// ReportRange notes that some bytes of the message break a rule, after an error as well.
func (c *Cursor) ReportRange(r *Rule, off, size int, format string, args ...any) {
	if c.mode != reading || c.tree != nil || len(c.findings) >= maxFindings {
		return
	}
	text := format
	if len(args) > 0 {
		text = fmt.Sprintf(format, args...)
	}
	c.findings = append(c.findings, Finding{Rule: r, Text: text, Off: off, Size: size})
}
