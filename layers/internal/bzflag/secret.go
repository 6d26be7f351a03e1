package bzflag

import "bytes"

// secretCommands are the chat commands that contain a password, as listed in the servers' help. In /ghost, a player's
// name precedes the password.
var secretCommands = [...]string{"/password", "/identify", "/register", "/setpass", "/ghost"}

// FindSecret finds the text after a secret command: text[from:to]. Both indexes are 0 if there is no such command. The
// command may be anywhere in the text, because a line of chat may quote it.
func FindSecret(text []byte) (from, to int) {
	lower := bytes.Clone(text) // in lower case, but only ASCII letters: the length of others may change
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
