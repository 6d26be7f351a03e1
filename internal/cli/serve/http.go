// Package serve contains two HTTP servers: one for Prometheus, with the counts of a run, and one for a browser, with
// the page of a capture. It can also write the page with its capture to a single file.
package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"time"
)

// These constants limit the requests of a client.
const (
	maxHeader  = 16 << 10 // bytes
	headerTime = 5 * time.Second
	readTime   = 10 * time.Second
	idleTime   = 30 * time.Second
	closeTime  = 500 * time.Millisecond
)

// An httpServer answers requests until it is closed.
type httpServer struct {
	Ended chan error // reason why it ended; http.ErrServerClosed after Close
	http  *http.Server
}

// serveHTTP starts a server. writeTime is the maximum time for a client to read a response.
func serveHTTP(l net.Listener, h http.Handler, writeTime time.Duration) *httpServer {
	s := &httpServer{Ended: make(chan error, 1), http: &http.Server{
		Handler:                      h,
		DisableGeneralOptionsHandler: true,
		ReadHeaderTimeout:            headerTime,
		ReadTimeout:                  readTime,
		WriteTimeout:                 writeTime,
		IdleTimeout:                  idleTime,
		MaxHeaderBytes:               maxHeader,
		ErrorLog:                     log.New(io.Discard, "", 0), // drops messages about clients' mistakes
	}}
	go func() { s.Ended <- s.http.Serve(l) }()
	return s
}

// Close ends the server. It waits a moment for unfinished responses.
func (s *httpServer) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	if s.http.Shutdown(ctx) != nil {
		_ = s.http.Close() // clients that are still connected have had their time
	}
}

// parseAddress parses an address to listen on: an IP address and a port, only a port for this machine, or ":PORT" for
// all addresses. For ":PORT", at.Addr() is invalid. parseAddress does not look up names.
func parseAddress(s string) (at netip.AddrPort, err error) {
	host, port, err := net.SplitHostPort(s)
	if err != nil && !strings.ContainsAny(s, ":[]") {
		host, port, err = "localhost", s, nil
	}
	if err != nil {
		if form, ok := errors.AsType[*net.AddrError](err); ok {
			err = errors.New(form.Err)
		}
		return at, err
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return at, fmt.Errorf("%q is not a port", port)
	}
	var ip netip.Addr
	switch host {
	case "":
	case "localhost":
		ip = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	default:
		if ip, err = netip.ParseAddr(host); err != nil {
			return at, fmt.Errorf("%q is not an IP address", host)
		}
	}
	return netip.AddrPortFrom(ip.Unmap(), uint16(n)), nil
}

// guardLocal rejects requests whose Host is neither a loopback address nor localhost. Without this check, a stranger
// could make his own domain name resolve to this machine, and so make a browser on this machine send requests (DNS
// rebinding). Rejections end with the advice.
func guardLocal(next http.Handler, advice string) http.Handler {
	return guard(next, isLoopback, advice)
}

// guardNames rejects requests whose Host is a name that may belong to a stranger. It is for servers that other machines
// may use. It accepts addresses, names without a dot, which cannot belong to a stranger, and names that begin with this
// machine's name.
func guardNames(next http.Handler, advice string) http.Handler {
	own, _ := os.Hostname() // if it is "", no name with a dot is accepted
	own, _, _ = strings.Cut(strings.ToLower(own), ".")
	return guard(next, func(host string) bool {
		host = strings.ToLower(withoutPort(host))
		_, err := netip.ParseAddr(strings.Trim(host, "[]"))
		first, _, dotted := strings.Cut(host, ".")
		return err == nil || !dotted && host != "" || own != "" && first == own
	}, advice)
}

func guard(next http.Handler, fits func(host string) bool, advice string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		if !fits(r.Host) {
			http.Error(w, "this page is not at "+r.Host+": "+advice, http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// isLoopback reports whether a Host is localhost or a loopback address. It accepts any port, because a tunnel may use
// another one.
func isLoopback(host string) bool {
	host = withoutPort(host)
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && ip.IsLoopback()
}

func withoutPort(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}
