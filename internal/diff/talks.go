package diff

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// Talks are the conversations of a capture, as sequences of messages. A repetition counts once, and messages that come
// at any time are left out.
type Talks struct {
	list   []*talk
	byID   map[wire.ConversationID]*talk
	heard  map[netip.AddrPort]bool // servers that sent something
	latest int64                   // time of the latest message

	asked, again, open    int64 // questions, repeated questions, conversations that end with a question
	maybeAgain, maybeOpen int64 // numbers of those that may be repeated or open; the capture does not show it
	toServer, toClient    int64
	tcp                   bool
}

// Limits of memory.
const (
	maxTalks = 20_000
	maxSteps = 16
)

// patience is how long a question may be unanswered before it counts as open. The same question within this time counts
// as asked again.
const patience = int64(3e9)

type talk struct {
	protocol  string
	tcp       bool
	steps     []step
	joined    bool              // the messages that follow come in no order
	message   *wire.MessageType // last message
	direction wire.Direction    // direction of the last message
	last      int64             // time of the last message

	server       netip.AddrPort
	asked, again int64
}

// A step is a message, or several messages of one kind in a row.
type step struct {
	name      string
	direction wire.Direction
	many      bool
}

func (s step) String() string {
	mark := map[wire.Direction]string{wire.ToServer: ">", wire.FromServer: "<"}[s.direction]
	if s.many {
		return mark + s.name + "+"
	}
	return mark + s.name
}

// Message adds a message.
func (t *Talks) Message(m *decode.Message) {
	t.latest = max(t.latest, m.Time)
	if m.Repeated {
		return
	}
	t.tcp = t.tcp || m.Transport == wire.TCP
	switch m.Direction {
	case wire.ToServer:
		t.toServer++
	case wire.FromServer:
		t.toClient++
		t.hear(m.Src)
	}
	c := t.conversation(m)
	kind := m.Layer.Core().Message
	if c == nil || kind == nil || c.protocol != m.Protocol.Name {
		return
	}
	if kind.Recurs == wire.Anytime {
		// A client that plays has joined. From now on, messages of the client and the server have no order.
		c.joined = c.joined || m.Direction == wire.ToServer
		return
	}
	if kind.IsQuestion() && m.Transport == wire.UDP {
		c.asked++
		if c.message == kind && c.direction == m.Direction && m.Time-c.last < patience {
			c.again++
		}
	}
	c.message, c.direction, c.last = kind, m.Direction, m.Time
	c.add(step{name: m.Name, direction: m.Direction})
}

// hear records that a server sent something.
func (t *Talks) hear(server netip.AddrPort) {
	if t.heard == nil {
		t.heard = make(map[netip.AddrPort]bool)
	}
	if len(t.heard) < maxTalks {
		t.heard[server] = true
	}
}

// conversation returns the conversation of a message. It returns nil if there are too many.
func (t *Talks) conversation(m *decode.Message) *talk {
	id := m.ConversationID()
	if c := t.byID[id]; c != nil || len(t.list) >= maxTalks || id.Number < 0 {
		return c
	}
	if t.byID == nil {
		t.byID = make(map[wire.ConversationID]*talk)
	}
	c := &talk{protocol: m.Protocol.Name, tcp: m.Transport == wire.TCP, server: m.Dst}
	if m.Direction == wire.FromServer {
		c.server = m.Src
	}
	t.byID[id], t.list = c, append(t.list, c)
	return c
}

// add adds a step, unless the step repeats the previous one, or completes a repetition of the previous steps.
func (c *talk) add(s step) {
	n := len(c.steps)
	switch {
	case c.joined || n == maxSteps:
		return
	case n > 0 && c.steps[n-1].name == s.name && c.steps[n-1].direction == s.direction:
		c.steps[n-1].many = true
	default:
		c.steps = append(c.steps, s)
	}
	for k := 2; 2*k <= len(c.steps) && k <= 4; k++ {
		tail := c.steps[len(c.steps)-k:]
		if slices.Equal(tail, c.steps[len(c.steps)-2*k:len(c.steps)-k]) {
			c.steps = c.steps[:len(c.steps)-k]
			return
		}
	}
}

