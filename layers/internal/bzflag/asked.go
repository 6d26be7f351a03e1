package bzflag

import (
	"bytes"
	"strings"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// Asked is what a player asked a server for last, of what a server denies to that player alone.
type Asked struct {
	what    string // "chat", a command such as "/kick", or "a spawn"; "": nothing is open
	when    int64
	Granted uint32 // how often the server did what it was asked for
}

// What a player may ask for, besides commands.
const (
	Talk    = "chat"
	Respawn = "a spawn"
)

// Ask notes that the player asks for something.
func (a *Asked) Ask(what string, now int64) { a.what, a.when = what, now }

// Grant notes that the server does it.
func (a *Asked) Grant() {
	a.what = ""
	a.Granted++
}

// Held is how many bytes it holds.
func (a *Asked) Held() int { return len(a.what) }

// replyTime is how long after a request what a server says to a player alone may answer it.
const replyTime = int64(time.Second)

// Deny takes what the server says to the player alone, and returns what it denies; "": nothing. What it says after
// chat or for a spawn, instead of granting it, is a denial in any language. A command may have another answer.
func (a *Asked) Deny(now int64, words string) (what string) {
	what = a.what
	if what == "" || clock.Elapsed(a.when, now) > replyTime || what[0] == '/' && !denies(words) {
		return ""
	}
	a.what = ""
	return what
}

// denies reports whether an answer to a command says that it was not carried out.
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

// Warns reports whether what the server says to one player is a warning, as bzfs writes it.
func Warns(words string) bool { return strings.Contains(strings.ToLower(words), "warning") }

// maxCommand is how much of the name of a command is kept.
const maxCommand = 24

// Command returns the name of a command that a line of chat is, with its slash; "": it is chat. "/me" is chat too.
func Command(line []byte) string {
	name, _, _ := bytes.Cut(line, []byte(" "))
	if len(name) == 0 || name[0] != '/' || string(name) == "/me" {
		return ""
	}
	return strings.ToValidUTF8(string(name[:min(len(name), maxCommand)]), "")
}
