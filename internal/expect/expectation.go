package expect

import (
	"slices"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// An Expectation says which messages have to come, and what they have to be like.
type Expectation struct {
	Name string
	File string
	Line int // where it begins

	per       string
	mode      string
	filter    *filter.Filter // of the messages it is about; nil: all
	begins    *filter.Filter // the first message of each group it is about; nil: any
	having    *filter.Filter // a message of each group it is about; nil: any
	fulfilled Range          // how many groups have to fulfil it; Least -1: all
	protocol  *wire.Protocol

	sequence *item
	steps    []*Step  // those that expect a message
	names    []string // of what is saved, in the order of Subject.Bindings
	marks    int      // steps whose times are asked for
	bounds   bounds
}

// The units that an expectation can be about, each for itself.
const (
	perConversation = "conversation"
	perClient       = "client"
	perServer       = "server"
	perCapture      = "capture"
)

// What may come between the messages of a sequence.
const (
	modeLoose   = "loose"   // what fits none of its steps
	modeOrdered = "ordered" // of that, only what comes at any time
	modeStrict  = "strict"  // nothing
	modeOpen    = "open"    // anything
)

// A Step is a message that has to come, or that must not come.
type Step struct {
	Line    int
	Name    string // "id" in the file; "" for none
	Message string // "" for any
	Text    string // for people: "expect MsgAccept from server within 2s"

	directed  bool // only of this direction
	direction wire.Direction
	where     []condition // each has to be true
	within    limit
	after     limit
	save      []saving
	mark      int // where its time is kept; -1: nowhere
	place     int // in the sequence that it stands in
}

// A condition is a filter. An echo only says that a field equals what is saved under a name. Where the two sides
// of a connection stand side by side it may come before that is saved; it then says what has to be saved.
type condition struct {
	*filter.Filter
	early bool // an echo that may come before the value is saved
	field *filter.Field
	slot  int
}

// A limit is a time from another step on.
type limit struct {
	set  bool
	time time.Duration
	mark int // the mark of that step; -1: the one before
}

// A saving keeps a value of a message under a name.
type saving struct {
	field *filter.Field
	slot  int
}

// An item is a part of a sequence.
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
	rest // whatever comes
)

// nullable reports whether an item may be fulfilled by no message.
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
