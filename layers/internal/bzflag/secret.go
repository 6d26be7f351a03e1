package bzflag

import "bytes"

// secretCommands are what players type into the chat with a password behind it, as the servers'
// own help has them; ghost has a name in front of the password.
var secretCommands = [...]string{"/password", "/identify", "/register", "/setpass", "/ghost"}

// FindSecret finds what stands behind a command that takes a password: text[from:to]. Both are 0 if
// there is none. Others may repeat what somebody typed, so the command may stand anywhere.
func FindSecret(text []byte) (from, to int) {
	lower := bytes.Clone(text) // of ASCII alone: other letters may change their lengths
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
