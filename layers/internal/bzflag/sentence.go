package bzflag

import (
	"net/netip"
	"strconv"
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

// JoinSentence tells that a player came, into which team, and how many players there are now; 0: that is not known.
func JoinSentence(name string, team int64, players int) string {
	s := name + " joins"
	if t := teamOf(team); t != "" {
		s += " " + t
	}
	if players > 0 {
		s += " (" + wire.Counted(players, "player") + ")"
	}
	return s
}

// PresentSentence tells that a player is there whose coming was not seen.
func PresentSentence(name string, team int64) string {
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

// observers is the number of their team.
const observers = 5

// ScoreText is a score as the server tells it: wins and losses, and kills of teammates if there are any.
func ScoreText(wins, losses, teamKills int) string {
	s := strconv.Itoa(wins) + "-" + strconv.Itoa(losses)
	if teamKills > 0 {
		s += "-" + strconv.Itoa(teamKills)
	}
	return s
}

// MaskSecret gives what somebody says without passwords: they are nothing that a timeline should show.
func MaskSecret(text []byte) string {
	from, to := FindSecret(text)
	if from >= to {
		return string(text)
	}
	return string(text[:from]) + strings.Repeat("*", to-from) + string(text[to:])
}

// RefusedSentence tells that a server refuses a client, and why.
func RefusedSentence(client netip.AddrPort, callSign, reason string) string {
	s := client.Addr().String()
	if callSign != "" {
		s += " (" + callSign + ")"
	}
	return s + " is refused: " + reason
}
