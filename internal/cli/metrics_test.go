package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus/testutil"
	dto "github.com/prometheus/client_model/go"
	"github.com/spf13/cobra"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/clitest"
	"github.com/gamedissect/gamedissect/internal/cli/metrics"
	"github.com/gamedissect/gamedissect/internal/cli/outfile"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/stats"
	"github.com/gamedissect/gamedissect/layers"
	"github.com/gamedissect/gamedissect/layers/tribes"
)

// measure reads captures with metrics and gives these.
func measure(t testing.TB, flags string, names ...string) *metrics.Metrics {
	t.Helper()
	files := make([]string, len(names))
	for i, name := range names {
		files[i] = filepath.Join(clitest.Captures, name)
	}
	return measureFile(t, flags, files...)
}

// measureFile reads files with metrics and gives these.
func measureFile(t testing.TB, flags string, names ...string) *metrics.Metrics {
	t.Helper()
	var errs bytes.Buffer
	var o dissectOptions
	c := new(cobra.Command)
	o.flags(c)
	clitest.NoError(t, c.ParseFlags(append(strings.Fields(flags), "-q")))
	o.input.Names = names
	d, err := o.prepare(outfile.NewOutputs(term.Streams{In: strings.NewReader(""), Out: io.Discard, Err: &errs}), session.Everywhere)
	clitest.NoError(t, err)
	m := metrics.New()
	m.Engine = func() metrics.Forgetful { return d.run.Engine }
	d.run.Add(m)
	clitest.NoError(t, d.read())
	return m
}

// exposition is what a scrape shows of ours that is not zero, without what the build decides.
func exposition(t testing.TB, m *metrics.Metrics) string {
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

func TestMetricsGolden(t *testing.T) {
	for _, name := range []string{"bz24-admin.pcap", "iceball-real-session.pcap", "tribes-heartbeats-t1master.pcap"} {
		got := exposition(t, measure(t, "", name))
		golden := filepath.Join("testdata", "metrics", name+".prom")
		if updating() {
			clitest.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
		}
		want := clitest.ReadFile(t, golden)
		if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// families gathers by name.
func families(t testing.TB, m *metrics.Metrics) map[string]*dto.MetricFamily {
	t.Helper()
	list, err := m.Registry.Gather()
	clitest.NoError(t, err)
	all := make(map[string]*dto.MetricFamily)
	for _, f := range list {
		all[f.GetName()] = f
	}
	return all
}

// sum adds up the counters of a family whose label has that value; "" is any.
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

// TestMetricsAreTotals holds the metrics of all captures against the statistics: other code counts these.
func TestMetricsAreTotals(t *testing.T) {
	for _, flags := range []string{"", "-Y bzflag24||message==Heartbeat", "--severity warning"} {
		for _, name := range small(t, ".cutfile.pcap") {
			file := filepath.Join(t.TempDir(), "stats.json")
			m := measure(t, flags+" --stats "+file, name)
			text := clitest.ReadFile(t, file)
			want := new(stats.Stats)
			clitest.NoError(t, json.Unmarshal(text, want))
			compareTotals(t, name+" "+flags, m, want)
		}
	}
}

func compareTotals(t *testing.T, name string, m *metrics.Metrics, want *stats.Stats) {
	t.Helper()
	all := families(t, m)
	check := func(what string, got float64, want int64) {
		if got != float64(want) {
			t.Errorf("%s: %v %s, the statistics have %d", name, got, what, want)
		}
	}
	check("packets", testutil.ToFloat64(m.Packets), want.Packets)
	check("bytes", testutil.ToFloat64(m.Bytes), want.Bytes)
	check("messages", sum(all["gamedissect_messages_total"], "protocol", ""), want.Messages)
	check("connections", sum(all["gamedissect_connections_total"], "protocol", ""), int64(len(want.Conversations)))
	found := int64(0)
	for id, f := range want.Findings {
		check(id, sum(all["gamedissect_findings_total"], "rule", id), f.Count)
		found += f.Count
	}
	check("findings", sum(all["gamedissect_findings_total"], "rule", ""), found)
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
				if l.GetValue() == metrics.OtherSpan {
					t.Errorf("%s: something is timed that its protocol does not list in Times", name)
				}
			}
		}
	}
	check("times", float64(timed), times)
}

