package wire

import (
	"net/netip"

	"github.com/google/gopacket"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// A Protocol describes a protocol to the engine.
type Protocol struct {
	Name  string // name in filters and output
	Title string // name for people
	Type  gopacket.LayerType
	UDP   []uint16 // ports of its servers
	TCP   []uint16

	// FurtherTCP lists other ports on which the protocol's servers accept connections. The engine uses them only for
	// connections without data. A packet to such a port does not indicate the protocol.
	FurtherTCP []uint16

	AnyPort bool // its servers may direct clients to any port, so capture filters cannot select its traffic by port
	Rules   []*Rule

	// Messages lists the protocol's messages, in the order of its document.
	Messages *Messages

	// New makes a layer. The engine reuses it for all messages.
	New func() Layer

	// Probe judges a datagram of an unknown conversation. It is nil for protocols without UDP.
	Probe func(*Probe) Verdict

	// Unwrap returns the part of a datagram at an offset, how many bytes the snap length cut off from the part, and the
	// offset of the next part. It is for protocols that wrap their messages in frames. It may be nil.
	Unwrap func(d *Datagram, at int) (part []byte, missing, next int)

	// ProbeStream judges the beginning of one direction of a connection. If it returns Maybe, it is called again with
	// more data. NewSplitter makes the Splitter for a connection. Both are nil for protocols without TCP.
	ProbeStream func(*Probe) Verdict
	NewSplitter func() Splitter

	// Names calls host for each host that a datagram or a piece of a stream names. It is for trackers that compare the
	// messages of a host with what others say about the host. Names may report too many hosts. It may
	// be nil.
	Names func(t Transport, d *Datagram, host func(netip.Addr))

	// NewTracker makes the tracker, which checks rules about several messages. It may be nil.
	NewTracker func(*Reporter) Tracker

	// Times lists the names of the values that the tracker measures in seconds, in addition to "ping" and "lag". A name
	// may become a metric label, so it must not come from the traffic.
	Times []string

	// Attempts lists the kinds of attempts that the tracker follows.
	Attempts []*AttemptKind

	// Tables describes the tables of the tracker's values: see Value.Table.
	Tables []Table

	// Events lists the kinds of the tracker's events: see Value.Event.
	Events []string

	// NewSession makes the session of a capture, if decoding a message depends on earlier ones. The session's memory
	// counts against the budget; if the budget is nil, the session makes its own. NewSession may be nil.
	NewSession func(*bounded.Budget) Session

	// Private classifies the fields by privacy.
	Private Privacies

	// Roles says which fields an expectation can rely on.
	Roles Roles

	// People describes how messages name players; nil: they do not.
	People *People

	// Secret finds a password or other secret in chat. It returns the range text[from:to], which is empty if there is
	// no secret. It may be nil.
	Secret func(text []byte) (from, to int)

	// Differences lists the differences between the document and real programs, one sentence per difference.
	Differences []string
}

// A Table describes the values of one kind of subject. The summary of a capture treats some tables and columns
// specially by name: see docs/add-a-protocol.md.
type Table struct {
	Name string // "players"

	// Columns lists the names of a subject's values (see Value.What), the most important first.
	Columns []string

	// Steps lists further columns: states that a subject reaches one after the other. Each column contains the time at
	// which the subject reached the state.
	Steps []string

	// Shares maps a column to the column of which it is a share, such as lost packets to sent packets. Both contain
	// counts. Outputs for people show them in one column, as "3 of 20".
	Shares map[string]string

	// Meanings explains columns to people: "lag is from a ping to its echo". Outputs show the meanings of a table's
	// columns with the table.
	Meanings map[string]string
}

// Table returns the table with the given name, or nil.
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
