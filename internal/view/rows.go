package view

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// Row is a line of the list.
type Row struct {
	Row       int      `json:"row"`
	Frame     int      `json:"frame"`
	Time      float64  `json:"time"`
	Stream    string   `json:"stream,omitempty"`
	Src       string   `json:"src,omitempty"`
	Dst       string   `json:"dst,omitempty"`
	Protocol  string   `json:"protocol,omitempty"`
	Direction string   `json:"direction,omitempty"`
	Name      string   `json:"name,omitempty"`
	Code      string   `json:"code,omitempty"`
	Length    int      `json:"length,omitempty"`
	Summary   string   `json:"summary,omitempty"`
	Severity  string   `json:"severity,omitempty"`
	Rules     []string `json:"rules,omitempty"`
	Finding   bool     `json:"finding,omitempty"`
	Copy      bool     `json:"copy,omitempty"`
	Move      bool     `json:"move,omitempty"`
}

type rowsRequest struct {
	From   int    `json:"from"`
	Count  int    `json:"count"`
	Filter string `json:"filter"`
	Around *int   `json:"around"`
	Only   []int  `json:"only"`
	MS     *int   `json:"ms"`
}

type rowsAnswer struct {
	Total    int   `json:"total"`
	From     int   `json:"from"`
	Examined int   `json:"examined"`
	Done     bool  `json:"done"`
	Rows     []Row `json:"rows"`
}

const (
	usualRows = 50
	maxRows   = 1000
)

func (v *View) rows(q *rowsRequest) (*rowsAnswer, error) {
	a := &rowsAnswer{Total: v.index.len(), Examined: v.index.len(), Done: true, Rows: []Row{}}
	if q.Only != nil {
		return a, v.addOnly(a, q.Only)
	}
	var job *filterJob
	if q.Filter != "" {
		var err error
		if q.MS == nil {
			q.MS = new(int)
		}
		if job, err = v.advanced(q.Filter, q.MS); err != nil {
			return nil, err
		}
		a.Total, a.Examined, a.Done = len(job.matches), job.next, job.next == v.index.len()
	}
	if q.Around != nil {
		at := *q.Around
		if job != nil {
			at, _ = slices.BinarySearch(job.matches, uint32(min(max(at, 0), v.index.len())))
		}
		count := q.Count
		if count <= 0 {
			count = usualRows
		}
		q.From = max(min(at, a.Total)-min(count, maxRows)/2, 0)
	}
	from, to := cut(a.Total, q.From, q.Count, usualRows, maxRows)
	a.From = from
	for n := from; n < to; n++ {
		number := n
		if job != nil {
			number = int(job.matches[n])
		}
		r, err := v.rowOf(number)
		if err != nil {
			return nil, err
		}
		a.Rows = append(a.Rows, r)
	}
	return a, nil
}

// addOnly adds rows by their numbers.
func (v *View) addOnly(a *rowsAnswer, numbers []int) error {
	for _, n := range numbers[:min(len(numbers), maxRows)] {
		if n < 0 || n >= v.index.len() {
			return fmt.Errorf("no such row: %d", n)
		}
		r, err := v.rowOf(n)
		if err != nil {
			return err
		}
		a.Rows = append(a.Rows, r)
	}
	return nil
}

// rowOf gives a row as it is shown.
func (v *View) rowOf(n int) (Row, error) {
	if f := v.Finding(n); f != nil {
		r := v.rowAt(n, &f.Place)
		r.Finding, r.Summary = true, plain(f.Text)
		return r, nil
	}
	m, err := v.Message(n)
	if err != nil {
		return Row{}, err
	}
	return v.rowOfMessage(n, m), nil
}

func (v *View) rowOfMessage(n int, m *decode.Message) Row {
	r := v.rowAt(n, &m.Place)
	r.Direction, r.Name, r.Code, r.Length, r.Copy = m.Direction.String(), m.Name, plain(m.Code), m.Length, m.Copy
	r.Summary, r.Move = string(format.AppendSummary(nil, m.Layer)), v.index.kinds[v.index.row(n).kind].move
	return r
}

func (v *View) rowAt(n int, p *wire.Place) Row {
	r := Row{Row: n, Frame: p.Frame, Time: v.seconds(p.Time)}
	if p.Protocol != nil {
		r.Protocol, r.Src, r.Dst = p.Protocol.Name, endpoint(p.Src), endpoint(p.Dst)
		r.Stream = streamOf(p)
	}
	if v.index.row(n).flags&hasFindings != 0 {
		r.Severity = wire.Severity(v.index.row(n).worst).String()
		for _, f := range v.index.foundIn(n) {
			if id := v.index.rules[f.rule].ID; !slices.Contains(r.Rules, id) {
				r.Rules = append(r.Rules, id)
			}
		}
	}
	return r
}

// endpoint is the text of an address and port, "" where they are not known.
func endpoint(at netip.AddrPort) string {
	if !at.IsValid() {
		return ""
	}
	return at.String()
}

// plain returns a text from the traffic as it may be shown.
func plain(s string) string { return string(format.AppendUnquoted(nil, []byte(s))) }

// streamOf names a conversation as people do: "tcp,0".
func streamOf(p *wire.Place) string {
	if p.Conversation < 0 {
		return ""
	}
	return p.Transport.String() + "," + strconv.Itoa(p.Conversation)
}
