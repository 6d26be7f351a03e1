package wiretest

import (
	"testing"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Events maps the event keys of a wire.Relay to names that a test gives them. The zero value is ready to use.
type Events struct {
	names map[string]string
	known map[string]bool
}

// Check requires that a message has the event of a name: the same as all others with that name, and different from the
// rest. "alone" is for a message to one receiver, "elsewhere" for an event reported elsewhere.
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
