package main

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"os/exec"
	"sync"
	"time"

	"github.com/gamedissect/gamedissect/view"
	"github.com/gamedissect/gamedissect/view/web"
)

// Bounds of what is asked of the server.
const (
	maxViewRequest = 64 << 10 // bytes
	viewHeaderTime = 5 * time.Second
	viewCloseTime  = time.Second
)

// viewServer serves the page of a capture to this machine, and to those who know its token.
type viewServer struct {
	page  web.Page
	http  *http.Server
	host  string // the only one by which it is asked; other names of this machine could be a stranger's page
	ended chan error

	mu   sync.Mutex // view is for one at a time
	view *view.View
}

func newViewServer(v *view.View, listen string, page web.Page) (*viewServer, error) {
	at, err := netip.ParseAddrPort(listen)
	if err != nil || !at.Addr().IsLoopback() {
		return nil, fmt.Errorf("--listen %s: it takes an address of this machine and a port, as in 127.0.0.1:8080", listen)
	}
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return nil, fmt.Errorf("--listen %s: %w", listen, err)
	}
	page.Setup.Token = rand.Text()
	s := &viewServer{page: page, host: l.Addr().String(), ended: make(chan error, 1), view: v}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.document)
	mux.HandleFunc("POST /call", s.call)
	s.http = &http.Server{
		Handler: s.guard(mux), ReadHeaderTimeout: viewHeaderTime, ReadTimeout: 2 * viewHeaderTime,
		ErrorLog: log.New(io.Discard, "", 0), // these are strangers' mistakes
	}
	go func() { s.ended <- s.http.Serve(l) }()
	return s, nil
}

// address is where the page is.
func (s *viewServer) address() string { return "http://" + s.host + "/?token=" + s.page.Setup.Token }

func (s *viewServer) close() error {
	soon, cancel := context.WithTimeout(context.Background(), viewCloseTime)
	defer cancel()
	if s.http.Shutdown(soon) != nil {
		return s.http.Close()
	}
	return nil
}

// guard refuses who came by another name, which a page of a stranger may have had resolved to this machine.
func (s *viewServer) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if r.Host != s.host {
			http.Error(w, "this page is at "+s.host, http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *viewServer) known(token string) bool {
	return subtle.ConstantTimeCompare([]byte(token), []byte(s.page.Setup.Token)) == 1
}

func (s *viewServer) document(w http.ResponseWriter, r *http.Request) {
	if !s.known(r.URL.Query().Get("token")) {
		http.Error(w, "the address lacks its token: take the one that gamedissect view printed", http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = s.page.Write(w) // a reader who left needs nothing
}

func (s *viewServer) call(w http.ResponseWriter, r *http.Request) {
	if !s.known(r.Header.Get("X-Token")) {
		http.Error(w, "the token is wrong", http.StatusForbidden)
		return
	}
	request, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxViewRequest))
	if err != nil {
		http.Error(w, "the request is too long", http.StatusRequestEntityTooLarge)
		return
	}
	s.mu.Lock()
	answer := s.view.Call(r.URL.Query().Get("op"), request)
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(answer) // as above
}

// start starts a program and does not wait for it.
func start(command []string) error {
	c := exec.Command(command[0], command[1:]...)
	if err := c.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return fmt.Errorf("%s is not installed", command[0])
		}
		return err
	}
	go c.Wait() //nolint:errcheck // how a browser ends is its own matter
	return nil
}
