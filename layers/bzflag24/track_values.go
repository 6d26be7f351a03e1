package bzflag24

import (
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/dedup"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// valueTracker decides which messages count for statistics, and reports values. A server sends each event to all
// clients, but statistics must count it only once.
type valueTracker struct {
	reporter *wire.Reporter
	events   *dedup.Events
	scratch  []byte // buffer for encoded events
}

var eventKind = bounded.Kind{Name: "events of BZFlag 2.4 games", Silent: "recognition of copies"}

func newValueTracker(r *wire.Reporter) *valueTracker {
	return &valueTracker{reporter: r, events: dedup.New(r.Memory, eventKind, bzflag.EventWindow)}
}

// wanted reports whether the reporter receives values.
func (v *valueTracker) wanted() bool { return v.reporter.Value != nil }

// claim registers the event that a message reports. It returns true if the message is the first one that announces the
// event to clients. Call it once per message.
func (v *valueTracker) claim(e event) bool {
	c := e.connection
	if !v.wanted() || !e.tcp() || c.killed.Known() {
		return false
	}
	v.scratch = bzflag.AppendServer(append(v.scratch[:0], e.layer.Contents...), e.server())
	return !v.events.Repeats(c.serial, e.place.Time, "", v.scratch)
}

// countingIdle is how long a connection may be silent before another one becomes the counting connection. Servers send
// the time every few seconds.
const countingIdle = int64(15 * time.Second)

// isCounting reports whether statistics count a message that is not an event. Servers send such messages to all
// clients, so only those on one connection of the game, the counting connection, are counted. When that ends or is
// silent, another connection replaces it.
func (v *valueTracker) isCounting(e event) bool {
	g, c := e.game, e.connection
	switch {
	case !v.wanted():
		return false
	case g.counting == c:
		return true
	case c.view == nil || c.killed.Known():
		return false
	}
	if g.counting != nil && e.since(g.countingTime) <= countingIdle {
		return false
	}
	g.counting, g.countingTime = c, e.place.Time
	return true
}

// recorder returns a recorder of events at the server that sent or received the message.
func (v *valueTracker) recorder(e event) bzflag.Recorder {
	return bzflag.Recorder{Reporter: v.reporter, Place: e.place, Server: e.server()}
}

// recordLag records the lag of the client, unless it is negative. taken means that the server accepts the answer, so
// the ping counts.
func (v *valueTracker) recordLag(e event, lag int64, taken bool) {
	if !v.wanted() || lag < 0 {
		return
	}
	p := clientPlayer(e)
	if p.ID == NoPlayer {
		p = findPlayer(e.message, e.connection.speaker)
	}
	if int(p.ID) >= maxTanks {
		return
	}
	r := v.recorder(e)
	r.Lag(p.subject(), lag)
	if taken {
		r.Count(p.subject(), bzflag.Pings)
	}
}

// reportMissing reports messages that the capture lacks. what is the kind of messages, and h contains their numbers.
// whose is "", or " of " and the player who sent the messages.
func (v *valueTracker) reportMissing(m message, what, whose string, h gap) {
	switch {
	case h.count == 1:
		v.reporter.Missing(m.place, "%s %d%s", what, h.first, whose)
	case h.count > h.last-h.first:
		v.reporter.Missing(m.place, "%ss %d to %d%s", what, h.first, h.last, whose)
	default:
		v.reporter.Missing(m.place, "%d of the %ss %d to %d%s", h.count, what, h.first, h.last, whose)
	}
}

// clientPlayer returns the player of the client.
func clientPlayer(e event) *Player {
	if s := &e.layer.Sender; e.layer.HasSender && s.ID == e.connection.player {
		return s
	}
	return findPlayer(e.message, e.connection.player)
}

// findPlayer returns the player with a number, with the call sign if it is known.
func findPlayer(m message, id PlayerID) *Player {
	p := &Player{ID: id}
	if r := m.layer.Context.Roster; r != nil {
		p.CallSign = r.Name(uint64(p.ID))
	}
	return p
}
