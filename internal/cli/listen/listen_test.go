package listen

import (
	"strings"
	"testing"
)

func TestParseAddress(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"127.0.0.1:9744", "127.0.0.1:9744"},
		{"9744", "127.0.0.1:9744"},
		{"localhost:9744", "127.0.0.1:9744"},
		{"[::1]:9744", "[::1]:9744"},
		{"[::ffff:10.0.0.1]:80", "10.0.0.1:80"},
		{"10.1.2.3:0", "10.1.2.3:0"},
		{":9744", "invalid AddrPort"},
		{"", `"" is no port`},
		{":", `"" is no port`},
		{"127.0.0.1", `"127.0.0.1" is no port`},
		{"127.0.0.1:http", `"http" is no port`},
		{"127.0.0.1:65536", `"65536" is no port`},
		{"127.0.0.1:-1", `"-1" is no port`},
		{"::1:9744", "too many colons in address"},
		{"[::1]", "missing port in address"},
		{"[::1:9744", "missing ']' in address"},
		{"[127.0.0.1:9744", "missing ']' in address"},
		{"example.org:9744", `"example.org" is no IP address`},
		{"http://127.0.0.1:9744/", "too many colons in address"},
		{"127.0.0.1\x1b:1", `"127.0.0.1\x1b" is no IP address`},
	} {
		at, err := ParseAddress(test.in)
		got := at.String()
		if err != nil {
			got = err.Error()
		}
		if err == nil && got != test.want || err != nil && !strings.Contains(got, test.want) {
			t.Errorf("%q: %s, want %s", test.in, got, test.want)
		}
	}
	if at, err := ParseAddress(":9744"); err != nil || at.Addr().IsValid() || at.Port() != 9744 {
		t.Errorf("a port of all addresses: %s, %v", at, err)
	}
}
