package attempt

import (
	"fmt"
	"math"
	"net/netip"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// An Attempt is one attempt in an Account. The methods of a nil *Attempt do nothing.
type Attempt struct {
	account *Account
	texts   *texts // may be nil

	began   int64
	waits   clock.Moment // when it began to wait for the step after the current one
	kept    clock.Moment // when it was last renewed
	due     clock.Moment // when it must be judged next
	reached [wire.MaxSteps]mark

	slot          uint32 // its own slot
	before, after uint32 // slots of the neighbours in the list of the server
	frame         uint32 // frame and file of the message that last changed it
	conversation  int32
	file          uint16 // see Account.files

	tries   uint16
	tag     uint32
	step    uint8 // the last step reached
	turn    uint8 // the step after which the attempt waits
	outcome wire.Outcome
	closer  wire.Party // the party that closed the connection first, see byReset
	shown   bool       // its row is shown
	lossy   bool       // messages since the last step may be missing
	stream  bool       // its messages are sent over a connection
	gap     bool       // the capture had a gap since the attempt began or was last renewed
	goodbye bool       // the asker has said goodbye
}

// A mark is the time at which a step was reached.
type mark struct {
	ms    uint32 // milliseconds since the beginning, plus 1; 0: not reached
	frame uint32
}

// texts are the texts of an attempt and other data that most attempts do not need.
type texts struct {
	who           string // the row's subject, if it is not only the address
	name          string
	note          string // see Note
	blame         string // see Blame
	suspect       string // see Suspect
	suspectDetail string
	missed        string // see MayMiss
	missedDetail  string
	cause, detail string     // cause and detail of the outcome
	by            wire.Party // the party that caused the outcome
	port          uint16     // the server's port in tables; 0: the port of its packets
	refused       uint16     // number of tries at the last refusal
	at            int64      // when the outcome was decided
	failed        bool       // the row shows a failure or its reason
	refusals      string     // reasons of earlier refusals
	said          string     // the last text that the server sent only to this asker, see Say
	saidAt        int64
	commanded     clock.Moment // time of the asker's command that is still unanswered
	reply         bool         // said answers a command
	stalled       clock.Moment // since when the asker accepts no more bytes
}

const textsCost = 33 * 8

// size returns the number of bytes in texts.
func (x *Attempt) size() int {
	n := 0
	if t := x.texts; t != nil {
		n = textsCost + len(t.who) + len(t.name) + len(t.note) + len(t.blame) + len(t.suspect) + len(t.suspectDetail) +
			len(t.missed) + len(t.missedDetail) + len(t.detail) + len(t.refusals) + len(t.said)
	}
	return n
}

func (x *Attempt) text() *texts {
	if x.texts == nil {
		x.texts = new(texts)
	}
	return x.texts
}

// Who returns the subject of the attempt's row.
func (x *Attempt) Who() string {
	if x == nil {
		return ""
	}
	if x.texts != nil && x.texts.who != "" {
		return x.texts.who
	}
	asker := x.id().asker
	if asker.Port() == 0 && x.kind().Hidden { // the row is about the whole host
		return asker.Addr().String()
	}
	return asker.String()
}

// id returns the two ends of the attempt.
func (x *Attempt) id() key {
	id, _ := x.account.attempts.At(x.slot)
	return id
}

// kind returns the kind of the attempt.
func (x *Attempt) kind() *wire.AttemptKind { return x.account.kinds[x.id().kind] }

// place returns the place of the message that last changed the attempt, but with the given time.
func (x *Attempt) place(now int64) *wire.Place {
	id := x.id()
	p := &wire.Place{Frame: int(x.frame), File: x.account.files.Name(x.file), Time: now, Conversation: int(x.conversation),
		Src: id.asker, Dst: id.asked}
	if of := x.account.peers.Peek(id.asked); of != nil {
		p.Protocol = of.protocol
	}
	return p
}

// hear records the place of a message of the attempt. If the attempt had waited too long before the message, hear first
// decides the outcome.
func (x *Attempt) hear(p *wire.Place) {
	if x.waits.Known() {
		if due := clock.Add(x.waits.When(), x.patience()); due <= x.account.now {
			x.overdue(due)
		}
	}
	x.frame, x.conversation = uint32(min(max(p.Frame, 0), math.MaxUint32)), int32(p.Conversation)
	x.file = x.account.files.Number(p.File)
	x.stream = p.Transport == wire.TCP
	x.lossy = x.lossy || p.Lossy && x.stream
	if id := x.id(); p.Src.Addr() == id.asked.Addr() {
		x.account.peers.Make(id.asked).heard = true
		x.account.peers.Make(hostOf(id.asker)).heard = true
	}
}

// hostOf returns the key of the peer that represents all attempts of a host.
func hostOf(asker netip.AddrPort) netip.AddrPort { return netip.AddrPortFrom(asker.Addr(), 0) }

// Call sets the subject of the row, such as a player's number and name.
func (x *Attempt) Call(who string) {
	if x != nil && !x.shown && who != x.Who() {
		x.text().who = who
	}
}

// Port sets the server's port in tables, if it differs from the port of the server's packets.
func (x *Attempt) Port(port uint16) {
	if x != nil && !x.shown && port != x.server().Port() {
		x.text().port = port
	}
}

// server returns the server's address in tables.
func (x *Attempt) server() netip.AddrPort {
	asked := x.id().asked
	if x.texts != nil && x.texts.port != 0 {
		asked = netip.AddrPortFrom(asked.Addr(), x.texts.port)
	}
	return asked
}

// Name sets the asker's name.
func (x *Attempt) Name(p *wire.Place, name string) {
	if x == nil || name == "" || x.texts != nil && x.texts.name == name {
		return
	}
	x.text().name = name
	if x.shown {
		x.show(p, wire.AttemptName, name)
	}
}

// Reached reports whether the attempt has reached a step.
func (x *Attempt) Reached(step uint8) bool { return x != nil && x.reached[step].ms > 0 }

// Since returns the time since a step was first reached, to the millisecond, or 0 if it was not reached.
func (x *Attempt) Since(p *wire.Place, step uint8) time.Duration {
	if !x.Reached(step) {
		return 0
	}
	return max(time.Duration(x.since(p.Time))-time.Duration(x.reached[step].ms), 0) * time.Millisecond
}

// Awaits reports whether the attempt waits for the step after a given one.
func (x *Attempt) Awaits(step uint8) bool { return x != nil && x.waits.Known() && x.turn == step }

// Tag returns the number stored by SetTag, 0 at first.
func (x *Attempt) Tag() uint32 { return x.tag }

// SetTag stores a number that only the tracker uses.
func (x *Attempt) SetTag(tag uint32) {
	if x != nil {
		x.tag = tag
	}
}

// Outcome returns the outcome of the attempt so far.
func (x *Attempt) Outcome() wire.Outcome {
	if x == nil {
		return wire.Open
	}
	return x.outcome
}

// Try records that the asker asks, which is a step. It reports whether the step is reached for the first time.
func (x *Attempt) Try(p *wire.Place, step uint8) (first bool) {
	if x == nil {
		return false
	}
	if x.reached[step].ms == 0 {
		x.tries = 0 // the first question of this step
	}
	x.tries += min(1, math.MaxUint16-x.tries)
	if !p.Lossy {
		x.lossy = false
	}
	return x.Reach(p, step)
}

// Reach records that a step is reached. It reports whether the step is reached for the first time.
func (x *Attempt) Reach(p *wire.Place, step uint8) (first bool) {
	if x == nil {
		return false
	}
	x.hear(p)
	s := &x.kind().Steps[step]
	first = x.reached[step].ms == 0
	if first {
		x.reached[step] = mark{x.since(p.Time), x.frame}
		if x.shown {
			x.show(p, s.Name, "yes")
		}
		if s.Event != "" {
			x.happened(p, s.Event, "%s%s%s", x.Who(), s.Says, x.account.peers.Make(x.id().asked).name)
		}
	}
	cause, detail := x.slow(p, step)
	x.step = max(x.step, step)
	x.reveal(p)
	switch {
	case step == x.kind().Goal, step > x.kind().Goal && x.outcome != wire.Refused && x.outcome != wire.Removed:
		if x.texts != nil {
			x.texts.missed = ""
		}
		if x.outcome != wire.Done {
			x.decide(p, wire.Done, wire.Neither, cause, detail)
		}
	case step > x.kind().Goal: // for a while, a list may still contain a grant that has ended
	case first && x.outcome.Failed() && step == x.step && x.outcome != wire.Removed:
		x.decide(p, wire.Open, wire.Neither, "", "") // the attempt continues
	}
	x.wait(step, first)
	return first
}

// slow returns a cause and a detail if the step is the Goal and was reached late.
func (x *Attempt) slow(p *wire.Place, step uint8) (cause, detail string) {
	k := x.kind()
	if k.Slow == 0 || step != k.Goal || x.step >= step {
		return "", ""
	}
	after := x.Since(p, x.step)
	if after < k.Slow {
		return "", ""
	}
	return k.Steps[step].Name + " late", fmt.Sprintf("%.1f s after %s", after.Seconds(), k.Steps[x.step].Name)
}

// since returns the milliseconds since the beginning of the attempt, plus 1.
func (x *Attempt) since(when int64) uint32 {
	ms := max(clock.Elapsed(x.began, when), 0) / int64(time.Millisecond)
	return uint32(min(ms, math.MaxUint32-1)) + 1
}

// wait begins to wait for the step after a given one. The patience begins when the given step was first reached.
func (x *Attempt) wait(step uint8, first bool) {
	k := x.kind()
	again := k.Lease > 0 && x.outcome != wire.Done
	switch s := &k.Steps[step]; {
	case s.Turn == wire.Neither || s.Patience == 0:
		if step >= x.step || k.Lease > 0 {
			x.waits = clock.Moment{}
		}
	case step == x.step && (first || !x.waits.Known()), step > k.Goal, again && !x.Awaits(step):
		x.turn, x.waits = step, clock.At(x.account.now)
	case step == x.step:
		x.turn = step
	}
	x.await()
}

// Stop records that the attempt no longer waits for a step.
func (x *Attempt) Stop() {
	if x != nil {
		x.waits = clock.Moment{}
		x.await()
	}
}

// patience returns how long the attempt waits for the next step.
func (x *Attempt) patience() int64 { return int64(x.kind().Steps[x.turn].Patience) }

// await sets the deadline of the attempt.
func (x *Attempt) await() {
	var due clock.Moment
	switch {
	case x.waits.Known():
		due = clock.At(clock.Add(x.waits.When(), x.patience()))
	case x.outcome == wire.Done && x.kind().Lease > 0 && x.kept.Known():
		due = clock.At(clock.Add(x.kept.When(), int64(x.kind().Lease)))
	}
	// If a deadline is too early, the attempt is judged again later. A deadline at the maximum time is never queued.
	if due.Known() && due.When() < noTime && (!x.due.Known() || due.When() < x.due.When()) {
		x.account.due.Add(due.When(), x.slot)
		x.due = due
	}
}

// Renew records a message that renews a grant. when is the time at which the message was sent.
func (x *Attempt) Renew(p *wire.Place, when int64) {
	if x == nil || x.kept.Known() && x.kept.When() >= when {
		return
	}
	x.hear(p)
	x.kept, x.gap = clock.At(min(when, x.account.now)), false
	x.await()
}

// Renewed returns the time at which the attempt was last renewed.
func (x *Attempt) Renewed() clock.Moment {
	if x == nil {
		return clock.Moment{}
	}
	return x.kept
}

// Note records the progress of a step, such as "1016 of 91016 bytes". If the attempt fails, the text is part of the
// detail.
func (x *Attempt) Note(text string) {
	if x != nil {
		x.text().note = text
	}
}

// Blame sets the explanation that is reported if no answer comes.
func (x *Attempt) Blame(why string) {
	if x != nil && (x.texts != nil || why != "") {
		x.text().blame = why
	}
}

// Suspect sets the cause that is reported if no answer comes or the lease ends; "" restores the usual cause. The asker
// did something wrong, so the failure is reported even if nothing shows that the capture would contain an answer.
func (x *Attempt) Suspect(cause, detail string) {
	if x != nil && (x.texts != nil || cause != "") {
		x.text().suspect, x.text().suspectDetail = cause, detail
	}
}

// Leave records that the asker says goodbye. Nothing after that counts as a failure.
func (x *Attempt) Leave(p *wire.Place) {
	if x != nil {
		x.hear(p)
		x.goodbye = true
		if x.outcome == wire.Open {
			x.decide(p, wire.Left, wire.Asker, "", "")
		}
		x.Stop()
	}
}

// Ends returns the two ends of the attempt.
func (x *Attempt) Ends() (asker, asked netip.AddrPort) {
	id := x.id()
	return id.asker, id.asked
}
