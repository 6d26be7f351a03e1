package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"net/netip"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/filter"
	"github.com/gamedissect/gamedissect/internal/stats"
	"github.com/gamedissect/gamedissect/layers"
)

// wanted are the expected rows of each table in the form for programs, made from what an engine finds. A string is a
// text or an exact number, and a float64 is a number that may differ by 3 %.
var wanted = map[string]func(*recorded) [][]any{
	"protocols":    wantProtocols,
	"messages":     wantMessages,
	everyMessage:   wantEveryMessage,
	"conv":         wantConversations,
	"endpoints":    wantEndpoints,
	"findings":     wantFindings,
	"findings,who": wantSenders,
	"other":        wantOthers,
	TimelineName:   wantEvents,
	IntervalsName:  wantIntervals,
	PacketsName:    wantPackets,
	"skipped":      wantSkipped,
	"forgotten":    wantForgotten,
}

var captures = [][]string{
	{"bz24-ctf-capture.pcap"}, {"bz17-c-violations.pcap", "bz17-c-scorelimit.pcap"}, {"iceball-cadence.pcap"},
	{"tribes-list-40.pcap"}, {"tribes-noise-tribes2-and-others.pcap", "tribes-heartbeats-t1master.pcap"},
	{"bloodmasters-real.pcap.gz"}, {"bz17-var-lost.pcap", "bz17-var-snap96.pcap"}, {"iceball-http.pcap"}, {"bz24-query.pcap"},
}

const ioName = "io,3,count(length),sum(length),avg(length),max(bzflag24.lag)"

// Each table has the numbers that follow from the messages, findings and values of an engine. If you add a table, add
// the expected numbers here.
func TestNumbers(t *testing.T) {
	rows := make(map[string]int)
	for _, names := range captures {
		intervals := newIntervals(t, ioName)
		r := read(t, intervals, names...)
		tables := append(r.Totals()[1:], Events(r.events, r.First, true), intervals.Table())
		for _, of := range specs {
			tables = append(tables, r.Tables(of.Name)...)
		}
		for _, table := range tables {
			rows[table.Name] += len(table.Rows)
			want := wanted[table.Name]
			if want == nil {
				t.Fatalf("there are no expected numbers for %s", table.Name)
			}
			compare(t, fmt.Sprint(names, " ", table.Name), table, want(r))
		}
		for _, p := range r.Protocols {
			for _, table := range r.Tables(p.Name) {
				rows["measured"]++
				compare(t, fmt.Sprint(names, " ", p.Name, ",", table.Name), table, wantMeasured(r, p.Name, table.Name))
			}
		}
	}
	for _, of := range specs {
		if rows[of.Name] == 0 {
			t.Errorf("no capture has numbers for %s", of.Name)
		}
	}
	if rows["measured"] < 10 || rows["skipped"] == 0 {
		t.Error(rows)
	}
}

func newIntervals(t *testing.T, name string) *Intervals {
	t.Helper()
	i, err := ParseIntervals(name)
	if err == nil {
		err = i.Compile(filter.NewSchema(layers.All()), layers.All())
	}
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// compare compares a table with the expected rows.
func compare(t *testing.T, what string, table *Table, want [][]any) {
	t.Helper()
	if len(want) != len(table.Rows) {
		t.Errorf("%s: %d rows, want %d", what, len(table.Rows), len(want))
		return
	}
	for i, row := range table.Rows {
		var got []string
		for j := range table.Columns {
			if table.Columns[j].Only != People {
				value, _ := table.Columns[j].Value(row[j])
				got = append(got, value)
			}
		}
		ok := len(got) == len(want[i])
		for j := 0; ok && j < len(got); j++ {
			switch w := want[i][j].(type) {
			case float64:
				n, err := strconv.ParseFloat(got[j], 64)
				ok = err == nil && math.Abs(n-w) <= math.Abs(w)*0.032+1e-9
			default:
				ok = got[j] == fmt.Sprint(w)
			}
		}
		if !ok {
			t.Errorf("%s, row %d:\n%q, want\n%q", what, i, got, fmt.Sprint(want[i]...))
			return
		}
	}
}

func wantProtocols(r *recorded) (rows [][]any) {
	_, all := grouped(r.messages, func(m *said) string { return m.Protocol.Name })
	pairs := r.pairs()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		bytes, n := int64(0), 0
		var first, last int64 = math.MaxInt64, 0
		for _, m := range all[name] {
			bytes += m.length
		}
		for _, c := range pairs {
			if c.protocol == name {
				n++
				first, last = min(first, c.first), max(last, c.last)
			}
		}
		rows = append(rows, []any{name, n, len(all[name]), bytes, inSeconds(last - first), perSecond(len(all[name]), last-first)})
	}
	return rows
}

// inSeconds formats nanoseconds as seconds.
func inSeconds(ns int64) string {
	return strconv.FormatFloat(math.Round(float64(ns))/1e9, 'f', -1, 64)
}

func perSecond(n int, ns int64) any {
	if ns == 0 {
		return ""
	}
	return float64(n) / float64(ns) * 1e9
}

