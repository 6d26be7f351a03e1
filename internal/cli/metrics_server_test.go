package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/metrics"
	"github.com/gamedissect/gamedissect/internal/cli/term"
)

// scrape asks the server for the metrics, without a network.
func scrape(t testing.TB, m *metrics.Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	metrics.NewMetricsHTTP(m).Handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	return w.Body.String()
}

// shared is a buffer that one writes while another reads.
type shared struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *shared) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(b)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

// serving serves metrics for a test, after which nothing may be left, and gives the address.
func serving(t *testing.T, listen string) (address string, m *metrics.Metrics) {
	t.Helper()
	t.Cleanup(func() { goleak.VerifyNone(t) })
	var warn bytes.Buffer
	s, err := metrics.Serve(listen, &warn)
	clitest.NoError(t, err)
	t.Cleanup(s.Close)
	found := servedAt.FindStringSubmatch(warn.String())
	if found == nil {
		t.Fatalf("no address in %q", warn.String())
	}
	return found[1], s.Metrics
}

var servedAt = regexp.MustCompile(`metrics at http://(\S+)/metrics\n`)

// eventually waits until something is true.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within a minute", what)
		}
	}
}

func get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
	r, err := client.Get(url)
	clitest.NoError(t, err)
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	clitest.NoError(t, err)
	return r.StatusCode, string(b)
}

// TestMetricsWhileReading scrapes a run whose packets come through a pipe, twice, and sees it end.
func TestMetricsWhileReading(t *testing.T) {
	defer goleak.VerifyNone(t)
	data := clitest.ReadFile(t, filepath.Join(clitest.Captures, "bz24-admin.pcap"))
	in, feed := io.Pipe()
	var errs shared
	done := make(chan int)
	go func() {
		done <- execute([]string{"-r", "-", "-q", "--metrics", "127.0.0.1:0"}, term.Streams{In: in, Out: io.Discard, Err: &errs})
	}()
	eventually(t, "an address", func() bool { return servedAt.MatchString(errs.String()) })
	url := "http://" + servedAt.FindStringSubmatch(errs.String())[1] + "/metrics"
	if _, body := get(t, url); !strings.Contains(body, "\ngamedissect_packets_total 0\n") {
		t.Error("there are packets before the first")
	}
	half := len(data) / 2
	for i, part := range [][]byte{data[:half], data[half:]} {
		if _, err := feed.Write(part); err != nil {
			t.Fatal(err)
		}
		eventually(t, "packets", func() bool {
			_, body := get(t, url)
			return strings.Contains(body, "\ngamedissect_packets_total 158\n") == (i == 1) &&
				!strings.Contains(body, "\ngamedissect_packets_total 0\n")
		})
	}
	feed.Close()
	if code := <-done; code != term.ExitDone {
		t.Errorf("exit code %d, standard error %q", code, errs.String())
	}
	if c, err := net.Dial("tcp", strings.Split(url, "/")[2]); err == nil {
		c.Close()
		t.Error("somebody still listens")
	}
}

func TestMetricsAddresses(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"127.0.0.1:9744", "127.0.0.1:9744"},
		{"9744", "127.0.0.1:9744"},
		{"localhost:9744", "127.0.0.1:9744"},
		{"[::1]:9744", "[::1]:9744"},
		{"[::ffff:10.0.0.1]:80", "10.0.0.1:80"},
		{"10.1.2.3:0", "10.1.2.3:0"},
		{":9744", "everywhere 9744"},
		{"", `--metrics : "" is no port; the form is 127.0.0.1:9744, [::1]:9744, or :9744 for everybody`},
		{":", `--metrics :: "" is no port`},
		{"127.0.0.1", "--metrics 127.0.0.1: "},
		{"127.0.0.1:http", `--metrics 127.0.0.1:http: "http" is no port`},
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
		at, everywhere, err := metrics.ParseListen(test.in)
		got := at.String()
		switch {
		case err != nil:
			got = err.Error()
		case everywhere:
			got = fmt.Sprint("everywhere ", at.Port())
		}
		if err == nil && got != test.want || err != nil && !strings.Contains(got, test.want) {
			t.Errorf("%q: %s, want %s", test.in, got, test.want)
		}
	}
}

func TestMetricsAddressInUse(t *testing.T) {
	defer goleak.VerifyNone(t)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	clitest.NoError(t, err)
	defer l.Close()
	_, stderr, code := dissect("-r", "nosuch", "--metrics", l.Addr().String())
	want := "gamedissect: --metrics " + l.Addr().String() + ": listen tcp4 " + l.Addr().String() + ": bind: "
	if code != term.ExitTrouble || !strings.HasPrefix(stderr, want) || strings.Contains(stderr, "nosuch") {
		t.Errorf("exit code %d, standard error %q, want %q", code, stderr, want)
	}
}

func TestMetricsOverIPv6(t *testing.T) {
	if l, err := net.Listen("tcp6", "[::1]:0"); err != nil {
		t.Skip("no IPv6 here: ", err)
	} else {
		l.Close()
	}
	address, _ := serving(t, "[::1]:0")
	if !strings.HasPrefix(address, "[::1]:") {
		t.Errorf("listens at %s", address)
	}
	if code, _ := get(t, "http://"+address+"/metrics"); code != http.StatusOK {
		t.Errorf("status %d", code)
	}
}

func TestMetricsForEverybodyWarn(t *testing.T) {
	for _, test := range []struct {
		listen string
		warns  bool
	}{{":0", true}, {"0.0.0.0:0", true}, {"127.0.0.1:0", false}, {"0", false}} {
		var warn bytes.Buffer
		s, err := metrics.Serve(test.listen, &warn)
		clitest.NoError(t, err)
		s.Close()
		if got := strings.Contains(warn.String(), "whoever reaches this machine can read"); got != test.warns {
			t.Errorf("%s: %q", test.listen, warn.String())
		}
	}
}

// TestMetricsRequests sends what a scraper sends, and what none does.
func TestMetricsRequests(t *testing.T) {
	address, _ := serving(t, "127.0.0.1:0")
	for _, test := range []struct{ request, status, has string }{
		{"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "200 OK", "gamedissect_packets_total 0"},
		{"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "200 OK", `<a href="/metrics">`},
		{"HEAD /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "200 OK", ""},
		{"POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc", "405 Method Not Allowed", "Allow: GET, HEAD"},
		{"DELETE / HTTP/1.1\r\nHost: x\r\n\r\n", "405 Method Not Allowed", ""},
		{"GET /debug/pprof/ HTTP/1.1\r\nHost: x\r\n\r\n", "404 Not Found", ""},
		{"GET /metrics/ HTTP/1.1\r\nHost: x\r\n\r\n", "404 Not Found", ""},
		{"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "400 Bad Request", ""},
		{"GET /metrics HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", "431 Request Header Fields Too Large", ""},
		{"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "", ""},
		{"hello\r\n\r\n", "400 Bad Request", ""},
	} {
		c, err := net.Dial("tcp", address)
		clitest.NoError(t, err)
		_ = c.SetDeadline(time.Now().Add(time.Minute))
		_, _ = io.WriteString(c, test.request) // the server may have hung up before the end of it
		_ = c.(*net.TCPConn).CloseWrite()
		answer, _ := io.ReadAll(bufio.NewReader(c))
		c.Close()
		status, rest, _ := strings.Cut(string(answer), "\r\n")
		if !strings.HasSuffix(status, test.status) || !strings.Contains(rest, test.has) {
			t.Errorf("%.40q: %q", test.request, answer[:min(300, len(answer))])
		}
	}
}
