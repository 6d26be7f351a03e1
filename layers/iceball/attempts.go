package iceball

import (
	"fmt"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/plainhttp"
)

// The steps of a listing.
const (
	stepAnnounced uint8 = iota
	stepChallenged
	stepAnswered
	stepVerified
	stepListed
)

// listing is a game server's attempt to be in a heartbeat server's list.
var listing = &wire.AttemptKind{
	Name: "listing", Noun: "listing", Goal: stepVerified, Several: true,
	Lease:  time.Duration(goneBy),
	Lapses: "the master accepted none of its announces for 120 s, after which it drops the server",
	Steps: []wire.AttemptStep{
		{Name: "announced", Turn: wire.Asked, Patience: time.Duration(announceRules.Patience),
			Awaits: "answer to its announces: the master is down, or a firewall is in between"},
		{Name: "challenged", Turn: wire.Asker, Patience: time.Duration(announceRules.Patience),
			Awaits: because(ruleAcceptUnanswered, "HSHK answers the master's MSOK"),
			Event:  "challenged", Says: " is challenged by "},
		{Name: "answered", Turn: wire.Asker, Patience: time.Duration(announceRules.Patience),
			Awaits: "HSHK with the cookie of the newest MSOK"},
		{Name: "verified", Event: "verified", Says: " is verified by "},
		{Name: "listed"},
		{Name: "renewed"},
	},
}

// fetch is an HTTP client's attempt to get a page or the list.
var fetch = plainhttp.NewFetch(10 * time.Second)

// The kinds of events that this package reports itself. Package attempt reports the other events of a listing.
const (
	eventAnnounced = "announced"
	eventList      = "list"
	eventListed    = "listed"
	eventUnlisted  = "unlisted"
	eventSame      = "same master"
)

// because returns a formatted sentence, and names the rule that explains it.
func because(rule *wire.Rule, format string, args ...any) string {
	return fmt.Sprintf(format, args...) + ": " + rule.ID
}
