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

// Evidence is what a rule's claim rests on. It determines what may explain a finding although every program follows the
// protocol.
type Evidence uint8

// The kinds of evidence, the strongest first. A rule that rests on several has the weakest of them.
const (
	OnBytes    Evidence = iota // the bytes of a message: nothing explains it
	OnContext                  // how the bytes were read: a wrong direction, or a wrong start in the stream
	OnPresence                 // messages that contradict each other: nothing in the network explains it
	OnState                    // what earlier messages said; one lost message may explain it
	OnAbsence                  // a message that is missing: any lost message
	OnTime                     // the time between messages: loss, delay, or the clock of the capture
)

var evidence = Names("bytes", "context", "presence", "state", "absence", "time")

// String names the evidence: "bytes", "context", "presence", "state", "absence" or "time".
func (e Evidence) String() string { return evidence.Format(int64(e)) }

var explanations = [...]string{
	OnBytes:    "Based on the bytes of the message; packet loss cannot explain it.",
	OnContext:  "Based on how the bytes were read; a wrong direction or start of the message could also explain it.",
	OnPresence: "Based on captured messages that contradict each other; packet loss cannot explain it.",
	OnState:    "Based on earlier messages; a lost message in between could also explain it.",
	OnAbsence:  "Based on a message that did not come; a lost packet could also explain it.",
	OnTime:     "Based on times; loss, delay or the clock of the capture could also explain it.",
}

// Sentence says what the claim rests on and what else may explain a finding.
func (e Evidence) Sentence() string { return explanations[e] }

// A Rule is a rule of a protocol, as data.
type Rule struct {
	ID       string // "tribes.entry-marker"
	Severity Severity
	Rests    Evidence // what else may explain a finding; no rule that rests on absence or time is an Error
	Fact     bool     // a Note for the first screen, since it explains a problem and accuses no program
	Title    string   // the violation in a few words
	Why      string   // what was expected, what happens otherwise, what to look at
	Source   string   // document and section, or the program that was measured
}

// A Finding is a violation of a rule by a message. It covers the bytes [Off:Off+Size] of the message.
type Finding struct {
	Rule *Rule
	Text string // the values in this case
	Off  int
	Size int
}
