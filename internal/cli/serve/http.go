// Package serve answers HTTP requests: from Prometheus for the counts of a run, and from a browser for the page of a
// capture. It also writes that page, with the capture, as a single file.
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

// Limits for the requests of a client.
const (
	maxHeader  = 16 << 10 // bytes
	headerTime = 5 * time.Second
	readTime   = 10 * time.Second
	idleTime   = 30 * time.Second
	closeTime  = 500 * time.Millisecond
)

// An httpServer answers requests until it is closed.
type httpServer struct {
	Ended chan error // why it ended; http.ErrServerClosed after Close
	http  *http.Server
}

// serveHTTP starts a server. writeTime limits how long a client may take to read an answer.
func serveHTTP(l net.Listener, h http.Handler, writeTime time.Duration) *httpServer {
	s := &httpServer{Ended: make(chan error, 1), http: &http.Server{
		Handler:                      h,
		DisableGeneralOptionsHandler: true,
		ReadHeaderTimeout:            headerTime,
		ReadTimeout:                  readTime,
		WriteTimeout:                 writeTime,
		IdleTimeout:                  idleTime,
		MaxHeaderBytes:               maxHeader,
		ErrorLog:                     log.New(io.Discard, "", 0), // clients' mistakes
	}}
	go func() { s.Ended <- s.http.Serve(l) }()
	return s
}

// Close ends the server. It allows answers that are being written a moment to finish.
func (s *httpServer) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	if s.http.Shutdown(ctx) != nil {
		_ = s.http.Close() // the clients that are left have had their time
	}
}

// parseAddress parses an address to listen at: an IP address and a port, a port alone for this machine, or ":PORT" for
// all addresses, for which at.Addr() is not valid. It looks up no names.
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
		return at, fmt.Errorf("%q is no port", port)
	}
	var ip netip.Addr
	switch host {
	case "":
	case "localhost":
		ip = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	default:
		if ip, err = netip.ParseAddr(host); err != nil {
			return at, fmt.Errorf("%q is no IP address", host)
		}
	}
	return netip.AddrPortFrom(ip.Unmap(), uint16(n)), nil
}

// guardLocal refuses requests whose Host is not a loopback address or localhost. Otherwise a stranger could make a name
// of his own resolve to this machine, and make a browser here ask by that name. The answer to such requests ends with
// advice.
func guardLocal(next http.Handler, advice string) http.Handler {
	return guard(next, isLoopback, advice)
}

// guardNames refuses requests whose Host is a name that a stranger may own. It is for a server that other machines may
// ask. Addresses and names without a dot cannot belong to a stranger; other names must begin with this machine's name.
func guardNames(next http.Handler, advice string) http.Handler {
	own, _ := os.Hostname() // without a hostname, no dotted name is accepted
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

// isLoopback reports whether a Host is localhost or a loopback address. The port may be a tunnel's.
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
