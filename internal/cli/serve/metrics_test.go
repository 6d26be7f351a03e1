package serve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	dto "github.com/prometheus/client_model/go"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/tally"
	"github.com/gamedissect/gamedissect/internal/stats"
	"github.com/gamedissect/gamedissect/layers"
	"github.com/gamedissect/gamedissect/layers/tribes"
)

// measure reads a capture, and returns its metrics and statistics.
func measure(t testing.TB, name, filter, severity string) (*Metrics, *stats.Stats) {
	t.Helper()
	g, err := (&session.DecodeOptions{Filter: filter}).Selection(nil)
	clitest.NoError(t, err)
	g.Rules, err = (&session.FindingOptions{Severity: severity}).RuleSet()
	clitest.NoError(t, err)
	r, m := session.NewRun(decode.Options{Protocols: layers.All()}, g), NewMetrics(layers.All())
	totals := &tally.Totals{Clock: r.Clock}
	r.Add(m.Sink())
	r.Add(totals.Sink(true))
	in := session.InputOptions{Names: []string{filepath.Join(clitest.Captures, name)}}
	stop := new(session.Interrupt)
	clitest.NoError(t, in.WithFiles(nil, stop, func(from *session.FileSource) error { return r.Over(from, stop) }))
	return m, &totals.Stats
}

