package tribes

import (
	"fmt"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// The steps of a listing.
const (
	stepAnnounced uint8 = iota
	stepChallenged
	stepAnswered
	stepVerified
	stepListed
)

// longestLease is the longest time after which a real master drops a silent server.
const longestLease = 300 * time.Second

// listing is a game server's attempt to get into a master's list.
var listing = &wire.AttemptKind{
	Name: "listing", Noun: "listing", Goal: stepVerified, Several: true,
	Lease:  longestLease,
	Lapses: because(ruleGap, "no heartbeat for 300 s, after which masters drop it"),
	Steps: []wire.AttemptStep{
		{Name: "announced", Turn: wire.Asked, Patience: time.Duration(patience),
			Awaits: "verification: the master drops heartbeats, or verified the server before the capture"},
		{Name: "challenged", Turn: wire.Asker, Awaits: "answer to the verification", Patience: time.Duration(patience),
			Event: "challenged", Says: " is challenged by "},
		{Name: "answered"},
		{Name: "verified", Event: "verified", Says: " is verified by "},
		{Name: "listed"},
		{Name: "renewed"},
	},
}

// The kinds of events that this package reports itself. Package attempt reports the other events of a listing.
const (
	eventAnnounced = "announced"
	eventList      = "list"
	eventListed    = "listed"
	eventUnlisted  = "unlisted"
)

// The steps of a join.
const (
	stepRequested uint8 = iota
	stepAccepted
)

// joins are the attempts of players to join a game server. A player's game repeats its request until the server
// answers.
var joins = &wire.AttemptKind{
	Name: "joins", Noun: "join", Goal: stepAccepted, Repeats: true, Slow: 3 * time.Second,
	Steps: []wire.AttemptStep{
		{Name: "requested", Turn: wire.Asked, Awaits: "answer to ConnectRequest", Patience: time.Duration(patience)},
		{Name: "accepted"},
	},
}

// because returns a formatted sentence, followed by the id of the rule that explains it.
func because(rule *wire.Rule, format string, args ...any) string {
	return fmt.Sprintf(format, args...) + ": " + rule.ID
}
