package wire

// Severity is the severity of a broken rule.
type Severity uint8

// The severities.
const (
	Note    Severity = iota // worth knowing, but may occur in normal traffic
	Warning                 // violates the document, or a convention that every real program relies on
	Error                   // a receiver misreads or drops such a message
)

var severities = Names("note", "warning", "error")

// String returns the name of the severity: "note", "warning" or "error".
func (s Severity) String() string { return severities.Format(int64(s)) }

// Evidence is what a rule's claim is based on. It determines whether anything other than a program that violates the
// protocol may explain a finding.
type Evidence uint8

// The kinds of evidence, the strongest first. A rule based on several kinds has the weakest of them.
const (
	OnBytes    Evidence = iota // the bytes of a message; there is no other explanation
	OnContext                  // how the bytes were read; the direction or the start in the stream may be wrong
	OnPresence                 // captured messages, for example contradictory ones; loss does not explain them
	OnState                    // the content of earlier messages; one lost message may explain the finding
	OnAbsence                  // a missing message; any lost message may explain the finding
	OnTime                     // the time between messages; loss, delay, or the capture's clock may explain the finding
)

var evidence = Names("bytes", "context", "presence", "state", "absence", "time")

// String returns the name of the evidence: "bytes", "context", "presence", "state", "absence" or "time".
func (e Evidence) String() string { return evidence.Format(int64(e)) }

var explanations = [...]string{
	OnBytes: "Evidence: the bytes of the message. Packet loss cannot be the cause.",
	OnContext: "Evidence: the message as gamedissect read it. If gamedissect assumed the wrong direction or the wrong " +
		"first byte, the sender did nothing wrong.",
	OnPresence: "Evidence: one or more captured messages. Packet loss cannot be the cause.",
	OnState:    "Evidence: earlier messages. A message lost in between could also be the cause.",
	OnAbsence:  "Evidence: a message or packet that the capture lacks. Packet loss could also be the cause.",
	OnTime:     "Evidence: the times of packets. Packet loss, delay or the clock of the capture could also be the cause.",
}

// Sentence states the basis of the claim and the other possible explanations of a finding.
func (e Evidence) Sentence() string { return explanations[e] }

// A Rule is a rule of a protocol, as data.
type Rule struct {
	ID       string // "tribes.entry-marker"
	Severity Severity
	Rests    Evidence // what a finding is based on; a rule based on absence or time must not be an Error
	Fact     bool     // a Note that the first screen shows: it explains a problem, but no program is at fault
	Title    string   // the violation in a few words
	Why      string   // what was expected, what the consequences are, and what to check
	Source   string   // document and section, or the program that was observed
}

// A Finding is a violation of a rule by a message. It covers the bytes [Off:Off+Size] of the message.
type Finding struct {
	Rule *Rule
	Text string // details, such as the wrong value
	Off  int
	Size int
}