// exposition returns the metrics of this program in a scrape, without zeros and without values that depend on the
// build.
func exposition(t testing.TB, m *Metrics) string {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(scrape(t, m)) {
		words := strings.Fields(line)
		name := words[0]
		if name == "#" {
			name = words[2]
		} else if words[len(words)-1] == "0" {
			continue
		}
		if !strings.HasPrefix(name, "go_") && !strings.HasPrefix(name, "process_") && !strings.HasPrefix(name, "gamedissect_build_info") {
			b.WriteString(line)
		}
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	for _, name := range []string{"bz24-admin.pcap", "iceball-real-session.pcap", "tribes-heartbeats-t1master.pcap"} {
		m, _ := measure(t, name, "", "note")
		got := exposition(t, m)
		wiretest.Golden(t, filepath.Join("testdata", name+".prom"), []byte(got))
	}
}

// families gathers the metric families by name.
func families(t testing.TB, m *Metrics) map[string]*dto.MetricFamily {
	t.Helper()
	list, err := m.registry.Gather()
	clitest.NoError(t, err)
	all := make(map[string]*dto.MetricFamily)
	for _, f := range list {
		all[f.GetName()] = f
	}
	return all
}

// sum adds up those counters of a family whose label has a value. The value "" matches any.
func sum(f *dto.MetricFamily, label, value string) float64 {
	n := 0.0
	for _, x := range f.GetMetric() {
		for _, l := range x.GetLabel() {
			if l.GetName() == label && (value == "" || l.GetValue() == value) {
				n += x.GetCounter().GetValue()
			}
		}
	}
	return n
}

// TestTotals compares the metrics of captures with the statistics of the same run, which are counted by other code.
func TestTotals(t *testing.T) {
	for _, test := range []struct{ filter, severity string }{{"", "note"}, {"bzflag24||message==Heartbeat", "note"}, {"", "warning"}} {
		for _, name := range captures(t) {
			m, want := measure(t, name, test.filter, test.severity)
			compareTotals(t, fmt.Sprint(name, " ", test), m, want)
		}
	}
}

func compareTotals(t *testing.T, name string, m *Metrics, want *stats.Stats) {
	t.Helper()
	all := families(t, m)
	check := func(what string, got float64, want int64) {
		if got != float64(want) {
			t.Errorf("%s: %v %s, the statistics have %d", name, got, what, want)
		}
	}
	check("packets", testutil.ToFloat64(m.packets), want.Packets)
	check("bytes", testutil.ToFloat64(m.bytes), want.Bytes)
	check("messages", sum(all["gamedissect_messages_total"], "protocol", ""), want.Messages)
	check("connections", sum(all["gamedissect_connections_total"], "protocol", ""), int64(len(want.Conversations)))
	found := int64(0)
	for id, f := range want.Findings {
		check(id, sum(all["gamedissect_findings_total"], "rule", id), f.Count)
		found += f.Count
	}
	check("findings", sum(all["gamedissect_findings_total"], "rule", ""), found)
	over := int64(0)
	for _, a := range want.Attempts {
		over += a.Count
	}
	check("attempts", sum(all["gamedissect_attempts_total"], "protocol", ""), over)
	times, timed := int64(0), uint64(0)
	for protocol, p := range want.Protocols {
		for name, kind := range p.Messages {
			check(protocol+" "+name, sum(all["gamedissect_messages_total"], "message", name)-elsewhere(all, protocol, name), kind.Sizes.Count)
		}
		for _, table := range p.Tables {
			for _, row := range table {
				for _, x := range row.Series {
					if x.Unit() == "s" {
						times += x.Numbers.Count
					}
				}
			}
		}
	}
	for _, family := range []string{"ping", "lag", "duration"} {
		for _, x := range all["gamedissect_"+family+"_seconds"].GetMetric() {
			timed += x.GetHistogram().GetSampleCount()
			for _, l := range x.GetLabel() {
				if l.GetValue() == otherSpan {
					t.Errorf("%s: a protocol measures a time that it does not list in Times", name)
				}
			}
		}
	}
	check("times", float64(timed), times)
}

// elsewhere counts the messages with the same name in other protocols.
func elsewhere(all map[string]*dto.MetricFamily, protocol, name string) (n float64) {
	for _, x := range all["gamedissect_messages_total"].GetMetric() {
		if x.GetLabel()[0].GetValue() == name && x.GetLabel()[1].GetValue() != protocol {
			n += x.GetCounter().GetValue()
		}
	}
	return n
}

// TestFromTheStart checks that every label exists from the start with the value zero, and that no other label ever
// appears.
func TestFromTheStart(t *testing.T) {
	m := NewMetrics(layers.All())
	before := families(t, m)
	kinds := make(map[string]bool)
	for _, p := range layers.All() {
		for _, k := range p.Messages.All() {
			kinds[p.Name+" "+k.Name] = true
		}
	}
	if got := len(before["gamedissect_messages_total"].GetMetric()); got != len(kinds) {
		t.Errorf("%d kinds of messages, want %d", got, len(kinds))
	}
	if got, want := len(before["gamedissect_findings_total"].GetMetric()), len(session.AllRules()); got != want {
		t.Errorf("%d rules, want %d", got, want)
	}
	for i := range 1000 {
		p := layers.All()[i%len(layers.All())]
		text := fmt.Sprintf("stranger\n%d\"}", i)
		m.Value(&wire.Value{Place: wire.Place{Protocol: p}, Table: "players", Who: text, What: text, Number: 1, Unit: "s"})
		m.Value(&wire.Value{Place: wire.Place{Protocol: p}, Table: text, Who: text, What: text, State: true, Text: text})
	}
	after := families(t, m)
	for name, f := range after {
		if strings.HasPrefix(name, "gamedissect_") && strings.Contains(f.String(), "stranger") {
			t.Errorf("%s has a stranger's text", name)
		}
	}
	for _, family := range []string{"duration_seconds", "players"} {
		if got := len(after["gamedissect_"+family].GetMetric()); got != len(layers.All()) {
			t.Errorf("%d of %s, want one per protocol", got, family)
		}
	}
	if got := after["gamedissect_players"].GetMetric()[0].GetGauge().GetValue(); int(got) != 1000/len(layers.All()) && int(got) != 1000/len(layers.All())+1 {
		t.Errorf("%v players of one protocol, want an equal share of 1000", got)
	}
	if problems, err := testutil.GatherAndLint(m.registry); err != nil || len(problems) > 0 {
		t.Error(problems, err)
	}
}

func TestOddNumbers(t *testing.T) {
	m := NewMetrics(layers.All())
	for _, n := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -3, 2} {
		m.Value(&wire.Value{Place: wire.Place{Protocol: tribes.Protocol}, What: "ping", Number: n, Unit: "s"})
	}
	h := families(t, m)["gamedissect_ping_seconds"].GetMetric()[0].GetHistogram()
	if h.GetSampleCount() != 5 || h.GetSampleSum() != maxSpan+2 {
		t.Errorf("%d times, sum %v", h.GetSampleCount(), h.GetSampleSum())
	}
	m.Drops(3)
	m.Drops(-1)
	if got := testutil.ToFloat64(m.lost); got != 3 {
		t.Errorf("%v drops, want 3", got)
	}
}

