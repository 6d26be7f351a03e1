package wire

import (
	"strconv"
	"testing"
)

// The number of untrusted names that a tree stores is limited.
func TestNamesAreBounded(t *testing.T) {
	var tree Tree
	for i := range 10 * maxNames {
		if key := strconv.Itoa(i); tree.name([]byte(key)) != key {
			t.Fatalf("%s has another name", key)
		}
		if n := len(tree.names); n > maxNames {
			t.Fatalf("%d names are kept", n)
		}
	}
}