// close drops conversations without steps, and counts questions and conversations that end with a question. In two
// cases, the capture does not show whether a question is open: if it came close to the end of the capture, and if its
// server sent nothing while others did, because its address may be another server's second address.
func (t *Talks) close() {
	t.byID = nil
	t.list = slices.DeleteFunc(t.list, func(c *talk) bool { return len(c.steps) == 0 })
	for _, c := range t.list {
		again, open := &t.again, &t.open
		if t.latest-c.last < patience {
			open = &t.maybeOpen
		}
		if len(t.heard) > 0 && !t.heard[c.server] {
			again, open = &t.maybeAgain, &t.maybeOpen
		}
		t.asked += c.asked
		*again += c.again
		if c.message.IsQuestion() {
			*open++
		}
	}
	t.heard = nil
}

func (c *talk) begins() string {
	transport := wire.UDP
	if c.tcp {
		transport = wire.TCP
	}
	first := c.steps[0]
	first.many = false
	return c.protocol + " " + transport.String() + " " + first.String()
}

func (c *talk) shape() string {
	var texts []string
	for _, s := range c.steps {
		texts = append(texts, s.String())
	}
	return strings.Join(texts, " ")
}

// A Parting is the place where conversations start to differ from all good conversations that began alike.
type Parting struct {
	Begins string   `json:"begins"` // protocol, transport and first message
	New    int      `json:"conversations"`
	Of     int      `json:"of"`
	Before int      `json:"good_conversations"`
	Step   int      `json:"step"` // number of the first step that differs, from 1
	Shared []string `json:"before"`
	Good   []string `json:"good"` // up to three steps that followed; empty: none
	Now    []string `json:"now"`

	telling bool // there were many good conversations, and they were alike
}

// A group is the conversations that begin alike, in the good captures or in the compared one.
type group struct {
	count  int
	shapes map[string]*talk
	times  map[string]int // number of conversations with each shape
}

func groups(captures ...*Capture) map[string]*group {
	all := make(map[string]*group)
	for _, c := range captures {
		for _, t := range c.talks.list {
			g := all[t.begins()]
			if g == nil {
				g = &group{shapes: make(map[string]*talk), times: make(map[string]int)}
				all[t.begins()] = g
			}
			shape := t.shape()
			g.count++
			g.times[shape]++
			if old := g.shapes[shape]; old == nil || old.last < t.last {
				g.shapes[shape] = t
			}
		}
	}
	return all
}

// findParting finds the beginning after which most conversations are new. The parting describes the most frequent of
// these.
func findParting(good []*Capture, now *Capture) (found *Parting) {
	before, here := groups(good...), groups(now)
	for _, begins := range sortedNames(here) {
		was, is := before[begins], here[begins]
		if was == nil {
			continue
		}
		p := &Parting{Begins: begins, Of: is.count, Before: was.count, telling: was.count >= 4 && len(was.shapes) <= 3}
		most := ""
		for _, shape := range sortedNames(is.shapes) {
			if was.shapes[shape] != nil || goesOn(is.shapes[shape], was, now.talks.latest) {
				continue
			}
			p.New += is.times[shape]
			if most == "" || is.times[shape] > is.times[most] {
				most = shape
			}
		}
		if most != "" && (found == nil || p.New > found.New) {
			found = p
			p.describe(is.shapes[most].steps, was)
		}
	}
	return found
}

// goesOn reports whether a conversation was not over when the capture ended, and so far is equal to the beginning of a
// good one.
func goesOn(t *talk, was *group, end int64) bool {
	return end-t.last < patience && slices.ContainsFunc(sortedNames(was.shapes), func(shape string) bool {
		steps := was.shapes[shape].steps
		return len(steps) > len(t.steps) && slices.Equal(steps[:len(t.steps)], t.steps)
	})
}

// describe sets the place where steps first differ from the good conversation that shares most of them.
func (p *Parting) describe(steps []step, was *group) {
	var nearest []step
	at := -1
	for _, shape := range sortedNames(was.shapes) {
		good := was.shapes[shape].steps
		n := 0
		for n < min(len(good), len(steps)) && good[n] == steps[n] {
			n++
		}
		if n > at {
			nearest, at = good, n
		}
	}
	p.Step, p.Shared = at+1, texts(steps[max(at-2, 0):at])
	p.Good, p.Now = texts(nearest[at:min(at+3, len(nearest))]), texts(steps[at:min(at+3, len(steps))])
}

func texts(steps []step) []string {
	list := []string{}
	for _, s := range steps {
		list = append(list, s.String())
	}
	return list
}
