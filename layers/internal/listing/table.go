package listing

import "github.com/gamedissect/gamedissect/decode/wire"

// Step is one on the way into a list.
type Step uint8

// The steps. Listed is reached whoever asked for the list, Renewed by the last message that kept the server in it.
const (
	Announced Step = 1 + iota
	Challenged
	Answered
	Verified
	Listed
	Renewed
)

var steps = [...]string{"", "announced", "challenged", "answered", "verified", "listed", "renewed"}

func (s Step) String() string { return steps[s] }

// failure says that a server did not reach the step.
func (s Step) failure() string {
	switch s {
	case Announced:
		return "is not understood"
	case Answered:
		return "does not answer"
	}
	return "is not " + s.String()
}

// What else is measured of a server at a master.
const (
	failed = "failed" // the step that was not reached, or was lost again
	why    = "why"
	name   = "name"
)

// Table is what is measured: the server is the master, and Who its game server.
var Table = wire.Table{Name: "listing", Columns: []string{failed, why, name}, Steps: steps[1:], Open: open}

// open says why it is not known whether a server is listed.
func open(has func(what string) bool) (what, text string) {
	switch {
	case has(Listed.String()), has(why):
		return why, ""
	case has(Verified.String()):
		return why, "not known: it is verified, and the capture has no complete list of the master after that"
	}
	return why, "not known: the capture lacks the next step, or ends before it is due"
}

// The kinds of events.
const (
	EventAnnounced  = "announced"
	EventChallenged = "challenged"
	EventVerified   = "verified"
	EventFailed     = "failed"
	EventRefused    = "refused"
	EventList       = "list"
	EventListed     = "listed"
	EventUnlisted   = "unlisted"
	EventExpired    = "expired"
	EventSame       = "same master"
)

// Events are all of them.
var Events = []string{EventAnnounced, EventChallenged, EventVerified, EventFailed, EventRefused, EventList,
	EventListed, EventUnlisted, EventExpired, EventSame}
