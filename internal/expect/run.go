package expect

import (
	"fmt"
	"math"
	"net/netip"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// spend counts work. When there is too much, the run stops following the sequence.
func (r *run) spend(n int) {
	r.work.left -= n
	r.tired = r.tired || r.work.left < 0
}

func (e *Expectation) concerns(p *wire.Protocol) bool { return e.protocol == nil || e.protocol == p }

type run struct {
	expectation    *Expectation
	machine        *machine
	start          *state
	groups         map[groupKey]*group
	ordered        []*group                       // in the order of their beginnings
	byConversation map[wire.ConversationID]*group // groups of conversations, for findings and values
	spoken         bool                           // there were messages of its protocol
	unattached     group                          // findings of no group
	ours           bool                           // some certainly belong to the expectation's protocol
	line           func(*decode.Message) string
	ambiguous      bool // there were too many threads
	budget         *budget
	full           bool // memory is used up
	work           workload
	tired          bool // work is used up
	costs          costs
	texts          []bool // of the values that hold compares: they are texts, of which there is no number
}

// groupKey identifies a group: the zero key is the whole capture.
type groupKey struct {
	conversation wire.ConversationID
	end          netip.AddrPort
}

func (r *run) take(g *group, bytes int) {
	r.budget.memory -= bytes
	g.bytes += bytes
}

// account updates the memory that a group takes. If none is left, the run stops following the group.
func (r *run) account(g *group) {
	r.take(g, g.size()-g.bytes)
	if r.budget.memory < 0 && len(g.threads) > 0 {
		r.full, g.threads = true, nil
	}
}

// ends returns the client and the server of a message. If they are unknown, the sender is taken for the client.
func ends(x *filter.Subject) (client, server netip.AddrPort) {
	if x.Message.Direction == wire.FromServer {
		return x.Place.Dst, x.Place.Src
	}
	return x.Place.Src, x.Place.Dst
}

func keyOf(per string, x *filter.Subject) groupKey {
	client, server := ends(x)
	switch per {
	case perConversation:
		return groupKey{conversation: x.Place.ConversationID()}
	case perClient:
		return groupKey{end: client}
	case perServer:
		return groupKey{end: server}
	}
	return groupKey{}
}

// nameOf names a message's group for people.
func nameOf(per string, x *filter.Subject) string {
	client, server := ends(x)
	switch per {
	case perConversation:
		return fmt.Sprintf("%s,%d %s > %s", x.Place.Transport, x.Place.Conversation, client, server)
	case perClient:
		return perClient + " " + client.String()
	case perServer:
		return perServer + " " + server.String()
	}
	return perCapture
}

func (r *run) groupAt(p *wire.Place) *group {
	if r.expectation.per == perCapture {
		return r.groups[groupKey{}]
	}
	if p.Conversation == decode.NoConversation || p.Protocol == nil {
		return nil
	}
	return r.byConversation[p.ConversationID()]
}

// A group is a part of the traffic that must fulfil an expectation by itself.
type group struct {
	name     string
	apart    bool // "begins" does not select it
	relevant bool // "having" selects it
	messages int

	threads     []thread
	failure     *Failure
	nearest     *nearMiss
	before      [around]Frame // the newest last
	beforeCount int           // frames in before
	stalled     []Frame       // around the last message that matched
	farthest    int           // matched messages of the thread that got farthest
	bytes       int           // taken from the budget
	tallies     []tally
	findings
}

// around is how many messages a failure shows before and after it.
const around = 3

// findings are findings that the bounds do not allow.
type findings struct {
	count int
	first []Finding
}

const maxFindings = 10 // in findings.first

// A nearMiss is the message that best matched a waiting step.
type nearMiss struct {
	step    *Step
	frame   Frame
	matched int
	parts   int // conditions that were true
	differs []string
}

// A Failure is a step that was not fulfilled, or a bound that was exceeded.
type Failure struct {
	Step    *Step  // that waited, or forbids; nil: none
	Line    int    // of the file
	Cause   string // in a sentence: the actual and the expected
	Matched int    // messages that matched before
	Frame   *Frame // the message it is about; nil if it did not come

	Nearest *Frame   // the message of the step's type that matches best
	Differs []string // its differences

	Before, After []Frame // messages around it
	Bound         []string
	Findings      []Finding
}

// A Frame is a message in a report.
type Frame struct {
	Number  int
	Message string // "MsgAccept from server"
	Line    string
}

// A Finding is a finding that the bounds do not allow.
type Finding struct {
	Frame int
	Rule  *wire.Rule
	Text  string
}

// A tally is a group's state for a measure.
type tally struct {
	count       int64
	first, last int64
	numbers     stats.Histogram
	total       float64
	unit        string
}

func (t *tally) message(at int64) {
	if t.count++; t.count == 1 {
		t.first, t.last = at, at
	}
	t.last = max(t.last, at)
}

func (t *tally) value(v *wire.Value) {
	t.count++
	t.total += v.Number
	t.unit = v.Unit
	n := v.Number
	if v.Unit == "s" {
		n *= 1e9
	}
	t.numbers.Add(int64(math.Round(n)))
}

// costs estimate the work of comparing steps.
type costs struct {
	steps map[*Step]int
	named map[string][]*Step // by the name of the message that they expect; "": any
}

func costsOf(e *Expectation) costs {
	c := costs{make(map[*Step]int, len(e.steps)), make(map[string][]*Step)}
	for _, st := range e.steps {
		n := 1 + len(st.save)
		for i := range st.where {
			n += 1 + len(st.where[i].String())/16
		}
		c.steps[st] = n
		c.named[st.Message] = append(c.named[st.Message], st)
	}
	return c
}

func (c *costs) of(st *Step, x *filter.Subject) int {
	if !st.isNamedBy(x) {
		return 1
	}
	return c.steps[st]
}

// Approximate sizes in bytes.
const (
	sizeOfGroup   = int(unsafe.Sizeof(group{})+unsafe.Sizeof(Group{})) + 150 // with its places in a map and in lists
	sizeOfPlace   = 100                                                      // of a conversation in a map
	sizeOfTally   = int(unsafe.Sizeof(tally{}))
	sizeOfThread  = int(unsafe.Sizeof(thread{}))
	sizeOfValue   = 64
	sizeOfFrame   = int(unsafe.Sizeof(Frame{}))
	sizeOfFailure = int(unsafe.Sizeof(Failure{}))
	sizeOfFinding = int(unsafe.Sizeof(Finding{}))
	sizeOfText    = int(unsafe.Sizeof(""))
)

// size returns the approximate bytes of a group.
func (g *group) size() int {
	n := sizeOfGroup + len(g.name)
	for i := range g.tallies {
		n += g.tallies[i].size()
	}
	for i := range g.threads {
		n += g.threads[i].size()
	}
	for i := range g.first {
		n += g.first[i].size()
	}
	if m := g.nearest; m != nil {
		n += sizeOfFailure + len(m.frame.Line) + sizeOfTexts(m.differs)
	}
	n += sizeOfFrames(g.stalled)
	for i := range g.before {
		n += len(g.before[i].Line)
	}
	if f := g.failure; f != nil {
		n += sizeOfFailure + len(f.Cause) + sizeOfTexts(f.Differs) + sizeOfTexts(f.Bound)
		n += sizeOfFrame + len(f.Frame.Line) + sizeOfFrames(f.Before) + sizeOfFrames(f.After)
	}
	return n
}

func (t *thread) size() int {
	n := sizeOfThread + 8*len(t.guards) + sizeOfValue*(len(t.memory.values)+len(t.memory.marks))
	for i := range t.memory.values {
		n += len(t.memory.values[i].Bytes)
	}
	return n
}

func (t *tally) size() int { return sizeOfTally + 8*cap(t.numbers.Buckets) }

func (f *Finding) size() int { return sizeOfFinding + len(f.Text) }

func sizeOfFrames(list []Frame) (n int) {
	for i := range list {
		n += sizeOfFrame + len(list[i].Line)
	}
	return n
}

func sizeOfTexts(list []string) (n int) {
	for _, text := range list {
		n += sizeOfText + len(text)
	}
	return n
}

// A Group is the result for a part of the capture.
type Group struct {
	Name     string
	Messages int
	Failures []*Failure // none: it fulfils the expectation
}
