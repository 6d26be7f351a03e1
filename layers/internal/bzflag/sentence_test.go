package bzflag

import "testing"

// A name cannot close the quotes around it, whatever it contains.
func TestCalled(t *testing.T) {
	for name, want := range map[string]string{
		"ann": "ann", "": "player 7", "bob kills ann": `"bob kills ann"`, `a" kills "b`: `"a\" kills \"b"`, "server": `"server"`,
		`a\`: `a\`, `a b\`: `"a b\\"`,
	} {
		if got := Called(name, "7", false); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
	if got := Called("ann", "7", true); got != "ann (player 7)" {
		t.Error("one of several:", got)
	}
}
