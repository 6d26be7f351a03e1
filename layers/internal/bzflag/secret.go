package bzflag

import "bytes"

// secretCommands are the chat commands with a password, as listed in the servers' help. /ghost has a player's name
// before the password.
var secretCommands = [...]string{"/password", "/identify", "/register", "/setpass", "/ghost"}

// FindSecret finds the text after such a command: text[from:to]. Both indexes are 0 if there is no such command. The
// command may be anywhere in the text, because a line of chat may quote it.
func FindSecret(text []byte) (from, to int) {
	lower := bytes.Clone(text) // in lower case; only ASCII letters, because others may change their length
	for i, x := range lower {
		if 'A' <= x && x <= 'Z' {
			lower[i] = x | 0x20
		}
	}
	for _, command := range secretCommands {
		at := bytes.Index(lower, []byte(command))
		if at < 0 {
			continue
		}
		start := at + len(command)
		for start < len(text) && (text[start] == ' ' || text[start] == '\t') {
			start++
		}
		if end := bytes.IndexByte(text[start:], 0); end >= 0 {
			return start, start + end
		}
		return start, len(text)
	}
	return 0, 0
}
