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

// An overview is the sink that remembers which servers there are, which players lag, and which rules were broken last.
// It forgets a server or player after a minute without a message.
type overview struct {
	servers map[netip.AddrPort]*serverNow
	lags    map[stats.RowKey]*lagNow
	rules   map[*wire.Rule]*ruleNow
	rates
}

const (
	maxNow  = 10_000 // servers, and players that lag
	nowLong = time.Minute
)

// serverNow is what is known of a server.
type serverNow struct {
	protocol string
	seen     int64 // nanoseconds since 1970
	messages int64 // to and from it since the rates were counted
	rate     float64
	players  string
	about    []string // by the columns of its table
}

// lagNow is how much a player or a server lags, in nanoseconds.
type lagNow struct {
	seen          int64
	newest, worst int64
}

// ruleNow is a rule that was broken.
type ruleNow struct {
	seen  int64
	count int64
	text  string // of the newest finding
}

func newOverview(now time.Time) *overview {
	return &overview{
		servers: make(map[netip.AddrPort]*serverNow), lags: make(map[stats.RowKey]*lagNow),
		rules: make(map[*wire.Rule]*ruleNow), rates: rates{at: now},
	}
}

func (o *overview) Message(m *decode.Message) {
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

func (o *overview) Finding(f *wire.TrafficFinding) { o.found(f.Rule, f.Text, f.Time) }

func (o *overview) found(r *wire.Rule, text string, at int64) {
	now := o.rules[r]
	if now == nil {
		now = new(ruleNow)
		o.rules[r] = now
	}
	now.count++
	now.seen, now.text = max(now.seen, at), brief(text)
}

func (o *overview) Value(v *wire.Value) {
	if v.Event || v.Protocol == nil || !v.Server.IsValid() {
		return
	}
	switch server := o.heard(v.Server, &v.Place); {
	case v.Unit == "s" && (v.What == "lag" || v.What == "ping"):
		o.lag(stats.RowKey{Server: v.Server, Who: v.Who}, v.Time, int64(v.Number*1e9))
	case v.Who != "" || !v.State:
	case v.What == "players":
		server.players = brief(v.Text)
	default:
		server.tell(v)
	}
}

// brief cuts a text that is wider than screens.
func brief(text string) string { return strings.Clone(text[:min(len(text), 200)]) }

// tell keeps what a tracker says of a server, at the index of the column of its table.
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

// heard gives what is known of a server that sent or got something. Beyond maxNow it is not kept.
func (o *overview) heard(at netip.AddrPort, p *wire.Place) *serverNow {
	s := o.servers[at]
	if s == nil {
		s = &serverNow{protocol: p.Protocol.Name}
		if len(o.servers) < maxNow {
			o.servers[at] = s
		}
	}
	s.seen = max(s.seen, p.Time)
	return s
}

func (o *overview) lag(who stats.RowKey, at, lag int64) {
	now := o.lags[who]
	if now == nil {
		if len(o.lags) == maxNow {
			return
		}
		who.Who = strings.Clone(who.Who)
		now = new(lagNow)
		o.lags[who] = now
	}
	now.seen, now.newest, now.worst = max(now.seen, at), lag, max(now.worst, lag)
}

// turn counts the rates, and forgets what is old.
func (o *overview) turn(c decode.Counters, now time.Time) {
	passed := o.rates.turn(c, now)
	old := now.Add(-nowLong).UnixNano()
	maps.DeleteFunc(o.servers, func(_ netip.AddrPort, s *serverNow) bool { return s.seen < old })
	maps.DeleteFunc(o.lags, func(_ stats.RowKey, l *lagNow) bool { return l.seen < old })
	for _, s := range o.servers {
		s.rate, s.messages = float64(s.messages)/passed, 0
	}
}
