package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode/stats"
	"github.com/gamedissect/gamedissect/decode/wire/format"
	"github.com/gamedissect/gamedissect/layers"
)

// statisticsOptions say which statistics are shown or written.
type statisticsOptions struct {
	tables []string
	file   string // "": none; - is standard output
}

func (o *statisticsOptions) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringArrayVarP(&o.tables, "statistics", "z", nil,
		"show the statistics `TABLE` instead of totals; help lists them; may repeat")
	f.StringVar(&o.file, "stats", "", "write all statistics as JSON to `FILE`; - is standard output, instead of totals")
	completeWith(c, "statistics", append(namedTables, "help")...)
	must(c.MarkFlagFilename("stats", "json"))
}

// check finds names of tables that do not exist, and a file that is read.
func (o *statisticsOptions) check(inputs []string) error {
	if err := capture.SameFile(o.file, inputs); err != nil {
		return err
	}
	for _, name := range o.tables {
		protocol, table, named := strings.Cut(name, ",")
		if !slices.Contains(namedTables, name) && layers.ByName(protocol) == nil || named && table == "" {
			return fmt.Errorf("-z %s: there is no such table (-z help lists them)", name)
		}
	}
	return nil
}

// statisticsHelp says what -z can show.
const statisticsHelp = `Tables that -z NAME shows (-z may repeat):
  protocols      messages, bytes, time span and rate of each protocol
  messages       count, bytes and sizes of each kind of message
  conv           conversations: who, how much each way, from when to when
  endpoints      endpoints: what each sent and received
  findings       the rules that were broken
  timeline       when something changed: who came and went, maps, players, what is listed
  PROTOCOL       what was measured of a protocol: servers, players, lists ...
  PROTOCOL,NAME  one table of these, as in -z bzflag24,players
`

// namedTables are those that every protocol has.
var namedTables = []string{"protocols", "messages", "conv", "endpoints", "findings", "timeline"}

// appendNamed writes the tables of a name.
func (t *totals) appendNamed(b []byte, name string) []byte {
	before := len(b)
	switch name {
	case "protocols":
		b = t.appendProtocols(b)
	case "messages":
		b = t.appendSizes(b)
	case "conv":
		b = t.appendConversations(b)
	case "endpoints":
		b = t.appendEndpoints(b)
	case "findings":
		b = t.appendFindings(b)
	case "timeline":
		b = t.appendTimeline(b)
	default:
		protocol, only, _ := strings.Cut(name, ",")
		b = t.appendMeasured(b, protocol, only)
	}
	if len(b) == before {
		b = append(b, "nothing for "+name+t.instead(name)+"\n"...)
	}
	return b
}

// instead names the tables of a protocol that has none of this name.
func (t *totals) instead(name string) string {
	protocol, _, _ := strings.Cut(name, ",")
	p := t.Protocols[protocol]
	if p == nil || len(p.Tables) == 0 {
		return ""
	}
	return " (there are the tables " + strings.Join(slices.Sorted(maps.Keys(p.Tables)), ", ") + ")"
}

func (t *totals) appendProtocols(b []byte) []byte {
	show := table{heading: []string{"protocol", "conversations", "messages", "bytes", "seconds", "messages/s"},
		right: []bool{false, true, true, true, true, true}}
	for _, name := range slices.Sorted(maps.Keys(t.Protocols)) {
		var count, bytes int64
		for _, m := range t.Protocols[name].Messages {
			count += m.Sizes.Count
			bytes += m.Sizes.Sum
		}
		talks, first, last := int64(0), int64(0), int64(0)
		for _, c := range t.Conversations {
			if c.Protocol != name {
				continue
			}
			if talks++; talks == 1 {
				first, last = c.First, c.Last
			}
			first, last = min(first, c.First), max(last, c.Last)
		}
		show.rows = append(show.rows, []string{name, thousands(talks), thousands(count), thousands(bytes),
			seconds(last - first), rate(count, last-first)})
	}
	return show.append(b)
}

// rate is how many there are a second.
func rate(n, ns int64) string {
	if ns <= 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", float64(n)/(float64(ns)/1e9))
}

func (t *totals) appendSizes(b []byte) []byte {
	show := table{heading: []string{"protocol", "message", "count", "bytes", "smallest", "median", "largest",
		"messages/s"}, right: []bool{false, false, true, true, true, true, true, true}}
	t.eachMessageTotal(func(protocol, name string, sizes *stats.Histogram) {
		show.rows = append(show.rows, []string{protocol, name, thousands(sizes.Count), thousands(sizes.Sum),
			thousands(sizes.Min), thousands(sizes.Quantile(0.5)), thousands(sizes.Max), rate(sizes.Count, t.Last-t.First)})
	})
	return show.append(b)
}

