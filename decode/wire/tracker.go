package wire

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// Place says where in the traffic something was seen.
//
// Lane is a small number for the direction from Src to Dst, from 1; 0 means none. ReverseLane returns the number of the
// other direction. Lanes are reused when a conversation has been dropped, so code that keeps values by lane must
// compare the endpoints, as bounded.LRU does.
type Place struct {
	Frame        int // number of the packet in its file
	File         string
	Time         int64 // nanoseconds since 1970, UTC
	Transport    Transport
	Conversation int // number of the conversation, per transport, from 0; -1 if it is not known
	Lane         uint32
	Src, Dst     netip.AddrPort
	Protocol     *Protocol

	// Lossy says that the capture lacks the beginning of the connection or later messages, or contains them out of
	// order.
	Lossy bool

	// Repeated says that the capture contains the packet a second time, such as before a router or on another
	// interface. Trackers do not see messages that it carries.
	Repeated bool
}

// A ConversationID identifies a conversation of a capture.
type ConversationID struct {
	Transport Transport
	Number    int // per transport, from 0; -1 if it is not known
}

// ConversationID returns the id of the place's conversation.
func (p *Place) ConversationID() ConversationID { return ConversationID{p.Transport, p.Conversation} }

// ReverseLane returns the lane of the other direction, or 0 for 0.
func ReverseLane(lane uint32) uint32 {
	if lane == 0 {
		return 0
	}
	return (lane - 1) ^ 1 + 1
}

// A TrafficFinding is a finding about an earlier message, or about one that never came.
type TrafficFinding struct {
	Place // place of the subject
	Rule  *Rule
	Text  string
}

// A Value is a measured value, for statistics: the lag of a player, the map of a server. Or it is an event. Players of
// two servers may have the same name, so Server and Who together identify the subject.
type Value struct {
	Place                 // place of the message that showed it
	Table  string         // kind of the subject: "servers", "players"; "" for an event
	Server netip.AddrPort // the server, or master
	Who    string         // the subject: "3 Alice"; "": the server itself
	Whom   string         // the object of an event: "4 Bob"; "": none
	What   string         // name of the value: "ping", "map"; kind of the event: "kill"
	Number float64
	Unit   string // unit of the number: "s"; "" for a count
	State  bool   // instead of a number, Text is the state from now on; it may be empty
	Text   string
	Answer bool // the number is the time from a question to its answer, the message at the place
	Event  bool // it happened at this moment: Text is a sentence for people, without a full stop
}

// A Tracker checks rules about several messages and measures values. There is one for each protocol and capture. It
// sees all messages of its protocol in order, across connections and transports. Its memory must be bounded for any
// traffic.
//
// Findings about the current message go to its layer, see Base.Report; other findings, and values, go to the Reporter
// with which the tracker was made.
type Tracker interface {
	// Message takes a message after it was decoded, and after the session. The caller reuses layer
	// and place afterwards.
	Message(l Layer, p *Place)

	// Lost reports that messages from the place's source may be missing: bytes of a stream, its beginning, or a datagram.
	// Rules that depend on them are not checked until the tracker knows the state again.
	Lost(p *Place)

	// Jump reports that the capture has a hole: its clock was set, it was interrupted, or captures were joined. Times
	// before and after it cannot be compared, any message may be missing, and awaited messages are not overdue. now may
	// be earlier than the time before.
	Jump(now int64)

	// Time sets the time to that of the newest packet of any sender. It is called before Message and Lost, and at the
	// first packet at or after the result of Next. Messages that did not come by then may be late.
	Time(now int64)

	// Next returns the earliest time at which Time has work to do, or math.MaxInt64. It is called
	// after each call of the other methods.
	Next() int64

	// Close reports that the capture ended at time now.
	Close(now int64)
}

// An Ender is a Tracker that learns when connections end.
type Ender interface {
	// Ended reports that the place's source sends nothing more over a connection: it closed the connection, one side
	// reset it, or a new connection uses the same ports.
	Ended(p *Place)
}

// A Reporter takes a tracker's findings and values. Its functions may be nil; their arguments are valid until they
// return. The tracker keeps its memory on the budget Memory; nil means a budget of its own.
type Reporter struct {
	Finding func(*TrafficFinding)
	Value   func(*Value)
	Attempt func(*Attempt)
	Loss    *Rule // the rule of Missing; nil makes it do nothing
	Memory  *bounded.Budget

	finding  TrafficFinding
	value    Value
	attempt  Attempt
	watchers []Watcher
}

// Watch makes the engine send signals to w. Trackers call it when they are made.
func (r *Reporter) Watch(w Watcher) { r.watchers = append(r.watchers, w) }

// Signal sends a signal to all watchers.
func (r *Reporter) Signal(s Signal, p *Place) {
	for _, w := range r.watchers {
		w.Signal(s, p)
	}
}

// Attempted reports the state of an attempt.
func (r *Reporter) Attempted(a *Attempt) {
	if r.Attempt != nil {
		r.attempt = *a
		r.Attempt(&r.attempt)
	}
}

// Report reports a finding about an earlier message, or one that never came.
func (r *Reporter) Report(about *Place, rule *Rule, format string, args ...any) {
	if r.Finding == nil {
		return
	}
	r.finding = TrafficFinding{Place: *about, Rule: rule, Text: sprintf(format, args)}
	r.Finding(&r.finding)
}

// Missing reports that the capture lacks datagrams, and which, according to the protocol's message numbers. The place
// is that of the message that shows it.
func (r *Reporter) Missing(p *Place, format string, args ...any) {
	if r.Loss != nil {
		r.Report(p, r.Loss, format, args...)
	}
}

// Measured reports a value.
func (r *Reporter) Measured(v Value) {
	if r.Value != nil {
		r.value = v
		r.Value(&r.value)
	}
}

// Happened reports an event: who did what at a server, and a sentence for people. The caller must report an event once,
// even if several messages repeat it. Receivers escape the names in the sentence.
func (r *Reporter) Happened(p *Place, server netip.AddrPort, who, what, format string, args ...any) {
	if r.Value == nil {
		return
	}
	r.Measured(Value{Place: *p, Server: server, Who: who, What: what, Text: sprintf(format, args), Event: true})
}
