package serve

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/view"
	"github.com/gamedissect/gamedissect/internal/view/web"
	"github.com/gamedissect/gamedissect/layers"
)

var errTooLarge = errors.New("too large")

// writeSetup writes a report's setup instead of the report. It refuses a setup without notes.
func writeSetup(setup web.Setup, _ bool, begin func() (io.Writer, error)) error {
	if len(setup.Notes) == 0 {
		return errTooLarge
	}
	out, err := begin()
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(setup)
}

// viewing serves the page of a capture for a test. It fails the test if goroutines are left at the end.
func viewing(t *testing.T, listen string) *pageServer {
	t.Helper()
	t.Cleanup(func() { goleak.VerifyNone(t) })
	at, err := parseLocalAddress(listen)
	clitest.NoError(t, err)
	file, size, err := openAnywhere(filepath.Join(clitest.Captures, "bz24-ctf-capture.pcap"))
	clitest.NoError(t, err)
	t.Cleanup(func() { file.Close() })
	v, err := view.Open(file, size, "ctf.pcap", view.Options{Protocols: layers.All()})
	clitest.NoError(t, err)
	s, err := newPageServer(v, at, web.Page{Title: "ctf", Setup: web.Setup{Name: "ctf.pcap", Reports: true}}, writeSetup)
	clitest.NoError(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := <-s.Ended; err != http.ErrServerClosed {
			t.Error(err)
		}
	})
	return s
}

// send sends a request as the page does, after change has modified it.
func send(s *pageServer, method, target, body string, change func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://"+s.at+target, strings.NewReader(body))
	r.Header.Set("X-Token", s.page.Setup.Token)
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	s.handler().ServeHTTP(w, r)
	return w
}

