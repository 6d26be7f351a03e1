package main

import (
	"strconv"
	"time"
)

// timeForms are the values of -t, tshark's.
var timeForms = []string{"a", "ad", "d", "e", "r", "u", "ud"}

// clock writes times in the form that -t asks for.
type clock struct {
	form    string // "": r, and nobody asked for it
	short   bool   // three decimals will do where nobody asked
	started bool
	first   int64 // packet of the capture
	before  int64 // message that was shown
}

// start is told the time of every packet and remembers the first.
func (c *clock) start(t int64) {
	if !c.started {
		c.started, c.first, c.before = true, t, t
	}
}

// append writes a time, in nanoseconds since 1970.
func (c *clock) append(dst []byte, t int64) []byte {
	before := c.before
	c.before = t
	switch c.form {
	case "a":
		return time.Unix(0, t).AppendFormat(dst, "15:04:05.000000")
	case "ad":
		return time.Unix(0, t).AppendFormat(dst, "2006-01-02 15:04:05.000000")
	case "u":
		return time.Unix(0, t).UTC().AppendFormat(dst, "15:04:05.000000")
	case "ud":
		return time.Unix(0, t).UTC().AppendFormat(dst, "2006-01-02 15:04:05.000000")
	case "e":
		return appendSeconds(dst, t)
	case "d":
		return appendSeconds(dst, t-before)
	}
	dst = appendSeconds(dst, t-c.first)
	if c.short && c.form == "" {
		dst = dst[:len(dst)-3]
	}
	return dst
}

// appendSeconds writes a duration or time in seconds with six decimals, rounded down.
func appendSeconds(dst []byte, ns int64) []byte {
	if ns < 0 {
		dst = append(dst, '-')
		ns = -ns
	}
	us := ns / 1000
	dst = strconv.AppendInt(dst, us/1e6, 10)
	dst = append(dst, '.')
	frac := us % 1e6
	for d := int64(1e5); d > 0; d /= 10 {
		dst = append(dst, byte('0'+frac/d%10))
	}
	return dst
}
