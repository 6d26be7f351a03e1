package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"
)

// scrape asks the server for the metrics, without a network.
func scrape(t testing.TB, m *metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	newMetricsHTTP(m).Handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
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
func serving(t *testing.T, listen string) (address string, m *metrics) {
	t.Helper()
	t.Cleanup(func() { goleak.VerifyNone(t) })
	var warn bytes.Buffer
	s, err := serveMetrics(listen, &warn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	found := servedAt.FindStringSubmatch(warn.String())
	if found == nil {
		t.Fatalf("no address in %q", warn.String())
	}
	return found[1], s.metrics
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
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

// TestMetricsWhileReading scrapes a run whose packets come through a pipe, twice, and sees it end.
func TestMetricsWhileReading(t *testing.T) {
	defer goleak.VerifyNone(t)
	data, err := os.ReadFile(filepath.Join(captures, "bz24-admin.pcap"))
	if err != nil {
		t.Fatal(err)
	}
	in, feed := io.Pipe()
	var errs shared
	done := make(chan int)
	go func() {
		done <- execute([]string{"-r", "-", "-q", "--metrics", "127.0.0.1:0"}, streams{in, io.Discard, &errs})
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
	if code := <-done; code != exitDone {
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
		at, everywhere, err := parseListen(test.in)
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
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, stderr, code := dissect("-r", "nosuch", "--metrics", l.Addr().String())
	want := "gamedissect: --metrics " + l.Addr().String() + ": listen tcp4 " + l.Addr().String() + ": bind: "
	if code != exitTrouble || !strings.HasPrefix(stderr, want) || strings.Contains(stderr, "nosuch") {
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
		s, err := serveMetrics(test.listen, &warn)
		if err != nil {
			t.Fatal(err)
		}
		s.close()
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
		if err != nil {
			t.Fatal(err)
		}
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

// TestMetricsCrowd has strangers take what they can get: connections that say nothing or only half of it, ever new
// ones, and readers who do not read. A scrape is answered within a second all the same: half a minute is what it took
// before, and ten seconds tell the two apart on machines that are busy with other tests.
func TestMetricsCrowd(t *testing.T) {
	address, m := serving(t, "127.0.0.1:0")
	for i := range 5_000 { // a page that no buffer on the way takes
		m.findings.WithLabelValues(fmt.Sprint("a rule with a name that takes some room in what is shown ", i), "note")
	}
	var crowd []net.Conn
	come := func(n int, says string) {
		for range n {
			c, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			crowd = append(crowd, c)
			_ = c.(*net.TCPConn).SetReadBuffer(1 << 10)
			_, _ = io.WriteString(c, says)
		}
	}
	t.Cleanup(func() {
		for _, c := range crowd {
			c.Close()
		}
	})
	come(16, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
	come(200, "")
	come(200, "GET /metrics HTTP/1.1\r\nX")
	for range 5 {
		begin := time.Now()
		if code, body := get(t, "http://"+address+"/metrics"); code != http.StatusOK || !strings.Contains(body, "\ngamedissect_packets_total 0\n") {
			t.Errorf("status %d, %d bytes", code, len(body))
		}
		if d := time.Since(begin); d > 10*time.Second {
			t.Errorf("a scraper had to wait for %s", d)
		}
		come(40, "")
		come(16, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
	}
}

// A crowd from one host takes no room from others, and who asked last stays.
func TestGuests(t *testing.T) {
	g := newGuests(nil)
	var closed []string
	come := func(host string) net.Conn {
		c := &fakeConn{from: host, closed: func() { closed = append(closed, host) }}
		g.Listener = oneConn{c}
		if _, err := g.Accept(); err != nil {
			t.Fatal(err)
		}
		return c
	}
	old := come("10.0.0.1:1")
	come("10.0.0.1:2")
	g.note(old, http.StateActive)
	for i := range 3 * maxGuestsHost {
		come(fmt.Sprintf("10.0.0.2:%d", 1+i))
	}
	if n := len(closed); n != 2*maxGuestsHost || closed[0] != "10.0.0.2:1" {
		t.Errorf("%d had to go, the first is %s", n, closed[0])
	}
	closed = nil
	for i := range maxGuests {
		come(fmt.Sprintf("[2001:db8:0:%x::1]:%d", i, 1+i))
	}
	if want := maxGuestsHost + 2; len(closed) != want || closed[0] != "10.0.0.1:2" || closed[1] != "10.0.0.1:1" {
		t.Errorf("%d had to go, want %d; the first are %s", len(closed), want, closed[:2])
	}
	closed = nil
	for i := range maxGuestsHost + 1 { // other addresses of one network
		come(fmt.Sprintf("[2001:db8:ffff::%x]:%d", i+1, 1+i))
	}
	if last := closed[len(closed)-1]; last != "[2001:db8:ffff::1]:1" {
		t.Errorf("the last to go is %s", last)
	}
	for c := range g.known {
		g.note(c, http.StateClosed)
	}
	if g.order.Len()+len(g.hosts) > 0 {
		t.Errorf("%d connections and %d hosts are remembered", g.order.Len(), len(g.hosts))
	}
}

// oneConn is a listener that has a connection.
type oneConn struct{ c net.Conn }

func (l oneConn) Accept() (net.Conn, error) { return l.c, nil }
func (l oneConn) Close() error              { return nil }
func (l oneConn) Addr() net.Addr            { return nil }

// fakeConn is a connection from somewhere.
type fakeConn struct {
	net.Conn
	from   string
	closed func()
}

func (c *fakeConn) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(c.from))
}

func (c *fakeConn) Close() error {
	c.closed()
	return nil
}

// slow is a collector that takes as long as one likes.
type slow struct {
	*prometheus.Desc
	in, out chan struct{}
}

func (s slow) Describe(to chan<- *prometheus.Desc) { to <- s.Desc }
func (s slow) Collect(chan<- prometheus.Metric)    { s.in <- struct{}{}; <-s.out }

// TestMetricsPagesAreFew sees that all who ask while a page is made share the next one, which is not older than their
// question.
func TestMetricsPagesAreFew(t *testing.T) {
	m := newMetrics()
	s := slow{prometheus.NewDesc("slow", "Slow.", nil, nil), make(chan struct{}), make(chan struct{})}
	m.registry.MustRegister(s)
	page := newMetricsPage(m)
	var wait sync.WaitGroup
	var fresh atomic.Int64
	ask := func(encoding string, n int) {
		for range n {
			wait.Go(func() {
				w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/metrics", nil)
				r.Header.Set("Accept-Encoding", encoding)
				page.ServeHTTP(w, r)
				if strings.Contains(w.Body.String(), "\ngamedissect_packets_total 1\n") {
					fresh.Add(1)
				}
			})
		}
	}
	ask("", 1)
	<-s.in
	m.packets.Inc()
	ask("", 50)
	time.Sleep(20 * time.Millisecond) // they wait
	s.out <- struct{}{}
	<-s.in
	s.out <- struct{}{}
	wait.Wait() // a third page would wait for ever
	if n := fresh.Load(); n < 50 {
		t.Errorf("%d of 50 saw what was counted before they asked", n)
	}
}

// TestMetricsEndSoon sees that who hangs on does not keep the program: neither a scrape that takes for
// ever, nor a connection that does not say what it wants.
func TestMetricsEndSoon(t *testing.T) {
	defer goleak.VerifyNone(t)
	var warn bytes.Buffer
	s, err := serveMetrics("127.0.0.1:0", &warn)
	if err != nil {
		t.Fatal(err)
	}
	hangs := slow{prometheus.NewDesc("slow", "Slow.", nil, nil), make(chan struct{}), make(chan struct{})}
	s.metrics.registry.MustRegister(hangs)
	address := servedAt.FindStringSubmatch(warn.String())[1]
	for _, request := range []string{"GET /metrics HTTP/1.1\r\n", "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"} {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_, _ = io.WriteString(c, request)
	}
	<-hangs.in
	s.close()
	close(hangs.out)
	if strings.Contains(warn.String(), "ended early") {
		t.Error(warn.String())
	}
}

// TestMetricsEndEarly sees that it is told if nobody is served any more.
func TestMetricsEndEarly(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	var warn bytes.Buffer
	s := &metricsServer{http: newMetricsHTTP(newMetrics()), err: make(chan error, 1), warn: &warn}
	s.err <- s.http.Serve(l)
	s.close()
	if !strings.Contains(warn.String(), "--metrics: the server ended early: ") {
		t.Errorf("told %q", warn.String())
	}
}
