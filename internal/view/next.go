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
	j, err := v.jobFor(q.Filter)
	if err == nil && (!q.Back || j.examined() <= q.Row) {
		err = v.advance(j, newLimit(q.MS))
	}
	if err != nil {
		return nil, err
	}
	list := v.index.found.rows
	at, step := sort.Search(len(list), func(i int) bool { return int(list[i].row) > q.Row }), 1
	if q.Back {
		at, step = sort.Search(len(list), func(i int) bool { return int(list[i].row) >= q.Row })-1, -1
	}
	for ; at >= 0 && at < len(list); at += step {
		row := int(list[at].row)
		if row >= j.examined() {
			return &nextAnswer{-1, false}, nil
		}
		if j.has(row) {
			return &nextAnswer{row, true}, nil
		}
	}
	return &nextAnswer{-1, q.Back || j.done()}, nil
}