// TestViewRequests sends requests that the page sends, and requests that the server must reject.
func TestViewRequests(t *testing.T) {
	s := viewing(t, "127.0.0.1:0")
	token := "/?token=" + s.page.Setup.Token
	data, err := os.ReadFile(filepath.Join(clitest.Captures, "tribes-list-40.pcap"))
	clitest.NoError(t, err)
	good := string(data)
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	for _, test := range []struct {
		name, method, target, body string
		change                     func(*http.Request)
		status                     int
		has                        string
	}{
		{"the page", "GET", token, "", nil, 200, "<!doctype html>"},
		{"its head", "HEAD", token, "", nil, 200, ""},
		{"by name", "GET", token, "", host("localhost:8080"), 200, "<!doctype html>"},
		{"by IPv6", "GET", token, "", host("[::1]:8080"), 200, "<!doctype html>"},
		{"without a port", "GET", token, "", host("[::1]"), 200, "<!doctype html>"},
		{"an operation", "POST", "/call?op=state", "{}", nil, 200, `"name":"ctf.pcap"`},
		{"from the page itself", "POST", "/call?op=state", "{}", header("Sec-Fetch-Site", "same-origin"), 200, `"name":"ctf.pcap"`},
		{"no such operation", "POST", "/call?op=nosuch", "{}", nil, 200, `{"error":{"text":"no such operation: \"nosuch\""`},
		{"no operation", "POST", "/call", "{}", nil, 200, `{"error":`},
		{"an unknown key", "POST", "/call?op=rows", `{"form": 1}`, nil, 200, `{"error":`},
		{"no JSON", "POST", "/call?op=rows", "\x00", nil, 200, `{"error":`},

		{"a good capture", "POST", "/good?name=x.pcap", good, nil, 200, `"name":"ctf.pcap"`},
		{"its state", "POST", "/call?op=state&of=1", "{}", nil, 200, `"name":"x.pcap"`},
		{"another good capture", "POST", "/call?op=state&of=2", "{}", nil, 200, `{"error":`},
		{"an invalid number of a capture", "POST", "/call?op=state&of=x", "{}", nil, 400, ""},
		{"no capture", "POST", "/good?name=x", "text", nil, 200, `{"error":`},
		{"a good capture without a token", "POST", "/good?name=x.pcap", good, header("X-Token", ""), 403, "token"},
		{"a good capture from a stranger's page", "POST", "/good", good, header("Sec-Fetch-Site", "cross-site"), 403, ""},

		{"a stranger's name", "GET", token, "", host("rebound.example"), 403, "this page is not at"},
		{"a stranger's name and our port", "GET", token, "", host("rebound.example:" + s.at[len("127.0.0.1:"):]), 403, ""},
		{"a name that looks like ours", "GET", token, "", host("localhost.example"), 403, ""},
		{"an address that looks like ours", "GET", token, "", host("127.0.0.1.example"), 403, ""},
		{"another machine", "GET", token, "", host("10.0.0.1"), 403, ""},
		{"no name", "GET", token, "", host(""), 403, ""},
		{"an operation under a stranger's name", "POST", "/call?op=state", "{}", host("rebound.example"), 403, ""},
		{"a stranger's page", "POST", "/call?op=state", "{}", header("Sec-Fetch-Site", "cross-site"), 403, ""},
		{"another page of this machine", "POST", "/call?op=state", "{}", header("Origin", "http://127.0.0.1:1"), 403, ""},
		{"no token", "GET", "/", "", nil, 403, "lacks its token"},
		{"an empty token", "GET", "/?token=", "", nil, 403, "lacks its token"},
		{"a wrong token", "GET", token + "A", "", nil, 403, "lacks its token"},
		{"an operation without a token", "POST", "/call?op=state", "{}", header("X-Token", ""), 403, "token"},
		{"an operation with a wrong token", "POST", "/call?op=state", "{}", header("X-Token", "A"), 403, "token"},
		{"the token in the wrong place", "POST", "/call?op=state&token=" + s.page.Setup.Token, "{}", header("X-Token", ""), 403, ""},
		{"a long body", "POST", "/call?op=state", strings.Repeat(" ", maxRequest+1), nil, 413, ""},
		{"a wrong method", "GET", "/call?op=state", "", nil, 405, ""},
		{"the page posted", "POST", token, "", nil, 405, ""},
		{"a preflight request", "OPTIONS", "/call?op=state", "", header("Origin", "http://x.example"), 405, ""},
		{"another path", "GET", "/index.html", "", nil, 404, ""},
		{"a path out of the folder", "GET", "/../../etc/passwd", "", nil, 404, ""},
	} {
		w := send(s, test.method, test.target, test.body, test.change)
		if test.target == "/../../etc/passwd" && w.Code == http.StatusTemporaryRedirect {
			continue // redirected to a path without dots, which does not exist either
		}
		if w.Code != test.status || !strings.Contains(w.Body.String(), test.has) {
			t.Errorf("%s: status %d, want %d with %q: %.200q", test.name, w.Code, test.status, test.has, w.Body)
		}
		for name, want := range map[string]string{
			"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
			"X-Frame-Options": "DENY", "Access-Control-Allow-Origin": "", "Access-Control-Allow-Headers": "",
		} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s: %s is %q", test.name, name, got)
			}
		}
		if w.Code != http.StatusOK && strings.Contains(w.Body.String(), s.page.Setup.Token) {
			t.Errorf("%s: the token is given away", test.name)
		}
	}
}

// TestViewTicket checks that a ticket opens the page only once, because other users can see it.
func TestViewTicket(t *testing.T) {
	s := viewing(t, "127.0.0.1:0")
	target := strings.TrimPrefix(s.invitation(), "http://"+s.at)
	for _, test := range []struct {
		target string
		status int
	}{{"/open", 403}, {"/open?ticket=", 403}, {target + "A", 403}, {target, 303}, {target, 403}, {"/open?ticket=", 403}} {
		w := send(s, "GET", test.target, "", nil)
		to := w.Header().Get("Location")
		if w.Code != test.status || (to == "/?token="+s.page.Setup.Token) != (test.status == 303) {
			t.Errorf("%s: status %d, to %q", test.target, w.Code, to)
		}
	}
}

