package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// Tables of what was counted.

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
		{name: "b", whole: true},
		{name: "a>b", key: "a_to_b", right: true}, {name: "bytes", key: "bytes_a_to_b", right: true},
		{name: "b>a", key: "b_to_a", right: true}, {name: "bytes", key: "bytes_b_to_a", right: true},
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
