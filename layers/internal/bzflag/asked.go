package bzflag

import (
	"bytes"
	"strings"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// Asked is a player's last request to the server, among the kinds that a server denies by a message to that player
// alone.
type Asked struct {
	what    string // "chat", a command such as "/kick", or "a spawn"; "": nothing is open
	when    int64
	Granted uint32 // number of requests that the server granted
}

// Requests besides commands.
const (
	Talk    = "chat"
	Respawn = "a spawn"
)

// Ask notes that the player makes a request.
func (a *Asked) Ask(what string, now int64) { a.what, a.when = what, now }

// Grant notes that the server grants the request.
func (a *Asked) Grant() {
	a.what = ""
	a.Granted++
}

// Held returns the size in bytes of the memory that a refers to.
func (a *Asked) Held() int { return len(a.what) }

// replyTime is how long after a request a private message of the server may answer it.
const replyTime = int64(time.Second)

// Deny takes a private message of the server to the player, and returns the request that it denies; "": none. After
// chat or a request to spawn, a message instead of the grant is a denial in any language. A command may get other
// answers.
func (a *Asked) Deny(now int64, words string) (what string) {
	what = a.what
	if what == "" || clock.Elapsed(a.when, now) > replyTime || what[0] == '/' && !denies(words) {
		return ""
	}
	a.what = ""
	return what
}

// denies reports whether an answer to a command says that the command was not carried out.
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

// Warns reports whether a private message of the server is a warning, as bzfs words it.
func Warns(words string) bool { return strings.Contains(strings.ToLower(words), "warning") }

// maxCommand is the number of bytes of a command's name that are kept.
const maxCommand = 24

// Command returns the name of the command in a line of chat, with its slash; "" if the line is chat. "/me" is chat too.
func Command(line []byte) string {
	name, _, _ := bytes.Cut(line, []byte(" "))
	if len(name) == 0 || name[0] != '/' || string(name) == "/me" {
		return ""
	}
	return strings.ToValidUTF8(string(name[:min(len(name), maxCommand)]), "")
}
