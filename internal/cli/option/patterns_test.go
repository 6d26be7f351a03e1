package option

import (
	"strings"
	"testing"
)

// A word selects names by a part between dots or by a pattern. If nothing matches, it selects names that begin with it.
func TestNamed(t *testing.T) {
	names := []string{"a", "a.b", "a.bc", "a.b.c", "ab.b", "d.limit-x"}
	for word, want := range map[string]string{
		"a": "a a.b a.bc a.b.c", "b": "a.b a.b.c ab.b", "a.b": "a.b a.b.c", "a.": "a.b a.bc a.b.c", "*limit*": "d.limit-x",
		"*.b": "a.b ab.b", "d": "d.limit-x", "d.lim": "d.limit-x", "x": "", "[": "", "?.bc": "a.bc",
	} {
		if got := strings.Join(named(word, names), " "); got != want {
			t.Errorf("%s: %s, want %s", word, got, want)
		}
	}
	if got, err := NamedBy([]string{"ab", "*b", "a.bc"}, names, "thing"); err != nil || strings.Join(got, " ") != "ab.b a.b a.bc" {
		t.Error("several words:", got, err)
	}
	if _, err := NamedBy([]string{"a", "limit-y"}, names, "thing"); err == nil || !strings.Contains(err.Error(), "did you mean d.limit-x?") {
		t.Error("a word that selects nothing:", err)
	}
}
