package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/gamedissect/gamedissect/decode/stats"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

// Tables of what trackers measured.

// appendTimeline writes a line for each change of what was measured as a text, in the order of time.
func (t *totals) appendTimeline(b []byte) []byte {
	type change struct {
		stats.State
		protocol, what string
		who            stats.Subject
	}
	var changes []change
	var naming naming
	for protocol, p := range t.Protocols {
		for _, subjects := range p.Tables {
			for who, row := range subjects {
				if who == (stats.Subject{}) {
					continue // of the others nobody knows who has become what
				}
				for _, x := range row.Series {
					for _, n := range x.Changes() {
						changes = append(changes, change{n, protocol, x.What, who})
						naming.meet(who)
					}
				}
			}
		}
	}
	slices.SortFunc(changes, func(x, y change) int {
		return cmp.Or(cmp.Compare(x.Time, y.Time), cmp.Compare(x.protocol, y.protocol), naming.compare(x.who, y.who),
			cmp.Compare(x.what, y.what), cmp.Compare(x.Rank, y.Rank))
	})
	show := table{heading: naming.heading([]string{"seconds", "protocol"}, "server", "who"), right: []bool{true}}
	show.heading = append(show.heading, "what", "is now")
	for _, n := range changes {
		row := naming.append([]string{seconds(n.Time - t.First), n.protocol}, n.who)
		show.rows = append(show.rows, append(row, n.what, escaped(n.Text.String())))
	}
	return show.append(b)
}

// escaped writes a text from the traffic for a table.
func escaped(text string) string { return string(format.AppendEscaped(nil, []byte(text))) }

// naming says how those are called whom a table is about: by their servers where names could belong to several.
type naming struct {
	server  stats.Subject // the first that was met
	met     bool
	several bool // servers
	named   bool // somebody at one has a name
}

// meet looks at somebody whom the table is about.
func (n *naming) meet(who stats.Subject) {
	if who == (stats.Subject{}) {
		return
	}
	if !n.met {
		n.server.Server, n.met = who.Server, true
	}
	n.several = n.several || who.Server != n.server.Server
	n.named = n.named || who.Who != ""
}

// apart reports whether servers have a column of their own.
func (n *naming) apart() bool { return n.several && n.named }

// heading adds what stands above the names.
func (n *naming) heading(line []string, server, who string) []string {
	if n.apart() {
		line = append(line, server)
	}
	return append(line, who)
}

// append adds the names of one to a line.
func (n *naming) append(line []string, who stats.Subject) []string {
	server := ""
	if who.Server.IsValid() {
		server = who.Server.String()
	}
	switch {
	case who == stats.Subject{}:
		server = others
	case n.apart():
		return append(line, server, escaped(who.Who))
	case who.Who != "":
		return append(line, escaped(who.Who))
	}
	if line = append(line, server); n.apart() {
		line = append(line, "")
	}
	return line
}

// compare orders lines by the names.
func (n *naming) compare(x, y stats.Subject) int {
	rest := restLast(x == stats.Subject{}, y == stats.Subject{})
	if n.apart() {
		return cmp.Or(rest, x.Server.Compare(y.Server), cmp.Compare(x.Who, y.Who))
	}
	return cmp.Or(rest, slices.Compare(n.append(nil, x), n.append(nil, y)), x.Server.Compare(y.Server))
}

// appendMeasured writes what trackers measured: a table for each kind of thing, a line for each of
// them, a column for what was measured.
func (t *totals) appendMeasured(b []byte, protocol, only string) []byte {
	p := t.Protocols[protocol]
	if p == nil {
		return b
	}
	first := true
	for _, name := range slices.Sorted(maps.Keys(p.Tables)) {
		if only != "" && only != name {
			continue
		}
		if !first {
			b = append(b, '\n')
		}
		first = false
		b = appendSubjects(b, protocol+" "+name, p.Tables[name])
	}
	return b
}

func appendSubjects(b []byte, title string, subjects stats.Table) []byte {
	columns := make(map[string]*stats.Series) // one of each, for its heading
	var naming naming
	for who, row := range subjects {
		naming.meet(who)
		for _, x := range row.Series {
			columns[x.What] = x
		}
	}
	names := slices.Sorted(maps.Keys(columns))
	show := table{heading: naming.heading(nil, title, title)}
	if naming.apart() {
		show.heading[1] = "who"
	}
	show.right = make([]bool, len(show.heading))
	for _, what := range names {
		heading := what
		if columns[what].Unit() != "" {
			heading += " p50/p90/p99/max"
		}
		show.heading = append(show.heading, heading)
		show.right = append(show.right, len(columns[what].States()) == 0)
	}
	for _, who := range slices.SortedFunc(maps.Keys(subjects), naming.compare) {
		line := naming.append(nil, who)
		for _, what := range names {
			x := subjects[who].Find(what)
			if x != nil && len(x.States()) > 0 && who == (stats.Subject{}) {
				x = nil // of the others nobody knows who has become what
			}
			line = append(line, cell(x))
		}
		show.rows = append(show.rows, line)
	}
	return show.append(b)
}

// cell writes what was measured of one: the last text, the sum of counts, or percentiles.
func cell(x *stats.Series) string {
	switch {
	case x == nil:
		return ""
	case len(x.States()) > 0:
		return escaped(x.States()[len(x.States())-1].Text.String())
	case x.Unit() == "":
		return thousands(x.Total)
	}
	write := thousands
	if x.Unit() == "s" {
		write = duration
	}
	h := x.Numbers
	return write(h.Quantile(0.5)) + " " + write(h.Quantile(0.9)) + " " + write(h.Quantile(0.99)) + " " + write(h.Max)
}

// duration writes nanoseconds with three digits.
func duration(ns int64) string {
	switch {
	case ns < 1e6:
		return fmt.Sprintf("%.3gus", float64(ns)/1e3)
	case ns < 1e9:
		return fmt.Sprintf("%.3gms", float64(ns)/1e6)
	}
	return fmt.Sprintf("%.3gs", float64(ns)/1e9)
}
