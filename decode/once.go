package decode

import (
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/dedup"
)

// A Once tells copies: a server tells each client of an event, so that messages of several connections are one event.
// An event for which there is no memory is new. A Once is for one goroutine at a time.
type Once struct{ events *dedup.Events }

// Once makes a Once for Options.Message to ask, before the first frame. What it remembers is in the engine's memory.
func (e *Engine) Once() *Once { return newOnce(e.Part()) }

func newOnce(b *bounded.Budget) *Once { return &Once{dedup.New(b, bounded.Kind{Name: "events"})} }

// Copy reports whether a message tells only what others told before, and notes it in the message. Each message has to
// come once, in order. The engine has to have Options.Told.
func (o *Once) Copy(m *Message) bool {
	m.Copy = m.Told.Elsewhere || m.Told.Event != nil && o.repeats(m, m.Protocol.Name)
	return m.Copy
}

// Finding reports whether a finding about a message repeats one about another message that tells the same event.
func (o *Once) Finding(m *Message, f *wire.Finding) bool {
	return m.Told.Event != nil && o.repeats(m, f.Rule.ID)
}

// repeats is about an event of a protocol, or a finding of a rule about one.
func (o *Once) repeats(m *Message, of string) bool {
	return o.events.Repeats(m.Told.Teller, m.Time, of, m.Told.Event)
}
