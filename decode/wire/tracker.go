package wire

import (
	"fmt"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

// Place says where in the traffic something was seen.
//
// Lane is a small number for what Src says to Dst, from 1; 0 if there is none. ReverseLane gives that of what Dst
// says to Src. When a conversation is forgotten another one gets its lanes, so whoever keeps something by lane looks
// whether it is still about the same two, as bounded.LRU does.
type Place struct {
	Frame        int // number of the packet in its file
	File         string
	Time         int64 // nanoseconds since 1970, UTC
	Transport    Transport
	Conversation int // number of the conversation, per transport, from 0; -1 if it is not known
	Lane         uint32
	Src, Dst     netip.AddrPort
	Protocol     *Protocol
}

// A ConversationID names a conversation of a capture.
type ConversationID struct {
	Transport Transport
	Number    int // per transport, from 0; -1 if it is not known
}

// ConversationID names the conversation that the place is in.
func (p *Place) ConversationID() ConversationID { return ConversationID{p.Transport, p.Conversation} }

// ReverseLane is the lane of the other direction; of none it is none.
func ReverseLane(lane uint32) uint32 {
	if lane == 0 {
		return 0
	}
	return (lane - 1) ^ 1 + 1
}

// A TrafficFinding is a finding about no message at hand: about an earlier one, or about what never came.
type TrafficFinding struct {
	Place // of what it is about
	Rule  *Rule
	Text  string
}

// A Value is something measured, for statistics: the lag of a player, the map of a server. Or it is an event. Players
// of two servers may have the same name, so it is the server and Who together that tell what it is about.
type Value struct {
	Place                 // of the message that showed it
	Table  string         // which kind of thing it is about: "servers", "players"; of an event ""
	Server netip.AddrPort // at which server, or master
	Who    string         // which of those there: "3 Alice"; "": the server itself
	Whom   string         // whom Who did it to: "4 Bob"; "": nobody
	What   string         // what was measured: "ping", "map"; what happened: "kill"
	Number float64
	Unit   string // of the number: "s"; "" for a count
	State  bool   // there is no number: Text, which may be empty, is how it stands from now on
	Text   string
	Answer bool // the number is the time from a question to the message at the place, its answer
	Event  bool // it happened at this moment: Text tells it to people, in a sentence without a full stop
}

// A Tracker remembers what was said and finds what is wrong about several messages. There is one a
// protocol and capture. It sees all messages of its protocol in order, across connections and
// transports. What it remembers is bounded, whatever comes.
//
// Findings about the message at hand go to its layer, see Base.Report; others, and values, to the
// Reporter that the tracker was made with.
type Tracker interface {
	// Message sees a message after it was decoded, and after the session. Layer and place are
	// used again afterwards.
	Message(l Layer, p *Place)

	// Lost tells that bytes of a stream are missing that the place's source sent: what they said
	// is not known, and rules that need it are quiet until it is.
	Lost(p *Place)

	// Time tells how late it is: that is the time of the newest packet, whoever sent it. It is called
	// before Message and Lost, and at the first packet from Next on. What did not come until now may
	// be late.
	Time(now int64)

	// Next is from when on Time has something to do: the end of time if nothing is awaited. It is
	// asked for after each call of the others.
	Next() int64

	// Close tells that the capture has ended at that time.
	Close(now int64)
}

// An Ender is a Tracker that wants to know when connections end.
type Ender interface {
	// Ended tells that the place's source says nothing more over a connection: it closed it, one of the two broke it
	// off, or another one through the same ports took its place.
	Ended(p *Place)
}

// A Reporter takes what a tracker has to tell. Its functions may be nil; what they are given is valid
// until they return. What the tracker remembers is on the budget Memory; nil is one of its own.
type Reporter struct {
	Finding func(*TrafficFinding)
	Value   func(*Value)
	Memory  *bounded.Budget

	finding TrafficFinding
	value   Value
}

// Report tells of a finding about an earlier message, or one that never came.
func (r *Reporter) Report(about *Place, rule *Rule, format string, args ...any) {
	if r.Finding == nil {
		return
	}
	text := format
	if len(args) > 0 {
		text = fmt.Sprintf(format, args...)
	}
	r.finding = TrafficFinding{Place: *about, Rule: rule, Text: text}
	r.Finding(&r.finding)
}

// Measured tells of a value.
func (r *Reporter) Measured(v Value) {
	if r.Value != nil {
		r.value = v
		r.Value(&r.value)
	}
}

// Happened tells of an event, once however many messages repeat it: who did what at a server, and in the words of
// format what people read of it. Names in it are escaped by those who show it.
func (r *Reporter) Happened(p *Place, server netip.AddrPort, who, what, format string, args ...any) {
	if r.Value == nil {
		return
	}
	text := format
	if len(args) > 0 {
		text = fmt.Sprintf(format, args...)
	}
	r.Measured(Value{Place: *p, Server: server, Who: who, What: what, Text: text, Event: true})
}
