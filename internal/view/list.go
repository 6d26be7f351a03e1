package view

import "sort"

type rowsRequest struct {
	page
	Filter string `json:"filter"`
	Only   []int  `json:"only"`
	MS     *int   `json:"ms"`
}

// A page is a part of a list of rows: Count rows from the row From on, or around the row Around.
type page struct {
	From   int  `json:"from"`
	Count  int  `json:"count"`
	Around *int `json:"around"`
}

// of returns the range of n items that p selects. find returns the index of the item that shows a row.
func (p page) of(n int, find func(row int) int) (from, to int) {
	if p.Count <= 0 {
		p.Count = usualRows
	}
	if p.Around != nil {
		p.From = min(find(*p.Around), n) - min(p.Count, maxRows)/2
	}
	return cut(n, p.From, p.Count, usualRows, maxRows)
}

type rowsAnswer struct {
	Total    int   `json:"total"` // number of matches so far
	From     int   `json:"from"`
	Examined int   `json:"examined"`
	Done     bool  `json:"done"`
	Rows     []Row `json:"rows"`
}

const (
	usualRows = 50
	maxRows   = 1000
)

func listRows(f *filters, q *rowsRequest) (*rowsAnswer, error) {
	if q.MS == nil {
		q.MS = new(int)
	}
	j, err := f.advanced(q.Filter, newLimit(q.MS))
	if err != nil {
		return nil, err
	}
	a := &rowsAnswer{Total: j.len(), Examined: j.examined(), Done: j.done(), Rows: []Row{}}
	list := q.Only[:min(len(q.Only), maxRows)]
	if q.Only == nil {
		from, to := q.of(a.Total, j.find)
		for a.From = from; from < to; from++ {
			list = append(list, j.row(from))
		}
	}
	for _, n := range list {
		r, err := f.rows.rowOf(n)
		if err != nil {
			return nil, err
		}
		a.Rows = append(a.Rows, r)
	}
	return a, nil
}

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

// findNext finds the nearest matching row with findings, after or before a row.
func findNext(f *filters, q *nextRequest) (*nextAnswer, error) {
	j, err := f.jobFor(q.Filter)
	if err == nil && (!q.Back || j.examined() <= q.Row) {
		err = j.advance(newLimit(q.MS))
	}
	if err != nil {
		return nil, err
	}
	list := f.rows.found.rows
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
