package cli

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/metrics"
)

// TestMetricsCrowd has strangers take what they can get: connections that say nothing or only half of it, ever new
// ones, and readers who do not read. A scrape is answered within a second all the same: half a minute is what it took
// before, and ten seconds tell the two apart on machines that are busy with other tests.
func TestMetricsCrowd(t *testing.T) {
	address, m := serving(t, "127.0.0.1:0")
	for i := range 5_000 { // a page that no buffer on the way takes
		m.Findings.WithLabelValues(fmt.Sprint("a rule with a name that takes some room in what is shown ", i), "note")
	}
	var crowd []net.Conn
	come := func(n int, says string) {
		for range n {
			c, err := net.Dial("tcp", address)
			clitest.NoError(t, err)
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
	g := metrics.NewGuests(nil)
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
	g.Note(old, http.StateActive)
	for i := range 3 * metrics.MaxGuestsHost {
		come(fmt.Sprintf("10.0.0.2:%d", 1+i))
	}
	if n := len(closed); n != 2*metrics.MaxGuestsHost || closed[0] != "10.0.0.2:1" {
		t.Errorf("%d had to go, the first is %s", n, closed[0])
	}
	closed = nil
	for i := range metrics.MaxGuests {
		come(fmt.Sprintf("[2001:db8:0:%x::1]:%d", i, 1+i))
	}
	if want := metrics.MaxGuestsHost + 2; len(closed) != want || closed[0] != "10.0.0.1:2" || closed[1] != "10.0.0.1:1" {
		t.Errorf("%d had to go, want %d; the first are %s", len(closed), want, closed[:2])
	}
	closed = nil
	for i := range metrics.MaxGuestsHost + 1 { // other addresses of one network
		come(fmt.Sprintf("[2001:db8:ffff::%x]:%d", i+1, 1+i))
	}
	if last := closed[len(closed)-1]; last != "[2001:db8:ffff::1]:1" {
		t.Errorf("the last to go is %s", last)
	}
	for c := range g.Known {
		g.Note(c, http.StateClosed)
	}
	if g.Order.Len()+len(g.Hosts) > 0 {
		t.Errorf("%d connections and %d hosts are remembered", g.Order.Len(), len(g.Hosts))
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
	m := metrics.New()
	s := slow{prometheus.NewDesc("slow", "Slow.", nil, nil), make(chan struct{}), make(chan struct{})}
	m.Registry.MustRegister(s)
	page := metrics.NewMetricsPage(m)
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
	m.Packets.Inc()
	ask("", 50)
	time.Sleep(20 * time.Millisecond) // most of them wait
	s.out <- struct{}{}
	pages := 1
	all := make(chan struct{})
	go func() { wait.Wait(); close(all) }()
	for waiting := true; waiting; {
		select {
		case <-s.in:
			s.out <- struct{}{}
			pages++
		case <-all:
			waiting = false
		}
	}
	if pages > 10 { // two, unless the machine is so busy that some ask late
		t.Errorf("%d pages were made for 51 who asked", pages)
	}
	if n := fresh.Load(); n < 50 {
		t.Errorf("%d of 50 saw what was counted before they asked", n)
	}
}

// TestMetricsEndSoon sees that who hangs on does not keep the program: neither a scrape that takes for
// ever, nor a connection that does not say what it wants.
func TestMetricsEndSoon(t *testing.T) {
	defer goleak.VerifyNone(t)
	var warn bytes.Buffer
	s, err := metrics.Serve("127.0.0.1:0", &warn)
	clitest.NoError(t, err)
	hangs := slow{prometheus.NewDesc("slow", "Slow.", nil, nil), make(chan struct{}), make(chan struct{})}
	s.Metrics.Registry.MustRegister(hangs)
	address := servedAt.FindStringSubmatch(warn.String())[1]
	for _, request := range []string{"GET /metrics HTTP/1.1\r\n", "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"} {
		c, err := net.Dial("tcp", address)
		clitest.NoError(t, err)
		defer c.Close()
		_, _ = io.WriteString(c, request)
	}
	<-hangs.in
	s.Close()
	close(hangs.out)
	if strings.Contains(warn.String(), "ended early") {
		t.Error(warn.String())
	}
}

// TestMetricsEndEarly sees that it is told if nobody is served any more.
func TestMetricsEndEarly(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	clitest.NoError(t, err)
	l.Close()
	var warn bytes.Buffer
	s := &metrics.Server{Http: metrics.NewMetricsHTTP(metrics.New()), Err: make(chan error, 1), Warn: &warn}
	s.Err <- s.Http.Serve(l)
	s.Close()
	if !strings.Contains(warn.String(), "--metrics: the server ended early: ") {
		t.Errorf("told %q", warn.String())
	}
}
