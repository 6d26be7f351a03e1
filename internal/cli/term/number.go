package term

import (
	"fmt"
	"strconv"
)

// Duration writes nanoseconds with three digits.
func Duration(ns int64) string {
	switch {
	case ns < 1e6:
		return fmt.Sprintf("%.3gus", float64(ns)/1e3)
	case ns < 1e9:
		return fmt.Sprintf("%.3gms", float64(ns)/1e6)
	}
	return fmt.Sprintf("%.3gs", float64(ns)/1e9)
}

// AppendSeconds writes a duration or time in seconds with six decimals, rounded down.
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

func Counted(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Thousands(n) + " " + what + "s"
}

// Thousands writes a number with a comma after every third digit.
func Thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Seconds writes nanoseconds as seconds.
func Seconds(ns int64) string {
	b := AppendSeconds(nil, ns)
	return string(b[:len(b)-3])
}
