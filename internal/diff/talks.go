package diff

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
)

// Talks are the conversations of a capture, as sequences of messages. A repetition counts once, and messages that may
// come at any time are left out.
type Talks struct {
	list   []*talk
	byID   map[wire.ConversationID]*talk
	heard  map[netip.AddrPort]bool // servers that sent something
	latest int64                   // time of the latest message

	asked, again, open    int64 // numbers of questions, repeated questions, and conversations that end with a question
	maybeAgain, maybeOpen int64 // numbers of further questions that may be repeated or open
	toServer, toClient    int64
	tcp                   bool
	againBy, openBy       [2]netip.AddrPort // client and server of the last such conversation
}

// These limits bound the memory.
const (
	maxTalks = 20_000
	maxSteps = 16
)

// patience is the time in nanoseconds after which an unanswered question counts as open. If the same question comes
// again within this time, it counts as repeated.
const patience = int64(3e9)

type talk struct {
	protocol  string
	tcp       bool
	steps     []step
	frames    []int             // packet of each step
	joined    bool              // further messages may come in any order
	message   *wire.MessageType // the latest message
	direction wire.Direction    // direction of the latest message
	last      int64             // time of the latest message

	client, server netip.AddrPort
	asked, again   int64
}

// A step is a message, or several consecutive messages of one kind.
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
func (t *Talks) Message(m *decode.Message) { t.Take(&m.Place, m.Direction, m.Layer.Core().Message) }

