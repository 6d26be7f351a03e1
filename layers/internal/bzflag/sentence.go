package bzflag

import (
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// Called returns the name of a player for use in sentences. The name is the call sign, in quotes if it could be
// misread. place is the player's number or id: it replaces a missing call sign, and follows a call sign that several
// players share.
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

// withinQuotes escapes a name between quotes.
var withinQuotes = strings.NewReplacer(`"`, `\"`, `\`, `\\`)

// joinSentence returns a sentence that reports that a player joins a team. players is the number of players after the
// join, or 0 if it is unknown. Observers do not count as players.
func joinSentence(name string, team int64, players int) string {
	s := name + " joins"
	if t := teamOf(team); t != "" {
		s += " " + t
	}
	if players > 0 && team != Observers {
		s += " (" + wire.Counted(players, "player") + ")"
	}
	return s
}

// ChatSentence returns a sentence that reports what one player writes to another. If to is "", the text is for all
// players.
func ChatSentence(from, to, text string) string {
	if to != "" {
		from += " to " + to
	}
	return from + ": " + text
}

// ActionSentence is like ChatSentence, for an action of a player ("/me").
func ActionSentence(from, to, text string) string {
	s := "* " + from + " " + text
	if to != "" {
		s += " (to " + to + ")"
	}
	return s
}

// presentSentence returns a sentence that reports that a player was present before the capture.
func presentSentence(name string, team int64) string {
	s := name + " is there already"
	if t := teamOf(team); t != "" {
		s += ", in " + t
	}
	return s
}

func teamOf(team int64) string {
	if team < 0 {
		return ""
	}
	if team == Observers {
		return "the observers"
	}
	return TeamNames.Format(team)
}

// Rogues and Observers have team numbers but are not teams.
const (
	rogues    = 0
	Observers = 5
)

func isTeam(team int64) bool { return team > rogues && team < Observers }

// TeamFlag returns the name of a team's flag for use in sentences. If there is no team, the name is "a flag".
func TeamFlag(team int64) string {
	if !isTeam(team) {
		return "a flag"
	}
	return TeamNames.Format(team) + "'s flag"
}

// MaskSecret returns a line of chat in which asterisks replace a password.
func MaskSecret(text []byte) string {
	from, to := FindSecret(text)
	if from >= to {
		return string(text)
	}
	return string(text[:from]) + strings.Repeat("*", to-from) + string(text[to:])
}
