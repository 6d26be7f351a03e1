package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// size is a number of bytes as people write it: 200MB. It is a flag value.
type size int64

// Units, the largest first, so that "B" does not take what "MB" should.
var units = []struct {
	name  string
	bytes float64
}{{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}}

// minSize is the least that says anything: a process takes milliseconds to start.
const minSize size = 100e3

// String writes the size with the unit that fits.
func (s *size) String() string { return formatSize(int64(*s)) }

// Type names the flag's value in the help text.
func (*size) Type() string { return "size" }

// Set reads a size.
func (s *size) Set(text string) error {
	for _, u := range units {
		number, ok := cutSuffixFold(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		switch {
		case err != nil || math.IsNaN(n):
			return fmt.Errorf("%q is no number", number)
		case n*u.bytes < float64(minSize):
			return fmt.Errorf("less than %s says nothing", formatSize(int64(minSize)))
		case n*u.bytes > math.MaxInt64/2:
			return fmt.Errorf("no disk holds that")
		}
		*s = size(n * u.bytes)
		return nil
	}
	return fmt.Errorf("a unit is missing: kB, MB or GB")
}

// cutSuffixFold cuts off a unit, whatever its case.
func cutSuffixFold(text, unit string) (string, bool) {
	at := len(text) - len(unit)
	if at < 0 || !strings.EqualFold(text[at:], unit) {
		return text, false
	}
	return text[:at], true
}

// formatSize writes a number of bytes with the unit that fits.
func formatSize(n int64) string {
	for _, u := range units {
		if float64(n) >= u.bytes {
			return strconv.FormatFloat(float64(n)/u.bytes, 'f', -1, 64)
		}
	}
	return "0B"
}