// Take adds a message of a kind. If kind is nil, which means unknown, Take only counts the direction.
func (t *Talks) Take(m *wire.Place, direction wire.Direction, kind *wire.MessageType) {
	t.latest = max(t.latest, m.Time)
	if m.Repeated {
		return
	}
	t.tcp = t.tcp || m.Transport == wire.TCP
	switch direction {
	case wire.ToServer:
		t.toServer++
	case wire.FromServer:
		t.toClient++
		t.hear(m.Src)
	}
	c := t.conversation(m, direction)
	if c == nil || kind == nil || c.protocol != m.Protocol.Name {
		return
	}
	if kind.Recurs == wire.Anytime {
		// A client that plays has joined. After that, its messages and the server's messages have no fixed order.
		c.joined = c.joined || direction == wire.ToServer
		return
	}
	if kind.IsQuestion() && m.Transport == wire.UDP {
		c.asked++
		if c.message == kind && c.direction == direction && m.Time-c.last < patience {
			c.again++
		}
	}
	c.message, c.direction, c.last = kind, direction, m.Time
	c.add(step{name: kind.Name, direction: direction}, m.Frame)
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

// conversation returns the conversation of a message, or nil if there are too many conversations.
func (t *Talks) conversation(m *wire.Place, direction wire.Direction) *talk {
	id := m.ConversationID()
	if c := t.byID[id]; c != nil || len(t.list) >= maxTalks || id.Number < 0 {
		return c
	}
	if t.byID == nil {
		t.byID = make(map[wire.ConversationID]*talk)
	}
	c := &talk{protocol: m.Protocol.Name, tcp: m.Transport == wire.TCP, client: m.Src, server: m.Dst}
	if direction == wire.FromServer {
		c.client, c.server = m.Dst, m.Src
	}
	t.byID[id], t.list = c, append(t.list, c)
	return c
}

// add adds a step. It merges the step with an equal one before it, and removes steps that repeat the steps before them.
func (c *talk) add(s step, frame int) {
	n := len(c.steps)
	switch {
	case c.joined || n == maxSteps:
		return
	case n > 0 && c.steps[n-1].name == s.name && c.steps[n-1].direction == s.direction:
		c.steps[n-1].many = true
	default:
		c.steps, c.frames = append(c.steps, s), append(c.frames, frame)
	}
	for k := 2; 2*k <= len(c.steps) && k <= 4; k++ {
		tail := c.steps[len(c.steps)-k:]
		if slices.Equal(tail, c.steps[len(c.steps)-2*k:len(c.steps)-k]) {
			c.steps, c.frames = c.steps[:len(c.steps)-k], c.frames[:len(c.steps)-k]
			return
		}
	}
}

// close drops conversations without steps, and counts questions and conversations that end with a question. In two
// cases, the capture does not show whether a question is open: if it came near the end of the capture, or if its server
// sent nothing while other servers did. The silent address may be a second address of another server.
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
		if *again += c.again; c.again > 0 && again == &t.again {
			t.againBy = [2]netip.AddrPort{c.client, c.server}
		}
		if c.message.IsQuestion() {
			if *open++; open == &t.open {
				t.openBy = [2]netip.AddrPort{c.client, c.server}
			}
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

// A Parting is the place where conversations begin to differ from all good conversations that begin with the same
// message.
type Parting struct {
	Begins string   `json:"begins"`             // protocol, transport and first message
	New    int      `json:"conversations"`      // number of conversations that differ
	Of     int      `json:"of"`                 // number of conversations that begin with this message
	Before int      `json:"good_conversations"` // the same in the good captures
	Step   int      `json:"step"`               // number of the first step that differs, from 1
	Shared []string `json:"before"`             // up to two steps before that
	Good   []string `json:"good"`               // up to three next steps of the good conversation; empty if it ends there
	Now    []string `json:"now"`

	Filters Filters `json:"filters"` // for a conversation that differs, and for the most similar good one
	Frames  [2]int  `json:"frames"`  // packets of the step, or of the last step if the conversation is shorter: good, new

	near        *talk // the most similar good conversation
	significant bool  // worth showing in any case: many good conversations have few different forms
}

// A group contains the conversations that begin with the same message, in the good captures or in the compared one.
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

// findParting compares conversations that begin with the same message. It returns a parting for the group with the most
// new conversations. The parting describes the most frequent form of these conversations.
func findParting(good []*Capture, now *Capture) (found *Parting) {
	before, here := groups(good...), groups(now)
	for _, begins := range sortedNames(here) {
		was, is := before[begins], here[begins]
		if was == nil {
			continue
		}
		p := &Parting{Begins: begins, Of: is.count, Before: was.count, significant: was.count >= 4 && len(was.shapes) <= 3}
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
			p.describe(is.shapes[most], was)
			p.Filters.In = max(slices.IndexFunc(good, func(g *Capture) bool { return slices.Contains(g.talks.list, p.near) }), 0)
		}
	}
	return found
}

// goesOn reports whether a conversation was still open at the end of the capture, and is equal to the beginning of a
// good one.
func goesOn(t *talk, was *group, end int64) bool {
	return end-t.last < patience && slices.ContainsFunc(sortedNames(was.shapes), func(shape string) bool {
		steps := was.shapes[shape].steps
		return len(steps) > len(t.steps) && slices.Equal(steps[:len(t.steps)], t.steps)
	})
}

// describe finds the good conversation with the longest common beginning, and describes where the two begin to differ.
func (p *Parting) describe(now *talk, was *group) {
	steps, at := now.steps, -1
	var nearest []step
	for _, shape := range sortedNames(was.shapes) {
		good := was.shapes[shape].steps
		n := 0
		for n < min(len(good), len(steps)) && good[n] == steps[n] {
			n++
		}
		if n > at {
			nearest, at, p.near = good, n, was.shapes[shape]
		}
	}
	p.Filters = Filters{Good: ofEnds(p.near.client, p.near.server), Now: ofEnds(now.client, now.server)}
	p.Frames = [2]int{p.near.frameAt(at), now.frameAt(at)}
	p.Step, p.Shared = at+1, texts(steps[max(at-2, 0):at])
	p.Good, p.Now = texts(nearest[at:min(at+3, len(nearest))]), texts(steps[at:min(at+3, len(steps))])
}

// frameAt returns the packet of a step, or of the last step if there are fewer.
func (c *talk) frameAt(step int) int { return c.frames[min(step, len(c.frames)-1)] }

func texts(steps []step) []string {
	list := []string{}
	for _, s := range steps {
		list = append(list, s.String())
	}
	return list
}
