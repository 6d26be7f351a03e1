package wire

import (
	"net/netip"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// A Protocol describes a protocol to the engine.
type Protocol struct {
	Name  string // in filters and output
	Title string // for people
	Type  gopacket.LayerType
	UDP   []uint16 // ports of its servers
	TCP   []uint16

	// FurtherTCP are other ports to which clients of its servers connect. They do not indicate the protocol.
	FurtherTCP []uint16

	AnyPort bool // its servers send clients to any port
	Rules   []*Rule

	// Messages lists the protocol's messages, in the order of its document.
	Messages *Messages

	// New makes a layer, with which the engine decodes all messages in turn.
	New func() Layer

	// Probe judges a datagram of an unknown conversation. It is nil for protocols without UDP.
	Probe func(*Probe) Verdict

	// Unwrap returns the part of a datagram at an offset and the offset of the next part, for protocols that frame
	// their messages. May be nil.
	Unwrap func(d *Datagram, at int) (part []byte, missing, next int)

	// ProbeStream judges the beginning of one direction of a connection; Maybe asks for more
	// of it. NewSplitter makes the Splitter of a connection. Both are nil for protocols without TCP.
	ProbeStream func(*Probe) Verdict
	NewSplitter func() Splitter

	// Names calls host for each host that a datagram, or any piece of a stream, names. It is for trackers that compare
	// a host's messages with what others say of it. It may name too many hosts. May be nil.
	Names func(t Transport, d *Datagram, host func(netip.Addr))

	// NewTracker makes the tracker, which checks rules about several messages. May be nil.
	NewTracker func(*Reporter) Tracker

	// Times names the values that the tracker measures in seconds, in addition to "ping" and "lag". Each may become a
	// label of a metric, so it must not come from the traffic.
	Times []string

	// Attempts lists the kinds of attempts that the tracker follows.
	Attempts []*AttemptKind

	// Tables describes the tracker's values, see Value.Table.
	Tables []Table

	// Events lists the kinds of the tracker's events, see Value.Event.
	Events []string

	// NewSession makes the session of a capture, if decoding a message depends on earlier ones. The session keeps its
	// memory on the budget; nil means a budget of its own. May be nil.
	NewSession func(*bounded.Budget) Session

	// Private classifies the fields by privacy.
	Private Privacies

	// Roles says on which fields an expectation can rely.
	Roles Roles

	// People says how messages name players; nil: they do not.
	People *People

	// Secret finds a password or similar in chat: text[from:to], which is empty if there is none. May be nil.
	Secret func(text []byte) (from, to int)

	// Differences lists the differences between the document and real programs, a sentence each.
	Differences []string
}

// A Table describes the values of one kind of subject. The summary of a capture knows some tables and columns by their
// names, which docs/add-a-protocol.md lists.
type Table struct {
	Name string // "players"

	// Columns lists the values of a subject, see Value.What, the most important first.
	Columns []string

	// Steps lists further columns: states that are reached one after the other, with the time of each.
	Steps []string

	// Shares names the columns of counts that are shares of another column, such as lost of sent. People see both in
	// one column, as "3 of 20".
	Shares map[string]string

	// Meanings explains columns, for people: "lag is from a ping to its echo". A table shows the meanings of its
	// columns.
	Meanings map[string]string
}

// Table returns the table with that name, or nil.
func (p *Protocol) Table(name string) *Table {
	for i := range p.Tables {
		if p.Tables[i].Name == name {
			return &p.Tables[i]
		}
	}
	return nil
}

// Describe lists the fields of a message, including the header's.
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
