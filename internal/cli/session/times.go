package session

import (
	"time"

	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// TimeForms are the values of -t, tshark's.
var TimeForms = []string{"a", "ad", "d", "e", "r", "u", "ud"}

// Clock writes times in the form that -t asks for.
type Clock struct {
	Form    string // "": r, and nobody asked for it
	Short   bool   // three decimals will do where nobody asked
	started bool
	First   int64 // packet of the capture
	before  int64 // message that was shown
}

// Start is told the time of every packet and remembers the first.
func (c *Clock) Start(t int64) {
	if !c.started {
		c.started, c.First, c.before = true, t, t
	}
}

// Append writes a time, in nanoseconds since 1970.
func (c *Clock) Append(dst []byte, t int64) []byte {
	before := c.before
	c.before = t
	switch c.Form {
	case "a":
		return time.Unix(0, t).AppendFormat(dst, "15:04:05.000000")
	case "ad":
		return time.Unix(0, t).AppendFormat(dst, "2006-01-02 15:04:05.000000")
	case "u":
		return time.Unix(0, t).UTC().AppendFormat(dst, "15:04:05.000000")
	case "ud":
		return time.Unix(0, t).UTC().AppendFormat(dst, "2006-01-02 15:04:05.000000")
	case "e":
		return term.AppendSeconds(dst, t)
	case "d":
		return term.AppendSeconds(dst, t-before)
	}
	dst = term.AppendSeconds(dst, t-c.First)
	if c.Short && c.Form == "" {
		dst = dst[:len(dst)-3]
	}
	return dst
}
