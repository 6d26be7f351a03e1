package attempt

import (
	"cmp"
	"strings"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// Refuse records that one end refuses the request of the other, or refuses to continue.
func (x *Attempt) Refuse(p *wire.Place, by wire.Party, cause, detail string) {
	if x == nil {
		return
	}
	x.hear(p)
	x.waits = clock.Moment{}
	t, before := x.text(), ""
	if x.outcome == wire.Refused {
		before = join(t.cause, t.detail)
	}
	changed := x.decide(p, wire.Refused, by, cause, detail)
	if table := x.kind().Refused; table != "" {
		if !changed && t.refused != x.tries {
			x.failed(p, by, cause, detail) // the refusal is repeated
		}
		x.measure(p, table, wire.RefusedReason, join(cause, detail))
		if changed && before != "" && len(t.refusals) < maxSaid && !strings.Contains(t.refusals, before) {
			t.refusals = join(t.refusals, before)
			x.measure(p, table, wire.RefusedBefore, t.refusals)
		}
	}
	t.refused = x.tries
	x.await()
}

// NoReason is the cause of a removal for which the server stated no reason.
const NoReason = "no reason given"

// Remove records that the server takes back what it granted. It returns the cause, which is what the server said just
// before. After a refusal or a goodbye, Remove does nothing. If the server stated no reason and the capture lacks
// messages, the outcome is unknown, because one of these may be a goodbye.
func (x *Attempt) Remove(p *wire.Place) (cause string) {
	if x == nil || x.goodbye || x.outcome == wire.Refused {
		return ""
	}
	x.hear(p)
	x.waits = clock.Moment{}
	switch cause = x.reason(p.Time); {
	case cause == "" && x.lossy:
		x.decide(p, wire.NotKnown, wire.Neither, "the capture lacks messages of the connection", "")
		return ""
	case cause == "":
		cause = NoReason
	}
	x.decide(p, wire.Removed, wire.Asked, cause, "")
	return cause
}

// Fail records that an awaited message did not come or was wrong. cause and detail state the reason.
func (x *Attempt) Fail(p *wire.Place, by wire.Party, cause, detail string) {
	if x != nil {
		x.hear(p)
		x.waits = clock.Moment{}
		x.decide(p, wire.Unanswered, by, cause, detail)
		x.await()
	}
}

// Succeed records that the asker got what it asked for, and ends the attempt.
func (x *Attempt) Succeed(p *wire.Place) {
	if x != nil {
		x.Reach(p, x.kind().Goal)
		x.finish(p)
	}
}

// Reject records that the server cannot be reached, for example because it answers with a reset. It ends the attempt.
func (x *Attempt) Reject(p *wire.Place, cause string) {
	if x != nil {
		x.hear(p)
		x.waits = clock.Moment{}
		x.decide(p, wire.Unreachable, wire.Asked, cause, "")
		x.finish(p)
	}
}

// End ends the attempt with its outcome so far. The same ends may begin another attempt.
func (x *Attempt) End(p *wire.Place) {
	if x == nil {
		return
	}
	switch {
	case x.outcome != wire.Open:
	case x.closer != wire.Neither:
		x.end(p)
		return
	case x.step < x.kind().Wish:
		x.decide(p, wire.Left, wire.Asker, "", "")
	default:
		x.decide(p, wire.NotKnown, wire.Neither, "another attempt follows", "")
	}
	x.finish(p)
}

// Doubt records that the outcome is unknown, and why.
func (x *Attempt) Doubt(p *wire.Place, cause string) {
	if x != nil {
		x.hear(p)
		x.waits = clock.Moment{}
		x.decide(p, wire.NotKnown, wire.Neither, cause, "")
	}
}

// Miss records that a complete list of grants from the server lacks this grant.
func (x *Attempt) Miss(p *wire.Place, cause, detail string) {
	if x != nil && x.outcome == wire.Done {
		x.decide(p, wire.Absent, wire.Asked, cause, detail)
	}
}

// MayMiss records that a list of grants lacks this grant, but may be older than the grant. This counts only if nothing
// more is known at the end of the capture.
func (x *Attempt) MayMiss(cause, detail string) {
	if x != nil && x.outcome == wire.Done {
		x.text().missed, x.text().missedDetail = cause, detail
	}
}

// Lapse records that a grant ended because it was not renewed, and ends the attempt.
func (x *Attempt) Lapse(p *wire.Place, detail string) {
	if x != nil {
		cause, how := x.lapses()
		x.decide(p, wire.Expired, wire.Asker, cause, join(how, detail))
		x.finish(p)
	}
}

// overdue decides the outcome of an attempt that has waited too long, at the time when the patience ended.
func (x *Attempt) overdue(when int64) {
	s := &x.kind().Steps[x.turn]
	p := x.place(when)
	cause, detail := x.suspected()
	switch {
	case x.step < x.kind().Wish && s.Turn != wire.Asked:
		// the asker has only looked, and does nothing more
	case x.outcome.Failed():
	case x.lossy:
		x.decide(p, wire.NotKnown, wire.Neither, "the capture lacks messages of the connection", "")
	case s.Turn == wire.Asked && cause == "" && !x.audible(), s.Turn == wire.Asker && x.tries == 0:
		x.decide(p, wire.NotKnown, wire.Neither, "nothing of the other end is in the capture", "")
	default:
		o := wire.Unanswered
		if s.Turn == wire.Asked && x.kind().Silence != wire.Open {
			o = x.kind().Silence
		}
		if cause == "" {
			cause = "no " + s.Awaits
		}
		x.decide(p, o, s.Turn, cause, join(detail, x.silence()))
	}
	x.waits = clock.Moment{}
}

// GiveUp records that the awaited message will not come, because a list lacks the asker. If the message may still come
// in time, GiveUp does nothing.
func (x *Attempt) GiveUp(p *wire.Place) {
	if x != nil && x.late(p.Time) {
		x.overdue(p.Time)
		x.await()
	}
}

// late reports whether a server that works normally would have sent the awaited message by now.
func (x *Attempt) late(now int64) bool {
	return x.outcome == wire.Open && x.waits.Known() && clock.Elapsed(x.waits.When(), now) >= min(promptly, x.patience())
}

// audible reports whether the capture would contain an answer from the server. For messages over a connection, this is
// assumed.
func (x *Attempt) audible() bool {
	if x.kind().Repeats {
		return x.tries > 1
	}
	if x.stream {
		return true
	}
	of := x.account.peers.Peek(x.id().asked)
	if of != nil && of.heard {
		return true
	}
	to := x.account.peers.Peek(hostOf(x.id().asker))
	return x.tries > 1 && to != nil && to.heard
}

// silence returns the explanation of a missing answer.
func (x *Attempt) silence() string {
	switch {
	case x.texts == nil:
		return x.how()
	case x.texts.blame != "":
		return x.texts.blame
	}
	return join(x.texts.note, x.how())
}

// lapsed reports whether the lease of a grant has ended.
func (x *Attempt) lapsed(now int64) bool {
	return x.outcome == wire.Done && x.kind().Lease > 0 && x.kept.Known() &&
		clock.Add(x.kept.When(), int64(x.kind().Lease)) <= now
}

// expire decides the outcome of a grant whose lease has ended.
func (x *Attempt) expire(when int64) {
	p := x.place(when)
	if x.gap { // the grant may have been renewed in the gap
		x.decide(p, wire.NotKnown, wire.Neither, "the capture has a hole", "")
		return
	}
	x.Lapse(p, "")
}

// suspected returns what Suspect set, or "".
func (x *Attempt) suspected() (cause, detail string) {
	if x.texts == nil {
		return "", ""
	}
	return x.texts.suspect, x.texts.suspectDetail
}

// lapses returns the cause of the end of a lease.
func (x *Attempt) lapses() (cause, detail string) {
	if cause, detail = x.suspected(); cause != "" {
		return cause, detail
	}
	return cmp.Or(x.kind().Lapses, "not renewed for "+x.kind().Lease.String()), ""
}

// travels reports whether a packet between the two ends may belong to the attempt. Connections and datagrams often use
// the same ports.
func (x *Attempt) travels(p *wire.Place) bool { return x.stream == (p.Transport == wire.TCP) }

// signal records a signal from the engine. asker means that the asker sent the packet.
func (x *Attempt) signal(s wire.Signal, p *wire.Place, asker bool) {
	from := wire.Asked
	if asker {
		from = wire.Asker
	}
	switch s {
	case wire.Finishing, wire.Resetting:
		if x.closer == wire.Neither {
			x.closer, x.lossy = from, x.lossy || p.Lossy
			if s == wire.Resetting {
				x.closer |= byReset
			}
		}
	case wire.Stalled:
		if asker {
			x.text().stalled = clock.At(p.Time)
		}
	case wire.Resumed:
		if asker && x.texts != nil {
			x.texts.stalled = clock.Moment{}
		}
	case wire.Undelivered:
		k := x.kind()
		if !asker && x.Awaits(x.turn) && k.Steps[x.turn].Turn == wire.Asker {
			x.decide(p, wire.Unreachable, wire.Asker, "ICMP: port unreachable", "")
			x.Stop()
		}
		if asker && (k.Lease > 0 || x.outcome != wire.Done && k.Steps[x.step].Turn == wire.Asked) {
			x.decide(p, wire.Unreachable, wire.Asked, cmp.Or(k.Unreached, "ICMP: port unreachable"), "")
			x.waits = clock.Moment{}
			x.await()
		}
	}
}

// ended handles the end of one direction of the connection. asker means that the asker sends nothing more.
func (x *Attempt) ended(p *wire.Place, asker bool) {
	if asker && x.closer != wire.Neither { // the server may still answer
		return
	}
	x.end(p)
}

// end decides the outcome of an attempt whose connection has ended.
func (x *Attempt) end(p *wire.Place) {
	s := &x.kind().Steps[x.step]
	switch {
	case x.outcome.Failed() || x.outcome == wire.NotKnown || x.goodbye:
	case x.outcome == wire.Done:
		if x.kind().Stays && x.closedBy() == wire.Asked && !x.lossy && !x.gap {
			x.decide(p, wire.Closed, wire.Asked, "the server closes the connection", x.parting(p.Time))
		}
	case x.leaves():
		x.decide(p, wire.Left, wire.Asker, "", "")
	case x.closer == wire.Neither || x.lossy:
		x.decide(p, wire.NotKnown, wire.Neither, "the capture lacks messages of the connection", "")
	case x.closedBy() == wire.Asked:
		x.decide(p, wire.Closed, wire.Asked, "the server closes the connection after "+s.Name, x.parting(p.Time))
	case s.Turn == wire.Asked:
		x.decide(p, wire.Abandoned, wire.Asker, "the client closes the connection before the "+s.Awaits, x.silence())
	default:
		x.decide(p, wire.Abandoned, wire.Asker, "the client closes the connection after "+s.Name, "")
	}
	x.finish(p)
}

// leaves reports whether the asker simply left when the connection ended, because it had only looked, or already had
// what it asked for.
func (x *Attempt) leaves() bool {
	k := x.kind()
	s := &k.Steps[x.step]
	if x.step < k.Wish {
		return s.Turn != wire.Asked || x.closedBy() != wire.Asked || x.lossy
	}
	return s.Turn == wire.Neither && x.closedBy() == wire.Asker
}

// parting describes the circumstances in which the server closed the connection.
func (x *Attempt) parting(now int64) string {
	t, text := x.texts, x.reason(now)
	if m := x.reached[x.kind().Goal]; m.ms > 0 && text != "" && clock.Elapsed(x.when(m), t.saidAt) < justBefore {
		text = "" // the text was a greeting
	}
	if t != nil {
		text = join(text, t.note)
		if stalled := time.Duration(clock.Elapsed(t.stalled.When(), now)); t.stalled.Known() && stalled >= time.Second {
			text = join(text, "the client took no bytes for "+stalled.Round(100*time.Millisecond).String()+" (TCP window 0)")
		}
	}
	return join(text, x.how())
}

// byReset is a bit of Attempt.closer. The other bits are the party that closed the connection first.
const byReset wire.Party = 4

// closedBy returns the party that closed the connection first.
func (x *Attempt) closedBy() wire.Party { return x.closer &^ byReset }

// how describes how the connection ended.
func (x *Attempt) how() string {
	if x.closer&byReset != 0 {
		return "by a reset"
	}
	return ""
}

// promptly is the time in which a server that works normally answers.
const promptly = int64(time.Second)

// close decides the outcome if it is clear at the end of the capture.
func (x *Attempt) close(now int64) {
	p := x.place(now)
	switch {
	case x.closer != wire.Neither:
		x.end(p)
		return
	case x.late(now):
		x.overdue(now)
	case x.outcome == wire.Open && x.step < x.kind().Wish:
		x.decide(p, wire.Left, wire.Asker, "", "")
	case x.outcome == wire.Open:
		x.decide(p, wire.NotKnown, wire.Neither, "the capture ends before it is decided", "")
	case x.texts != nil && x.texts.missed != "":
		x.Miss(p, x.texts.missed, x.texts.missedDetail)
	case x.outcome == wire.Done && x.kept.Known():
		x.show(x.place(x.kept.When()), x.kind().Steps[len(x.kind().Steps)-1].Name, "yes")
	}
	x.finish(p)
}

// join joins two texts, either of which may be empty.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ", " + b
}
