package bzflag24

import (
	"fmt"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/layers/internal/bzflag"
)

// orders are the numbers that a player's updates have on each transport.
type orders struct {
	tcp, udp  bool // there were some
	last      int32
	newest    int32
	since     int64 // of newest
	candidate int32 // newest, as it was at turn
	turn      int64
	passed    int32 // what was reached a second ago or earlier
}

// late reports whether an update on UDP is one that newer ones overtook more than a second ago, and
// by how many.
func (o *orders) checkUDP(order int32, now int64) (behind int32, late bool) {
	if !o.udp {
		*o = orders{tcp: o.tcp, last: o.last, udp: true, newest: order, candidate: order, passed: order - 1, since: now, turn: now}
		return 0, false
	}
	switch {
	case elapsed(o.since, now) > lagLife:
		o.passed, o.candidate, o.turn = o.newest, o.newest, now
	case elapsed(o.turn, now) > lagLife:
		o.passed, o.candidate, o.turn = o.candidate, o.newest, now
	}
	if order-o.passed <= 0 {
		return o.newest - order, true
	}
	if order-o.newest > 0 {
		o.newest, o.since = order, now
	}
	return 0, false
}

// update checks the number of a player's update.
func (e *event) checkOrder(m *Motion, o *orders) {
	const off = bzflag.HeaderSize + 5
	if !e.tcp() {
		if behind, late := o.checkUDP(m.Order, e.place.Time); late {
			e.layer.Report(ruleOrder, off, 4, "update %d comes more than a second behind newer ones, the last is %d", m.Order, m.Order+behind)
		}
		return
	}
	if o.tcp && m.Order-o.last <= 0 {
		e.layer.Report(ruleOrder, off, 4, "update %d behind %d", m.Order, o.last)
		return
	}
	o.tcp, o.last = true, m.Order
}

// pingModulo is where the numbers of lag pings begin anew.
const pingModulo = 10000

// pings are the lag pings of a connection.
type pings struct {
	any    bool
	last   int
	time   int64
	span   int // numbers that were used, those of lost pings as well
	recent [4]ping
	next   int
}

// ping is one that may be answered.
type ping struct {
	number int
	time   int64
	open   bool
}

// ping takes a lag ping of the server.
func (e *event) checkLagPing(b *LagPing) {
	s, number := &e.connection.pings, int(b.Sequence)%pingModulo
	const off = bzflag.HeaderSize
	step := number
	if s.any {
		step = (number - s.last + pingModulo) % pingModulo
		if step == 0 && !e.tcp() && elapsed(s.time, e.place.Time) <= lagUDP {
			return // the network doubled it
		}
		if step == 0 || step > pingModulo/2 {
			e.layer.Report(ruleLagPing, off, 2, "number %d after %d", b.Sequence, s.last)
			return
		}
	}
	s.any, s.last, s.time = true, number, e.place.Time
	s.span = min(s.span+step, pingModulo)
	s.recent[s.next] = ping{number, e.place.Time, true}
	s.next = (s.next + 1) % len(s.recent)
}

// pong takes the answer to one. A number above the last one may be that of a ping which the capture
// does not have.
func (e *event) checkLagAnswer(b *LagPing) {
	s, number := &e.connection.pings, int(b.Sequence)%pingModulo
	for i := range s.recent {
		if r := &s.recent[i]; r.open && r.number == number {
			r.open = false
			e.measureLag(elapsed(r.time, e.place.Time))
			return
		}
	}
	if behind := (s.last - number + pingModulo) % pingModulo; e.connection.begun && s.any && behind >= s.span && behind <= pingModulo/2 {
		e.layer.Report(ruleLagPing, bzflag.HeaderSize, 2, "an answer to %d, the server is at %d and never sent that", b.Sequence, s.last)
	}
}

// transfer is the world on its way to a client.
type transfer struct {
	known  bool
	asked  bool // a request waits for its answer
	wanted int64
	got    int64  // bytes
	early  *doubt // a request that may only be ahead of the part before it
}

func (d *transfer) forget() {
	if d.early != nil {
		d.early.settled = true
	}
	*d = transfer{}
}

