package view

import (
	"slices"
	"time"
)

// A limit says when work that takes long is to pause.
type limit struct {
	until time.Time
	count int
}

const (
	usualPause = 30     // milliseconds
	longest    = 10_000 // milliseconds
	looks      = 16     // pieces of work between two looks at the clock
)

func newLimit(ms *int) limit {
	n := usualPause
	if ms != nil {
		n = min(max(*ms, 0), longest)
	}
	return limit{until: time.Now().Add(time.Duration(n) * time.Millisecond)}
}

// over reports whether it is time to pause. It is asked after each piece of work.
func (l *limit) over() bool {
	l.count++
	return l.count%looks == 0 && !time.Now().Before(l.until)
}

// cut returns the part of n things that a request asks for: at most limit, and usual unless it says how many.
func cut(n, from, count, usual, limit int) (int, int) {
	if count <= 0 {
		count = usual
	}
	from = min(max(from, 0), n)
	return from, from + min(count, limit, n-from)
}

// recent remembers the jobs used last by what they are asked for. The latest stands last.
type recent[J any] []remembered[J]

type remembered[J any] struct {
	key string
	job J
}

// job returns the one of a key, a new one if there is none, and remembers at most so many.
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
