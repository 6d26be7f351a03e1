package wiretest

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Events maps the event keys of a wire.Relay to names that a test assigns. The zero value is ready to use.
type Events struct {
	names map[string]string
	known map[string]bool
}

// Check requires that messages with the same event name have the same key, and all others a different one. The name
// "alone" is for a message to a single receiver, and "elsewhere" for an event that another message reports.
func (e *Events) Check(t *testing.T, told wire.Told, want string) {
	event := string(told.Event)
	got, met := e.names[event]
	switch {
	case told.Skip:
		got = "elsewhere"
	case told.Event == nil:
		got = "alone"
	case !met && e.known[want]:
		t.Errorf("%q is told as if it were another event", want)
		return
	case !met:
		if e.names == nil {
			e.names, e.known = make(map[string]string), make(map[string]bool)
		}
		e.names[event], e.known[want] = want, true
		got = want
	}
	if got != want {
		t.Errorf("%q is told, want %q", got, want)
	}
}