func (r *recorded) pairs() map[pair]*talk {
	all := make(map[pair]*talk)
	for i := range r.messages {
		m := &r.messages[i]
		k := pairOf(&m.Place)
		if all[k] == nil {
			all[k] = new(talk)
		}
		all[k].add(m, m.Src == k.a)
	}
	return all
}

func wantMessages(r *recorded) (rows [][]any) {
	keys, all := grouped(r.messages, func(m *said) [2]string { return [2]string{m.Protocol.Name, m.name} })
	slices.SortFunc(keys, func(x, y [2]string) int {
		return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(len(all[y]), len(all[x])), cmp.Compare(x[1], y[1]))
	})
	var first, last int64 = math.MaxInt64, 0
	for _, m := range r.messages {
		first, last = min(first, m.Time), max(last, m.Time)
	}
	for _, k := range keys {
		sum := int64(0)
		var sizes []float64
		for _, m := range all[k] {
			sum += m.length
			sizes = append(sizes, float64(m.length))
		}
		rows = append(rows, []any{k[0], k[1], len(all[k]), sum, fmt.Sprint(slices.Min(sizes)), quantile(sizes, 0.5),
			fmt.Sprint(slices.Max(sizes)), perSecond(len(all[k]), last-first)})
	}
	return rows
}

func wantEveryMessage(r *recorded) [][]any {
	rows := wantMessages(r)
	_, met := grouped(r.messages, func(m *said) string { return m.Protocol.Name })
	for name := range met {
		for _, kind := range find(r.Protocols, name).Messages.All() {
			if !slices.ContainsFunc(rows, func(row []any) bool { return row[0] == name && row[1] == kind.Name }) {
				rows = append(rows, []any{name, kind.Name, 0, 0, "", "", "", ""})
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b []any) int { return cmp.Compare(a[0].(string), b[0].(string)) })
	return rows
}

func wantConversations(r *recorded) (rows [][]any) {
	all := r.pairs()
	for _, k := range slices.SortedFunc(maps.Keys(all), func(x, y pair) int {
		return cmp.Or(cmp.Compare(all[x].first, all[y].first), x.a.Compare(y.a), x.b.Compare(y.b), cmp.Compare(x.transport, y.transport))
	}) {
		c := all[k]
		rows = append(rows, []any{fmt.Sprint(k.transport), c.stream, k.a, k.b, c.out, c.outB, c.in, c.inB, inSeconds(c.first - r.First),
			inSeconds(c.last - r.First), c.protocol})
	}
	return rows
}

func wantEndpoints(r *recorded) (rows [][]any) {
	type end struct {
		transport wire.Transport
		at        netip.AddrPort
	}
	all := make(map[end]*talk)
	for i := range r.messages {
		m := &r.messages[i]
		for _, at := range []netip.AddrPort{m.Src, m.Dst} {
			k := end{m.Transport, at}
			if all[k] == nil {
				all[k] = new(talk)
			}
			all[k].add(m, at == m.Src)
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(all), func(x, y end) int {
		return cmp.Or(cmp.Compare(all[y].outB+all[y].inB, all[x].outB+all[x].inB), x.at.Compare(y.at), cmp.Compare(x.transport, y.transport))
	}) {
		e := all[k]
		rows = append(rows, []any{k.at, e.out, e.outB, e.in, e.inB, k.transport, e.protocol})
	}
	return rows
}

func wantFindings(r *recorded) (rows [][]any) {
	ids, all := grouped(r.findings, func(f *wire.TrafficFinding) string { return f.Rule.ID })
	var firsts []*wire.TrafficFinding
	for _, id := range ids {
		firsts = append(firsts, slices.MinFunc(all[id], func(a, b *wire.TrafficFinding) int {
			return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.File, b.File), cmp.Compare(a.Frame, b.Frame))
		}))
	}
	slices.SortFunc(firsts, func(a, b *wire.TrafficFinding) int {
		return cmp.Or(cmp.Compare(b.Rule.Severity, a.Rule.Severity), cmp.Compare(a.Time, b.Time), cmp.Compare(a.Frame, b.Frame),
			cmp.Compare(a.Rule.ID, b.Rule.ID))
	})
	for _, f := range firsts {
		rows = append(rows, []any{f.Rule.Severity, f.Rule.ID, len(all[f.Rule.ID]), f.Frame, f.File, f.Text, ifAny(f.Src)})
	}
	return rows
}

func ifAny(at netip.AddrPort) string {
	if !at.IsValid() {
		return ""
	}
	return at.String()
}

