package bzflag

import "bytes"

// secretCommands are the chat commands with a password, according to the servers' help. In the command ghost, a name
// comes before the password.
var secretCommands = [...]string{"/password", "/identify", "/register", "/setpass", "/ghost"}

// FindSecret finds the text after a command with a password, which is text[from:to]. If there is none, both indexes are
// 0. The command may be anywhere, because a line of chat may quote it.
func FindSecret(text []byte) (from, to int) {
	lower := bytes.Clone(text) // ASCII only, because other letters may change their length
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
