package decode

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/dedup"
)

// A Deduplicator recognises messages that are copies. A server sends an event to each of its clients, so messages of
// several connections may carry the same event, see wire.Told. The messages of a repeated packet are also copies. If
// memory is short, a Deduplicator forgets events, and later copies of them count as new. It must not be used
// concurrently.
//
// Trackers count events with a dedup.Events of their own. They must know whether an event is new before Told is called,
// and even if Options.Told is not set. They also treat the two sides of a connection as one source.
type Deduplicator struct{ events *dedup.Events }

// copyWindow is the maximum time between copies. TCP may retransmit for seconds. After that, an equal message may be
// another event: a new player may have the number of a player who left.
const copyWindow = 5 * time.Second

// Deduplicator makes a Deduplicator for use in Options.Message. It must be called before the first frame. The
// Deduplicator's memory counts towards the engine's limit.
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

// repeats records that a source reported an event, or that it had a finding of a rule about the event. of is the name
// of the protocol, or the ID of the rule. repeats reports whether the same was recorded for another source before.
func (d *Deduplicator) repeats(m *Message, of string) bool {
	return d.events.Repeats(m.Told.Source, m.Time, of, m.Told.Event)
}
