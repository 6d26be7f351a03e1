package wire

import (
	"net/netip"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// A Protocol is everything the engine has to know of one.
type Protocol struct {
	Name    string // in filters and output
	Title   string // for people
	Type    gopacket.LayerType
	UDP     []uint16 // ports of its servers
	TCP     []uint16
	AnyPort bool // its servers send clients on to ports of any number
	Rules   []*Rule

	// Messages lists the protocol's messages, in the order of its document.
	Messages *Messages

	// New makes a layer; the engine decodes one message after the other with it.
	New func() Layer

	// Probe judges a datagram of a conversation that is not known yet.
	Probe func(*Probe) Verdict

	// Unwrap gives the next part of a datagram, from an offset on, and where the one after it
	// begins, for protocols that wrap messages in a framing of their own. May be nil.
	Unwrap func(d *Datagram, at int) (part []byte, missing, next int)

	// ProbeStream judges the beginning of one direction of a connection; Maybe asks for more
	// of it. NewSplitter makes what cuts a connection into messages. Both are nil for protocols
	// that are not spoken over TCP.
	ProbeStream func(*Probe) Verdict
	NewSplitter func() Splitter

	// Names calls a function for each host that a datagram names, or a piece of a stream, which may begin anywhere:
	// where what they say is held against what is said of them. It may name too many. May be nil.
	Names func(t Transport, d *Datagram, host func(netip.Addr))

	// NewTracker makes what finds the rules broken that are about several messages. May be nil.
	NewTracker func(*Reporter) Tracker

	// Times names what the tracker measures in seconds, besides "ping" and "lag". Each may become a label of
	// a metric, so it must not hold what comes from the traffic.
	Times []string

	// Tables are what the tracker measures, see Value.Table.
	Tables []Table

	// Events are the kinds of events that the tracker tells of, see Value.Event.
	Events []string

	// NewSession makes the memory of a capture, where telling messages apart needs one. What it remembers is
	// on the budget; nil is one of its own. May be nil.
	NewSession func(*bounded.Budget) Session

	// Private says what a stranger must not see of what is said.
	Private Privacies

	// Roles says which fields an expectation can rely on.
	Roles Roles

	// Secret finds a password or the like in what people say: text[from:to], which is empty if there
	// is none. May be nil.
	Secret func(text []byte) (from, to int)

	// Differences lists where the document and real programs differ, a sentence each.
	Differences []string
}

// A Table has what is measured of things of a kind.
type Table struct {
	Name string // "players"

	// Columns are what is measured of one, see Value.What: what people want to know first comes first.
	Columns []string

	// Steps are columns that stand behind these: states that are steps on a way, so that it matters when each was
	// reached.
	Steps []string
}

// Table gives a table by its name, nil if there is none.
func (p *Protocol) Table(name string) *Table {
	for i := range p.Tables {
		if p.Tables[i].Name == name {
			return &p.Tables[i]
		}
	}
	return nil
}

// Describe lists the fields of one of a protocol's messages, those of the header included.
func (p *Protocol) Describe(t *MessageType) []Field {
	l := p.New()
	b := l.Core()
	b.Body, b.Message = t.Body.New(), t
	b.Context.Direction = t.Direction
	var s schema
	c := &b.second
	c.begin(describing, nil, &b.Context)
	c.schema = &s
	l.Walk(c)
	return s.fields
}
