package decode

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/dedup"
)

// A Deduplicator recognises copies: a server sends an event to each of its clients, so messages of several connections
// are one event, see wire.Told. The messages of a repeated packet are copies as well. Events that it has no memory for
// count as new. It must not be used concurrently.
//
// Trackers that count events ask a dedup.Events of their own: they have to know what is new before Told is asked, and
// whether or not somebody wants copies, and the two sides of a connection are one source to them.
type Deduplicator struct{ events *dedup.Events }

// copyWindow is how far copies may be apart: TCP retransmits for seconds. Later ones may be other events: a number
// passes from a player who leaves to one who joins.
const copyWindow = 5 * time.Second

// Deduplicator makes a Deduplicator for Options.Message to ask. It must be called before the first frame. What the
// Deduplicator remembers counts as the engine's memory.
func (e *Engine) Deduplicator() *Deduplicator { return newDeduplicator(e.Part()) }

func newDeduplicator(b *bounded.Budget) *Deduplicator {
	return &Deduplicator{dedup.New(b, bounded.Kind{Name: "events"}, copyWindow)}
}

// Copy reports whether a message is a copy, and sets m.Copy. Call it for each message once, in order. It needs
// Options.Told.
func (d *Deduplicator) Copy(m *Message) bool {
	m.Copy = m.Told.Skip || m.Told.Event != nil && d.repeats(m, m.Protocol.Name)
	return m.Copy
}

// Finding reports whether another message with the same event had a finding of the same rule before.
func (d *Deduplicator) Finding(m *Message, f *wire.Finding) bool {
	return m.Told.Event != nil && d.repeats(m, f.Rule.ID)
}

// repeats notes the event of a message, or a rule that it breaks, and reports whether another source had it before.
func (d *Deduplicator) repeats(m *Message, of string) bool {
	return d.events.Repeats(m.Told.Source, m.Time, of, m.Told.Event)
}
