package serve

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/layers"
)

// scrape gets the metrics from the server without a network.
func scrape(t testing.TB, m *Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	return w.Body.String()
}

var servedAt = regexp.MustCompile(`metrics at http://(\S+)/metrics\n`)

// serving serves metrics for a test, and returns the address. It fails the test if goroutines are left at the end.
func serving(t *testing.T, address string) (at string, m *Metrics) {
	t.Helper()
	t.Cleanup(func() { goleak.VerifyNone(t) })
	var warn bytes.Buffer
	m = NewMetrics(layers.All())
	s, err := m.Serve(address, &warn)
	clitest.NoError(t, err)
	t.Cleanup(func() {
		s.Close()
		if strings.Contains(warn.String(), "ended early") {
			t.Error(warn.String())
		}
	})
	found := servedAt.FindStringSubmatch(warn.String())
	if found == nil {
		t.Fatalf("no address in %q", warn.String())
	}
	return found[1], m
}

func TestOverIPv6(t *testing.T) {
	if l, err := net.Listen("tcp6", "[::1]:0"); err != nil {
		t.Skip("no IPv6 here: ", err)
	} else {
		l.Close()
	}
	address, _ := serving(t, "[::1]:0")
	if !strings.HasPrefix(address, "[::1]:") {
		t.Errorf("listens at %s", address)
	}
	if code, _ := clitest.Get(t, "http://"+address+"/metrics"); code != http.StatusOK {
		t.Errorf("status %d", code)
	}
}

func TestPublicAddressWarns(t *testing.T) {
	for _, test := range []struct {
		listen string
		warns  bool
	}{{":0", true}, {"0.0.0.0:0", true}, {"127.0.0.1:0", false}, {"0", false}} {
		var warn bytes.Buffer
		s, err := NewMetrics(layers.All()).Serve(test.listen, &warn)
		clitest.NoError(t, err)
		s.Close()
		if got := strings.Contains(warn.String(), "everyone who can reach this machine can read"); got != test.warns {
			t.Errorf("%s: %q", test.listen, warn.String())
		}
	}
}

