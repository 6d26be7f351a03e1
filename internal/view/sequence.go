package view

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"time"
)

type sequenceRequest struct {
	sequenceWhat
	page
	Run *int `json:"run"` // list the rows of this run instead of the lines
	MS  *int `json:"ms"`
}

type sequenceWhat struct {
	Filter  string   `json:"filter"`
	Clients []string `json:"clients"`
	Hosts   []string `json:"hosts"`
	Hide    []string `json:"hide"`
	Apart   bool     `json:"apart"`    // draw one line per message
	NoMoves bool     `json:"no_moves"` // omit position reports without findings
}

// Arrow is a line of a sequence diagram: an arrow, a run of equal arrows, a silence, or a finding that does not belong
// to a message.
type Arrow struct {
	Row
	Line    int     `json:"line"`
	From    int     `json:"from_end"` // -1 if none
	To      int     `json:"to_end"`
	Count   int     `json:"count"`
	Last    int     `json:"last,omitempty"`
	Until   float64 `json:"until,omitempty"`
	Silence float64 `json:"silence,omitempty"`
}

type sequenceAnswer struct {
	Done     bool    `json:"done"`
	Examined int     `json:"examined"`
	Of       int     `json:"of"`
	Hidden   int     `json:"hidden"` // number of rows of hidden ends
	Total    int     `json:"total"`
	Arrows   int     `json:"arrows"`
	Moved    int     `json:"moved"` // number of lines inserted before existing lines
	From     int     `json:"from"`
	At       int     `json:"at"` // the line that shows the row in Around; -1 if there is none
	Ends     []End   `json:"ends"`
	Lines    []Arrow `json:"lines"`
}

// sequences makes sequence diagrams. It keeps the latest one.
type sequences struct {
	filters *filters
	counts  *counts
	jobs    recent[*sequenceJob]
}

func (s *sequences) sequence(q *sequenceRequest) (*sequenceAnswer, error) {
	j, err := s.jobFor(&q.sequenceWhat)
	if err != nil {
		return nil, err
	}
	done, err := j.advance(newLimit(q.MS))
	if err != nil {
		return nil, err
	}
	a := &sequenceAnswer{
		Done: done, Examined: j.next, Of: j.rows.len(), Hidden: j.hidden, Total: len(j.lines), Arrows: j.arrows,
		Moved: len(j.moved), At: -1, Ends: j.columns.shown(s.counts.names()), Lines: []Arrow{},
	}
	if q.Run != nil {
		return a, j.run(a, q)
	}
	from, to := q.of(len(j.lines), func(row int) int {
		if a.At = j.lineShowing(row); a.At >= 0 {
			return a.At
		}
		return j.before(row)
	})
	a.From = from
	for n := from; n < to; n++ {
		l, err := j.arrowAt(n)
		if err != nil {
			return nil, err
		}
		a.Lines = append(a.Lines, l)
	}
	return a, nil
}

func (j *sequenceJob) arrowAt(n int) (Arrow, error) {
	x := &j.lines[n]
	from, to := j.rows.seconds(j.rows.row(int(x.first)).time), j.rows.seconds(j.rows.row(int(x.last)).time)
	if x.count == 0 {
		return Arrow{
			Row: Row{Row: int(x.first), Time: from}, Line: n, From: noColumn, To: noColumn, Silence: from - to,
		}, nil
	}
	l, err := j.arrowOf(int(x.first))
	l.Line, l.Count, l.Last = n, int(x.count), int(x.last)
	if x.count > 1 {
		l.Until = to
	}
	return l, err
}

func (j *sequenceJob) arrowOf(row int) (Arrow, error) {
	r, err := j.rows.rowOf(row)
	from, to := j.columns.of(&j.rows.index, j.rows.row(row))
	return Arrow{Row: r, From: int(from), To: int(to), Count: 1}, err
}

// run adds the rows of a run to an answer.
func (j *sequenceJob) run(a *sequenceAnswer, q *sequenceRequest) error {
	if *q.Run < 0 || *q.Run >= len(j.lines) {
		return fmt.Errorf("no such line: %d", *q.Run)
	}
	x := &j.lines[*q.Run]
	key := j.runKey(int(x.first))
	from, to := cut(int(x.count), q.From, q.Count, usualRows, maxRows)
	a.From, a.Total = from, int(x.count)
	seen := 0
	for n := int(x.first); n >= 0 && n <= int(x.last) && seen < to; n = j.nextRow(n + 1) {
		if _, moved := j.moved[n]; j.runKey(n) != key || moved && x.count > 1 {
			continue
		}
		if seen++; seen <= from {
			continue
		}
		l, err := j.arrowOf(n)
		if err != nil {
			return err
		}
		l.Line = *q.Run
		a.Lines = append(a.Lines, l)
	}
	return nil
}

// nextRow returns the first matching row from n on, or -1 if none of the rows examined so far matches.
func (j *sequenceJob) nextRow(n int) int {
	if at := j.filter.find(n); at < j.filter.len() {
		return j.filter.row(at)
	}
	return -1
}

func (j *sequenceJob) lineShowing(row int) int {
	if row < 0 || row >= j.rows.len() {
		return -1
	}
	if _, ok := j.moved[row]; ok {
		n := j.before(row)
		for n >= 0 && int(j.lines[n].first) != row {
			n--
		}
		return n
	}
	key := j.runKey(row)
	for n := j.before(row); n >= 0; n-- {
		x := &j.lines[n]
		first := int(x.first)
		if x.place != x.first {
			continue // drawLate added this line
		}
		if x.count == 0 || j.rows.row(first).kind != key.kind {
			break
		}
		if int(x.last) >= row && j.runKey(first) == key {
			return n
		}
		if j.apart {
			break
		}
	}
	return -1
}

