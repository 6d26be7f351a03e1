package term

import (
	"fmt"
	"strconv"
)

// Duration formats nanoseconds with three significant digits: 12.3ms.
func Duration(ns int64) string {
	switch {
	case ns < 1e6:
		return fmt.Sprintf("%.3gus", float64(ns)/1e3)
	case ns < 1e9:
		return fmt.Sprintf("%.3gms", float64(ns)/1e6)
	}
	return fmt.Sprintf("%.3gs", float64(ns)/1e9)
}

// AppendSeconds appends nanoseconds as seconds with six decimals. Further digits are cut.
func AppendSeconds(dst []byte, ns int64) []byte {
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

// Counted formats a number of things: "1 packet", "2,000 packets".
func Counted(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Thousands(n) + " " + what + "s"
}

// Thousands formats a number that is not negative with commas between groups of three digits.
func Thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Seconds formats nanoseconds as seconds with three decimals. Further digits are cut.
func Seconds(ns int64) string {
	b := AppendSeconds(nil, ns)
	return string(b[:len(b)-3])
}
