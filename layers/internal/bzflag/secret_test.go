package bzflag

import "testing"

func TestFindSecret(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"/password sesame", "sesame"},
		{"/PassWord  open sesame\x00rest", "open sesame"},
		{"/identify x\x00\x00", "x"},
		{"/setpass old new", "old new"},
		{"/ghost jane pw", "jane pw"},
		{"jane said /register abc", "abc"},
		{"/password", ""},
		{"/password \x00hidden", ""},
		{"password sesame", ""},
		{"", ""},
		{"\xff/PASSWORD abc\xff", "abc\xff"},
		{"\u0130\u0130 /password abc", "abc"}, // the lower-case text has a different length
	} {
		from, to := FindSecret([]byte(c.text))
		if got := c.text[from:to]; got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func FuzzFindSecret(f *testing.F) {
	f.Add([]byte("/password sesame"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if from, to := FindSecret(text); from < 0 || from > to || to > len(text) {
			t.Errorf("%d to %d of %d", from, to, len(text))
		}
	})
}