// sequenceJob builds the lines of a diagram as rows arrive.
type sequenceJob struct {
	rows    *rows
	filter  *filterJob
	apart   bool
	noMoves bool
	next    int // the next row to draw
	hidden  int
	arrows  int
	columns columns
	lines   []sequenceLine // sorted by place
	moved   map[int]uint32 // places of the rows that drawLate drew
	last    int            // the last row shown; -1 if there is none yet
	kind    uint16
	open    map[runKey]int // unfinished runs, by kind and ends
}

// A sequenceLine is a run of count rows between the same ends. A silence has the count 0, and lies between the rows
// last and first. place is the number of the first row, or a smaller number if drawLate added the line.
type sequenceLine struct{ first, last, count, place uint32 }

// A runKey has what all rows of a run have in common.
type runKey struct {
	from, to int16 // columns
	rule     int32 // the first rule that the row broke, or -1
	kind     uint16
}

const silence = 2e9 // a gap of more than this many nanoseconds between messages is drawn as a silence

func (s *sequences) jobFor(what *sequenceWhat) (*sequenceJob, error) {
	if len(what.Clients)+len(what.Hosts)+len(what.Hide) > maxColumns {
		return nil, errors.New("too many ends are named")
	}
	key, err := json.Marshal(what)
	if err != nil {
		return nil, err
	}
	return s.jobs.job(string(key), 1, func() (*sequenceJob, error) {
		f, err := s.filters.jobFor(what.Filter)
		return &sequenceJob{
			rows: s.filters.rows, filter: f, apart: what.Apart, noMoves: what.NoMoves, last: -1, open: map[runKey]int{},
			moved:   map[int]uint32{},
			columns: newColumns(what.Clients, what.Hosts, what.Hide),
		}, err
	})
}

// advance runs to the last row or until the limit is reached.
func (j *sequenceJob) advance(l limit) (done bool, err error) {
	if err := j.filter.advance(l); err != nil {
		return false, err
	}
	const piece = 1024 // rows between two readings of the clock
	for n := 1; ; n++ {
		row := j.nextRow(j.next)
		if row < 0 {
			break
		}
		j.next = row + 1
		j.draw(row)
		if n%piece == 0 && !time.Now().Before(l.until) {
			return false, nil
		}
	}
	j.next = j.filter.examined()
	return j.filter.done(), nil
}

// draw adds a row. Consecutive messages of one kind form a run for each pair of ends. This also folds the copies that a
// server sends to all clients.
func (j *sequenceJob) draw(row int) {
	r := j.rows.row(row)
	if j.noMoves && r.flags&hasFindings == 0 && j.rows.kinds[r.kind].move {
		return
	}
	key := j.runKey(row)
	if j.columns.hidden(key.from) || j.columns.hidden(key.to) {
		j.hidden++
		return
	}
	j.arrows++
	j.columns.count(key.from, key.to)
	if r.flags&isFinding != 0 && j.last >= 0 && r.time < j.rows.row(j.last).time && len(j.moved) < maxMoved {
		j.drawLate(row)
		return
	}
	quiet := j.last >= 0 && r.time-j.rows.row(j.last).time > silence
	if quiet || r.kind != j.kind {
		clear(j.open)
		j.kind = r.kind
	}
	if quiet {
		j.lines = append(j.lines, sequenceLine{first: uint32(row), last: uint32(j.last), place: uint32(row)})
	}
	j.last = row
	if !j.apart {
		if at, ok := j.open[key]; ok {
			j.lines[at].count++
			j.lines[at].last = uint32(row)
			return
		}
		j.open[key] = len(j.lines)
	}
	j.lines = append(j.lines, sequenceLine{uint32(row), uint32(row), 1, uint32(row)})
}

const maxMoved = 2000 // findings moved to an earlier place; each of them moves the lines after it

// drawLate adds a finding that was reported after later rows. It inserts the finding in order of time.
func (j *sequenceJob) drawLate(row int) {
	at := sort.Search(len(j.lines), func(n int) bool {
		return j.rows.row(int(j.lines[n].first)).time > j.rows.row(row).time
	})
	l := sequenceLine{first: uint32(row), last: uint32(row), count: 1}
	if at > 0 {
		l.place = j.lines[at-1].place
	}
	j.moved[row] = l.place
	j.lines = slices.Insert(j.lines, at, l)
	for key, n := range j.open {
		if n >= at {
			j.open[key] = n + 1
		}
	}
}

func (j *sequenceJob) runKey(n int) runKey {
	r := j.rows.row(n)
	k := runKey{rule: -1, kind: r.kind}
	k.from, k.to = j.columns.of(&j.rows.index, r)
	if r.flags&hasFindings != 0 {
		k.rule = int32(j.rows.found.of(n)[0].rule)
	}
	return k
}

// before returns the last line whose place is not after the place of a row, or -1.
func (j *sequenceJob) before(row int) int {
	place := uint32(row)
	if moved, ok := j.moved[row]; ok {
		place = moved
	}
	return sort.Search(len(j.lines), func(n int) bool { return j.lines[n].place > place }) - 1
}
