package view

import "sort"

type nextRequest struct {
	Row    int    `json:"row"`
	Back   bool   `json:"back"`
	Filter string `json:"filter"`
	MS     *int   `json:"ms"`
}

type nextAnswer struct {
	Row  int  `json:"row"`
	Done bool `json:"done"`
}

// next finds the nearest row with findings behind a row, or before it, that a filter lets through.
func (v *View) next(q *nextRequest) (*nextAnswer, error) {
	var job *filterJob
	if q.Filter != "" {
		var err error
		if job, err = v.jobFor(q.Filter); err != nil {
			return nil, err
		}
		if q.Back && job.next <= min(q.Row, v.index.len()) || !q.Back && job.next < v.index.len() {
			if err := v.advance(job, newLimit(q.MS)); err != nil {
				return nil, err
			}
		}
	}
	list := v.index.broken
	at, step := sort.Search(len(list), func(i int) bool { return int(list[i].row) > q.Row }), 1
	if q.Back {
		at, step = sort.Search(len(list), func(i int) bool { return int(list[i].row) >= q.Row })-1, -1
	}
	for ; at >= 0 && at < len(list); at += step {
		row := list[at].row
		if job == nil {
			return &nextAnswer{int(row), true}, nil
		}
		if int(row) >= job.next {
			return &nextAnswer{-1, false}, nil
		}
		if job.has(int(row)) {
			return &nextAnswer{int(row), true}, nil
		}
	}
	return &nextAnswer{-1, job == nil || q.Back || job.next == v.index.len()}, nil
}
