package iceball

import (
	"math/bits"
	"strconv"
	"strings"
)

// Version is a version of the game in the form w.x.ya-z, such as 0.2.1-37. It is packed into 32 bits. From the highest
// bit on, these are five bits for w, five for x, seven for y, five for a (a letter) and ten for z.
type Version uint32

func (v Version) parts() (w, x, y, a, z uint32) {
	n := uint32(v)
	return n >> 27, n >> 22 & 31, n >> 15 & 127, n >> 10 & 31, n & 1023
}

// String returns the version as the game shows it: "0.2.1-37". It omits parts that are zero.
func (v Version) String() string { return string(v.append(nil)) }

func (v Version) append(dst []byte) []byte {
	w, x, y, a, z := v.parts()
	dst = strconv.AppendUint(dst, uint64(w), 10)
	dst = append(dst, '.')
	dst = strconv.AppendUint(dst, uint64(x), 10)
	if y > 0 {
		dst = append(dst, '.')
		dst = strconv.AppendUint(dst, uint64(y), 10)
	}
	if a > 0 {
		dst = append(dst, byte('a'-1+a)) // above 26 the byte is not a letter; the game writes the same byte
	}
	if z > 0 {
		dst = append(dst, '-')
		dst = strconv.AppendUint(dst, uint64(z), 10)
	}
	return dst
}

// swapped reports whether the version is plausible only after swapping its bytes. All existing versions begin with 0.1
// or higher.
func (v Version) swapped() bool {
	return !v.plausible() && Version(bits.ReverseBytes32(uint32(v))).plausible()
}

func (v Version) plausible() bool {
	w, x, _, a, _ := v.parts()
	return w == 0 && x >= 1 && x <= 9 && a <= 26
}

// HeartbeatVersion is a version of this protocol, currently 2.
type HeartbeatVersion uint16

// swapped reports whether the version is plausible only after swapping its bytes.
func (h HeartbeatVersion) swapped() bool {
	return h&0xff == 0 && h > 0xff && h <= 16<<8
}

// parseVersion parses a version in the game's notation.
func parseVersion(s string) (v Version, ok bool) {
	for _, part := range []struct {
		before string
		shift  uint
		limit  uint64
		must   bool
	}{{"", 27, 31, true}, {".", 22, 31, true}, {".", 15, 127, false}, {"-", 0, 1023, false}} {
		if part.shift == 0 && s != "" && s[0] >= 'a' && s[0] <= 'z' {
			v |= Version(s[0]-'a'+1) << 10
			s = s[1:]
		}
		rest, found := strings.CutPrefix(s, part.before)
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		n, err := strconv.ParseUint(rest[:digits], 10, 32)
		switch {
		case found && err == nil && n <= part.limit:
			v, s = v|Version(n)<<part.shift, rest[digits:]
		case part.must:
			return 0, false
		}
	}
	return v, s == ""
}
