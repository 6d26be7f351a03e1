package wire

import (
	"strconv"
	"testing"
)

// A tree keeps a limited number of untrusted names.
func TestNamesAreBounded(t *testing.T) {
	var tree Tree
	for i := range 10 * maxNames {
		if key := strconv.Itoa(i); tree.name([]byte(key)) != key {
			t.Fatalf("%s goes by another name", key)
		}
		if n := len(tree.names); n > maxNames {
			t.Fatalf("%d names are kept", n)
		}
	}
}