func (t *totals) appendConversations(b []byte) []byte {
	keys := slices.SortedFunc(maps.Keys(t.Conversations), func(x, y stats.Pair) int {
		a, b := t.Conversations[x], t.Conversations[y]
		return cmp.Or(cmp.Compare(a.First, b.First), x.A.Compare(y.A), x.B.Compare(y.B),
			cmp.Compare(x.Transport, y.Transport))
	})
	show := table{heading: []string{"protocol", "", "a", "b", "a to b", "bytes", "b to a", "bytes", "from", "to"},
		right: []bool{false, false, false, false, true, true, true, true, true, true}}
	for _, k := range keys {
		c := t.Conversations[k]
		a, z := k.A.String(), k.B.String()
		if k == (stats.Pair{}) {
			a, z = "others", ""
		}
		show.rows = append(show.rows, []string{c.Protocol, k.Transport.String(), a, z, thousands(c.AB.Messages),
			thousands(c.AB.Bytes),
			thousands(c.BA.Messages), thousands(c.BA.Bytes), seconds(c.First - t.First), seconds(c.Last - t.First)})
	}
	return show.append(b)
}

func (t *totals) appendEndpoints(b []byte) []byte {
	keys := slices.SortedFunc(maps.Keys(t.Endpoints), func(x, y stats.End) int {
		a, b := t.Endpoints[x], t.Endpoints[y]
		return cmp.Or(cmp.Compare(b.Sent.Bytes+b.Received.Bytes, a.Sent.Bytes+a.Received.Bytes), x.At.Compare(y.At),
			cmp.Compare(x.Transport, y.Transport))
	})
	show := table{heading: []string{"protocol", "", "endpoint", "sent", "bytes", "received", "bytes"},
		right: []bool{false, false, false, true, true, true, true}}
	for _, k := range keys {
		e := t.Endpoints[k]
		at := k.At.String()
		if k == (stats.End{}) {
			at = "others"
		}
		show.rows = append(show.rows, []string{e.Protocol, k.Transport.String(), at, thousands(e.Sent.Messages),
			thousands(e.Sent.Bytes),
			thousands(e.Received.Messages), thousands(e.Received.Bytes)})
	}
	return show.append(b)
}

// appendTimeline writes a line for each change of what was measured as a text, in the order of time.
func (t *totals) appendTimeline(b []byte) []byte {
	type change struct {
		stats.State
		protocol, who, what string
	}
	var changes []change
	for protocol, p := range t.Protocols {
		for _, subjects := range p.Tables {
			for who, row := range subjects {
				for what, x := range row {
					for _, n := range x.States {
						changes = append(changes, change{n, protocol, who, what})
					}
				}
			}
		}
	}
	slices.SortFunc(changes, func(x, y change) int {
		return cmp.Or(cmp.Compare(x.Time, y.Time), cmp.Compare(x.protocol, y.protocol), cmp.Compare(x.who, y.who),
			cmp.Compare(x.what, y.what))
	})
	show := table{heading: []string{"seconds", "protocol", "who", "what", "is now"}, right: []bool{true}}
	for _, n := range changes {
		show.rows = append(show.rows, []string{seconds(n.Time - t.First), n.protocol,
			string(format.AppendEscaped(nil, []byte(n.who))), n.what, string(format.AppendEscaped(nil,
				[]byte(n.Text.String())))})
	}
	return show.append(b)
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
	for _, row := range subjects {
		maps.Copy(columns, row)
	}
	names := slices.Sorted(maps.Keys(columns))
	show := table{heading: []string{title}, right: []bool{false}}
	for _, what := range names {
		heading := what
		if columns[what].Unit != "" {
			heading += " p50/p90/p99/max"
		}
		show.heading = append(show.heading, heading)
		show.right = append(show.right, len(columns[what].States) == 0)
	}
	for _, who := range slices.Sorted(maps.Keys(subjects)) {
		line := []string{string(format.AppendEscaped(nil, []byte(who)))}
		for _, what := range names {
			line = append(line, cell(subjects[who][what]))
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
	case len(x.States) > 0:
		return string(format.AppendEscaped(nil, []byte(x.States[len(x.States)-1].Text.String())))
	case x.Unit == "":
		return thousands(x.Total)
	}
	write := thousands
	if x.Unit == "s" {
		write = duration
	}
	h := &x.Numbers
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
