package metrics

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"
)

// Bounds of what strangers may ask of the server.
const (
	maxMetricsHeader  = 8 << 10 // bytes
	metricsHeaderTime = 2 * time.Second
	metricsReadTime   = 5 * time.Second
	metricsWriteTime  = 10 * time.Second
	metricsIdleTime   = 30 * time.Second
	metricsCloseTime  = 500 * time.Millisecond
)

const metricsIndex = `<!DOCTYPE html>
<html lang="en"><title>gamedissect</title><h1>gamedissect</h1><p><a href="/metrics">Metrics</a> of the packets that are read.</p></html>
`

// Server serves metrics while packets are read.
type Server struct {
	Metrics *Metrics
	Http    *http.Server
	Err     chan error // why it ended
	Warn    io.Writer
}

// Serve begins to serve what is counted.
func Serve(listen string, warn io.Writer) (*Server, error) {
	at, everywhere, err := ParseListen(listen)
	if err != nil {
		return nil, err
	}
	network := "tcp" // a port alone: both versions of IP
	switch {
	case at.Addr().Is4():
		network = "tcp4"
	case at.Addr().Is6():
		network = "tcp6"
	}
	address := at.String()
	if everywhere {
		address = ":" + strconv.Itoa(int(at.Port()))
	}
	l, err := net.Listen(network, address)
	if err != nil {
		return nil, fmt.Errorf("--metrics %s: %w", listen, err)
	}
	if !at.Addr().IsLoopback() {
		fmt.Fprintf(warn, "gamedissect: --metrics %s: whoever reaches this machine can read the metrics; 127.0.0.1:%d is "+
			"for this machine alone\n",
			listen, at.Port())
	}
	if at.Port() == 0 { // the system chose one
		fmt.Fprintf(warn, "gamedissect: metrics at http://%s/metrics\n", l.Addr())
	}
	m := New()
	s := &Server{Metrics: m, Http: NewMetricsHTTP(m), Err: make(chan error, 1), Warn: warn}
	guests := NewGuests(l)
	s.Http.ConnState = guests.Note
	go func() { s.Err <- s.Http.Serve(guests) }()
	return s, nil
}

// ParseListen reads what --metrics says, see parseAddress.
func ParseListen(s string) (at netip.AddrPort, everywhere bool, err error) {
	at, everywhere, err = ParseAddress(s)
	if err != nil {
		err = fmt.Errorf("--metrics %s: %w; the form is 127.0.0.1:9744, [::1]:9744, or :9744 for everybody", s, err)
	}
	return at, everywhere, err
}

// ParseAddress reads an address to listen at: an IP address and a port, a port alone for this machine, or
// ":PORT" for everywhere, whose address is not valid. Names are not looked up.
func ParseAddress(s string) (at netip.AddrPort, everywhere bool, err error) {
	host, port, err := net.SplitHostPort(s)
	if err != nil && !strings.ContainsAny(s, ":[]") {
		host, port, err = "localhost", s, nil
	}
	if err != nil {
		if form, ok := errors.AsType[*net.AddrError](err); ok {
			err = errors.New(form.Err)
		}
		return at, false, err
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return at, false, fmt.Errorf("%q is no port", port)
	}
	switch host {
	case "":
		return netip.AddrPortFrom(netip.Addr{}, uint16(n)), true, nil
	case "localhost":
		host = "127.0.0.1"
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return at, false, fmt.Errorf("%q is no IP address", host)
	}
	return netip.AddrPortFrom(ip.Unmap(), uint16(n)), false, nil
}

// NewMetricsHTTP makes the server. What it would log are strangers' mistakes.
func NewMetricsHTTP(m *Metrics) *http.Server {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", NewMetricsPage(m))
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, metricsIndex) // a reader who left needs nothing
	})
	return &http.Server{
		Handler:                      mux,
		DisableGeneralOptionsHandler: true,
		ReadHeaderTimeout:            metricsHeaderTime,
		ReadTimeout:                  metricsReadTime,
		WriteTimeout:                 metricsWriteTime,
		IdleTimeout:                  metricsIdleTime,
		MaxHeaderBytes:               maxMetricsHeader,
		ErrorLog:                     log.New(io.Discard, "", 0),
	}
}

// Close ends the server. Who is just reading may finish, for a moment.
func (s *Server) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), metricsCloseTime)
	defer cancel()
	if s.Http.Shutdown(ctx) != nil {
		_ = s.Http.Close() // what is still open is given up
	}
	if err := <-s.Err; !errors.Is(err, http.ErrServerClosed) {
		fmt.Fprintf(s.Warn, "gamedissect: --metrics: the server ended early: %s\n", err)
	}
}