// worldRequest takes a request for a part of the world. What follows the last part may be asked for
// in a packet that the capture shows before that part.
func (e *event) checkWorldRequest(r *WorldRequest) {
	d, offset := &e.connection.download, int64(r.Offset)
	switch {
	case offset == 0:
		*d = transfer{known: true} // begun anew
	case !d.known && !e.connection.begun:
		return
	}
	if offset != d.got {
		d.early = e.doubt(&doubt{rule: ruleOffset}, overdue)
		d.early.text = fmt.Sprintf("offset %d is asked for, %d bytes have come", offset, d.got)
	}
	d.known, d.asked, d.wanted = true, true, offset
}

// worldPart takes a part of the world.
func (e *event) recordWorldPart(b *WorldPart) {
	d := &e.connection.download
	if d.early != nil && d.got+int64(len(b.Data)) == d.wanted && len(b.Data) > 0 {
		d.early.settled, d.early = true, nil
		d.got = d.wanted
	} else if d.known && d.wanted == d.got {
		d.got += int64(len(b.Data))
	}
	if w := e.layer.World; w != nil && w.Err == nil {
		e.game.faces = w.Map.Faces()
	}
}

// worldHash takes the sum of the world that is played.
func (e *event) recordWorldHash(b *WorldHash) {
	if string(e.game.worldHash[:]) != string(b.Hash) {
		copy(e.game.worldHash[:], b.Hash)
		e.game.faces = -1
	}
}

// teleport checks the faces that a tank went through.
func (e *event) checkFaces(b *Teleport, off int) {
	if e.game.faces < 0 {
		return
	}
	for i, face := range [...]uint16{b.From, b.To} {
		if int(face) >= e.game.faces {
			e.layer.Report(ruleFace, off+2*i, 2, "face %d, the world has %d", face, e.game.faces)
		}
	}
}

// clock is what time it was when.
type clock struct {
	known bool
	tcp   bool
	shown uint64 // microseconds
	time  int64
}

// clock takes the server's time. A datagram may be overtaken, or overtake what came by TCP.
func (e *event) checkClock(b *GameTime) {
	k := &e.connection.gameTime
	if k.known && b.Microseconds < k.shown {
		if e.tcp() && k.tcp || elapsed(k.time, e.place.Time) > lagUDP {
			e.layer.Report(ruleTimeBack, bzflag.HeaderSize, 8, "%d microseconds before the last one", k.shown-b.Microseconds)
			k.shown = b.Microseconds
		}
		return
	}
	*k = clock{true, e.tcp(), b.Microseconds, e.place.Time}
}

// timeLeft takes what is left of the match.
func (e *event) checkTimeLeft(b *TimeUpdate) {
	c := e.connection
	if c.left > 0 && b.Seconds > c.left {
		e.layer.Report(ruleTimeRises, bzflag.HeaderSize, 4, "%d seconds are left, before it was %d", b.Seconds, c.left)
	}
	c.left = max(b.Seconds, 0)
	if b.Seconds == TimeOver && c.view != nil {
		c.view.killAll(e.place.Time)
	}
}

// rabbit checks a MsgNewRabbit.
func (e *event) checkRabbitMode() {
	if e.game.known && e.game.kind != RabbitChase {
		e.layer.Report(ruleRabbit, 0, bzflag.HeaderSize, "the game is %s", gameTypes.Format(int64(e.game.kind)))
	}
}

// handicaps checks a MsgHandicap.
func (e *event) checkHandicapOption() {
	if e.game.known && e.game.options&Handicap == 0 {
		e.layer.Report(ruleHandicap, 0, bzflag.HeaderSize, "the game's options are %s", names(gameOptionBits, int64(e.game.options)))
	}
}

// names are those of the bits that are set.
func names(s wire.Symbols, v int64) string {
	var b []byte
	for i := range s {
		if s[i].Value&v == 0 {
			continue
		}
		if len(b) > 0 {
			b = append(b, ' ')
		}
		b = append(b, s[i].Name...)
	}
	if len(b) == 0 {
		return "none"
	}
	return string(b)
}
