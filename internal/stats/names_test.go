package stats

import "testing"

// Addresses, ports and numbers of players are compared as numbers.
func TestCompareNames(t *testing.T) {
	order := []string{"10.0.0.2", "10.0.0.2:80", "10.0.0.2:500 b", "10.0.0.2:500 c", "10.0.0.10:80", "127.1.0.1:28001",
		"[::1]:80", "", "#10.0.0.1:1", "1.2.3 x", "2 10.0.0.1:1", "2 Alice", "10 Alice", "10.0.0.300:1", "100 10.", "Bob", "a:1"}
	for i, a := range order {
		for j, b := range order {
			if got := CompareNames(a, b); got != max(-1, min(1, i-j)) {
				t.Errorf("%q and %q: %d", a, b, got)
			}
		}
	}
}
