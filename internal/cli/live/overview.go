package live

import (
	"maps"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/gamedissect/gamedissect/decode"
	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// An Overview is the sink that remembers what happens now: which servers are heard of, who lags, which rules were
// broken last. What was not heard of for a minute is forgotten.
type Overview struct {
	Servers map[netip.AddrPort]*serverNow
	Lags    map[stats.Subject]*lagNow
	rules   map[*wire.Rule]*ruleNow

	turned  time.Time // when the rates were counted
	before  decode.Counters
	Packets float64 // a second
	bytes   float64
}

const (
	MostNow = 10_000 // servers, and those who lag
	nowLong = time.Minute
)

// serverNow is what is known of a server.
type serverNow struct {
	protocol string
	seen     int64 // when, nanoseconds since 1970
	messages int64 // to and from it since the rates were counted
	rate     float64
	players  string
	about    []string // by the columns of its table
}

// lagNow is how much somebody lags, in nanoseconds.
type lagNow struct {
	seen         int64
	newest, most int64
}

// ruleNow is a rule that was broken.
type ruleNow struct {
	seen  int64
	count int64
	text  string // of the newest finding
}

func NewOverview(now time.Time) *Overview {
	return &Overview{
		Servers: make(map[netip.AddrPort]*serverNow), Lags: make(map[stats.Subject]*lagNow),
		rules: make(map[*wire.Rule]*ruleNow), turned: now,
	}
}

func (o *Overview) Message(m *decode.Message) {
	switch m.Direction {
	case wire.ToServer:
		o.heard(m.Dst, &m.Place).messages++
	case wire.FromServer:
		o.heard(m.Src, &m.Place).messages++
	}
	for _, f := range m.Findings {
		o.found(f.Rule, f.Text, m.Time)
	}
}

func (o *Overview) Finding(f *wire.TrafficFinding) { o.found(f.Rule, f.Text, f.Time) }

func (o *Overview) found(r *wire.Rule, text string, at int64) {
	now := o.rules[r]
	if now == nil {
		now = new(ruleNow)
		o.rules[r] = now
	}
	now.count++
	now.seen, now.text = max(now.seen, at), brief(text)
}

func (o *Overview) Value(v *wire.Value) {
	if v.Event || v.Protocol == nil || !v.Server.IsValid() {
		return
	}
	switch server := o.heard(v.Server, &v.Place); {
	case v.Unit == "s" && (v.What == "lag" || v.What == "ping"):
		o.lag(stats.Subject{Server: v.Server, Who: v.Who}, v.Time, int64(v.Number*1e9))
	case v.Who != "" || !v.State:
	case v.What == "players":
		server.players = brief(v.Text)
	default:
		server.tell(v)
	}
}

// brief is a text that may be long, no longer than a screen is wide.
func brief(text string) string { return strings.Clone(text[:min(len(text), 200)]) }

// tell notes what is told of a server, at the place of the column of its table.
func (s *serverNow) tell(v *wire.Value) {
	t := v.Protocol.Table(v.Table)
	if t == nil {
		return
	}
	at := slices.Index(t.Columns, v.What)
	if at < 0 {
		return
	}
	for len(s.about) <= at {
		s.about = append(s.about, "")
	}
	s.about[at] = brief(v.Text)
}

// heard gives what is known of a server that something is heard of. Of those that there is no room for nothing stays.
func (o *Overview) heard(at netip.AddrPort, p *wire.Place) *serverNow {
	s := o.Servers[at]
	if s == nil {
		s = &serverNow{protocol: p.Protocol.Name}
		if len(o.Servers) < MostNow {
			o.Servers[at] = s
		}
	}
	s.seen = max(s.seen, p.Time)
	return s
}

func (o *Overview) lag(who stats.Subject, at, lag int64) {
	now := o.Lags[who]
	if now == nil {
		if len(o.Lags) == MostNow {
			return
		}
		who.Who = strings.Clone(who.Who)
		now = new(lagNow)
		o.Lags[who] = now
	}
	now.seen, now.newest, now.most = max(now.seen, at), lag, max(now.most, lag)
}

// Turn counts the rates, and forgets what is old.
func (o *Overview) Turn(c decode.Counters, now time.Time) {
	passed := max(now.Sub(o.turned).Seconds(), 0.5)
	o.Packets = float64(c.Packets-o.before.Packets) / passed
	o.bytes = float64(c.Bytes-o.before.Bytes) / passed
	o.turned, o.before = now, c
	old := now.Add(-nowLong).UnixNano()
	maps.DeleteFunc(o.Servers, func(_ netip.AddrPort, s *serverNow) bool { return s.seen < old })
	maps.DeleteFunc(o.Lags, func(_ stats.Subject, l *lagNow) bool { return l.seen < old })
	for _, s := range o.Servers {
		s.rate, s.messages = float64(s.messages)/passed, 0
	}
}
