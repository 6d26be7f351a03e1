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
	Line int // first line of the expectation in the file

	per       string
	mode      string
	filter    *filter.Filter // selects messages; nil: all
	begins    *filter.Filter // selects groups whose first message it matches; nil: all
	having    *filter.Filter // selects groups with at least one message that it matches; nil: all
	fulfilled Range          // how many groups must fulfil the expectation; all groups if Least is Any
	protocol  *wire.Protocol

	sequence *item
	steps    []*Step  // steps that expect a message
	names    []string // names of saved values, in the order of Subject.Bindings
	marks    int      // number of steps whose times are kept, see memory.marks
	bounds   bounds
}

const (
	perConversation = "conversation"
	perClient       = "client"
	perServer       = "server"
	perCapture      = "capture"
)

// The mode says which messages may come between the messages of a sequence.
const (
	modeLoose   = "loose"   // messages that match no step of the sequence
	modeOrdered = "ordered" // only messages that may come at any time
	modeStrict  = "strict"  // no messages
	modeOpen    = "open"    // any messages
)

// A Step describes a message that must come or must not come.
type Step struct {
	Line    int
	Name    string // "id" in the file; "": none
	Message string // name of the message; "": any
	Text    string // for reports, such as "expect MsgAccept from server within 2s"

	directed  bool // the message must have the given direction
	direction wire.Direction
	where     []condition // all must be true
	within    limit
	after     limit
	save      []saving
	mark      int // index in memory.marks of the step's time; -1: the time is not kept
	place     int // index of the step in its sequence
}

// A condition is a filter. An echo is a filter that only compares a field with a saved value. In any_order, an echo may
// come before the value that it repeats is saved. The value saved later must then be equal to the echo.
type condition struct {
	*filter.Filter
	early bool // an echo that may come before the value is saved
	field *filter.Field
	slot  int
}

// A limit limits the time since another step.
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
	until *Step // for never; nil: until the end
}

type itemKind uint8

const (
	single itemKind = iota
	inOrder
	anyOrder
	oneOf
	repeat
	never
	rest // any number of messages
)

// nullable reports whether an item may match no messages at all.
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

// bounds are limits for a group as a whole.
type bounds struct {
	line     int
	findings bool          // whether some findings are forbidden
	severity wire.Severity // lowest severity that is forbidden
	allow    []string      // patterns for the rules whose findings are allowed
	hold     []*measure
}

// A measure compares a count or a measured value with a number.
type measure struct {
	line      int
	subject   string // such as "count MsgKilled"
	wanted    string // such as "in 1..3"
	kind      measureKind
	message   string // name of the counted message; "": any message
	table     string // table that has the value; "": any table
	what      string // name of the value, or the kind of attempts
	aggregate string // p50, p99.9, min, max, mean, count, total, or the attempts' outcome
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
