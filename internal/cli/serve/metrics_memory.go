package serve

import (
	"hash/maphash"
	"maps"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// These are the limits of a recent.
const (
	recentTime = 10 * time.Minute
	maxRecent  = 100_000
	sweepEvery = time.Second // minimum time between sweeps, because a sweep visits all subjects
)

// recentSeed is secret, so senders cannot choose names with equal hashes.
var recentSeed = maphash.MakeSeed()

// A recent counts subjects, which are distinct servers or players of the last ten minutes, by their hashes. It counts
// at most maxRecent subjects. The zero value is empty and ready to use.
type recent struct {
	mu    sync.Mutex               // one goroutine calls meet, others call count
	last  map[uint64]time.Duration // time of each subject's last measurement, by the subject's hash
	swept time.Duration
}

// meet records that a subject was measured at the time now.
func (r *recent) meet(who stats.RowKey, now time.Duration) {
	var h maphash.Hash
	h.SetSeed(recentSeed)
	server, port := who.Server.Addr().As16(), who.Server.Port()
	_, _ = h.Write(server[:]) // never fails
	_, _ = h.Write([]byte{byte(port >> 8), byte(port)})
	_, _ = h.WriteString(who.Who)
	hash := h.Sum64()
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.last[hash]; !known && len(r.last) >= maxRecent {
		if r.sweep(now); len(r.last) >= maxRecent {
			return
		}
	}
	if r.last == nil {
		r.last = make(map[uint64]time.Duration)
	}
	r.last[hash] = now
}

// count returns the number of subjects, and whether there ever was a subject.
func (r *recent) count(now time.Duration) (n int, ever bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sweep(now)
	return len(r.last), r.last != nil
}

// sweep drops subjects that are too old. It runs at most once per sweepEvery.
func (r *recent) sweep(now time.Duration) {
	if now-r.swept < sweepEvery {
		return
	}
	r.swept = now
	maps.DeleteFunc(r.last, func(_ uint64, at time.Duration) bool { return now-at > recentTime })
}

// Forgetful is the part of decode.Engine that reports what the engine dropped for lack of memory. Any goroutine may
// call it.
type Forgetful interface{ Forgotten() []bounded.Forgotten }

// forgottenCollector counts what the engine dropped, by kind.
type forgottenCollector struct{ *Metrics }

var forgottenDesc = prometheus.NewDesc("gamedissect_forgotten_total",
	"Data that was dropped to stay within --memory, by kind.",
	[]string{"kind"}, nil)

func (*forgottenCollector) Describe(to chan<- *prometheus.Desc) { to <- forgottenDesc }

func (c *forgottenCollector) Collect(to chan<- prometheus.Metric) {
	engine := c.forgot.Load()
	if engine == nil {
		return
	}
	counts := make(map[string]int64) // several parts of the engine may use the same kind
	for _, f := range (*engine).Forgotten() {
		counts[f.Name] += f.Count
	}
	for name, n := range counts {
		to <- prometheus.MustNewConstMetric(forgottenDesc, prometheus.CounterValue, float64(n), name)
	}
}

// firstsSize is how many numbers a firsts remembers.
const firstsSize = 1 << 16

// A firsts reports which numbers are new. The numbers must be nearly in order, as conversation numbers are, because a
// number far below the highest one counts as seen. The zero value is empty and ready to use.
type firsts struct {
	bits [firstsSize / 64]uint64 // the last firstsSize numbers below next, as a ring
	next int                     // one above the highest number so far
}

func (f *firsts) first(n int) bool {
	if n < 0 || n < f.next-firstsSize {
		return false
	}
	if n-f.next >= firstsSize {
		*f = firsts{next: n}
	}
	for ; f.next <= n; f.next++ {
		f.bits[f.next%firstsSize/64] &^= 1 << (f.next % 64)
	}
	word, bit := &f.bits[n%firstsSize/64], uint64(1)<<(n%64)
	if *word&bit != 0 {
		return false
	}
	*word |= bit
	return true
}
