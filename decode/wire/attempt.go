package wire

import (
	"net/netip"
	"time"
)

// An AttemptKind describes a kind of attempts as data: to join a game, to be listed, to get an answer.
type AttemptKind struct {
	Name string // name of the table with a row for each attempt: "joins"
	Noun string // name of one attempt, in sentences: "join"

	// Steps are the steps that an attempt may reach, at most MaxSteps. It may reach them in another order or skip some.
	Steps []AttemptStep

	// Wish is the first step that shows what the asker wants. An asker that leaves before it has only looked, but it
	// may already fail to get an answer.
	Wish uint8

	// Named is the step with which the asker says its name, if that is after the Wish. The row begins there.
	Named uint8

	// Goal is the step with which the asker has what it wanted. Later steps are extra.
	Goal uint8

	// Lease is how long a grant lasts unless it is renewed; 0: for ever. Until it is granted the asker may begin again
	// with any step. The step after the Goal is reached when a list shows the grant. The last step is the last renewal.
	// It is reached only if the lease lasts until the capture ends.
	Lease time.Duration

	// Lapses is the cause when the lease ends; "": "not renewed".
	Lapses string

	// Slow is how long after the previous step the Goal may be reached without being reported as late; 0: any time.
	Slow time.Duration

	Unreached string // the cause if ICMP reports that the asker's packets do not arrive; "": "ICMP: port unreachable"

	Silence Outcome // the outcome if the asked end is silent; Open: Unanswered
	Repeats bool    // asking again shows that no answer came, whatever else the capture contains
	Hidden  bool    // the kind has no table
	Several bool    // the asker asks several servers for the same, and one that grants it is enough
	Stays   bool    // a grant lasts as long as the connection, so the asked end must not close it first
	Refused string  // table with a row for each refusal; "": none
	Silent  *Rule   // broken by an attempt without an answer, if silence is a fault; nil: silence is only a fact
}

// TableOf returns the description of the table of attempts of a kind.
func (k *AttemptKind) TableOf() Table {
	t := Table{Name: k.Name, Columns: []string{AttemptOutcome, AttemptFailed, AttemptWhy, AttemptName}}
	for _, s := range k.Steps {
		t.Steps = append(t.Steps, s.Name)
	}
	return t
}

// Events returns the kinds of events that attempts of a kind cause.
func (k *AttemptKind) Events() (list []string) {
	for _, s := range k.Steps {
		if s.Event != "" {
			list = append(list, s.Event)
		}
	}
	for o := Refused; o.Failed(); o++ {
		list = append(list, o.String())
	}
	return list
}

// Columns of the table of an AttemptKind, before the columns of the steps.
const (
	AttemptOutcome = "outcome"
	AttemptFailed  = "failed" // the step that was not reached, or was lost again
	AttemptWhy     = "why"
	AttemptName    = "name"
)

// Columns of the table of refusals of an AttemptKind.
const (
	RefusedReason = "reason" // the last reason, and
	RefusedBefore = "before" // earlier ones, if the asker asked again
)

// MaxSteps is how many steps an AttemptKind may have.
const MaxSteps = 8

// An AttemptStep is a step of an attempt.
type AttemptStep struct {
	Name     string        // also names the column that shows when it was reached: "accepted"
	Turn     Party         // who must act after it; Neither: nothing is awaited, and the asker may leave
	Awaits   string        // what that party must do, in sentences: "answer to MsgEnter"
	Patience time.Duration // time for it; 0: unlimited
	Event    string        // kind of the event when the step is reached; "": none
	Says     string        // the event's words after the name of the asker: " is challenged by "
}

// A Party is one of the two ends of an attempt.
type Party uint8

// The parties.
const (
	Neither Party = iota
	Asker         // the end that wants something
	Asked         // the end that can grant it
)

// String names the party: "", "asker" or "asked".
func (p Party) String() string { return [...]string{"", "asker", "asked"}[p] }

// An Outcome is the result of an attempt.
type Outcome uint8

// The outcomes.
const (
	Open        Outcome = iota // not decided yet
	Done                       // the asker got what it wanted
	Left                       // the asker left before it wanted anything, or said goodbye
	Refused                    // the asked end refused, or the asker did
	Removed                    // the grant was taken away
	Unanswered                 // what was awaited did not come
	Unreachable                // ICMP, RST, or silence to SYNs
	Closed                     // the asked end closed the connection
	Abandoned                  // the asker closed the connection
	Expired                    // the grant was not renewed
	Absent                     // it was granted, but a complete list lacks it
	NotKnown                   // the capture lacks what would show the outcome
)

var outcomes = Names("open", "done", "left", "refused", "removed", "unanswered", "unreachable", "closed", "abandoned",
	"expired", "absent", "not_known")

// String names the outcome as every output does: "done", "not_known".
func (o Outcome) String() string { return outcomes.Format(int64(o)) }

// Failed reports whether the asker did not get, or did not keep, what it wanted.
func (o Outcome) Failed() bool { return o >= Refused && o <= Absent }

// An Attempt is the state of an attempt, see AttemptKind. It is reported whenever the outcome changes, and once more
// when the attempt is over.
type Attempt struct {
	Place // place of the message that changed it, at the time of the change
	Kind  *AttemptKind

	Asker, Asked netip.AddrPort
	Who          string // the subject in tables: "0 ana"; the asker's address if no name is known

	Outcome Outcome
	Over    bool  // the outcome no longer changes
	By      Party // who refused, closed, or did not act
	Step    uint8 // the last step reached
	Tries   int   // how often the asker asked

	// Cause is the constant part of the reason, by which attempts are grouped; Detail is the rest. Both may be empty. A
	// Done attempt has a Cause if it was slow.
	Cause, Detail string

	Took time.Duration // from the beginning to the outcome

	// Steps contains when each step was first reached, counted from the beginning, and in which frame.
	Steps [MaxSteps]StepReached
}

// A StepReached is when an attempt reached a step.
type StepReached struct {
	Frame int           // 0: the step was not reached
	After time.Duration // from the beginning of the attempt
}

// A Signal is an event of a connection or conversation that the engine sees, apart from its messages.
type Signal uint8

// The signals. Src and Dst of the place are the packet's.
const (
	Opening     Signal = iota // a SYN, while no byte shows a protocol
	Opened                    // an answer to a SYN
	Rejected                  // a RST answers a SYN
	TurnedAway                // Src closes a connection that it accepted, on which no end sent anything
	Finishing                 // the first FIN of a connection
	Resetting                 // the first RST
	Undelivered               // ICMP says that a packet of Src did not reach Dst
	Stalled                   // Src takes no more bytes: its window is 0
	Resumed                   // Src takes bytes again
	NoBytes                   // an empty datagram to a server, which is no message
)

// A Watcher takes signals. Signals about connections without bytes go only to the engine's own account.
type Watcher interface {
	Signal(Signal, *Place)
}
