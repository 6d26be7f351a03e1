package web_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gamedissect/gamedissect/internal/view"
	"github.com/gamedissect/gamedissect/internal/view/web"
)

func TestReadNotes(t *testing.T) {
	got, err := web.ReadNotes(strings.NewReader(`[{"row": 709, "text": "here"}, {"row": 0, "text": "and \u003chere\u003e"}]`))
	if want := []view.Note{{Row: 709, Text: "here"}, {Text: "and <here>"}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{
		"", "{}", `["here"]`, `[{"row": -1, "text": "x"}]`, `[{"row": 1}]`, `[{"row": "1", "text": "x"}]`, `[] []`,
		"[" + strings.Repeat(" ", 5<<20) + "]",
	} {
		if notes, err := web.ReadNotes(strings.NewReader(bad)); err == nil {
			t.Errorf("%.40q: %+v", bad, notes)
		}
	}
}
