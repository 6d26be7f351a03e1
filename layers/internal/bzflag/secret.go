package bzflag

import "bytes"

// secretCommands are the chat commands that take a password, from the servers' own help; ghost takes a name before it.
var secretCommands = [...]string{"/password", "/identify", "/register", "/setpass", "/ghost"}

// FindSecret finds the text after a command that takes a password: text[from:to]. Both are 0 if there is none. A line
// of chat may quote a command, so the command may be anywhere.
func FindSecret(text []byte) (from, to int) {
	lower := bytes.Clone(text) // ASCII only: other letters may change length
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
