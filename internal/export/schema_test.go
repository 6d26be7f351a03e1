package export

import (
	"testing"

	"github.com/gamedissect/gamedissect/layers"
)

// TestColumns checks that each kind of message has columns.
func TestColumns(t *testing.T) {
	for _, p := range layers.All() {
		for _, m := range p.Messages.All() {
			if _, err := newMessages(&day{}, messageKey{p, m.Name}); err != nil {
				t.Error(err)
			}
		}
	}
}
