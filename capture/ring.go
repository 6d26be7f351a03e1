package capture

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Limits determine when a Writer begins the next file, and how many files it keeps. The zero value is one file without
// limits. Once a limit is reached, the next packet begins a new file.
type Limits struct {
	Packets  int64         // packets in a file; 0: no limit
	Bytes    int64         // bytes in a file, exceeded at most by its last packet; 0: no limit
	Duration time.Duration // time since the first packet of a file, measured in packet times; 0: no limit
	Files    int           // number of files to keep, always the newest; 0: all
}

// any reports whether there may be more than one file.
func (l Limits) any() bool { return l != Limits{} }

var (
	errAlone    = errors.New("files says how many are kept, but not when one is full; add filesize, duration or packets")
	errNegative = errors.New("a limit is below 0")
)

func (l Limits) valid() error {
	switch {
	case l.Packets < 0 || l.Bytes < 0 || l.Duration < 0 || l.Files < 0:
		return errNegative
	case l.Files > 0 && l == Limits{Files: l.Files}:
		return errAlone
	}
	return nil
}

// Stop determines when to stop writing. The zero value never stops.
type Stop struct {
	Packets  int64
	Bytes    int64 // size of a file
	Duration time.Duration
	Files    int // number of full files
}

// After reports whether to stop. It takes the number of packets so far, the size of the current file ([Writer.Size]),
// the elapsed time, and the number of full files ([Writer.Full]).
func (s Stop) After(packets, bytes int64, elapsed time.Duration, files int) bool {
	return reached(s.Packets, s.Bytes, s.Duration, packets, bytes, elapsed) || s.Files > 0 && files >= s.Files
}

// reached reports whether a value has reached its limit. A limit of 0 is never reached.
func reached(maxPackets, maxBytes int64, maxDuration time.Duration, packets, bytes int64, elapsed time.Duration) bool {
	return maxPackets > 0 && packets >= maxPackets ||
		maxBytes > 0 && bytes >= maxBytes ||
		maxDuration > 0 && elapsed >= maxDuration
}

// ParseRing parses the conditions of tshark's option -b: filesize:KB (units of 1000 bytes), duration:SECONDS (fractions
// allowed), packets:N, and files:N, which needs one of the others. If a condition occurs twice, the last one applies.
func ParseRing(conditions []string) (Limits, error) {
	s, err := conditionsOf(conditions, map[string]string{
		"interval":    "is not supported; duration:SECONDS counts from the first packet of a file",
		"printname":   "is not supported",
		"nametimenum": "is not supported; names have the number first and then the time",
	})
	l := Limits(s)
	if err == nil {
		err = l.valid()
	}
	if err != nil {
		return Limits{}, err
	}
	return l, nil
}

// ParseStop parses the conditions of tshark's option -a, which have the same form as in [ParseRing].
func ParseStop(conditions []string) (Stop, error) {
	return conditionsOf(conditions, nil)
}

// maxFiles is the largest five-digit number, because file names contain five digits for it. It is also tshark's limit.
const maxFiles = 99_999

// conditionsOf parses conditions. refused contains error texts for the conditions that only tshark supports.
func conditionsOf(conditions []string, refused map[string]string) (Stop, error) {
	var s Stop
	for _, c := range conditions {
		word, value, ok := strings.Cut(c, ":")
		if why := refused[word]; why != "" {
			return Stop{}, fmt.Errorf("%q: %s", c, why)
		}
		var n int64
		var err error
		switch word {
		case "packets":
			s.Packets, err = count(value, math.MaxInt64, "packets")
		case "filesize":
			n, err = count(value, math.MaxInt64/1000, "kilobytes")
			s.Bytes = n * 1000
		case "files":
			n, err = count(value, maxFiles, "files")
			s.Files = int(n)
		case "duration":
			s.Duration, err = seconds(value)
		default:
			ok = false
		}
		if !ok {
			return Stop{}, fmt.Errorf("%q is not a condition; the conditions are filesize:KB, duration:SECONDS, "+
				"packets:N and files:N", c)
		}
		if err != nil {
			return Stop{}, fmt.Errorf("%q: %w", c, err)
		}
	}
	return s, nil
}

// count parses a positive number.
func count(text string, limit int64, of string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > limit {
		return 0, fmt.Errorf("want a whole number of %s from 1 to %d", of, limit)
	}
	return n, nil
}

// seconds parses a positive time, with a resolution of nanoseconds.
func seconds(text string) (time.Duration, error) {
	const limit = math.MaxInt64 / 1_000_000_000
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !(f*1e9 >= 1 && f < limit) { // also catches NaN
		return 0, fmt.Errorf("want a number of seconds above 0 and below %d", int64(limit))
	}
	return time.Duration(math.Round(f * 1e9)), nil
}
