package expect

import (
	"slices"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// An Expectation describes the messages that must come.
type Expectation struct {
	Name string
	File string
	Line int // its first line in the file

	per       string
	mode      string
	filter    *filter.Filter // selects messages; nil: all
	begins    *filter.Filter // selects groups by their first message; nil: all
	having    *filter.Filter // selects groups with a message that it matches; nil: all
	fulfilled Range          // how many groups must fulfil the expectation; Least Any: all
	protocol  *wire.Protocol

	sequence *item
	steps    []*Step  // steps that expect a message
	names    []string // names of saved values, in the order of Subject.Bindings
	marks    int      // number of steps with an id, see memory.marks
	bounds   bounds
}

const (
	perConversation = "conversation"
	perClient       = "client"
	perServer       = "server"
	perCapture      = "capture"
)

// These modes determine what may come between the messages of a sequence.
const (
	modeLoose   = "loose"   // messages that match no step of the sequence
	modeOrdered = "ordered" // only messages that come at any time
	modeStrict  = "strict"  // nothing
	modeOpen    = "open"    // anything
)

// A Step is a message that must come or must not come.
type Step struct {
	Line    int
	Name    string // "id" in the file; "": none
	Message string // name of the message; "": any
	Text    string // for reports, such as "expect MsgAccept from server within 2s"

	directed  bool // only in direction
	direction wire.Direction
	where     []condition // all must be true
	within    limit
	after     limit
	save      []saving
	mark      int // index in memory.marks for its time; -1: not kept
	place     int // index in its sequence
}

// A condition is a filter. An echo is a filter that only compares a field with a saved value. In any_order, an echo may
// come before the value is saved. The value saved later must then be equal to the echo.
type condition struct {
	*filter.Filter
	early bool // an echo that may come before the value is saved
	field *filter.Field
	slot  int
}

// A limit is a limit on the time since another step.
type limit struct {
	set  bool
	time time.Duration
	mark int // mark of the other step; -1: the previous step
}

type saving struct {
	field *filter.Field
	slot  int
}

type item struct {
	kind  itemKind
	step  *Step // for one and never
	parts []*item
	times Range // for repeat
	until *Step // for never; nil: to the end
}

type itemKind uint8

const (
	single itemKind = iota
	inOrder
	anyOrder
	oneOf
	repeat
	never
	rest // any messages
)

// nullable reports whether an item may match an empty sequence.
func (i *item) nullable() bool {
	switch i.kind {
	case single:
		return false
	case repeat:
		return i.times.Least == 0 || i.parts[0].nullable()
	case oneOf:
		return slices.ContainsFunc(i.parts, (*item).nullable)
	}
	return !slices.ContainsFunc(i.parts, func(x *item) bool { return !x.nullable() })
}

// bounds are the limits for a group as a whole.
type bounds struct {
	line     int
	findings bool          // findings are forbidden
	severity wire.Severity // lowest forbidden severity
	allow    []string      // patterns of rules whose findings are allowed
	hold     []*measure
}

// A measure compares a count or a measured value with a number.
type measure struct {
	line      int
	subject   string // such as "count MsgKilled"
	wanted    string // such as "in 1..3"
	kind      measureKind
	message   string // name of the counted message; "": any
	table     string // table of the value; "": any
	what      string // name of the value, or kind of attempts
	aggregate string // p50, p99.9, min, max, mean, count, total, or the outcome of attempts
	share     float64
	op        string
	limit     float64 // in seconds for durations
	numbers   Range   // for "in", instead of op and limit
	unit      string  // "s" if the limit is a duration
}

type measureKind uint8

const (
	countOf measureKind = iota
	rateOf
	valueOf
	attemptsOf
)

var fromNames = map[wire.Direction]string{wire.ToServer: "client", wire.FromServer: "server", wire.PeerToPeer: "peer"}
