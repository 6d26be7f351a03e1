package bzflag24

import (
	"slices"
	"strings"
	"time"

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

const (
	// just is how long before a removal its reason is told.
	just = int64(2 * time.Second)

	// longReason is how many bytes of a reason get no more details. Servers say a sentence or two.
	longReason = 512
)

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
	case tellsRemoval(text, b.To.ID == e.connection.player, e.connection.callSign):
		*r = removal{reason: text, when: e.place.Time}
	case r.reason != "" && len(r.reason) < longReason && e.since(r.when) <= just && hasPrefix(text, "reason"):
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

// tellsRemoval reports whether a line tells of the removal of a player: one to the player itself, or one that begins
// with its call sign.
func tellsRemoval(line string, toPlayer bool, callSign string) bool {
	if rest, ok := strings.CutPrefix(line, callSign+" "); ok && callSign != "" {
		return isRemoved(rest) || hasPrefix(rest, "kicked by") || hasPrefix(rest, "banned by")
	}
	if !toPlayer {
		return false
	}
	if hasPrefix(line, "you ") {
		return isRemoved(line[len("you "):])
	}
	return hasPrefix(line, "autokick") || hasPrefix(line, "your end is not using udp")
}

// isRemoved reports whether a sentence goes on so that its subject is removed.
func isRemoved(rest string) bool {
	words := strings.Fields(strings.ToLower(rest))
	for _, passive := range [][]string{{"were"}, {"was"}, {"are"}, {"is"}, {"have", "been"}, {"has", "been"}} {
		n := len(passive)
		if len(words) > n && slices.Equal(words[:n], passive) {
			return slices.ContainsFunc(words[n:min(len(words), n+2)], isRemoval)
		}
	}
	return false
}

func isRemoval(word string) bool {
	return slices.Contains([]string{"kicked", "banned", "removed", "disconnected"}, strings.Trim(word, ".,:!"))
}

// hasPrefix is strings.HasPrefix in upper case or lower.
func hasPrefix(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// measureRemoval tells why the server removes a player, as far as it said so just before.
func (e *event) measureRemoval() {
	r := &e.connection.removal
	if e.measures() && r.reason != "" && !r.parting && !r.refused && e.since(r.when) <= just {
		e.measureState(bzflag.Players, e.ownPlayer().subject(), "removed", r.reason)
	}
}