// elsewhere counts the messages of a name in other protocols.
func elsewhere(all map[string]*dto.MetricFamily, protocol, name string) (n float64) {
	for _, x := range all["gamedissect_messages_total"].GetMetric() {
		if x.GetLabel()[0].GetValue() == name && x.GetLabel()[1].GetValue() != protocol {
			n += x.GetCounter().GetValue()
		}
	}
	return n
}

// TestMetricsFromTheStart sees that everything is there at zero, and nothing else ever comes as a label.
func TestMetricsFromTheStart(t *testing.T) {
	m := metrics.New()
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
			t.Errorf("%d of %s, want one a protocol", got, family)
		}
	}
	if got := after["gamedissect_players"].GetMetric()[0].GetGauge().GetValue(); int(got) != 1000/len(layers.All()) && int(got) != 1000/len(layers.All())+1 {
		t.Errorf("%v players, want those of one protocol of 1000", got)
	}
	if problems, err := testutil.GatherAndLint(m.Registry); err != nil || len(problems) > 0 {
		t.Error(problems, err)
	}
}

func TestMetricsOddNumbers(t *testing.T) {
	m := metrics.New()
	for _, n := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -3, 2} {
		m.Value(&wire.Value{Place: wire.Place{Protocol: tribes.Protocol}, What: "ping", Number: n, Unit: "s"})
	}
	h := families(t, m)["gamedissect_ping_seconds"].GetMetric()[0].GetHistogram()
	if h.GetSampleCount() != 5 || h.GetSampleSum() != metrics.MaxSpan+2 {
		t.Errorf("%d times, in sum %v", h.GetSampleCount(), h.GetSampleSum())
	}
	m.Drops(3)
	m.Drops(-1)
	if got := testutil.ToFloat64(m.Lost); got != 3 {
		t.Errorf("%v drops, want 3", got)
	}
}

// TestRecent holds recent against a map of names that is looked through.
func TestRecent(t *testing.T) {
	r, random := new(metrics.Recent), rand.New(rand.NewPCG(1, 2))
	last := make(map[string]time.Duration)
	if n, ever := r.Count(0); n != 0 || ever {
		t.Errorf("at first %d, %v", n, ever)
	}
	var now time.Duration
	for range 5000 {
		now += time.Duration(random.IntN(int(10 * time.Second)))
		if random.IntN(3) > 0 {
			name := fmt.Sprint(random.IntN(200))
			r.Meet(stats.Subject{Who: name}, now)
			last[name] = now
			continue
		}
		now += metrics.SweepEvery
		want := 0
		for _, at := range last {
			if now-at <= metrics.RecentTime {
				want++
			}
		}
		if n, ever := r.Count(now); n != want || ever != (len(last) > 0) {
			t.Fatalf("at %s %d, %v, want %d", now, n, ever, want)
		}
	}
}

func TestRecentIsBounded(t *testing.T) {
	r := new(metrics.Recent)
	for i := range 3 * metrics.MaxRecent {
		r.Meet(stats.Subject{Server: netip.AddrPortFrom(netip.IPv6Loopback(), uint16(i)), Who: fmt.Sprint(i >> 16)}, 0)
	}
	if n, _ := r.Count(time.Hour / 10); n != metrics.MaxRecent {
		t.Errorf("%d names, want %d", n, metrics.MaxRecent)
	}
	r.Meet(stats.Subject{}, time.Hour)
	if n, _ := r.Count(time.Hour); n != 1 {
		t.Errorf("%d names after an hour, want 1", n)
	}
}
