package view

import (
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/format"
)

type timelineRequest struct {
	From   *float64 `json:"from"`
	To     *float64 `json:"to"`
	Server string   `json:"server"`
	Count  int      `json:"count"`
	Filter string   `json:"filter"`
	MS     *int     `json:"ms"`
}

// Event is an event of the timeline.
type Event struct {
	Row      int     `json:"row"` // -1 if no message shows the event
	Time     float64 `json:"time"`
	Protocol string  `json:"protocol,omitempty"`
	Server   string  `json:"server,omitempty"`
	Event    string  `json:"event"`
	Who      string  `json:"who,omitempty"`
	Whom     string  `json:"whom,omitempty"`
	Text     string  `json:"text"`
}

// A Life is the time during which a player or a server existed.
type Life struct {
	Kind     string  `json:"kind"`
	Protocol string  `json:"protocol,omitempty"`
	Server   string  `json:"server,omitempty"`
	Who      string  `json:"who,omitempty"`
	From     float64 `json:"from"`
	To       float64 `json:"to"`
	Began    bool    `json:"began,omitempty"` // false: the life began before the capture did
	Ended    bool    `json:"ended,omitempty"` // false: the life did not end before the capture did
}

type timelineAnswer struct {
	Done    bool           `json:"done"`
	Events  []Event        `json:"events"`
	LeftOut int            `json:"left_out"`
	Kinds   map[string]int `json:"kinds"`
	Lives   []*Life        `json:"lives"`
}

const (
	usualEvents = 5000
	maxEvents   = 50_000
	maxLives    = 5000
)

// timeline lists events, and the lives of players and servers.
type timeline struct {
	filters *filters
	values  *values
}

func (t *timeline) timeline(q *timelineRequest) (*timelineAnswer, error) {
	j, err := t.filters.advanced(q.Filter, newLimit(q.MS))
	if err != nil {
		return nil, err
	}
	a := &timelineAnswer{Done: j.done(), Events: []Event{}, Kinds: map[string]int{}, Lives: []*Life{}}
	from, to := j.rows.span(q.From, q.To)
	_, limit := cut(maxEvents, 0, q.Count, usualEvents, maxEvents)
	n := t.values
	for i := range n.events {
		e := &n.events[i]
		if e.time < from || e.time > to || q.Server != "" && e.server.String() != q.Server || !j.has(int(e.row)) {
			continue
		}
		a.Kinds[n.texts.all[e.what]]++
		if len(a.Events) < limit {
			a.Events = append(a.Events, t.eventOf(e))
		} else {
			a.LeftOut++
		}
	}
	a.LeftOut += int(n.dropped)
	a.Lives = t.lives(q.Server)
	return a, nil
}

func (t *timeline) eventOf(e *event) Event {
	text := func(n uint32) string { return format.Unquoted(t.values.texts.all[n]) }
	return Event{
		Row: int(e.row), Time: t.filters.rows.seconds(e.time), Event: text(e.what), Who: text(e.who), Whom: text(e.whom),
		Text: text(e.text), Server: endpoint(e.server), Protocol: nameOf(e.protocol),
	}
}

// Kinds of events. Events in the list comes begin the life of a player or of a listed server, and events in the list
// goes end it. Events in the list there show that the player or server exists.
var (
	comes = []string{"join", "announced", "listed", "verified"}
	there = []string{"present", "server"}
	goes  = []string{"leave", "expired", "unlisted", "shutdown"}

	failures = new(wire.AttemptKind).Events()
)

const serverItself = "server" // the sender of a server's chat messages

type lifeKey struct {
	server netip.AddrPort
	who    uint32
}

// lives returns the lives of players and servers, sorted by start. Any event proves that the event's player and server
// exist.
func (t *timeline) lives(server string) []*Life {
	list := []*Life{}
	open := map[lifeKey]*Life{}
	n := t.values
	for i := range n.events {
		e := &n.events[i]
		if server != "" && e.server.String() != server || !e.server.IsValid() {
			continue
		}
		what := n.texts.all[e.what]
		list = t.live(list, open, e, lifeKey{server: e.server, who: n.text("")}, what)
		if who := n.texts.all[e.who]; who != "" && who != serverItself {
			list = t.live(list, open, e, lifeKey{e.server, e.who}, what)
		}
	}
	x := t.filters.rows
	for _, l := range open {
		l.To = max(x.seconds(x.last), l.From)
	}
	return list[:min(len(list), maxLives)]
}

// live updates the life of a player or a server after an event.
func (t *timeline) live(list []*Life, open map[lifeKey]*Life, e *event, k lifeKey, what string) []*Life {
	who := t.values.texts.all[k.who]
	its := who == t.values.texts.all[e.who] // otherwise, k is the server of the event's player
	begins, ends := its && slices.Contains(comes, what), its && slices.Contains(goes, what)
	l := open[k]
	players := e.protocol == nil || e.protocol.Table("players") != nil
	if l == nil && who != "" && players && slices.Contains(failures, what) {
		return list // a client that attempts to join is not yet a player
	}
	if l == nil {
		l = &Life{Kind: "player", Server: k.server.String(), Who: format.Unquoted(who), Began: begins,
			Protocol: nameOf(e.protocol)}
		if l.From = t.filters.rows.seconds(e.time); !begins && !slices.Contains(there, what) || what == "present" {
			l.From = 0
		}
		if who == "" || !players {
			l.Kind = "server"
		}
		open[k], list = l, append(list, l)
	}
	if ends {
		l.To, l.Ended = t.filters.rows.seconds(e.time), true
		delete(open, k)
	}
	return list
}
