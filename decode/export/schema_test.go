package export

import (
	"testing"

	"github.com/gamedissect/gamedissect/layers"
)

// TestColumns: each kind of message has columns.
func TestColumns(t *testing.T) {
	for _, p := range layers.All() {
		for _, m := range p.Messages.All() {
			table, err := newMessageTable(&day{}, messageKey{p, m.Name})
			if err != nil {
				t.Error(err)
				continue
			}
			if n := len(table.columns); n > 150 {
				t.Log(p.Name, m.Name, n)
			}
		}
	}
}
