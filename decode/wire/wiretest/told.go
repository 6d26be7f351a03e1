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

// Check requires that told has the event named want: the same key as earlier calls with that name, and a different key
// from calls with other names. The name "alone" is for a message to a single receiver, and "elsewhere" for an event
// that another message reports.
func (e *Events) Check(t *testing.T, told wire.Told, want string) {
	event := string(told.Event)
	got, seen := e.names[event]
	switch {
	case told.Skip:
		got = "elsewhere"
	case told.Event == nil:
		got = "alone"
	case !seen && e.known[want]:
		t.Errorf("%q has the key of a new event", want)
		return
	case !seen:
		if e.names == nil {
			e.names, e.known = make(map[string]string), make(map[string]bool)
		}
		e.names[event], e.known[want] = want, true
		got = want
	}
	if got != want {
		t.Errorf("the event is %q, want %q", got, want)
	}
}
