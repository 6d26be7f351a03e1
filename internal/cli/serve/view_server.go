package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/gamedissect/gamedissect/internal/view"
	"github.com/gamedissect/gamedissect/internal/view/web"
)

// These constants limit the requests of the page. A response may be large, and may pass through a slow tunnel.
const (
	maxRequest = 64 << 10 // bytes
	maxNotes   = 1 << 20
	maxGood    = 2 << 30 // bytes of a capture that the user drops on the page
	answerTime = 2 * time.Minute
	reportTime = 10 * time.Minute
)

// pageServer serves the page of a capture to clients on this machine that know the server's token.
type pageServer struct {
	*httpServer
	page web.Page
	at   string // the address on which the server listens

	mu     sync.Mutex // guards view and ticket
	view   *view.View
	ticket string // secret that opens the page once; "" after its use

	dropped []*os.File // good captures that the user dropped on the page

	writeReport reportWriter
}

// reportWriter writes the page as a file. It calls begin to get the writer once it knows that there is something to
// write.
type reportWriter func(setup web.Setup, anonymize bool, begin func() (io.Writer, error)) error

func parseLocalAddress(s string) (netip.AddrPort, error) {
	at, err := parseAddress(s)
	if err == nil && !at.Addr().IsLoopback() {
		err = errors.New("a capture is shown only to this machine")
	}
	if err != nil {
		return at, fmt.Errorf("--listen %s: %w; the form is 8080, 127.0.0.1:8080 or [::1]:8080", s, err)
	}
	return at, nil
}

// newPageServer starts a server. After success, the server's Close also closes the view.
func newPageServer(v *view.View, at netip.AddrPort, page web.Page, write reportWriter) (*pageServer, error) {
	l, err := net.Listen("tcp", at.String())
	if err != nil {
		return nil, err
	}
	page.Setup.Token = rand.Text()
	s := &pageServer{page: page, at: l.Addr().String(), view: v, ticket: rand.Text(), writeReport: write}
	s.httpServer = serveHTTP(l, s.handler(), answerTime)
	return s, nil
}

func (s *pageServer) address() string { return "http://" + s.at + "/?token=" + s.page.Setup.Token }

// invitation returns an address that opens the page only once, because other users can see it in the list of processes.
func (s *pageServer) invitation() string { return "http://" + s.at + "/open?ticket=" + s.ticket }

// Close ends the server and closes the view.
func (s *pageServer) Close() error {
	s.httpServer.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.view.Close()
	for _, file := range s.dropped {
		_ = file.Close() // harmless: the file is removed
		err = errors.Join(err, os.Remove(file.Name()))
	}
	return err
}

// handler handles requests to loopback addresses. It rejects a browser's requests from other pages.
func (s *pageServer) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.document)
	mux.HandleFunc("GET /open", s.open)
	mux.HandleFunc("POST /call", s.withToken(s.call))
	mux.HandleFunc("POST /report", s.withToken(s.report))
	mux.HandleFunc("POST /good", s.withToken(s.addGood))
	return guardLocal(http.NewCrossOriginProtection().Handler(mux), "open the address that gamedissect view printed")
}

func sameToken(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

func (s *pageServer) withToken(f http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !sameToken(r.Header.Get("X-Token"), s.page.Setup.Token) {
			http.Error(w, "the token is wrong: use the address that gamedissect view printed", http.StatusForbidden)
			return
		}
		f(w, r)
	}
}

func (s *pageServer) document(w http.ResponseWriter, r *http.Request) {
	if !sameToken(r.URL.Query().Get("token"), s.page.Setup.Token) {
		http.Error(w, "the address lacks its token: use the one that gamedissect view printed", http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = s.page.Write(w) // an error means that the client is gone
}

// open redirects a client that knows the ticket to the page.
func (s *pageServer) open(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	good := s.ticket != "" && sameToken(r.URL.Query().Get("ticket"), s.ticket)
	if good {
		s.ticket = ""
	}
	s.mu.Unlock()
	if !good {
		http.Error(w, "this address works only once: use the one that gamedissect view printed", http.StatusForbidden)
		return
	}
	http.Redirect(w, r, "/?token="+s.page.Setup.Token, http.StatusSeeOther)
}

func (s *pageServer) call(w http.ResponseWriter, r *http.Request) {
	request, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		http.Error(w, "the request is too long or incomplete", http.StatusRequestEntityTooLarge)
		return
	}
	of, err := strconv.Atoi(cmp.Or(r.URL.Query().Get("of"), "0"))
	if err != nil {
		http.Error(w, "the number of the capture is invalid", http.StatusBadRequest)
		return
	}
	answer := s.answer(r.Context(), of, r.URL.Query().Get("op"), request)
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(answer) // an error means that the client is gone
}

// report responds with the page as a file, with the notes and the filter in the request.
func (s *pageServer) report(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Filter    string      `json:"filter"`
		Notes     []view.Note `json:"notes"`
		Anonymize bool        `json:"anonymize"`
	}
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxNotes)).Decode(&asked)
	if err == nil {
		err = web.CheckNotes(asked.Notes)
	}
	if err != nil {
		http.Error(w, "invalid request: "+err.Error(), http.StatusBadRequest)
		return
	}
	setup := s.page.Setup
	setup.Good, setup.Token, setup.Reports = nil, "", false
	if !asked.Anonymize { // otherwise they could reveal names
		setup.Filter, setup.Notes = asked.Filter, asked.Notes
	}
	// Building the engine may take some of this time.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(reportTime))
	begun := false
	err = s.writeReport(setup, asked.Anonymize, func() (io.Writer, error) {
		begun = true
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Disposition", "attachment")
		return w, nil
	})
	switch {
	case err != nil && !begun:
		http.Error(w, err.Error(), http.StatusConflict)
	case err != nil:
		panic(http.ErrAbortHandler) // the response is incomplete
	}
}

// answer calls the view, unless the client is gone.
func (s *pageServer) answer(asked context.Context, of int, op string, request []byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if asked.Err() != nil {
		return nil
	}
	return s.view.CallOf(of, op, request)
}

// addGood opens a good capture that the user dropped on the page. It stores the capture in a temporary file.
func (s *pageServer) addGood(w http.ResponseWriter, r *http.Request) {
	limits := http.NewResponseController(w)
	_ = limits.SetReadDeadline(time.Now().Add(reportTime)) // a capture may be large
	_ = limits.SetWriteDeadline(time.Now().Add(reportTime + answerTime))
	answer, err := s.keepGood(r.URL.Query().Get("name"), http.MaxBytesReader(w, r.Body, maxGood))
	if err != nil {
		answer = view.Failed(err)
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(answer) // an error means that the client is gone
}

func (s *pageServer) keepGood(name string, from io.Reader) ([]byte, error) {
	file, err := os.CreateTemp("", "gamedissect-*")
	if err != nil {
		return nil, err
	}
	size, err := io.Copy(file, from)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		err = s.view.AddGood(view.File{Reader: file, Size: size, Name: name})
	}
	if err != nil {
		return nil, errors.Join(err, file.Close(), os.Remove(file.Name()))
	}
	s.dropped = append(s.dropped, file)
	return s.view.Call("state", nil), nil
}
