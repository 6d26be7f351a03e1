package clitest

import (
	"bytes"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"
)

// A Buffer is a buffer that one goroutine may write while another reads it.
type Buffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *Buffer) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(b)
}

func (s *Buffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

// Eventually waits until the condition holds.
func Eventually(t testing.TB, what string, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within a minute", what)
		}
	}
}

// Get requests a page from a server.
func Get(t testing.TB, url string) (status int, body string) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
	r, err := client.Get(url)
	NoError(t, err)
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	NoError(t, err)
	return r.StatusCode, string(b)
}
