package metrics

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/gamedissect/gamedissect/internal/cli/listen"
)

// writeTime is how long a client may take to read an answer.
const writeTime = 10 * time.Second

const indexPage = `<!DOCTYPE html>
<html lang="en"><title>gamedissect</title><h1>gamedissect</h1><p><a href="/metrics">Metrics</a> of the packets that are read.</p></html>
`

// Server serves metrics while packets are read.
type Server struct {
	*listen.Server
	warn io.Writer
}

// Serve starts a server at an address of --metrics.
func (m *Metrics) Serve(address string, warn io.Writer) (*Server, error) {
	at, err := listen.ParseAddress(address)
	if err != nil {
		return nil, fmt.Errorf("--metrics %s: %w; the form is 127.0.0.1:9744, [::1]:9744, or :9744 for everybody", address,
			err)
	}
	network, name := "tcp", at.String()
	switch {
	case at.Addr().Is4():
		network = "tcp4"
	case at.Addr().Is6():
		network = "tcp6"
	default: // a port of both versions of IP
		name = ":" + strconv.Itoa(int(at.Port()))
	}
	l, err := net.Listen(network, name)
	if err != nil {
		return nil, fmt.Errorf("--metrics %s: %w", address, err)
	}
	handler := m.handler()
	if at.Addr().IsLoopback() {
		handler = listen.Guard(handler, "--metrics "+address+" is for this machine alone, as localhost")
	} else {
		handler = listen.GuardNames(handler, "--metrics "+address+" is asked by address, or by this machine's name")
		fmt.Fprintf(warn, "gamedissect: --metrics %s: whoever reaches this machine can read the metrics; 127.0.0.1:%d is "+
			"for this machine alone\n",
			address, at.Port())
	}
	if at.Port() == 0 { // the system chose one
		fmt.Fprintf(warn, "gamedissect: metrics at http://%s/metrics\n", l.Addr())
	}
	return &Server{listen.Serve(l, handler, writeTime), warn}, nil
}

func (m *Metrics) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, indexPage) // a client that is gone needs nothing
	})
	return mux
}

// Close ends the server, and warns if it had ended before.
func (s *Server) Close() {
	s.Server.Close()
	if err := <-s.Ended; !errors.Is(err, http.ErrServerClosed) {
		fmt.Fprintf(s.warn, "gamedissect: --metrics: the server ended early: %s\n", err)
	}
}
