package wire

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
