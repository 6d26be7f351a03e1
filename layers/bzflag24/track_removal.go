package bzflag24

import (
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// removal is what a server said of why it removes a client.
type removal struct {
	reason   string
	when     int64
	shutdown bool // it ends, and everybody is removed

	refused   bool // the client never was a player
	parting   bool // the player said goodbye
	dismissed bool // MsgSuperKill came
}

// longReason is how many bytes of a reason get no more details. Servers say a sentence or two.
const longReason = 512

// recordReason remembers a line of the server's if it tells why it removes the client. The next one may give details.
func (e *event) recordReason(b *ChatFrom) {
	if !e.measures() {
		return
	}
	r, text := &e.connection.removal, strings.TrimSpace(string(wire.Trim(b.Text)))
	goodbye, parting := tellsParting(text, e.connection.callSign)
	switch {
	case parting && b.To.ID == AllPlayers:
		*r = removal{reason: goodbye, when: e.place.Time, parting: true}
	case tellsShutdown(text):
		*r = removal{reason: text, when: e.place.Time, shutdown: true}
	case bzflag.TellsRemoval(text, b.To.ID == e.connection.player, e.connection.callSign):
		*r = removal{reason: text, when: e.place.Time}
	case r.reason != "" && len(r.reason) < longReason && e.since(r.when) <= bzflag.JustBefore &&
		bzflag.HasPrefix(text, "reason"):
		r.reason += " " + text
	}
}

// tellsShutdown reports whether a line tells that the server ends.
func tellsShutdown(line string) bool {
	line = strings.ToLower(line)
	return strings.Contains(line, "shutting down") || strings.Contains(line, "shut down")
}

// tellsParting gives what a player says who leaves with a word, as the server tells everybody.
func tellsParting(line, callSign string) (goodbye string, ok bool) {
	rest, ok := strings.CutPrefix(line, callSign+" has left (\"")
	if !ok || callSign == "" {
		return "", false
	}
	return strings.CutSuffix(rest, "\")")
}

// measureRemoval tells why the server removes a player, as far as it said so just before.
func (e *event) measureRemoval() {
	r := &e.connection.removal
	if e.measures() && r.reason != "" && !r.parting && !r.refused && e.since(r.when) <= bzflag.JustBefore {
		e.measureState(bzflag.Players, e.ownPlayer().subject(), "removed", r.reason)
	}
}
