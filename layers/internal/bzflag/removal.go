package bzflag

import (
	"slices"
	"strings"
	"time"
)

// JustBefore is how long before a removal the server may say its reason.
const JustBefore = int64(2 * time.Second)

// TellsRemoval reports whether a chat line of the server announces the removal of a player. It is a line to that
// player, or one that begins with the call sign.
func TellsRemoval(line string, toPlayer bool, callSign string) bool {
	if rest, ok := strings.CutPrefix(line, callSign+" "); ok && callSign != "" {
		return isRemoved(rest) || HasPrefix(rest, "kicked by") || HasPrefix(rest, "banned by")
	}
	if !toPlayer {
		return false
	}
	for _, you := range []string{"you ", "your "} { // servers of 1.07e write "Your were kicked"
		if HasPrefix(line, you) && isRemoved(line[len(you):]) {
			return true
		}
	}
	return HasPrefix(line, "autokick") || HasPrefix(line, "your end is not using udp")
}

// isRemoved reports whether the rest of a sentence says that its subject is removed: "was kicked by ..."
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

// HasPrefix is strings.HasPrefix in upper case or lower.
func HasPrefix(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
