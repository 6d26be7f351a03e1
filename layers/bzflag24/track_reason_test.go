package bzflag24_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/bzflag24"
)

// removed plays messages after player 5 has joined, and returns the reason for the player's removal.
func removed(list ...said) (reason string) {
	k := newListener()
	k.tracker = bzflag24.Protocol.NewTracker(&wire.Reporter{Value: func(v *wire.Value) {
		if v.Table == "players" && v.What == "removed" {
			reason = v.Text
		}
	}})
	for _, s := range slices.Concat(joined, list) {
		k.hear(s)
	}
	return reason
}

// line returns a line of chat from one player to another.
func line(from, to byte, text string) said {
	return bySrv(message("mg", string([]byte{from, to, 0})+text+"\x00"))
}

// The reason for a removal is the last private message that the server sent to the player. It may be in any language.
func TestReasons(t *testing.T) {
	const server, all, none = 253, 254, "no reason given"
	farewell := line(server, 5, "Hasta la vista.")
	command := byCli(message("mg", "\xfe/lagstats"+zeros(119)))
	for name, c := range map[string]struct {
		list []said
		want string
	}{
		"words":                      {[]said{farewell, kicked}, "Hasta la vista."},
		"two lines":                  {[]said{farewell, line(server, 5, "ana").later(100 * time.Millisecond), kicked.later(time.Second)}, "Hasta la vista. ana"},
		"a line, and another later":  {[]said{line(server, 5, "Warning"), farewell.later(101 * time.Millisecond), kicked.later(time.Second)}, "Hasta la vista."},
		"just before":                {[]said{farewell, kicked.later(2 * time.Second)}, "Hasta la vista."},
		"too long before":            {[]said{farewell, kicked.later(2*time.Second + 1)}, none},
		"no words":                   {[]said{kicked}, none},
		"a line from another player": {[]said{line(6, 5, "You were kicked"), kicked}, none},
		"a line to another player":   {[]said{line(server, 6, "You were kicked"), kicked}, none},
		"a line to all players":      {[]said{line(server, all, "somebody was kicked"), kicked}, none},
		"a shutdown of the server":   {[]said{line(server, all, "The server is shutting down"), kicked}, "The server is shutting down"},
		"a reply":                    {[]said{command, line(server, 5, "No lag"), kicked.later(time.Second)}, none},
		"words at once":              {[]said{command, farewell, kicked}, "Hasta la vista."},
		"words after a reply":        {[]said{command, line(server, 5, "No lag"), farewell.later(time.Second), kicked.later(2 * time.Second)}, "Hasta la vista."},
		"words long after a command": {[]said{command, farewell.later(3 * time.Second), kicked.later(4 * time.Second)}, "Hasta la vista."},
		"a goodbye":                  {[]said{byCli(message("ex", "")), farewell, kicked}, ""},
		"a goodbye by a command":     {[]said{byCli(message("mg", "\xfe/part bye"+zeros(119))), kicked}, ""},
	} {
		if got := removed(c.list...); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	endless := line(server, 5, strings.Repeat("x", 120))
	if got := removed(endless, endless, endless, endless, kicked); len(got) != 300 {
		t.Errorf("the reason has %d bytes", len(got))
	}
}
