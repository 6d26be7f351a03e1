package view

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"

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
	Finding   bool     `json:"finding,omitempty"` // carried by no message
	Copy      bool     `json:"copy,omitempty"`    // told before to another client
	Move      bool     `json:"move,omitempty"`    // tells where a player is
}

type rowsRequest struct {
	page
	Filter string `json:"filter"`
	Only   []int  `json:"only"`
	MS     *int   `json:"ms"`
}

// page is a part of a list of rows: so many from one on, or around a row.
type page struct {
	From   int  `json:"from"`
	Count  int  `json:"count"`
	Around *int `json:"around"`
}

// of gives that part of n things; find gives the one that shows a row.
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
	Total    int   `json:"total"` // that match so far
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
	if q.MS == nil {
		q.MS = new(int)
	}
	j, err := v.advanced(q.Filter, q.MS)
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
		r, err := v.rowOf(n)
		if err != nil {
			return nil, err
		}
		a.Rows = append(a.Rows, r)
	}
	return a, nil
}

// rowOf gives a row as it is shown.
func (v *View) rowOf(n int) (Row, error) {
	if n < 0 || n >= v.index.len() {
		return Row{}, fmt.Errorf("no such row: %d", n)
	}
	if f := v.Finding(n); f != nil {
		r := v.rowAt(n, &f.Place)
		r.Finding, r.Summary = true, plain(f.Text)
		return r, nil
	}
	m, err := v.Message(n)
	if err != nil {
		return Row{}, err
	}
	r := v.rowAt(n, &m.Place)
	r.Direction, r.Name, r.Code, r.Length, r.Copy = m.Direction.String(), m.Name, plain(m.Code), m.Length, m.Copy
	r.Summary, r.Move = string(format.AppendSummary(nil, m.Layer)), v.index.kinds[v.index.row(n).kind].move
	return r, nil
}

func (v *View) rowAt(n int, p *wire.Place) Row {
	r := Row{Row: n, Frame: p.Frame, Time: v.seconds(p.Time)}
	if p.Protocol != nil {
		r.Protocol, r.Src, r.Dst = p.Protocol.Name, endpoint(p.Src), endpoint(p.Dst)
		r.Stream = streamOf(p)
	}
	if v.index.row(n).flags&hasFindings != 0 {
		r.Severity = wire.Severity(v.index.row(n).worst).String()
		for _, f := range v.index.found.of(n) {
			if id := v.index.rules.all[f.rule].ID; !slices.Contains(r.Rules, id) {
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

// nameOf is the name of a protocol, "" where it is not known.
func nameOf(p *wire.Protocol) string {
	if p == nil {
		return ""
	}
	return p.Name
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
