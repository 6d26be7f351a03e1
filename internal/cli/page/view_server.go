package page

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/gamedissect/gamedissect/internal/cli/metrics"
	"github.com/gamedissect/gamedissect/internal/view"
	"github.com/gamedissect/gamedissect/internal/view/web"
)

// Bounds of what is asked of the server. An answer may be large, and go through a tunnel.
const (
	MaxViewRequest = 64 << 10 // bytes
	maxViewNotes   = 1 << 20
	maxViewHeader  = 16 << 10
	viewHeaderTime = 5 * time.Second
	viewReadTime   = 10 * time.Second
	viewWriteTime  = 2 * time.Minute
	viewReportTime = 10 * time.Minute
	viewIdleTime   = 2 * time.Minute
	viewCloseTime  = time.Second
)

// Server serves the page of a capture to this machine, and to those who know its token.
type Server struct {
	Page  web.Page
	http  *http.Server
	At    string // where it listens
	Ended chan error

	mu     sync.Mutex // view is for one at a time
	view   *view.View
	ticket string // leads to the page once; "": it was used

	writeReport func(setup web.Setup, begin func() (io.Writer, error)) error // nil: nobody can yet
}

// ParseViewListen reads an address of this machine.
func ParseViewListen(s string) (netip.AddrPort, error) {
	at, everywhere, err := metrics.ParseAddress(s)
	if err == nil && (everywhere || !at.Addr().IsLoopback()) {
		err = errors.New("a capture is shown to this machine alone")
	}
	if err != nil {
		return at, fmt.Errorf("--listen %s: %w; the form is 8080, 127.0.0.1:8080 or [::1]:8080", s, err)
	}
	return at, nil
}

// NewServer begins to serve. It closes the view in the end, if there was no error.
func NewServer(v *view.View, at netip.AddrPort, page web.Page) (*Server, error) {
	l, err := net.Listen("tcp", at.String())
	if err != nil {
		return nil, err
	}
	page.Setup.Token = rand.Text()
	s := &Server{
		Page: page, At: l.Addr().String(), Ended: make(chan error, 1), view: v, ticket: rand.Text(),
	}
	guests := metrics.NewGuests(l)
	s.http = &http.Server{
		Handler:                      s.Handler(),
		DisableGeneralOptionsHandler: true,
		ReadHeaderTimeout:            viewHeaderTime,
		ReadTimeout:                  viewReadTime,
		WriteTimeout:                 viewWriteTime,
		IdleTimeout:                  viewIdleTime,
		MaxHeaderBytes:               maxViewHeader,
		ConnState:                    guests.Note,
		ErrorLog:                     log.New(io.Discard, "", 0), // these are strangers' mistakes
	}
	go func() { s.Ended <- s.http.Serve(guests) }()
	return s, nil
}

// Address is where the page is.
func (s *Server) Address() string { return "http://" + s.At + "/?token=" + s.Page.Setup.Token }

// Invitation is an address that leads to the page once. Whoever lists the programs that run here sees it, so it must
// not lead there again.
func (s *Server) Invitation() string { return "http://" + s.At + "/open?ticket=" + s.ticket }

// Close ends the server. Who is just answered may finish, for a moment.
func (s *Server) Close() error {
	soon, cancel := context.WithTimeout(context.Background(), viewCloseTime)
	defer cancel()
	if s.http.Shutdown(soon) != nil {
		_ = s.http.Close() // what is still open is given up
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.view.Close()
}

// Handler answers what is asked by the right name. A page of a stranger may not post here from a browser, whatever it
// has learned.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.document)
	mux.HandleFunc("GET /open", s.open)
	mux.HandleFunc("POST /call", s.call)
	mux.HandleFunc("POST /report", s.report)
	return guard(http.NewCrossOriginProtection().Handler(mux))
}

// guard refuses who came by another name, which a stranger may have had resolved to this machine.
func guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		if !isOwnName(r.Host) {
			http.Error(w, "this page is not at "+r.Host+": open the address that gamedissect view printed", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// isOwnName reports whether a Host is this machine under a name that nobody can give to another. The port may be that
// of a tunnel.
func isOwnName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && ip.IsLoopback()
}

func sameToken(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

func (s *Server) document(w http.ResponseWriter, r *http.Request) {
	if !sameToken(r.URL.Query().Get("token"), s.Page.Setup.Token) {
		http.Error(w, "the address lacks its token: take the one that gamedissect view printed", http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = s.Page.Write(w) // a reader who left needs nothing
}

// open sends who has the ticket to the page.
func (s *Server) open(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	good := s.ticket != "" && sameToken(r.URL.Query().Get("ticket"), s.ticket)
	if good {
		s.ticket = ""
	}
	s.mu.Unlock()
	if !good {
		http.Error(w, "this address was good once: take the one that gamedissect view printed", http.StatusForbidden)
		return
	}
	http.Redirect(w, r, "/?token="+s.Page.Setup.Token, http.StatusSeeOther)
}

func (s *Server) call(w http.ResponseWriter, r *http.Request) {
	if !sameToken(r.Header.Get("X-Token"), s.Page.Setup.Token) {
		http.Error(w, "the token is wrong: take the address that gamedissect view printed", http.StatusForbidden)
		return
	}
	request, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxViewRequest))
	if err != nil {
		http.Error(w, "the request is too long, or did not come whole", http.StatusRequestEntityTooLarge)
		return
	}
	answer := s.answer(r.Context(), r.URL.Query().Get("op"), request)
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(answer) // as above
}

// ReportsBy says who writes the page as a file for others. It gives begin's writer the page, or an error before.
func (s *Server) ReportsBy(write func(setup web.Setup, begin func() (io.Writer, error)) error) {
	s.mu.Lock()
	s.writeReport = write
	s.mu.Unlock()
}

// report writes the page as a file for others, with the notes that were written in it.
func (s *Server) report(w http.ResponseWriter, r *http.Request) {
	if !sameToken(r.Header.Get("X-Token"), s.Page.Setup.Token) {
		http.Error(w, "the token is wrong: take the address that gamedissect view printed", http.StatusForbidden)
		return
	}
	var asked web.Setup // of which the filter and the notes count
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxViewNotes)).Decode(&asked)
	if err == nil {
		err = web.CheckNotes(asked.Notes)
	}
	if err != nil {
		http.Error(w, "no good request: "+err.Error(), http.StatusBadRequest)
		return
	}
	setup := s.Page.Setup
	setup.Token, setup.Reports, setup.Filter, setup.Notes = "", false, asked.Filter, asked.Notes
	s.mu.Lock()
	write := s.writeReport
	s.mu.Unlock()
	if write == nil || !s.Page.Setup.Reports {
		http.Error(w, "no reports are written here", http.StatusConflict)
		return
	}
	// The engine may have to be built first.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(viewReportTime))
	begun := false
	err = write(setup, func() (io.Writer, error) {
		begun = true
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Disposition", "attachment")
		return w, nil
	})
	switch {
	case err != nil && !begun:
		http.Error(w, err.Error(), http.StatusConflict)
	case err != nil:
		panic(http.ErrAbortHandler) // what came is no page
	}
}

// answer asks the view, unless nobody waits for it any more.
func (s *Server) answer(asked context.Context, op string, request []byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if asked.Err() != nil {
		return nil
	}
	return s.view.Call(op, request)
}