// TestViewSeveralPages reads a capture from several pages at the same time, with real requests. Each page must get the
// whole capture.
func TestViewSeveralPages(t *testing.T) {
	s := viewing(t, "127.0.0.1:0")
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
	call := func(op, body string) (answer struct {
		Done  bool
		Rows  any
		Total int
	}) {
		r, err := http.NewRequest(http.MethodPost, "http://"+s.at+"/call?op="+op, strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return answer
		}
		r.Header.Set("X-Token", s.page.Setup.Token)
		got, err := client.Do(r)
		if err != nil {
			t.Error(err)
			return answer
		}
		defer got.Body.Close()
		if err := json.NewDecoder(got.Body).Decode(&answer); err != nil {
			t.Error(err)
		}
		return answer
	}
	var pages sync.WaitGroup
	totals := make([]int, 4)
	for i := range totals {
		pages.Go(func() {
			for n := 0; n < 1000 && !call("step", `{"bytes": 1000, "ms": 1}`).Done && !t.Failed(); n++ {
				call("rows", `{"from": 3, "count": 20}`)
			}
			totals[i] = call("rows", `{"count": 1}`).Total
		})
	}
	pages.Wait()
	for _, n := range totals {
		if n == 0 || n != totals[0] {
			t.Errorf("the pages see %v rows", totals)
		}
	}
}

// The server listens only on addresses of this machine.
func TestViewAddresses(t *testing.T) {
	for _, good := range []string{"127.0.0.1:0", "8080", "127.9.9.9:8080", "[::1]:0"} {
		if _, err := parseLocalAddress(good); err != nil {
			t.Error(err)
		}
	}
	for text, want := range map[string]string{
		":8080": "only to this machine", "0.0.0.0:8080": "only to this machine", "[::]:8080": "only to this machine",
		"10.0.0.1:8080": "only to this machine",
		"99999":         `--listen 99999: "99999" is not a port; the form is 8080, 127.0.0.1:8080 or [::1]:8080`,
	} {
		if at, err := parseLocalAddress(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %s, %v", text, at, err)
		}
	}
}

func TestViewOverIPv6(t *testing.T) {
	if l, err := net.Listen("tcp6", "[::1]:0"); err != nil {
		t.Skip("no IPv6 here: ", err)
	} else {
		l.Close()
	}
	s := viewing(t, "[::1]:0")
	if code, body := clitest.Get(t, s.address()); !strings.HasPrefix(s.address(), "http://[::1]:") || code != 200 || !strings.HasPrefix(body, "<!doctype html>") {
		t.Errorf("%s: status %d", s.address(), code)
	}
}

// TestViewReports requests the page as a file. The file must have the notes and the filter of the page, but not its
// token.
func TestViewReports(t *testing.T) {
	s := viewing(t, "127.0.0.1:0")
	const request = `{"filter":"tribes","notes":[{"row":7,"text":"here"}]}`
	w := send(s, "POST", "/report", request, nil)
	want := `{"version":"","name":"ctf.pcap","token":"","filter":"tribes","notes":[{"row":7,"text":"here"}],` +
		`"reports":false,"mask_secrets":false}`
	if got := strings.TrimSpace(w.Body.String()); w.Code != http.StatusOK || got != want {
		t.Errorf("%d %s\nwant %s", w.Code, got, want)
	}
	if w := send(s, "POST", "/report", "{}", nil); w.Code != http.StatusConflict ||
		!strings.Contains(w.Body.String(), errTooLarge.Error()) {
		t.Errorf("a report that cannot be written: %d %s", w.Code, w.Body)
	}
	if w := send(s, "POST", "/report", "[", nil); w.Code != http.StatusBadRequest {
		t.Errorf("no JSON: %d", w.Code)
	}
	for _, note := range []string{`{"row":-1,"text":"x"}`, `{"row":1,"text":" "}`} {
		w := send(s, "POST", "/report", `{"notes":[`+note+`]}`, nil)
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "note 1 has no row or no text") {
			t.Errorf("%s: %d %s", note, w.Code, w.Body)
		}
	}
	stranger := func(r *http.Request) { r.Header.Set("X-Token", "x") }
	if w := send(s, "POST", "/report", request, stranger); w.Code != http.StatusForbidden {
		t.Errorf("a wrong token: %d", w.Code)
	}
}