// TestRequests sends requests that a scraper sends, and requests that no scraper sends.
func TestRequests(t *testing.T) {
	address, _ := serving(t, "127.0.0.1:0")
	for _, test := range []struct{ request, status, has string }{
		{"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", "200 OK", "gamedissect_packets_total 0"},
		{"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "200 OK", `<a href="/metrics">`},
		{"HEAD /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", "200 OK", ""},
		{"POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc", "405 Method Not Allowed", "Allow: GET, HEAD"},
		{"DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n", "405 Method Not Allowed", ""},
		{"GET /debug/pprof/ HTTP/1.1\r\nHost: localhost\r\n\r\n", "404 Not Found", ""},
		{"GET /metrics/ HTTP/1.1\r\nHost: localhost\r\n\r\n", "404 Not Found", ""},
		{"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", "400 Bad Request", ""},
		{"GET /metrics HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", "431 Request Header Fields Too Large", ""},
		{"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "", ""},
		{"hello\r\n\r\n", "400 Bad Request", ""},
	} {
		c, err := net.Dial("tcp", address)
		clitest.NoError(t, err)
		_ = c.SetDeadline(time.Now().Add(time.Minute))
		_, _ = io.WriteString(c, test.request) // error ignored: the server may close the connection early
		_ = c.(*net.TCPConn).CloseWrite()
		answer, _ := io.ReadAll(bufio.NewReader(c))
		c.Close()
		status, rest, _ := strings.Cut(string(answer), "\r\n")
		if !strings.HasSuffix(status, test.status) || !strings.Contains(rest, test.has) {
			t.Errorf("%.40q: %q", test.request, answer[:min(300, len(answer))])
		}
	}
}

// TestCrowd uses clients that occupy the server: connections that send nothing or half a request, and clients that do
// not read the response. A normal scrape still gets a response within a second. The test allows ten seconds, in case
// the machine is busy.
func TestCrowd(t *testing.T) {
	address, m := serving(t, "127.0.0.1:0")
	for i := range 5_000 { // makes a page larger than any buffer on the way
		m.findings.WithLabelValues(fmt.Sprint("a rule with a name that takes some room in what is shown ", i), "note")
	}
	connect := func(n int, sends string) {
		for range n {
			c, err := net.Dial("tcp", address)
			clitest.NoError(t, err)
			t.Cleanup(func() { c.Close() })
			_ = c.(*net.TCPConn).SetReadBuffer(1 << 10)
			_, _ = io.WriteString(c, sends)
		}
	}
	connect(200, "")
	connect(200, "GET /metrics HTTP/1.1\r\nX")
	connect(96, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
	begin := time.Now()
	if code, body := clitest.Get(t, "http://"+address+"/metrics"); code != http.StatusOK || !strings.Contains(body, "\ngamedissect_packets_total 0\n") {
		t.Errorf("status %d, %d bytes", code, len(body))
	}
	if d := time.Since(begin); d > 10*time.Second {
		t.Errorf("a scraper had to wait for %s", d)
	}
}

// slow is a collector that takes as long as the test needs.
type slow struct {
	*prometheus.Desc
	in, out chan struct{}
}

func (s slow) Describe(to chan<- *prometheus.Desc) { to <- s.Desc }
func (s slow) Collect(chan<- prometheus.Metric)    { s.in <- struct{}{}; <-s.out }

// TestEndsSoon checks that the server ends even if clients stay connected, one with a scrape that never ends and one
// with half a request.
func TestEndsSoon(t *testing.T) {
	hangs := slow{prometheus.NewDesc("slow", "Slow.", nil, nil), make(chan struct{}), make(chan struct{})}
	t.Cleanup(func() { goleak.VerifyNone(t) })
	t.Cleanup(func() { close(hangs.out) })
	var warn bytes.Buffer
	m := NewMetrics(layers.All())
	m.registry.MustRegister(hangs)
	s, err := m.Serve("127.0.0.1:0", &warn)
	clitest.NoError(t, err)
	for _, request := range []string{"GET /metrics HTTP/1.1\r\n", "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"} {
		c, err := net.Dial("tcp", servedAt.FindStringSubmatch(warn.String())[1])
		clitest.NoError(t, err)
		defer c.Close()
		_, _ = io.WriteString(c, request)
	}
	<-hangs.in
	s.Close()
}

// If a server ended before it was closed, Close says so.
func TestEndsEarly(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	clitest.NoError(t, err)
	l.Close()
	var warn bytes.Buffer
	s := &MetricsServer{serveHTTP(l, http.NotFoundHandler(), scrapeTime), &warn}
	s.Ended <- <-s.Ended // ends before it is closed
	s.Close()
	if !strings.Contains(warn.String(), "--metrics: the server ended early: ") {
		t.Errorf("the warning is %q", warn.String())
	}
}

// A local server rejects the names of other hosts. A server for other machines rejects names that a stranger may own.
func TestForeignNames(t *testing.T) {
	for _, test := range []struct {
		listen, host string
		status       int
	}{
		{"127.0.0.1:0", "localhost:1", 200}, {"127.0.0.1:0", "127.0.0.1", 200}, {"127.0.0.1:0", "[::1]:1", 200},
		{"127.0.0.1:0", "rebound.example", 403}, {"127.0.0.1:0", "10.0.0.1:9744", 403}, {"127.0.0.1:0", "localhost.example", 403},
		{":0", "rebound.example:9744", 403}, {":0", "10.0.0.1:9744", 200}, {"0.0.0.0:0", "sensor", 200},
	} {
		t.Run(test.listen+" as "+test.host, func(t *testing.T) {
			address, _ := serving(t, test.listen)
			_, port, _ := net.SplitHostPort(address)
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:"+port+"/metrics", nil)
			clitest.NoError(t, err)
			r.Host, r.Close = test.host, true
			answer, err := http.DefaultClient.Do(r)
			clitest.NoError(t, err)
			answer.Body.Close()
			if answer.StatusCode != test.status {
				t.Errorf("status %d, want %d", answer.StatusCode, test.status)
			}
		})
	}
}

// The error for an invalid address names the flag and the accepted forms.
func TestAddress(t *testing.T) {
	want := `--metrics example.org:1: "example.org" is not an IP address; the form is 127.0.0.1:9744, [::1]:9744, or :9744 for all addresses`
	if _, err := NewMetrics(nil).Serve("example.org:1", io.Discard); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
