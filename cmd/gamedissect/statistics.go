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
	completeWith(c, "statistics", completeTables()...)
	must(c.MarkFlagFilename("stats", "json"))
}

// check finds names of tables that do not exist.
func (o *statisticsOptions) check() error {
	for _, name := range o.tables {
		protocol, table, named := strings.Cut(name, ",")
		p := layers.ByName(protocol)
		switch {
		case slices.Contains(namedTables, name) || slices.Contains(measuredNames(), name) || p != nil && !named:
		case p == nil || table == "":
			return fmt.Errorf("-z %s: there is no such table (-z help lists them)", name)
		case p.Table(table) == nil:
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

// measuredNames are the names of all tables of protocols.
func measuredNames() []string {
	var names []string
	for _, p := range layers.All() {
		names = append(names, tableNames(p)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// completeTables lists what -z takes.
func completeTables() []string {
	names := slices.Concat(namedTables, measuredNames(), protocolNames())
	for _, p := range layers.All() {
		for _, table := range tableNames(p) {
			names = append(names, p.Name+","+table)
		}
	}
	return append(names, "help")
}

// statisticsHelp says what -z can show.
const statisticsHelp = `Tables that -z NAME shows (-z may repeat):
  protocols      messages, bytes, time span and rate of each protocol
  messages       count, bytes and sizes of each kind of message
  conv           conversations: who, how much each way, from when to when
  endpoints      endpoints: what each sent and received
  findings       the rules that were broken
  findings,who   who sent what breaks them, the most often first
  timeline       what happened, event by event; with -q it is written while packets are read
  listing        servers and masters: when each step to be listed was reached, and which failed
  other          packets of other traffic: by EtherType, IP protocol and port
  PROTOCOL       what was measured of a protocol: servers, players, lists ...
  NAME           one table of these of all protocols, as in -z players; PROTOCOL,NAME of one
`

// countsOthers reports whether anything shows what other traffic is.
func (o *statisticsOptions) countsOthers() bool {
	return o.file != "" || slices.Contains(o.tables, "other")
}

// namedTables are those that every protocol has.
var namedTables = []string{"protocols", "messages", "conv", "endpoints", "findings", "findings,who", "other", timelineName}

const timelineName = "timeline"

// printNamed writes the tables of a name.
func (t *totals) printNamed(p *printer, name string) {
	some := name == timelineName && t.timeline.print(p)
	for _, of := range t.tablesNamed(name) {
		some = p.table(of) || some
	}
	if !some && p.form.text() {
		p.text("nothing for " + name + t.instead(name))
	}
}

// tablesNamed makes the tables of a name.
func (t *totals) tablesNamed(name string) []*table {
	switch name {
	case timelineName:
		return nil // it writes itself
	case "protocols":
		return []*table{t.protocolTable()}
	case "messages":
		return []*table{t.sizeTable()}
	case "conv":
		return []*table{t.conversationTable()}
	case "endpoints":
		return []*table{t.endpointTable()}
	case "findings":
		return []*table{t.findingTable()}
	case "other":
		return []*table{t.otherTable()}
	case "findings,who":
		return []*table{t.senderTable()}
	}
	protocol, only, _ := strings.Cut(name, ",")
	if p := layers.ByName(protocol); p != nil {
		return t.measuredTables(p, only)
	}
	var list []*table
	for _, p := range layers.All() {
		list = append(list, t.measuredTables(p, name)...)
	}
	return list
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

func (t *totals) protocolTable() *table {
	show := &table{name: "protocols", columns: append(textColumns("protocol"),
		numberColumns("conversations", "messages", "bytes", "seconds", "messages/s")...)}
	for _, name := range slices.Sorted(maps.Keys(t.Protocols)) {
		var count, bytes int64
		for _, m := range t.Protocols[name].Messages {
			count += m.Sizes.Count
			bytes += m.Sizes.Sum
		}
		talks, first, last := t.conversationsOf(name)
		show.rows = append(show.rows, []cell{wordCell(name), talks, numberCell(count), numberCell(bytes),
			secondsCell(last - first), rateCell(count, last-first)})
	}
	return show
}

// conversationsOf tells how many conversations a protocol has, and from when to when. A plus stands for those that
// are counted together.
func (t *totals) conversationsOf(protocol string) (talks cell, first, last int64) {
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
	return cell{thousands(n) + more, n}, first, last
}

// rateCell is how many there are a second.
func rateCell(n, ns int64) cell {
	if ns <= 0 {
		return cell{"-", nil}
	}
	rate := float64(n) / (float64(ns) / 1e9)
	return cell{fmt.Sprintf("%.1f", rate), rate}
}

func (t *totals) sizeTable() *table {
	show := &table{name: "messages", columns: append(textColumns("protocol", "message"),
		numberColumns("count", "bytes", "smallest", "median", "largest", "messages/s")...)}
	t.eachMessageTotal(func(protocol, name string, sizes *stats.Histogram) {
		show.rows = append(show.rows, []cell{wordCell(protocol), wordCell(name), numberCell(sizes.Count),
			numberCell(sizes.Sum), numberCell(sizes.Min), numberCell(sizes.Quantile(0.5)), numberCell(sizes.Max),
			rateCell(sizes.Count, t.Last-t.First)})
	})
	return show
}

func (t *totals) conversationTable() *table {
	keys := slices.SortedFunc(maps.Keys(t.Conversations), func(x, y stats.Pair) int {
		a, b := t.Conversations[x], t.Conversations[y]
		return cmp.Or(restLast(x == stats.Pair{}, y == stats.Pair{}), cmp.Compare(a.First, b.First), x.A.Compare(y.A),
			x.B.Compare(y.B), cmp.Compare(x.Transport, y.Transport))
	})
	show := &table{name: "conv", columns: []column{{name: "stream", whole: true}, {name: "a", whole: true},
		{name: "b", whole: true}, {name: "a to b", right: true}, {name: "bytes", key: "bytes_a_to_b", right: true},
		{name: "b to a", right: true}, {name: "bytes", key: "bytes_b_to_a", right: true},
		{name: "from", right: true}, {name: "to", right: true}, {name: "protocol"}}}
	for _, k := range keys {
		c := t.Conversations[k]
		stream := string(appendConversation(nil, wire.ConversationID{Transport: k.Transport, Number: c.Stream}))
		who := []cell{wordCell(stream), stringCell(k.A), stringCell(k.B)}
		if k == (stats.Pair{}) {
			who = []cell{none, wordCell(others), none}
		}
		show.rows = append(show.rows, append(who, numberCell(c.AB.Messages), numberCell(c.AB.Bytes),
			numberCell(c.BA.Messages), numberCell(c.BA.Bytes), t.sinceCell(c.First), t.sinceCell(c.Last), wordCell(c.Protocol)))
	}
	return show
}

// sinceCell is the time since the first packet.
func (t *totals) sinceCell(at int64) cell { return secondsCell(at - t.clock.first) }

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

func (t *totals) endpointTable() *table {
	keys := slices.SortedFunc(maps.Keys(t.Endpoints), func(x, y stats.End) int {
		a, b := t.Endpoints[x], t.Endpoints[y]
		more := cmp.Compare(b.Sent.Bytes+b.Received.Bytes, a.Sent.Bytes+a.Received.Bytes)
		return cmp.Or(restLast(x == stats.End{}, y == stats.End{}), more, x.At.Compare(y.At),
			cmp.Compare(x.Transport, y.Transport))
	})
	show := &table{name: "endpoints", columns: []column{{name: "endpoint", whole: true}, {name: "sent", right: true},
		{name: "bytes", key: "bytes_sent", right: true}, {name: "received", right: true},
		{name: "bytes", key: "bytes_received", right: true}, {name: "transport"}, {name: "protocol"}}}
	for _, k := range keys {
		e := t.Endpoints[k]
		who, transport := stringCell(k.At), stringCell(k.Transport)
		if k == (stats.End{}) {
			who, transport = wordCell(others), none
		}
		show.rows = append(show.rows, []cell{who, numberCell(e.Sent.Messages), numberCell(e.Sent.Bytes),
			numberCell(e.Received.Messages), numberCell(e.Received.Bytes), transport, wordCell(e.Protocol)})
	}
	return show
}
