package view

import (
	"slices"
	"time"
)

// A limit says when long work must pause.
type limit struct {
	until time.Time
	count int
}

const (
	usualPause = 30     // milliseconds
	longest    = 10_000 // milliseconds
	looks      = 16     // units of work between two readings of the clock
)

func newLimit(ms *int) limit {
	n := usualPause
	if ms != nil {
		n = min(max(*ms, 0), longest)
	}
	return limit{until: time.Now().Add(time.Duration(n) * time.Millisecond)}
}

// over reports whether the work must pause. Call over after each unit of work.
func (l *limit) over() bool {
	l.count++
	return l.count%looks == 0 && !time.Now().Before(l.until)
}

// cut returns the range of n items that a request asks for. The range has at most limit items. If the request does not
// say how many, it has usual items.
func cut(n, from, count, usual, limit int) (int, int) {
	if count <= 0 {
		count = usual
	}
	from = min(max(from, 0), n)
	return from, from + min(count, limit, n-from)
}

// recent has the latest jobs by key. The most recently used job is the last.
type recent[J any] []remembered[J]

type remembered[J any] struct {
	key string
	job J
}

// job returns the job with a key. If there is none, it creates one and, if there are then too many, drops the least
// recently used one.
func (r *recent[J]) job(key string, most int, begin func() (J, error)) (J, error) {
	list := *r
	at := slices.IndexFunc(list, func(x remembered[J]) bool { return x.key == key })
	if at < 0 {
		job, err := begin()
		if err != nil {
			return job, err
		}
		at, list = len(list), append(list, remembered[J]{key, job})
	}
	one := list[at]
	list = append(slices.Delete(list, at, at+1), one)
	*r = slices.Delete(list, 0, max(len(list)-most, 0))
	return one.job, nil
}
