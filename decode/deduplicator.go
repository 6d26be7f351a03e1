package decode

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/dedup"
)

// A Deduplicator recognises messages that are copies. A server sends an event to each of its clients, so messages of
// several connections may carry the same event, see wire.Told. The messages of a repeated packet are also copies.
// Events that its memory had no room for count as new. It must not be used concurrently.
//
// Trackers that count events use their own dedup.Events. They must know which events are new before Told is called,
// even if the caller does not need copies, and they treat the two sides of a connection as one source.
type Deduplicator struct{ events *dedup.Events }

// copyWindow is the maximum time between copies. TCP may retransmit for seconds. Messages after that may be other
// events, because the number of a player who leaves is given to another player.
const copyWindow = 5 * time.Second

// Deduplicator makes a Deduplicator for use in Options.Message. It must be called before the first frame. The engine's
// memory limit includes its memory.
func (e *Engine) Deduplicator() *Deduplicator { return newDeduplicator(e.Part()) }

func newDeduplicator(b *bounded.Budget) *Deduplicator {
	return &Deduplicator{dedup.New(b, bounded.Kind{Name: "events"}, copyWindow)}
}

// Copy reports whether a message is a copy, and sets m.Copy. It must be called once for each message, in order. It
// requires Options.Told.
func (d *Deduplicator) Copy(m *Message) bool {
	m.Copy = m.Told.Skip || m.Told.Event != nil && d.repeats(m, m.Protocol.Name)
	return m.Copy
}

// Finding reports whether an earlier message with the same event had a finding of the same rule.
func (d *Deduplicator) Finding(m *Message, f *wire.Finding) bool {
	return m.Told.Event != nil && d.repeats(m, f.Rule.ID)
}

// repeats records the event of a message, or a rule that the message breaks. It reports whether another source had it
// before.
func (d *Deduplicator) repeats(m *Message, of string) bool {
	return d.events.Repeats(m.Told.Source, m.Time, of, m.Told.Event)
}
