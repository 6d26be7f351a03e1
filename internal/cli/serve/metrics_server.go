package serve

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// scrapeTime is the maximum time for a client to read a response.
const scrapeTime = 10 * time.Second

const indexPage = `<!DOCTYPE html>
<html lang="en"><title>gamedissect</title><h1>gamedissect</h1><p><a href="/metrics">Metrics</a> of the packets that are read.</p></html>
`

// MetricsServer serves metrics while packets are read.
type MetricsServer struct {
	*httpServer
	warn io.Writer
}

// Serve starts a server at the address of --metrics.
func (m *Metrics) Serve(address string, warn io.Writer) (*MetricsServer, error) {
	at, err := parseAddress(address)
	if err != nil {
		return nil, fmt.Errorf("--metrics %s: %w; the form is 127.0.0.1:9744, [::1]:9744, or :9744 for all addresses",
			address,
			err)
	}
	network, name := "tcp", at.String()
	switch {
	case at.Addr().Is4():
		network = "tcp4"
	case at.Addr().Is6():
		network = "tcp6"
	default: // ":PORT" means IPv4 and IPv6
		name = ":" + strconv.Itoa(int(at.Port()))
	}
	l, err := net.Listen(network, name)
	if err != nil {
		return nil, fmt.Errorf("--metrics %s: %w", address, err)
	}
	handler := m.handler()
	if at.Addr().IsLoopback() {
		handler = guardLocal(handler, "--metrics "+address+" serves only this machine, as localhost")
	} else {
		handler = guardNames(handler, "use the IP address or the name of this machine")
		fmt.Fprintf(warn, "gamedissect: --metrics %s: everyone who can reach this machine can read the metrics; "+
			"127.0.0.1:%d "+
			"serves only this machine\n",
			address, at.Port())
	}
	if at.Port() == 0 { // the system chose the port
		fmt.Fprintf(warn, "gamedissect: metrics at http://%s/metrics\n", l.Addr())
	}
	return &MetricsServer{serveHTTP(l, handler, scrapeTime), warn}, nil
}

func (m *Metrics) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, indexPage) // error ignored: the client is gone
	})
	return mux
}

// Close ends the server. If the server had already ended, Close prints a warning.
func (s *MetricsServer) Close() {
	s.httpServer.Close()
	if err := <-s.Ended; !errors.Is(err, http.ErrServerClosed) {
		fmt.Fprintf(s.warn, "gamedissect: --metrics: the server ended early: %s\n", err)
	}
}
