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
	Line int // where it begins

	per       string
	mode      string
	filter    *filter.Filter // selects messages; nil: all
	begins    *filter.Filter // selects groups by their first message; nil: all
	having    *filter.Filter // selects groups that have such a message; nil: all
	fulfilled Range          // how many groups must fulfil it; Least -1: all
	protocol  *wire.Protocol

	sequence *item
	steps    []*Step  // that expect a message
	names    []string // of saved values, in the order of Subject.Bindings
	marks    int      // number of steps with an id, see memory.marks
	bounds   bounds
}

const (
	perConversation = "conversation"
	perClient       = "client"
	perServer       = "server"
	perCapture      = "capture"
)

// What may come between the messages of a sequence.
const (
	modeLoose   = "loose"   // messages that match none of its steps
	modeOrdered = "ordered" // only messages that come at any time
	modeStrict  = "strict"  // nothing
	modeOpen    = "open"    // anything
)

// A Step is a message that must come, or must not come.
type Step struct {
	Line    int
	Name    string // "id" in the file; "" for none
	Message string // "" for any
	Text    string // for people: "expect MsgAccept from server within 2s"

	directed  bool // only of this direction
	direction wire.Direction
	where     []condition // all must hold
	within    limit
	after     limit
	save      []saving
	mark      int // index in memory.marks where its time is kept; -1: not kept
	place     int // index in its sequence
}

// A condition is a filter. An echo is a filter that only compares a field with a saved value. In any_order an echo may
// come before the value is saved; the value saved later must then equal it.
type condition struct {
	*filter.Filter
	early bool // an echo that may come before the value is saved
	field *filter.Field
	slot  int
}

// A limit is a time since another step.
type limit struct {
	set  bool
	time time.Duration
	mark int // the mark of that step; -1: the step before
}

type saving struct {
	field *filter.Field
	slot  int
}

type item struct {
	kind  itemKind
	step  *Step // of one and never
	parts []*item
	times Range // of repeat
	until *Step // of never; nil: to the end
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

// bounds are the limits of a group as a whole.
type bounds struct {
	line     int
	findings bool          // forbids findings:
	severity wire.Severity // of this severity and above
	allow    []string      // except of rules that match these patterns
	hold     []*measure
}

// A measure compares a count or a measured value with a number.
type measure struct {
	line      int
	subject   string // "count MsgKilled"
	wanted    string // "in 1..3"
	kind      measureKind
	message   string // name of the counted message, "" for any
	table     string // of the value, "" for any
	what      string // or the kind of attempts
	aggregate string // p50, p99.9, min, max, mean, count, total; or the outcome of attempts
	share     float64
	op        string
	limit     float64 // seconds for durations
	numbers   Range   // instead of op and limit, for "in"
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
