package serve

import (
	"net/http"
	"net/http/httptest"
	"os"
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
		{"", `"" is not a port`},
		{":", `"" is not a port`},
		{"127.0.0.1", `"127.0.0.1" is not a port`},
		{"127.0.0.1:http", `"http" is not a port`},
		{"127.0.0.1:65536", `"65536" is not a port`},
		{"127.0.0.1:-1", `"-1" is not a port`},
		{"::1:9744", "too many colons in address"},
		{"[::1]", "missing port in address"},
		{"[::1:9744", "missing ']' in address"},
		{"[127.0.0.1:9744", "missing ']' in address"},
		{"example.org:9744", `"example.org" is not an IP address`},
		{"http://127.0.0.1:9744/", "too many colons in address"},
		{"127.0.0.1\x1b:1", `"127.0.0.1\x1b" is not an IP address`},
	} {
		at, err := parseAddress(test.in)
		got := at.String()
		if err != nil {
			got = err.Error()
		}
		if err == nil && got != test.want || err != nil && !strings.Contains(got, test.want) {
			t.Errorf("%q: %s, want %s", test.in, got, test.want)
		}
	}
	if at, err := parseAddress(":9744"); err != nil || at.Addr().IsValid() || at.Port() != 9744 {
		t.Errorf("a port for all addresses: %s, %v", at, err)
	}
}

// A server for other machines accepts addresses, and names that no stranger can own. A local server accepts only
// loopback addresses and localhost.
func TestForeignHosts(t *testing.T) {
	own, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	page := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	for _, test := range []struct {
		host         string
		local, names int
	}{
		{"localhost:9744", 200, 200},
		{"127.0.0.1", 200, 200},
		{"[::1]:9744", 200, 200},
		{"10.1.2.3:9744", 403, 200},
		{"[2001:db8::1]", 403, 200},
		{"metrics:9744", 403, 200},
		{strings.ToUpper(own) + ".example.org:9744", 403, 200},
		{"evil.example:9744", 403, 403},
		{"127.0.0.1.evil.example", 403, 403},
		{"", 403, 403},
	} {
		for i, handler := range []http.Handler{guardLocal(page, "x"), guardNames(page, "x")} {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Host = test.host
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			if want := []int{test.local, test.names}[i]; w.Code != want {
				t.Errorf("%q: %d, want %d", test.host, w.Code, want)
			}
		}
	}
}
