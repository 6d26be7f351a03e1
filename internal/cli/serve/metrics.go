package serve

import (
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/gamedissect/gamedissect/capture"
	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/cli/session"
	"github.com/gamedissect/gamedissect/internal/cli/term"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// Metrics is a sink that counts for Prometheus while packets are read.
//
// Labels contain only names that this program defines: names of protocols, messages, rules, severities and times. Names
// and addresses in packets are not labels, because a sender could create any number of them.
//
// One goroutine may count while any number of goroutines gather.
type Metrics struct {
	Engine func() Forgetful // called at the first packet; nil if there is no engine

	registry *prometheus.Registry
	now      func() time.Duration // returns the time since the metrics were made

	packets, bytes, lost prometheus.Counter
	newest               prometheus.Gauge
	messages, findings   *prometheus.CounterVec
	conversations        *prometheus.CounterVec
	attempts             *prometheus.CounterVec
	ping, lag, duration  *prometheus.HistogramVec

	listed    []*wire.Protocol
	protocols map[*wire.Protocol]*protocolMetrics
	kinds     map[*wire.MessageType]kindMetrics
	rules     map[*wire.Rule]prometheus.Counter
	outcomes  map[attemptKey]prometheus.Counter
	met       [2]firsts // numbers of conversations seen, by transport
	forgot    atomic.Pointer[Forgetful]
}

type protocolMetrics struct {
	name             string
	times            []string              // see spanNames
	conversations    [2]prometheus.Counter // by transport
	spans            map[string]prometheus.Observer
	servers, players recent
}

// An attemptKey has the labels of an attempt counter.
type attemptKey struct {
	protocol, kind string
	outcome        wire.Outcome
}

type kindMetrics struct {
	count prometheus.Counter
	of    *protocolMetrics
}

// otherSpan is the label of times that no protocol lists.
const otherSpan = "other"

// spanNames returns the values of wire.Value.What that may become labels of a protocol's times.
func spanNames(p *wire.Protocol) []string {
	return append([]string{"ping", "lag", otherSpan}, p.Times...)
}

// maxSpan keeps sums finite. It is much longer than any real time between packets.
const maxSpan = 1e9 // seconds

// NewMetrics makes metrics for protocols. All counters exist from the start with the value zero, because Prometheus
// cannot see the first increase of a counter that appears later.
func NewMetrics(protocols []*wire.Protocol) *Metrics {
	begin := time.Now()
	m := &Metrics{
		registry:  prometheus.NewRegistry(),
		listed:    protocols,
		now:       func() time.Duration { return time.Since(begin) },
		protocols: make(map[*wire.Protocol]*protocolMetrics),
		kinds:     make(map[*wire.MessageType]kindMetrics),
		rules:     make(map[*wire.Rule]prometheus.Counter),
		outcomes:  make(map[attemptKey]prometheus.Counter),
	}
	m.register()
	for _, p := range protocols {
		for _, t := range p.Messages.All() {
			m.kind(p, t)
		}
		for i := range p.Tables {
			if t := &p.Tables[i]; slices.Contains(t.Columns, wire.AttemptOutcome) {
				for o := wire.Done; o <= wire.NotKnown; o++ {
					m.outcome(attemptKey{p.Name, t.Name, o})
				}
			}
		}
	}
	for _, r := range session.AllRules() {
		m.rule(r)
	}
	m.registry.MustRegister(&subjectCollector{m}, &forgottenCollector{m})
	return m
}

func (m *Metrics) register() {
	counter := func(name, help string) prometheus.Counter {
		c := prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
		m.registry.MustRegister(c)
		return c
	}
	counters := func(name, help string, labels ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
		m.registry.MustRegister(c)
		return c
	}
	histograms := func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
		h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
		m.registry.MustRegister(h)
		return h
	}
	m.packets = counter("gamedissect_packets_total", "Packets read, of any traffic.")
	m.bytes = counter("gamedissect_bytes_total", "Bytes of these packets, on the wire.")
	m.lost = counter("gamedissect_drops_total", "Packets that the kernel dropped, because they were not read in time.")
	m.newest = prometheus.NewGauge(prometheus.GaugeOpts{Name: "gamedissect_last_packet_timestamp_seconds",
		Help: "Time of the packet read last, since 1970."})
	m.messages = counters("gamedissect_messages_total", "Messages, by kind; all undefined ones are Unknown.",
		"protocol", "message")
	m.findings = counters("gamedissect_findings_total", "How often a rule was broken.", "rule", "severity")
	m.conversations = counters("gamedissect_connections_total",
		"Connections (over UDP, conversations) with at least one message.", "protocol", "transport")
	m.attempts = counters("gamedissect_attempts_total",
		"Finished attempts, such as to join or to be listed, by outcome.", "protocol", "kind", "outcome")

	answers := []float64{.0005, .001, .0025, .005, .01, .025, .05, .075, .1, .15, .2, .3, .5, .75, 1, 2.5, 5, 10}
	m.ping = histograms("gamedissect_ping_seconds", "Time from a query to its answer.", answers, "protocol")
	m.lag = histograms("gamedissect_lag_seconds", "Time until a player's program echoed a lag ping.",
		answers, "protocol")
	m.duration = histograms("gamedissect_duration_seconds", "Other times between messages.",
		[]float64{.0001, .0005, .001, .005, .01, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600,
			1800}, "protocol", "what")

	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "gamedissect_build_info", Help: "Always 1; the labels contain the version.",
		ConstLabels: prometheus.Labels{"version": term.Version(), "goversion": runtime.Version()},
	})
	build.Set(1)
	m.registry.MustRegister(m.newest, build, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
}