// TestRecent compares a recent with a map of names.
func TestRecent(t *testing.T) {
	r, random := new(recent), rand.New(rand.NewPCG(1, 2))
	last := make(map[string]time.Duration)
	if n, ever := r.count(0); n != 0 || ever {
		t.Errorf("at first %d, %v", n, ever)
	}
	var now time.Duration
	for range 5000 {
		now += time.Duration(random.IntN(int(10 * time.Second)))
		if random.IntN(3) > 0 {
			name := fmt.Sprint(random.IntN(200))
			r.meet(stats.RowKey{Who: name}, now)
			last[name] = now
			continue
		}
		now += sweepEvery
		want := 0
		for _, at := range last {
			if now-at <= recentTime {
				want++
			}
		}
		if n, ever := r.count(now); n != want || ever != (len(last) > 0) {
			t.Fatalf("at %s %d, %v, want %d", now, n, ever, want)
		}
	}
}

func TestRecentIsBounded(t *testing.T) {
	r := new(recent)
	for i := range 3 * maxRecent {
		r.meet(stats.RowKey{Server: netip.AddrPortFrom(netip.IPv6Loopback(), uint16(i)), Who: fmt.Sprint(i >> 16)}, 0)
	}
	if n, _ := r.count(time.Hour / 10); n != maxRecent {
		t.Errorf("%d names, want %d", n, maxRecent)
	}
	r.meet(stats.RowKey{}, time.Hour)
	if n, _ := r.count(time.Hour); n != 1 {
		t.Errorf("%d names after an hour, want 1", n)
	}
}

// forgot is an engine that reports these things as dropped.
type forgot []bounded.Forgotten

func (f *forgot) Forgotten() []bounded.Forgotten { return *f }

// When metrics are gathered, they show what the engine reports at that moment. Counts of the same kind are added up.
func TestForgotten(t *testing.T) {
	m := NewMetrics(layers.All())
	var engine forgot
	m.Engine = func() Forgetful { return &engine }
	count := func() float64 { return sum(families(t, m)["gamedissect_forgotten_total"], "kind", "games") }
	if n := count(); n != 0 {
		t.Errorf("%v games before the first packet", n)
	}
	m.Packet(new(capture.Packet))
	for n := range int64(3) {
		engine = forgot{{Kind: bounded.Kind{Name: "games"}, Count: n}, {Kind: bounded.Kind{Name: "games"}, Count: 5}, {Kind: bounded.Kind{Name: "players"}, Count: 1}}
		if got := count(); got != float64(n+5) {
			t.Errorf("%v games, want %d", got, n+5)
		}
	}
}

// captures lists the small captures that can be read without an error.
func captures(t *testing.T) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(clitest.Captures)
	clitest.NoError(t, err)
	for _, e := range entries {
		info, err := e.Info()
		clitest.NoError(t, err)
		ending := filepath.Ext(strings.TrimSuffix(e.Name(), ".gz"))
		if (ending == ".pcap" || ending == ".pcapng") && !strings.HasSuffix(e.Name(), ".cutfile.pcap") && info.Size() <= 50_000 {
			list = append(list, e.Name())
		}
	}
	return list
}
