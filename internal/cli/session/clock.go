package session

import (
	"time"

	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// TimeForms are the values of -t, as in tshark.
var TimeForms = []string{"a", "ad", "d", "e", "r", "u", "ud"}

// Clock formats times in the form that -t selects.
type Clock struct {
	Form    string // one of TimeForms; "": r, the default
	Short   bool   // the default form has three decimals instead of six
	started bool
	First   int64 // time of the first packet
	before  int64 // time of the previous message shown
}

// Start records the time of the first packet. It must be called with the time of every packet.
func (c *Clock) Start(t int64) {
	if !c.started {
		c.started, c.First, c.before = true, t, t
	}
}

// Append appends the time of a message, given in nanoseconds since 1970.
func (c *Clock) Append(dst []byte, t int64) []byte {
	before := c.before
	c.before = t
	switch c.Form {
	case "a":
		return time.Unix(0, t).AppendFormat(dst, "15:04:05.000000 -07:00")
	case "ad":
		return time.Unix(0, t).AppendFormat(dst, "2006-01-02 15:04:05.000000 -07:00")
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
