package bzflag

import (
	"net/netip"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Called is how sentences call a player, whose call sign and place are given: by the name alone where it can be taken
// for nothing but a name. Among players of the same name the place tells them apart.
func Called(callSign, place string, several bool) string {
	switch {
	case callSign == "":
		return "player " + place
	case strings.ContainsAny(callSign, " :\"'()*,") || callSign == "server" || callSign == "nobody":
		callSign = `"` + withinQuotes.Replace(callSign) + `"`
	}
	if several {
		callSign += " (player " + place + ")"
	}
	return callSign
}

// withinQuotes keeps a name between quotes from ending them.
var withinQuotes = strings.NewReplacer(`"`, `\"`, `\`, `\\`)

// joinSentence tells that a player came, into which team, and how many players there are now; 0: that is not known.
func joinSentence(name string, team int64, players int) string {
	s := name + " joins"
	if t := teamOf(team); t != "" {
		s += " " + t
	}
	if players > 0 {
		s += " (" + wire.Counted(players, "player") + ")"
	}
	return s
}

// presentSentence tells that a player is there whose coming was not seen.
func presentSentence(name string, team int64) string {
	s := name + " is there already"
	if t := teamOf(team); t != "" {
		s += ", in " + t
	}
	return s
}

// teamOf names a team, "" if it is none.
func teamOf(team int64) string {
	if team < 0 {
		return ""
	}
	if team == observers {
		return "the observers"
	}
	return TeamNames.Format(team)
}

// Numbers of teams that are none: rogues fight for themselves, and observers not at all.
const (
	rogues    = 0
	observers = 5
)

// TeamFlag is how sentences call a team's flag; that of no team is one of which nothing is known.
func TeamFlag(team int64) string {
	if team <= rogues || team >= observers {
		return "a flag"
	}
	return TeamNames.Format(team) + "'s flag"
}

// MaskSecret gives what somebody says without passwords: they are nothing that a timeline should show.
func MaskSecret(text []byte) string {
	from, to := FindSecret(text)
	if from >= to {
		return string(text)
	}
	return string(text[:from]) + strings.Repeat("*", to-from) + string(text[to:])
}

// refusedSentence tells that a server refuses a client, and why.
func refusedSentence(client netip.AddrPort, callSign, reason string) string {
	s := client.Addr().String()
	if callSign != "" {
		s += " (" + callSign + ")"
	}
	return s + " is refused: " + reason
}
