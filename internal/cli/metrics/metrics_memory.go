package metrics

import (
	"hash/maphash"
	"maps"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// Bounds of recent.
const (
	RecentTime = 10 * time.Minute
	MaxRecent  = 100_000
	SweepEvery = time.Second // each sweep looks at all of them
)

// recentSeed is secret, so that nobody can choose names that collide.
var recentSeed = maphash.MakeSeed()

// Recent counts the different subjects that were met in the last ten minutes. It keeps their hashes, and
// what finds no room is not counted. The zero recent is empty and ready.
type Recent struct {
	mu    sync.Mutex // one goroutine meets, others count
	last  map[uint64]time.Duration
	swept time.Duration
}

// Meet notes that somebody is there, at a time since the beginning.
func (r *Recent) Meet(who stats.Subject, now time.Duration) {
	var h maphash.Hash
	h.SetSeed(recentSeed)
	server, port := who.Server.Addr().As16(), who.Server.Port()
	_, _ = h.Write(server[:]) // never fails
	_, _ = h.Write([]byte{byte(port >> 8), byte(port)})
	_, _ = h.WriteString(who.Who)
	name := h.Sum64()
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.last[name]; !known && len(r.last) >= MaxRecent {
		if r.sweep(now); len(r.last) >= MaxRecent {
			return
		}
	}
	if r.last == nil {
		r.last = make(map[uint64]time.Duration)
	}
	r.last[name] = now
}

// Count is the number of names, and whether there ever was one.
func (r *Recent) Count(now time.Duration) (n int, ever bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sweep(now)
	return len(r.last), r.last != nil
}

// sweep forgets what is too long ago, unless it has just done so.
func (r *Recent) sweep(now time.Duration) {
	if now-r.swept < SweepEvery {
		return
	}
	r.swept = now
	maps.DeleteFunc(r.last, func(_ uint64, at time.Duration) bool { return now-at > RecentTime })
}

// Forgetful is a decode.Engine, which any goroutine may ask what it had to forget.
type Forgetful interface{ Forgotten() []bounded.Forgotten }

// forgottenCollector tells what there was no room for. The kinds are names that trackers have.
type forgottenCollector struct{ *Metrics }

var forgottenDesc = prometheus.NewDesc("gamedissect_forgotten_total", "What --memory had no room for, by kind.",
	[]string{"kind"}, nil)

// Describe implements prometheus.Collector.
func (*forgottenCollector) Describe(to chan<- *prometheus.Desc) { to <- forgottenDesc }

// Collect implements prometheus.Collector.
func (c *forgottenCollector) Collect(to chan<- prometheus.Metric) {
	engine := c.forgot.Load()
	if engine == nil {
		return
	}
	counts := make(map[string]int64) // parts of the engine have kinds of the same name
	for _, f := range (*engine).Forgotten() {
		counts[f.Name] += f.Count
	}
	for name, n := range counts {
		to <- prometheus.MustNewConstMetric(forgottenDesc, prometheus.CounterValue, float64(n), name)
	}
}

// FirstsSize is how many numbers firsts remembers.
const FirstsSize = 1 << 16

// Firsts reports whether a number comes for the first time. Numbers come about in order, as those of
// conversations do: what is far behind the highest is taken for an old one. The zero firsts is empty and ready.
type Firsts struct {
	bits [FirstsSize / 64]uint64 // the newest firstsSize numbers below next, as a ring
	next int                     // above the highest so far
}

func (f *Firsts) First(n int) bool {
	if n < 0 || n < f.next-FirstsSize {
		return false
	}
	if n-f.next >= FirstsSize {
		*f = Firsts{next: n}
	}
	for ; f.next <= n; f.next++ {
		f.bits[f.next%FirstsSize/64] &^= 1 << (f.next % 64)
	}
	word, bit := &f.bits[n%FirstsSize/64], uint64(1)<<(n%64)
	if *word&bit != 0 {
		return false
	}
	*word |= bit
	return true
}
