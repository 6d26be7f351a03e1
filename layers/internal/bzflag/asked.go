package bzflag

import (
	"bytes"
	"strings"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// Asked is a player's last request of a kind that the server may deny with a private message to the player.
type Asked struct {
	what    string // "chat", a command such as "/kick", or "a spawn"; "": no open request
	when    int64
	Granted uint32 // number of requests that the server granted
}

// Requests that are not commands.
const (
	Talk    = "chat"
	Respawn = "a spawn"
)

// Ask records that the player makes a request.
func (a *Asked) Ask(what string, now int64) { a.what, a.when = what, now }

// Grant records that the server grants the request.
func (a *Asked) Grant() {
	a.what = ""
	a.Granted++
}

// Held returns the size in bytes of the memory that the receiver refers to.
func (a *Asked) Held() int { return len(a.what) }

// replyTime is the maximum time between a request and the private message that answers it.
const replyTime = int64(time.Second)

// Deny handles a private message from the server to the player. It returns the request that the message denies, or "".
// The server answers chat and spawns privately only to deny them, so any private message is a denial. A command may
// have other answers, so Deny looks for words that deny it.
func (a *Asked) Deny(now int64, words string) (what string) {
	what = a.what
	if what == "" || clock.Elapsed(a.when, now) > replyTime || what[0] == '/' && !denies(words) {
		return ""
	}
	a.what = ""
	return what
}

// denies reports whether an answer to a command says that the server did not carry out the command.
func denies(words string) bool {
	words = strings.ToLower(words)
	for _, sign := range [...]string{
		"permission", "not allowed", "unknown command", "not authorized", "must be", "denied", "unable", "wrong password",
		"protected",
	} {
		if strings.Contains(words, sign) {
			return true
		}
	}
	return false
}

// Warns reports whether a private message from the server is a warning, judging by the wording of bzfs, the usual
// server program.
func Warns(words string) bool { return strings.Contains(strings.ToLower(words), "warning") }

// maxCommand is the maximum length of a command's name in bytes. The rest is cut off.
const maxCommand = 24

// Command returns the name of the command in a line of chat, including the slash. It returns "" if the line is not a
// command. "/me" counts as chat, not as a command.
func Command(line []byte) string {
	name, _, _ := bytes.Cut(line, []byte(" "))
	if len(name) == 0 || name[0] != '/' || string(name) == "/me" {
		return ""
	}
	return strings.ToValidUTF8(string(name[:min(len(name), maxCommand)]), "")
}
