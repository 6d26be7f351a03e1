package wire

import (
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// Place describes where in the traffic something was seen.
//
// Lane is a small number, from 1, for the direction from Src to Dst. 0 means that the direction has no number.
// ReverseLane returns the number of the other direction. Lanes are reused after a conversation has been dropped, so
// code that keeps values by lane must compare the endpoints, as bounded.LRU does.
type Place struct {
	Frame        int // number of the packet in its file
	File         string
	Time         int64 // nanoseconds since 1970, UTC
	Transport    Transport
	Conversation int // number of the conversation, per transport, from 0; -1: unknown
	Lane         uint32
	Src, Dst     netip.AddrPort
	Protocol     *Protocol

	// Lossy says that the capture lacks the beginning of the connection or later messages of it, or contains messages
	// out of order.
	Lossy bool

	// Repeated says that the capture contains the packet twice, for example from before and after a router or from two
	// interfaces. Trackers do not receive the messages of such a packet.
	Repeated bool
}

// A ConversationID identifies a conversation of a capture.
type ConversationID struct {
	Transport Transport
	Number    int // per transport, from 0; -1: unknown
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

// A TrafficFinding is a finding about an earlier message, or about a message that never came.
type TrafficFinding struct {
	Place // place of the subject
	Rule  *Rule
	Text  string
}

// A Value is a measured value for statistics, such as the lag of a player or the map of a server. It can also be an
// event. Players of two servers may have the same name, so Server and Who together identify the subject.
type Value struct {
	Place                 // place of the message with the value
	Table  string         // kind of the subject: "servers", "players"; "" for an event
	Server netip.AddrPort // the server, or the master server
	Who    string         // the subject: "3 Alice"; "": the server itself
	Whom   string         // the object of an event: "4 Bob"; "": no object
	What   string         // name of the value: "ping", "map"; kind of the event: "kill"
	Number float64
	Unit   string // unit of the number: "s"; "" for a count
	State  bool   // Text replaces Number: it is the state from now on, and may be empty
	Text   string
	Answer bool // Number is the time from a question to its answer, which is the message at the place
	Event  bool // the value is an event at this time: Text is a sentence for people, without a full stop
}

// A Tracker checks rules about several messages and measures values. Each protocol and capture has its own Tracker. It
// receives all messages of its protocol in order, across connections and transports. Its memory must be bounded for any
// traffic.
//
// A finding about the current message goes to the message's layer: see Base.Report. Other findings, and values, go to
// the Reporter with which the tracker was made.
type Tracker interface {
	// Message handles a message. It is called after decoding and after the session. The caller reuses layer and place
	// afterwards.
	Message(l Layer, p *Place)

	// Lost records that messages from the place's source may be missing: bytes of a stream, the beginning of a stream,
	// or a datagram. Until the tracker knows the state again, it must not check rules that depend on these messages.
	Lost(p *Place)

	// Jump records a gap in the capture: the capture's clock was set, the capture was interrupted, or captures were
	// joined. Times before and after the gap cannot be compared, any message may be missing, and awaited messages are
	// not overdue. now may be earlier than the previous time.
	Jump(now int64)

	// Time sets the time, which is the time of the newest packet from any sender. It is called before Message and Lost,
	// and at the first packet at or after the time that Next returned. A message that was awaited by then is overdue.
	Time(now int64)

	// Next returns the earliest time at which Time must be called, or math.MaxInt64. It is called after each call of
	// another method.
	Next() int64

	// Close ends the tracker, because the capture ended at time now.
	Close(now int64)
}

// An Ender is a Tracker that is informed about the end of connections.
type Ender interface {
	// Ended records that the place's source sends nothing more over a connection: it closed the connection, one side
	// reset it, or a new connection uses the same ports.
	Ended(p *Place)
}

// A Reporter receives the findings and values of a tracker. Its functions may be nil. The arguments of a function are
// valid until it returns. The tracker's memory counts against the budget Memory; if that is nil, the tracker makes its
// own budget.
type Reporter struct {
	Finding func(*TrafficFinding)
	Value   func(*Value)
	Attempt func(*Attempt)
	Loss    *Rule // the rule that Missing reports; nil: Missing does nothing
	Memory  *bounded.Budget

	finding  TrafficFinding
	value    Value
	attempt  Attempt
	watchers []Watcher
}

// Watch makes the engine send signals to w. Trackers call Watch when they are made.
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

// Report reports a finding about an earlier message, or about a message that never came.
func (r *Reporter) Report(about *Place, rule *Rule, format string, args ...any) {
	if r.Finding == nil {
		return
	}
	r.finding = TrafficFinding{Place: *about, Rule: rule, Text: sprintf(format, args)}
	r.Finding(&r.finding)
}

// Missing reports that the capture lacks datagrams. The numbers in the protocol's messages show which ones. The place
// is the place of the message that shows the loss.
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

// Happened reports an event: who did what at a server, and a sentence about it for people. The caller must report an
// event once, even if several messages repeat it. Receivers escape the names in the sentence.
func (r *Reporter) Happened(p *Place, server netip.AddrPort, who, what, format string, args ...any) {
	if r.Value == nil {
		return
	}
	r.Measured(Value{Place: *p, Server: server, Who: who, What: what, Text: sprintf(format, args), Event: true})
}
