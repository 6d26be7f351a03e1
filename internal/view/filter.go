package view

import (
	"errors"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/internal/filter"
)

// filters applies filters to rows. It keeps the results of the latest filters.
type filters struct {
	rows      *rows
	schema    *filter.Schema
	protocols []*wire.Protocol
	jobs      recent[*filterJob]
}

const (
	maxJobs   = 4
	maxFilter = 16 << 10 // bytes
)

// A scan visits each row once, in order, and collects the rows that match a filter.
type scan struct {
	rows    *rows
	filter  *filter.Filter // nil: every row matches
	history *filter.History
	memory  *bounded.Budget // memory budget of history
	next    int             // next row to visit
}

const historyMemory = 8 << 20 // bytes

func (f *filters) newScan(text string) (scan, error) {
	s := scan{rows: f.rows, memory: bounded.NewBudget(historyMemory)}
	s.history = filter.NewHistory(s.memory)
	if f.rows.packets > 0 {
		s.history.Packet(f.rows.first)
	}
	if strings.TrimSpace(text) == "" {
		return s, nil
	}
	var err error
	schema := f.schema.Fresh()
	s.filter, err = compileIn(schema, text)
	if schema.Asked(filter.Who) {
		s.history.FollowPeople(s.memory)
	}
	return s, err
}

func (f *filters) compile(text string) (*filter.Filter, error) { return compileIn(f.schema, text) }

func compileIn(schema *filter.Schema, text string) (*filter.Filter, error) {
	if len(text) > maxFilter {
		return nil, errors.New("the filter is too long")
	}
	return schema.Compile(text, nil)
}

// advance scans to the last row or until the limit is reached.
func (s *scan) advance(l limit, take func(x *filter.Subject, row int)) error {
	for s.next < s.rows.len() {
		x, err := s.subject(s.next)
		if err != nil {
			return err
		}
		if s.filter == nil || s.filter.Match(x) {
			take(x, s.next)
		}
		s.next++
		if l.over() {
			break
		}
	}
	return nil
}

// subject returns what a filter examines about a row. The caller must pass each row once, in order.
func (s *scan) subject(n int) (*filter.Subject, error) {
	s.memory.Turn()
	x, h := s.rows, s.history
	if f := x.finding(n); f != nil {
		return h.Finding(f), nil
	}
	m, err := x.message(n)
	if err != nil {
		return nil, err
	}
	if x.row(n).flags&hasAnswer != 0 {
		h.Value(&wire.Value{Place: m.Place, Answer: true, Number: x.answers.of(n)[0]})
	}
	return h.Message(m), nil
}

// A filterJob finds the rows that match a filter. Without a filter, all rows match, and the job does not examine any
// rows.
type filterJob struct {
	scan
	matches []uint32
}

func (f *filters) jobFor(text string) (*filterJob, error) {
	if strings.TrimSpace(text) == "" {
		return &filterJob{scan: scan{rows: f.rows}}, nil
	}
	return f.jobs.job(text, maxJobs, func() (*filterJob, error) {
		s, err := f.newScan(text)
		return &filterJob{scan: s}, err
	})
}

// advance runs a job to the last row or until the limit is reached.
func (j *filterJob) advance(l limit) error {
	if j.filter == nil {
		return nil
	}
	return j.scan.advance(l, func(_ *filter.Subject, row int) { j.matches = append(j.matches, uint32(row)) })
}

// advanced returns the job for a filter, after running the job until the limit is reached.
func (f *filters) advanced(text string, l limit) (*filterJob, error) {
	j, err := f.jobFor(text)
	if err == nil {
		err = j.advance(l)
	}
	return j, err
}

// examined returns the number of rows that the filter has examined.
func (j *filterJob) examined() int {
	if j.filter == nil {
		return j.rows.len()
	}
	return j.next
}

func (j *filterJob) done() bool { return j.examined() == j.rows.len() }

// len returns the number of rows that match so far.
func (j *filterJob) len() int {
	if j.filter == nil {
		return j.rows.len()
	}
	return len(j.matches)
}

func (j *filterJob) row(n int) int {
	if j.filter == nil {
		return n
	}
	return int(j.matches[n])
}

// find returns the number of matches before a row.
func (j *filterJob) find(row int) int {
	row = min(max(row, 0), j.rows.len())
	if j.filter == nil {
		return row
	}
	n, _ := slices.BinarySearch(j.matches, uint32(row))
	return n
}

// has reports whether a row matches. Without a filter, every row matches, and so does -1, which means "no row".
func (j *filterJob) has(row int) bool {
	if j.filter == nil {
		return true
	}
	_, ok := slices.BinarySearch(j.matches, uint32(row))
	return ok
}

type filterRequest struct {
	Text string `json:"text"`
	MS   *int   `json:"ms"`
}

type filterAnswer struct {
	Text     string `json:"text"`
	Examined int    `json:"examined"`
	Of       int    `json:"of"`
	Matches  int    `json:"matches"`
	Done     bool   `json:"done"`
}

func (f *filters) filter(q *filterRequest) (*filterAnswer, error) {
	j, err := f.advanced(q.Text, newLimit(q.MS))
	if err != nil {
		return nil, err
	}
	return &filterAnswer{q.Text, j.examined(), f.rows.len(), j.len(), j.done()}, nil
}
