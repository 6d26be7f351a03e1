package stats

import (
	"cmp"
	"net/netip"
	"strings"
)

// CompareNames orders names so that player 2 comes before player 10, and 10.0.0.2:80 before 10.0.0.10:80. Addresses
// come before other names.
func CompareNames(a, b string) int {
	x, xOK := leadingAddress(a)
	y, yOK := leadingAddress(b)
	switch {
	case xOK && yOK:
		return cmp.Or(x.Compare(y), cmp.Compare(a, b))
	case xOK:
		return -1
	case yOK:
		return 1
	}
	i, j := leadingDigits(a), leadingDigits(b)
	if i > 0 && j > 0 {
		return cmp.Or(cmp.Compare(i, j), cmp.Compare(a, b))
	}
	return cmp.Compare(a, b)
}

// leadingAddress reads an address, with or without a port, at the beginning of a name.
func leadingAddress(s string) (at netip.AddrPort, ok bool) {
	first, _, _ := strings.Cut(s, " ")
	if !strings.ContainsAny(first, ".:") {
		return at, false // most names
	}
	if at, err := netip.ParseAddrPort(first); err == nil {
		return at, true
	}
	host, err := netip.ParseAddr(first)
	return netip.AddrPortFrom(host, 0), err == nil
}

// leadingDigits returns the number of digits at the beginning of a name.
func leadingDigits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
