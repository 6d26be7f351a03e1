package tally

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/message"
	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// Tables of what was counted.

func (t *Totals) protocolTable() *table.Table {
	show := &table.Table{Name: "protocols", Columns: append(table.TextColumns("protocol"),
		table.NumberColumns("conversations", "messages", "bytes", "seconds", "messages/s")...)}
	for _, name := range slices.Sorted(maps.Keys(t.Stats.Protocols)) {
		var count, bytes int64
		for _, m := range t.Stats.Protocols[name].Messages {
			count += m.Sizes.Count
			bytes += m.Sizes.Sum
		}
		talks, first, last := t.conversationsOf(name)
		show.Rows = append(show.Rows, []table.Cell{table.WordCell(name), talks, table.NumberCell(count), table.NumberCell(bytes),
			table.SecondsCell(last - first), rateCell(count, last-first)})
	}
	return show
}

// conversationsOf tells how many conversations a protocol has, and from when to when. A plus stands for those that
// are counted together.
func (t *Totals) conversationsOf(protocol string) (talks table.Cell, first, last int64) {
	n, more, met := int64(0), "", false
	for key, c := range t.Stats.Conversations {
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
	return table.Cell{Text: term.Thousands(n) + more, Value: n}, first, last
}

// rateCell is how many there are a second.
func rateCell(n, ns int64) table.Cell {
	if ns <= 0 {
		return table.Cell{Text: "-", Value: nil}
	}
	rate := float64(n) / (float64(ns) / 1e9)
	return table.Cell{Text: fmt.Sprintf("%.1f", rate), Value: rate}
}

func (t *Totals) sizeTable() *table.Table {
	show := &table.Table{Name: "messages", Columns: append(table.TextColumns("protocol", "message"),
		table.NumberColumns("count", "bytes", "smallest", "median", "largest", "messages/s")...)}
	t.eachMessageTotal(func(protocol, name string, sizes *stats.Histogram) {
		show.Rows = append(show.Rows, []table.Cell{table.WordCell(protocol), table.WordCell(name), table.NumberCell(sizes.Count),
			table.NumberCell(sizes.Sum), table.NumberCell(sizes.Min), table.NumberCell(sizes.Quantile(0.5)), table.NumberCell(sizes.Max),
			rateCell(sizes.Count, t.Stats.Last-t.Stats.First)})
	})
	return show
}

func (t *Totals) conversationTable() *table.Table {
	keys := slices.SortedFunc(maps.Keys(t.Stats.Conversations), func(x, y stats.Pair) int {
		a, b := t.Stats.Conversations[x], t.Stats.Conversations[y]
		return cmp.Or(restLast(x == stats.Pair{}, y == stats.Pair{}), cmp.Compare(a.First, b.First), x.A.Compare(y.A),
			x.B.Compare(y.B), cmp.Compare(x.Transport, y.Transport))
	})
	show := &table.Table{Name: "conv", Columns: []table.Column{{Name: "stream", Whole: true}, {Name: "a", Whole: true},
		{Name: "b", Whole: true},
		{Name: "a>b", Key: "a_to_b", Right: true}, {Name: "bytes", Key: "bytes_a_to_b", Right: true},
		{Name: "b>a", Key: "b_to_a", Right: true}, {Name: "bytes", Key: "bytes_b_to_a", Right: true},
		{Name: "from", Right: true}, {Name: "to", Right: true}, {Name: "protocol"}}}
	for _, k := range keys {
		c := t.Stats.Conversations[k]
		stream := string(message.AppendConversation(nil, wire.ConversationID{Transport: k.Transport, Number: c.Stream}))
		who := []table.Cell{table.WordCell(stream), table.StringCell(k.A), table.StringCell(k.B)}
		if k == (stats.Pair{}) {
			who = []table.Cell{table.None, table.WordCell(others), table.None}
		}
		show.Rows = append(show.Rows, append(who, table.NumberCell(c.AB.Messages), table.NumberCell(c.AB.Bytes),
			table.NumberCell(c.BA.Messages), table.NumberCell(c.BA.Bytes), t.sinceCell(c.First), t.sinceCell(c.Last), table.WordCell(c.Protocol)))
	}
	return show
}

// sinceCell is the time since the first packet.
func (t *Totals) sinceCell(at int64) table.Cell { return table.SecondsCell(at - t.Clock.First) }

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

func (t *Totals) endpointTable() *table.Table {
	keys := slices.SortedFunc(maps.Keys(t.Stats.Endpoints), func(x, y stats.End) int {
		a, b := t.Stats.Endpoints[x], t.Stats.Endpoints[y]
		more := cmp.Compare(b.Sent.Bytes+b.Received.Bytes, a.Sent.Bytes+a.Received.Bytes)
		return cmp.Or(restLast(x == stats.End{}, y == stats.End{}), more, x.At.Compare(y.At),
			cmp.Compare(x.Transport, y.Transport))
	})
	show := &table.Table{Name: "endpoints", Columns: []table.Column{{Name: "endpoint", Whole: true}, {Name: "sent", Right: true},
		{Name: "bytes", Key: "bytes_sent", Right: true}, {Name: "received", Right: true},
		{Name: "bytes", Key: "bytes_received", Right: true}, {Name: "transport"}, {Name: "protocol"}}}
	for _, k := range keys {
		e := t.Stats.Endpoints[k]
		who, transport := table.StringCell(k.At), table.StringCell(k.Transport)
		if k == (stats.End{}) {
			who, transport = table.WordCell(others), table.None
		}
		show.Rows = append(show.Rows, []table.Cell{who, table.NumberCell(e.Sent.Messages), table.NumberCell(e.Sent.Bytes),
			table.NumberCell(e.Received.Messages), table.NumberCell(e.Received.Bytes), transport, table.WordCell(e.Protocol)})
	}
	return show
}
