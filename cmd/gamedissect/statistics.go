package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode/stats"
	"github.com/gamedissect/gamedissect/decode/wire"
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
	f.Var((*fileName)(&o.file), "stats", "write all statistics as JSON to `FILE`; - is standard output, instead of totals")
	completeWith(c, "statistics", append(namedTables, "help")...)
	must(c.MarkFlagFilename("stats", "json"))
}

// check finds names of tables that do not exist.
func (o *statisticsOptions) check() error {
	for _, name := range o.tables {
		protocol, table, named := strings.Cut(name, ",")
		if !slices.Contains(namedTables, name) && layers.ByName(protocol) == nil || named && table == "" {
			return fmt.Errorf("-z %s: there is no such table (-z help lists them)", name)
		}
		if p := layers.ByName(protocol); p != nil && named && p.Table(table) == nil {
			return fmt.Errorf("-z %s: of %s there are %s", name, protocol, strings.Join(tableNames(p), ", "))
		}
	}
	return nil
}

// tableNames are the names of a protocol's tables.
func tableNames(p *wire.Protocol) []string {
	var names []string
	for _, t := range p.Tables {
		names = append(names, t.Name)
	}
	return names
}

// statisticsHelp says what -z can show.
const statisticsHelp = `Tables that -z NAME shows (-z may repeat):
  protocols      messages, bytes, time span and rate of each protocol
  messages       count, bytes and sizes of each kind of message
  conv           conversations: who, how much each way, from when to when
  endpoints      endpoints: what each sent and received
  findings       the rules that were broken
  other          packets of other traffic: by link type, EtherType, IP protocol and port
  timeline       when something changed: who came and went, maps, players, what is listed
  PROTOCOL       what was measured of a protocol: servers, players, lists ...
  PROTOCOL,NAME  one table of these, as in -z bzflag24,players
`

// countsOthers reports whether anything shows what other traffic is.
func (o *statisticsOptions) countsOthers() bool {
	return o.file != "" || slices.Contains(o.tables, "other")
}

// namedTables are those that every protocol has.
var namedTables = []string{"protocols", "messages", "conv", "endpoints", "findings", "other", "timeline"}

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
	case "other":
		b = t.appendOthers(b)
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
		talks, first, last := t.conversationsOf(name)
		show.rows = append(show.rows, []string{name, talks, thousands(count), thousands(bytes), seconds(last - first),
			rate(count, last-first)})
	}
	return show.append(b)
}

// conversationsOf tells how many conversations a protocol has, and from when to when. A plus stands for those that
// are counted together.
func (t *totals) conversationsOf(protocol string) (talks string, first, last int64) {
	n, more, met := int64(0), "", false
	for key, c := range t.Conversations {
		if c.Protocol != protocol {
			continue
		}
		if !met {
			first, last, met = c.First, c.Last, true
		}
		first, last = min(first, c.First), max(last, c.Last)
		if n++; key == (stats.Pair{}) {
			n, more = n-1, "+"
		}
	}
	return thousands(n) + more, first, last
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
		return cmp.Or(restLast(x == stats.Pair{}, y == stats.Pair{}), cmp.Compare(a.First, b.First), x.A.Compare(y.A),
			x.B.Compare(y.B),
			cmp.Compare(x.Transport, y.Transport))
	})
	show := table{heading: []string{"protocol", "", "a", "b", "a to b", "bytes", "b to a", "bytes", "from", "to"},
		right: []bool{false, false, false, false, true, true, true, true, true, true}}
	for _, k := range keys {
		c := t.Conversations[k]
		who := []string{c.Protocol, k.Transport.String(), k.A.String(), k.B.String()}
		if k == (stats.Pair{}) {
			who = []string{"", "", others, ""}
		}
		show.rows = append(show.rows, append(who, thousands(c.AB.Messages), thousands(c.AB.Bytes),
			thousands(c.BA.Messages), thousands(c.BA.Bytes), seconds(c.First-t.First), seconds(c.Last-t.First)))
	}
	return show.append(b)
}

// others is what tables call what lists have no room for.
const others = "others"

// restLast compares rows, of which those of the others come last.
func restLast(x, y bool) int {
	switch {
	case x == y:
		return 0
	case x:
		return 1
	}
	return -1
}

func (t *totals) appendEndpoints(b []byte) []byte {
	keys := slices.SortedFunc(maps.Keys(t.Endpoints), func(x, y stats.End) int {
		a, b := t.Endpoints[x], t.Endpoints[y]
		more := cmp.Compare(b.Sent.Bytes+b.Received.Bytes, a.Sent.Bytes+a.Received.Bytes)
		return cmp.Or(restLast(x == stats.End{}, y == stats.End{}), more, x.At.Compare(y.At),
			cmp.Compare(x.Transport, y.Transport))
	})
	show := table{heading: []string{"protocol", "", "endpoint", "sent", "bytes", "received", "bytes"},
		right: []bool{false, false, false, true, true, true, true}}
	for _, k := range keys {
		e := t.Endpoints[k]
		who := []string{e.Protocol, k.Transport.String(), k.At.String()}
		if k == (stats.End{}) {
			who = []string{"", "", others}
		}
		show.rows = append(show.rows, append(who, thousands(e.Sent.Messages), thousands(e.Sent.Bytes),
			thousands(e.Received.Messages), thousands(e.Received.Bytes)))
	}
	return show.append(b)
}
