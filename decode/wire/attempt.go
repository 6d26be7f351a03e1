package wire

import (
	"net/netip"
	"time"
)

// An AttemptKind describes attempts of a kind as data: to join a game, to be listed, to get an answer.
type AttemptKind struct {
	Name string // of the table that shows the attempts, a row each: "joins"
	Noun string // of one attempt, for sentences: "join"

	// Steps are those that an attempt may reach, at most MaxSteps. They may be reached in another order or left out.
	Steps []AttemptStep

	// Wish is the first step that shows that the asker wants it. An asker that goes away before has only looked; but it
	// may still fail to get an answer.
	Wish uint8

	// Named is the step with which the asker says its name, if that is after the Wish: the row begins there.
	Named uint8

	// Goal is the step that is what was wanted. Later ones are extra.
	Goal uint8

	// Lease is how long what was granted lasts unless it is renewed; 0: for ever. Until it is granted the asker may begin
	// again with any step. The step after the Goal is that a list shows what was granted. The last step is the last
	// renewal, if the lease lasts until the capture ends; it is not reached otherwise.
	Lease time.Duration

	// Lapses is the cause when the lease ends; "": "not renewed".
	Lapses string

	// Slow is how long after the step before it the Goal may be reached before that is worth saying; 0: any time.
	Slow time.Duration

	Unreached string // the cause when ICMP reports that what the asker sends does not arrive; "": "ICMP: port unreachable"

	Silence Outcome // of a silent asked end; Open: Unanswered
	Repeats bool    // asking again shows that no answer came, whatever else the capture has
	Hidden  bool    // there is no table
	Several bool    // the same is wanted of several servers, and one that grants it is enough
	Stays   bool    // what was granted lasts as long as the connection, so the asked end must not close it first
	Refused string  // table of refusals, a row each; "": there is none
	Silent  *Rule   // that an attempt without an answer breaks, where silence may accuse; nil: silence is only a fact
}

// TableOf returns the description of the table that shows attempts of a kind.
func (k *AttemptKind) TableOf() Table {
	t := Table{Name: k.Name, Columns: []string{AttemptOutcome, AttemptFailed, AttemptWhy, AttemptName}}
	for _, s := range k.Steps {
		t.Steps = append(t.Steps, s.Name)
	}
	return t
}

// Events returns the kinds of events that attempts of a kind make.
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

// Columns of the table of an AttemptKind, before those of the steps.
const (
	AttemptOutcome = "outcome"
	AttemptFailed  = "failed" // the step that was not reached, or was lost again
	AttemptWhy     = "why"
	AttemptName    = "name"
)

// Columns of the table of refusals of an AttemptKind.
const (
	RefusedReason = "reason" // the last one, and
	RefusedBefore = "before" // those before, of who asked again
)

// MaxSteps is how many steps an AttemptKind may have.
const MaxSteps = 8

// An AttemptStep is a step of an attempt.
type AttemptStep struct {
	Name     string        // also of the column that shows when it was reached: "accepted"
	Turn     Party         // who has to act after it; Neither: nothing is awaited, and the asker may well go
	Awaits   string        // what that one has to do, for sentences: "answer to MsgEnter"
	Patience time.Duration // how long that may take; 0: for ever
	Event    string        // kind of the event when the step is reached; "": it is none
	Says     string        // what the event says after the name of the asker: " is challenged by "
}

// A Party is one of the two ends of an attempt.
type Party uint8

// The parties.
const (
	Neither Party = iota
	Asker         // who wants something
	Asked         // who can grant it
)

// String names the party: "", "asker" or "asked".
func (p Party) String() string { return [...]string{"", "asker", "asked"}[p] }

// An Outcome is what became of an attempt.
type Outcome uint8

// The outcomes.
const (
	Open        Outcome = iota // not decided yet
	Done                       // the asker got what it wanted
	Left                       // the asker went away before it wanted anything, or said goodbye
	Refused                    // the asked end said no, or the asker did
	Removed                    // what was granted was taken away
	Unanswered                 // what was awaited did not come
	Unreachable                // ICMP, RST, or silence to SYNs
	Closed                     // the asked end closed the connection
	Abandoned                  // the asker closed it
	Expired                    // what was granted was not renewed
	Absent                     // it was granted, but a complete list lacks it
	NotKnown                   // the capture lacks what would show it
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
	Place // of the message that changed it, at the time of the change
	Kind  *AttemptKind

	Asker, Asked netip.AddrPort
	Who          string // the subject in tables: "0 ana"; the address of the asker if no name is known

	Outcome Outcome
	Over    bool  // the outcome does not change any more
	By      Party // who refused, closed, or did not act
	Step    uint8 // the last one that was reached
	Tries   int   // how often it was asked

	// Cause is the constant part of the reason, by which attempts are grouped; Detail is the rest. Both may be empty. A
	// Done one has a Cause if it was slow.
	Cause, Detail string

	Took time.Duration // from the beginning to the outcome

	// Steps holds when each step was reached first, after the beginning, and in which frame.
	Steps [MaxSteps]StepReached
}

// A StepReached is when an attempt reached a step.
type StepReached struct {
	Frame int           // 0: the step was not reached
	After time.Duration // the beginning of the attempt
}

// A Signal is what the engine sees of a connection or conversation besides its messages.
type Signal uint8

// The signals. Src and Dst of the place are those of the packet.
const (
	Opening     Signal = iota // a SYN, as long as no byte shows a protocol
	Opened                    // an answer to a SYN
	Rejected                  // a RST answers a SYN
	TurnedAway                // Src closes a connection that it accepted, on which no end said anything
	Finishing                 // the first FIN of a connection
	Resetting                 // the first RST
	Undelivered               // ICMP says that what Src sent did not reach Dst
	Stalled                   // Src takes no more bytes: its window is 0
	Resumed                   // it does again
	NoBytes                   // a datagram without bytes, which is no message, to a server
)

// A Watcher takes signals. Those about connections without bytes go to the engine's own account alone.
type Watcher interface {
	Signal(Signal, *Place)
}