func (m *Metrics) protocol(p *wire.Protocol) *protocolMetrics {
	of := m.protocols[p]
	if of == nil {
		of = &protocolMetrics{name: p.Name, times: spanNames(p), spans: make(map[string]prometheus.Observer)}
		for _, t := range []wire.Transport{wire.UDP, wire.TCP} {
			of.conversations[t] = m.conversations.WithLabelValues(p.Name, t.String())
		}
		m.protocols[p] = of
	}
	return of
}

func (m *Metrics) kind(p *wire.Protocol, t *wire.MessageType) kindMetrics {
	k, ok := m.kinds[t]
	if !ok {
		k = kindMetrics{m.messages.WithLabelValues(p.Name, t.Name), m.protocol(p)}
		m.kinds[t] = k
	}
	return k
}

func (m *Metrics) rule(r *wire.Rule) prometheus.Counter {
	c := m.rules[r]
	if c == nil {
		c = m.findings.WithLabelValues(r.ID, r.Severity.String())
		m.rules[r] = c
	}
	return c
}

func (m *Metrics) outcome(k attemptKey) prometheus.Counter {
	c := m.outcomes[k]
	if c == nil {
		c = m.attempts.WithLabelValues(k.protocol, k.kind, k.outcome.String())
		m.outcomes[k] = c
	}
	return c
}

// Attempt counts a finished attempt.
func (m *Metrics) Attempt(a *wire.Attempt) {
	if a.Over && a.Protocol != nil {
		m.outcome(attemptKey{a.Protocol.Name, a.Kind.Name, a.Outcome}).Inc()
	}
}

// span returns the histogram for the protocol's time with the name what. The first call for a name makes the histogram.
func (m *Metrics) span(p *protocolMetrics, what string) prometheus.Observer {
	if !slices.Contains(p.times, what) {
		what = otherSpan
	}
	h := p.spans[what]
	if h == nil {
		switch what {
		case "ping":
			h = m.ping.WithLabelValues(p.name)
		case "lag":
			h = m.lag.WithLabelValues(p.name)
		default:
			h = m.duration.WithLabelValues(p.name, what)
		}
		p.spans[what] = h
	}
	return h
}

// Sink returns the sink that counts.
func (m *Metrics) Sink() session.Sink {
	return session.Sink{Packet: m.Packet, Message: m.Message, Finding: m.Finding, Value: m.Value, Attempt: m.Attempt}
}

// Packet counts a packet.
func (m *Metrics) Packet(p *capture.Packet) {
	m.packets.Inc()
	m.bytes.Add(float64(p.Length))
	m.newest.Set(float64(p.Time) / 1e9)
	if m.Engine != nil && m.forgot.Load() == nil {
		engine := m.Engine()
		m.forgot.Store(&engine)
	}
}

// Drops counts n more packets that the kernel dropped.
func (m *Metrics) Drops(n int64) {
	if n > 0 {
		m.lost.Add(float64(n))
	}
}

// Message counts a message and its findings.
func (m *Metrics) Message(x *decode.Message) {
	k := m.kind(x.Protocol, x.Layer.Core().Message)
	k.count.Inc()
	if m.met[x.Transport].first(x.Conversation) {
		k.of.conversations[x.Transport].Inc()
	}
	for i := range x.Findings {
		m.rule(x.Findings[i].Rule).Inc()
	}
}

// Finding counts a finding that does not belong to a message.
func (m *Metrics) Finding(f *wire.TrafficFinding) { m.rule(f.Rule).Inc() }

// Values of wire.Value.Table. The servers and players of these tables are counted.
const (
	serversTable = "servers"
	playersTable = "players"
)

// Value counts a time that a tracker measured, and the server or player that the value belongs to.
func (m *Metrics) Value(v *wire.Value) {
	if v.Protocol == nil {
		return
	}
	p := m.protocol(v.Protocol)
	if v.Unit == "s" {
		seconds := 0.0 // NaN, or a negative time after the clock was set back
		if v.Number > 0 {
			seconds = min(v.Number, maxSpan)
		}
		m.span(p, v.What).Observe(seconds)
	}
	switch v.Table {
	case serversTable:
		p.servers.meet(stats.RowKey{Server: v.Server, Who: v.Who}, m.now())
	case playersTable:
		p.players.meet(stats.RowKey{Server: v.Server, Who: v.Who}, m.now())
	}
}

// subjectCollector counts the servers and the players of each protocol. It omits a count until the first server or
// player appears, since some protocols have no players.
type subjectCollector struct{ *Metrics }

var (
	serversDesc = prometheus.NewDesc("gamedissect_servers",
		"Servers with a measurement in the last ten minutes, at most 100000.", []string{"protocol"}, nil)
	playersDesc = prometheus.NewDesc("gamedissect_players",
		"Players with a measurement in the last ten minutes, at most 100000.", []string{"protocol"}, nil)
)

func (*subjectCollector) Describe(to chan<- *prometheus.Desc) {
	to <- serversDesc
	to <- playersDesc
}

func (c *subjectCollector) Collect(to chan<- prometheus.Metric) {
	for _, p := range c.listed {
		of := c.protocols[p]
		for _, subjects := range []struct {
			desc *prometheus.Desc
			of   *recent
		}{{serversDesc, &of.servers}, {playersDesc, &of.players}} {
			if n, ever := subjects.of.count(c.now()); ever {
				to <- prometheus.MustNewConstMetric(subjects.desc, prometheus.GaugeValue, float64(n), of.name)
			}
		}
	}
}
