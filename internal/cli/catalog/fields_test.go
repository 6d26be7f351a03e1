package catalog

import (
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/cli/known"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/layers"
)

// Every name that belongs to no protocol has a meaning, and every meaning a name.
func TestMeanings(t *testing.T) {
	known.Set(layers.All())
	schema := session.NewSchema()
	for name := range meanings {
		if schema.Field(name) == nil {
			t.Errorf("%s has a meaning, and does not exist", name)
		}
	}
	for _, f := range listFields() {
		if !strings.Contains(f.name, ".") && f.describe(false) == "" {
			t.Errorf("%s has no meaning", f.name)
		}
	}
}
