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

// spend counts comparisons. If there are too many, the run stops following the sequence.
func (r *run) spend(n int) {
	r.work.left -= n
	r.exhausted = r.exhausted || r.work.left < 0
}

func (e *Expectation) concerns(p *wire.Protocol) bool { return e.protocol == nil || e.protocol == p }

type run struct {
	expectation    *Expectation
	machine        *machine
	start          *state
	groups         map[groupKey]*group
	ordered        []*group                       // in the order of their first messages
	byConversation map[wire.ConversationID]*group // group of each conversation, for findings and values
	seen           bool                           // the capture has a message of the protocol
	unattached     group                          // findings that belong to no group
	ours           bool                           // at least one of unattached is about the expectation's protocol
	line           func(*decode.Message) string
	ambiguous      bool // there were too many threads
	budget         *budget
	full           bool // the memory is used up
	work           workload
	exhausted      bool // the work is used up
	costs          costs
	texts          []bool // for each measure in "hold": whether the value is a text, not a number
}

// groupKey identifies a group. The zero key stands for the whole capture.
type groupKey struct {
	conversation wire.ConversationID
	end          netip.AddrPort
}

func (r *run) take(g *group, bytes int) {
	r.budget.memory -= bytes
	g.bytes += bytes
}

// account updates the memory that a group uses. If no memory is left, the run stops following the group.
func (r *run) account(g *group) {
	r.take(g, g.size()-g.bytes)
	if r.budget.memory < 0 && len(g.threads) > 0 {
		r.full, g.threads = true, nil
	}
}

// ends returns the client and the server of a message. If the direction is unknown, the sender counts as the client.
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

// nameOf returns the name of a message's group, for reports.
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

// A group is a part of the traffic that must fulfil an expectation on its own.
type group struct {
	name     string
	excluded bool // "begins" does not select the group
	relevant bool // "having" selects the group
	messages int

	threads     []thread
	failure     *Failure
	nearest     *nearMiss
	before      [around]Frame // latest messages, newest last
	beforeCount int           // number of frames in before
	stalled     []Frame       // frames around the last message that matched
	farthest    int           // number of messages that the farthest thread has matched
	bytes       int           // bytes taken from the budget
	tallies     []tally
	findings
}

// A failure shows this many messages before and after the message that it is about.
const around = 3

// findings are findings that the bounds forbid.
type findings struct {
	count int
	first []Finding
}

const maxFindings = 10 // number of entries in findings.first

// A nearMiss is the message that best matched a step that a thread waited for.
type nearMiss struct {
	step    *Step
	frame   Frame
	matched int
	parts   int // number of conditions that were true
	differs []string
}

// A Failure is a step that was not fulfilled, or a bound that was exceeded.
type Failure struct {
	Step    *Step  // step whose message did not come or which forbids the message; nil: none
	Line    int    // line in the file
	Cause   string // what was expected and what came, as a sentence
	Matched int    // number of messages that matched before the failure
	Frame   *Frame // the wrong message; nil: a message is missing

	Nearest *Frame   // message of the step's type that matched best
	Differs []string // differences between Nearest and the step

	Before, After []Frame // messages around the failure
	Bound         []string
	Findings      []Finding
}

// A Frame is a message in a report.
type Frame struct {
	Number  int
	Message string // such as "MsgAccept from server"
	Line    string
}

// A Finding is a finding that the bounds forbid.
type Finding struct {
	Frame int
	Rule  *wire.Rule
	Text  string
}

// A tally has the data for one measure of one group.
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

// costs estimates the work of comparing a message with each step.
type costs struct {
	steps map[*Step]int
	named map[string][]*Step // by name of the expected message; "": any message
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
	sizeOfGroup   = int(unsafe.Sizeof(group{})+unsafe.Sizeof(Group{})) + 150 // with its entries in a map and in lists
	sizeOfPlace   = 100                                                      // entry of a conversation in a map
	sizeOfTally   = int(unsafe.Sizeof(tally{}))
	sizeOfThread  = int(unsafe.Sizeof(thread{}))
	sizeOfValue   = 64
	sizeOfFrame   = int(unsafe.Sizeof(Frame{}))
	sizeOfFailure = int(unsafe.Sizeof(Failure{}))
	sizeOfFinding = int(unsafe.Sizeof(Finding{}))
	sizeOfText    = int(unsafe.Sizeof(""))
)

// size returns the approximate number of bytes of a group.
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

// A Group is the result for a part of the traffic.
type Group struct {
	Name     string
	Messages int
	Failures []*Failure // if empty, the group fulfils the expectation
}
