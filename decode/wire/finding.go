package wire

import "fmt"

// Severity is how much a broken rule matters.
type Severity uint8

// The severities.
const (
	Note    Severity = iota // worth knowing; normal traffic may do it
	Warning                 // breaks the document, or what every real program relies on
	Error                   // a receiver misreads or drops the message
)

var severities = Names("note", "warning", "error")

// String names the severity: "note", "warning" or "error".
func (s Severity) String() string { return severities.Format(int64(s)) }

// A Rule is something that traffic should keep, as data.
type Rule struct {
	ID       string // "tribes.entry-marker"
	Severity Severity
	Title    string // what is broken, in a few words
	Why      string // what was expected, what happens otherwise, what to look at
	Source   string // document and section, or the program that was measured
}

// A Finding is a rule that a message breaks.
type Finding struct {
	Rule *Rule
	Text string // this case: the values
	Off  int    // of the first byte it is about, in the message
	Size int    // bytes
}

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
