package metrics

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metricsPage is what a scrape shows. It is made in memory, at most once in pageEvery for all who ask, so that nobody
// who asks often takes much of the processor, and nobody who reads slowly holds anything but his connection.
type metricsPage struct {
	from  http.Handler
	plain madePage
	short madePage // compressed
}

// pageEvery is the time between two pages. Who asks sooner gets the next one.
const pageEvery = 100 * time.Millisecond

// A madePage is a page that was made, and when that began.
type madePage struct {
	mu     sync.Mutex
	begun  time.Time
	status int
	header http.Header
	body   []byte
}

func NewMetricsPage(m *Metrics) *metricsPage {
	return &metricsPage{from: promhttp.HandlerFor(m.Registry, promhttp.HandlerOpts{})}
}

// ServeHTTP implements http.Handler.
func (p *metricsPage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	page, encoding := &p.plain, ""
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		page, encoding = &p.short, "gzip"
	}
	status, header, body := page.after(time.Now(), func(w http.ResponseWriter) {
		again := &http.Request{Method: http.MethodGet, Header: http.Header{"Accept-Encoding": {encoding}}}
		p.from.ServeHTTP(w, again.WithContext(r.Context()))
	})
	for _, name := range []string{"Content-Type", "Content-Encoding"} {
		if value := header.Get(name); value != "" {
			w.Header().Set(name, value)
		}
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a reader who left needs nothing
}

// after gives a page of which all was counted after a time.
func (p *madePage) after(asked time.Time, show func(http.ResponseWriter)) (int, http.Header, []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.begun.After(asked) {
		time.Sleep(pageEvery - time.Since(p.begun))
		made := pageWriter{header: make(http.Header), status: http.StatusOK}
		p.begun = time.Now()
		show(&made)
		p.status, p.header, p.body = made.status, made.header, made.body.Bytes()
	}
	return p.status, p.header, p.body
}

// pageWriter keeps what is written.
type pageWriter struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *pageWriter) Header() http.Header         { return w.header }
func (w *pageWriter) WriteHeader(status int)      { w.status = status }
func (w *pageWriter) Write(b []byte) (int, error) { return w.body.Write(b) }
