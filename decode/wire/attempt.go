package wire

import (
	"net/netip"
	"time"
)

// An AttemptKind describes one kind of attempt as data, for example attempts to join a game, to be listed, or to get an
// answer. Package attempt follows the attempts.
type AttemptKind struct {
	Name string // name of the table with one row per attempt: "joins"
	Noun string // name of one attempt, in sentences: "join"

	// Steps are the steps that an attempt may reach, at most MaxSteps. An attempt may skip steps or reach them in
	// another order.
	Steps []AttemptStep

	// Wish is the first step that shows what the asker asks for. An attempt whose asker leaves before the Wish has not
	// failed: its outcome is Left. The attempt can still fail before the Wish, for example if no answer comes.
	Wish uint8

	// Named is the step with which the asker states its name, if that is after the Wish. Until this step, the table has
	// no row for the attempt, unless the attempt fails.
	Named uint8

	// Goal is the step with which the asker gets what it asked for. Later steps are extra.
	Goal uint8

	// Lease is how long a grant lasts if it is not renewed; 0: without limit. With a Lease, the asker may begin again
	// with any step until it has the grant. The step after the Goal means that a list contains the grant. The last step
	// means that the grant was renewed and was still valid at the end of the capture.
	Lease time.Duration

	// Lapses is the cause reported if the grant expires; "": "not renewed".
	Lapses string

	// Slow is a limit on the time from the previous step to the Goal, beyond which the Goal is reported as late; 0: no
	// limit.
	Slow time.Duration

	Unreached string // the cause if ICMP reports that the asker's packets do not arrive; "": "ICMP: port unreachable"

	Silence Outcome // the outcome if the server does not answer; Open: Unanswered
	Repeats bool    // a repeated question proves that no answer came, even if the capture is incomplete
	Hidden  bool    // the kind has no table
	Several bool    // the asker asks several servers for the same thing, and one grant is enough
	Stays   bool    // a grant lasts as long as its connection; if the server closes it first, the asker is Removed
	Refused string  // name of a table with one row per refusal; "": no such table
	Silent  *Rule   // the rule that an attempt without an answer breaks; nil: no rule
}

// TableOf returns the description of a kind's table of attempts.
func (k *AttemptKind) TableOf() Table {
	t := Table{Name: k.Name, Columns: []string{AttemptOutcome, AttemptFailed, AttemptWhy, AttemptName}}
	for _, s := range k.Steps {
		t.Steps = append(t.Steps, s.Name)
	}
	return t
}

// Events returns the kinds of events that attempts of a kind produce.
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
	AttemptFailed  = "failed" // the step that the attempt did not reach, or lost again
	AttemptWhy     = "why"
	AttemptName    = "name"
)

// Columns of an AttemptKind's table of refusals.
const (
	RefusedReason = "reason" // the last reason
	RefusedBefore = "before" // earlier reasons, if the asker asked again
)

// MaxSteps is the maximum number of steps of an AttemptKind.
const MaxSteps = 8

// An AttemptStep is a step of an attempt.
type AttemptStep struct {
	Name     string        // also the name of the column for the time of the step: "accepted"
	Turn     Party         // who must act after the step; Neither: nobody, so the asker may leave
	Awaits   string        // what that party must do, in sentences: "answer to MsgEnter"
	Patience time.Duration // how long to wait for it; 0: without limit
	Event    string        // kind of the event when the step is reached; "": no event
	Says     string        // the event's text after the asker's name: " is challenged by "
}

// A Party is one of the two ends of an attempt.
type Party uint8

// The parties.
const (
	Neither Party = iota
	Asker         // the end that asks for something
	Asked         // the end that is asked, called the server, which may grant it
)

// String returns the name of the party: "", "asker" or "asked".
func (p Party) String() string { return [...]string{"", "asker", "asked"}[p] }

// An Outcome is the result of an attempt.
type Outcome uint8

// The outcomes.
const (
	Open        Outcome = iota // not yet decided
	Done                       // the asker got what it asked for
	Left                       // the asker left before it asked for anything, or said goodbye
	Refused                    // one of the two ends refused
	Removed                    // the server took back what it had granted
	Unanswered                 // the awaited message did not arrive
	Unreachable                // an ICMP error, a RST, or silence after SYNs
	Closed                     // the server closed the connection
	Abandoned                  // the asker closed the connection
	Expired                    // the grant was not renewed
	Absent                     // granted, but missing from a complete list
	NotKnown                   // the capture lacks the messages that would show the outcome
)

var outcomes = Names("open", "done", "left", "refused", "removed", "unanswered", "unreachable", "closed", "abandoned",
	"expired", "absent", "not_known")

// String returns the name of the outcome in outputs: "done", "not_known".
func (o Outcome) String() string { return outcomes.Format(int64(o)) }

// Failed reports whether the asker did not get, or did not keep, what it asked for.
func (o Outcome) Failed() bool { return o >= Refused && o <= Absent }

// An Attempt is the state of an attempt: see AttemptKind. It is reported when the outcome changes, and again when the
// attempt is over.
type Attempt struct {
	Place // place of the message that changed the outcome, with the time of the change
	Kind  *AttemptKind

	Asker, Asked netip.AddrPort
	Who          string // the subject in tables: "0 ana", or the asker's address if no name is known

	Outcome Outcome
	Over    bool  // the outcome will not change
	By      Party // the party that refused, closed, or did not act
	Step    uint8 // the last step reached
	Tries   int   // number of times that the asker asked

	// Cause is the part of the reason that attempts may have in common, so tables can group by it. Detail is the part
	// that is specific to this attempt. Both may be empty. A Done attempt has a Cause if it was late.
	Cause, Detail string

	Took time.Duration // time from the beginning to the outcome

	// Steps contains the time since the beginning and the frame at which each step was first reached.
	Steps [MaxSteps]StepReached
}

// A StepReached is the point at which an attempt reached a step.
type StepReached struct {
	Frame int           // 0: the step was not reached
	After time.Duration // time since the beginning of the attempt
}

// A Signal is something that the engine sees in a connection or conversation, other than a message.
type Signal uint8

// The signals. Src and Dst of the Place are the source and destination of the packet.
const (
	Opening     Signal = iota // a SYN, before any byte shows the protocol
	Opened                    // an answer to a SYN: the connection is open
	Rejected                  // a RST that answers a SYN
	TurnedAway                // Src closes a connection that it accepted, before either end sent data
	Finishing                 // the first FIN of a connection
	Resetting                 // the first RST of a connection
	Undelivered               // ICMP reports that a packet from Src did not reach Dst
	Stalled                   // Src accepts no more bytes: its window is 0
	Resumed                   // Src accepts bytes again
	NoBytes                   // an empty datagram to a server, which is not a message
)

// A Watcher receives signals. A tracker's watcher receives no signals about connections without data, because nothing
// shows their protocol.
type Watcher interface {
	Signal(Signal, *Place)
}