func wantSenders(r *recorded) (rows [][]any) {
	type sender struct {
		rule *wire.Rule
		at   netip.AddrPort
	}
	keys, all := grouped(r.findings, func(f *wire.TrafficFinding) sender { return sender{f.Rule, f.Src} })
	slices.SortFunc(keys, func(x, y sender) int {
		return cmp.Or(cmp.Compare(y.rule.Severity, x.rule.Severity), cmp.Compare(len(all[y]), len(all[x])), cmp.Compare(x.rule.ID, y.rule.ID),
			x.at.Compare(y.at))
	})
	for _, k := range keys {
		player := ""
		for _, v := range r.values {
			if v.Table == "players" && v.What == "address" && v.Text == ifAny(k.at) && v.Text != "" &&
				(player == "" || stats.CompareNames(v.Who, player) < 0) {
				player = v.Who
			}
		}
		slices.SortStableFunc(all[k], func(a, b *wire.TrafficFinding) int {
			return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.File, b.File), cmp.Compare(a.Frame, b.Frame))
		})
		first, last := all[k][0], all[k][len(all[k])-1]
		rows = append(rows, []any{k.rule.ID, ifAny(k.at), len(all[k]), first.Frame, last.Frame, first.File, last.File, player, k.rule.Severity})
	}
	return rows
}

func wantOthers(r *recorded) (rows [][]any) {
	sum := int64(0)
	for _, o := range r.Counters.Others {
		port := ""
		if o.Port != 0 {
			port = fmt.Sprint(o.Port)
		}
		rows = append(rows, []any{o.Kind.String(), o.Kind.Layer, port, o.Packets, o.Bytes, o.First, o.File, o.Tunnel, capture.LinkType(o.Link)})
		sum += o.Packets
	}
	if sum != r.Counters.Other {
		return nil
	}
	slices.SortStableFunc(rows, func(a, b []any) int {
		return cmp.Or(cmp.Compare(b[3].(int64), a[3].(int64)), cmp.Compare(b[4].(int64), a[4].(int64)), cmp.Compare(a[6].(string), b[6].(string)))
	})
	return rows
}

func wantEvents(r *recorded) (rows [][]any) {
	for _, v := range r.events {
		rows = append(rows, []any{
			decodeTime(v.Time), inSeconds(v.Time - r.First), v.Frame, v.File, v.Protocol.Name, ifAny(v.Server), v.What, v.Who, v.Whom, v.Text,
		})
	}
	return rows
}

func decodeTime(ns int64) string {
	return time.Unix(0, ns).UTC().Format("2006-01-02T15:04:05.000000000Z")
}

func wantIntervals(r *recorded) (rows [][]any) {
	type key struct {
		n        int64
		protocol string
	}
	const length = 3e9
	last := int64(-1)
	keyOf := func(p *wire.Place) key {
		last = max(last, (p.Time-r.First)/length)
		if p.Protocol == nil {
			return key{(p.Time - r.First) / length, ""}
		}
		return key{(p.Time - r.First) / length, p.Protocol.Name}
	}
	_, messages := grouped(r.messages, func(m *said) key { return keyOf(&m.Place) })
	_, loose := grouped(r.loose, func(f *wire.TrafficFinding) key { return keyOf(&f.Place) })
	lags := make(map[key]float64)
	for i := range r.values {
		if v := &r.values[i]; v.Protocol.Name == "bzflag24" && v.What == "lag" && !v.State {
			lags[keyOf(&v.Place)] = max(lags[keyOf(&v.Place)], v.Number)
		}
	}
	names := append([]string{""}, protocolNames(r)...)
	for n := int64(0); n <= last; n++ {
		before := len(rows)
		for _, name := range names {
			k := key{n, name}
			_, lagged := lags[k]
			if len(messages[k]) > 0 || len(loose[k]) > 0 || lagged {
				rows = append(rows, wantSpan(n, name, messages[k], len(loose[k]), lags[k]))
			}
		}
		if len(rows) == before {
			rows = append(rows, wantSpan(n, "", nil, 0, 0))
		}
	}
	return rows
}

func protocolNames(r *recorded) (names []string) {
	for _, p := range r.Protocols {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	return names
}

func wantSpan(n int64, name string, messages []*said, loose int, lag float64) []any {
	type frame struct {
		file   string
		number int
	}
	frames := make(map[frame]bool)
	bytes, findings := int64(0), int64(loose)
	for _, m := range messages {
		bytes += m.length
		findings += m.findings
		frames[frame{m.File, m.Frame}] = true
	}
	var sum, mean, lags any = "", "", ""
	if len(messages) > 0 {
		sum, mean = bytes, float64(bytes)/float64(len(messages))
	}
	if lag > 0 {
		lags = lag
	}
	return []any{3 * n, 3*n + 3, name, len(messages), sum, mean, lags, len(frames), len(messages), bytes, findings}
}

func wantPackets(r *recorded) [][]any {
	c := &r.Counters
	return [][]any{{c.Recognised + c.Other, len(r.messages), len(r.messages), c.Packets - c.Recognised, c.Truncated}}
}

func wantSkipped(r *recorded) (rows [][]any) {
	for why, n := range r.Counters.Skipped {
		if n > 0 {
			rows = append(rows, []any{decode.Reason(why), n})
		}
	}
	return rows
}

func wantForgotten(r *recorded) (rows [][]any) {
	for _, f := range r.Counters.Forgotten {
		rows = append(rows, []any{f.Name, f.Count})
	}
	return rows
}
