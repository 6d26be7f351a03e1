package wire

// Severity grades a broken rule.
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

// A Rule is a rule of a protocol, as data.
type Rule struct {
	ID       string // "tribes.entry-marker"
	Severity Severity
	Title    string // the violation in a few words
	Why      string // what was expected, what happens otherwise, what to look at
	Source   string // document and section, or the program that was measured
}

// A Finding is a rule that a message breaks. It covers the bytes [Off:Off+Size] of the message.
type Finding struct {
	Rule *Rule
	Text string // the values in this case
	Off  int
	Size int
}
