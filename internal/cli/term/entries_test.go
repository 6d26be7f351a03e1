package term

import "testing"

// A text a little wider than its column does not touch the next column.
func TestEntriesKeepApart(t *testing.T) {
	widths := []int{4, 4}
	for _, test := range []struct {
		line []string
		want string
	}{
		{[]string{"four", "four", "last"}, "four  four  last\n"},
		{[]string{"fives", "four", "last"}, "fives\n      four  last\n"},
		{[]string{"sixsix", "four", "last"}, "sixsix\n      four  last\n"},
		{[]string{"four", "fives", "last"}, "four  fives\n            last\n"},
		{[]string{"seventy", "four", ""}, "seventy\n      four\n"},
	} {
		if got := string(appendEntry(nil, test.line, widths, 80)); got != test.want {
			t.Errorf("%q becomes %q, expected %q", test.line, got, test.want)
		}
	}
}
