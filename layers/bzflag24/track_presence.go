package bzflag24

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/attempt"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// removal describes why the server removes a client.
type removal struct {
	reason   string
	when     int64
	shutdown bool // the server shuts down and thereby removes all players

	parting   bool // the player said goodbye
	dismissed bool // a MsgSuperKill came
	dropped   bool // the server, not the client, ended the connection
}

// take handles a line from the server. The line may be the reason why the server ends a connection soon after.
func (r *removal) take(m message, text string, toAll bool, callSign string) {
	goodbye, parting := cutGoodbye(text, callSign)
	switch {
	case parting && toAll:
		*r = removal{reason: goodbye, when: m.place.Time, parting: true}
	case isShutdown(text):
		*r = removal{reason: text, when: m.place.Time, shutdown: true}
	}
}

// dismiss handles MsgSuperKill. reason is why the server removes the player, or "".
func (r *removal) dismiss(m message, reason string) {
	if reason != "" && reason != attempt.NoReason && !r.isRecent(m) {
		*r = removal{reason: reason, when: m.place.Time}
	}
	r.dismissed = true
}

// justBefore is the maximum time between the line that states the reason and the end of the connection.
const justBefore = int64(2 * time.Second)

// isRecent reports whether the server sent a reason just before a message.
func (r *removal) isRecent(m message) bool {
	return r.reason != "" && m.since(r.when) <= justBefore
}

// sentence describes how a player leaves, with the reason.
func (r *removal) sentence(m message, name string) string {
	switch recent := r.isRecent(m); {
	case recent && r.shutdown:
		return name + " leaves: the server shuts down"
	case recent && r.parting:
		return name + " leaves: " + r.reason
	case recent:
		return name + " is removed by the server: " + r.reason
	case r.dismissed:
		return name + " is removed by the server"
	case r.dropped && !r.parting:
		return name + " is dropped by the server"
	}
	return name + " leaves"
}

// isShutdown reports whether a line announces that the server shuts down.
func isShutdown(line string) bool {
	line = strings.ToLower(line)
	return strings.Contains(line, "shutting down") || strings.Contains(line, "shut down")
}

// cutGoodbye returns the last words of a player who leaves. line is the message in which the server informs all players
// of the departure.
func cutGoodbye(line, callSign string) (goodbye string, ok bool) {
	rest, ok := strings.CutPrefix(line, callSign+" has left (\"")
	if !ok || callSign == "" {
		return "", false
	}
	return strings.CutSuffix(rest, "\")")
}

// seat is the stay of a player whom the server announced.
type seat struct {
	id   PlayerID
	team Team
	seen clock.Moment // time of the last activity on the player's connection, if it has ended
	bzflag.Seat
}

// setScore records the score that the server announces for the player.
func (s *seat) setScore(r bzflag.Recorder, now bzflag.Score) {
	s.Score(r, now)
	s.Compare(r, true)
}

// seats are the seats of a game.
type seats []seat

// find returns the seat of a player, or nil if there is none.
func (s seats) find(id PlayerID) *seat {
	if i := slices.IndexFunc(s, func(s seat) bool { return s.id == id }); i >= 0 {
		return &s[i]
	}
	return nil
}

// who returns a player's name for use in tables.
func (s seats) who(p *Player) string {
	if x := s.find(p.ID); x != nil {
		return x.Who
	}
	return p.subject()
}

// best returns the player with the best score, or nil if no player has a win.
func (s seats) best() *seat {
	var best *seat
	for i := range s {
		if x := &s[i]; best == nil && x.Beats(nil) || best != nil && x.Beats(&best.Seat) {
			best = x
		}
	}
	return best
}

// called returns the name of a player for use in sentences.
func (s seats) called(p *Player) string {
	switch {
	case p.ID == ServerPlayer:
		return "the server"
	case p.ID == NoPlayer:
		return "nobody"
	case int(p.ID) >= maxTanks:
		return p.String()
	}
	several := slices.ContainsFunc(s, func(s seat) bool { return s.id != p.ID && s.Name == p.CallSign })
	return bzflag.Called(p.CallSign, fmt.Sprint(p.ID), several)
}
