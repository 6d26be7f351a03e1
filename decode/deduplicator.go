package decode

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/dedup"
)

// A Deduplicator recognises copies. A server sends an event to each of its clients, so messages of several connections
// are one event, see wire.Told. The messages of a repeated packet are copies too. Events that exceed its memory count
// as new. It must not be used concurrently.
//
// Trackers that count events use a dedup.Events of their own: they need to know what is new before Told is called,
// whether or not anybody asks for copies, and they treat the two sides of a connection as one source.
type Deduplicator struct{ events *dedup.Events }

// copyWindow is how far apart copies may be: TCP retransmits for seconds. Later messages may be other events, since the
// number of a player who leaves passes to one who joins.
const copyWindow = 5 * time.Second

// Deduplicator makes a Deduplicator for use in Options.Message. Call it before the first frame. Its memory counts as
// the engine's.
func (e *Engine) Deduplicator() *Deduplicator { return newDeduplicator(e.Part()) }

func newDeduplicator(b *bounded.Budget) *Deduplicator {
	return &Deduplicator{dedup.New(b, bounded.Kind{Name: "events"}, copyWindow)}
}

// Copy reports whether a message is a copy, and sets m.Copy. Call it once for each message, in order. It needs
// Options.Told.
func (d *Deduplicator) Copy(m *Message) bool {
	m.Copy = m.Told.Skip || m.Told.Event != nil && d.repeats(m, m.Protocol.Name)
	return m.Copy
}

// Finding reports whether an earlier message with the same event had a finding of the same rule.
func (d *Deduplicator) Finding(m *Message, f *wire.Finding) bool {
	return m.Told.Event != nil && d.repeats(m, f.Rule.ID)
}

// repeats records the event of a message, or a rule that it breaks, and reports whether another source had it before.
func (d *Deduplicator) repeats(m *Message, of string) bool {
	return d.events.Repeats(m.Told.Source, m.Time, of, m.Told.Event)
}
