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
	OnBytes:    "Rests on the bytes of the message: no loss explains it.",
	OnContext:  "Rests on how the bytes were read: a direction or a beginning taken wrongly explains it too.",
	OnPresence: "Rests on messages that came and contradict each other: no loss explains it.",
	OnState:    "Rests on what was said before: a lost message in between explains it too.",
	OnAbsence:  "Rests on what did not come: a lost packet explains it too.",
	OnTime:     "Rests on times: loss, delay or the clock of the capture explains it too.",
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
