package attempt

import (
	"net/netip"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// maxOfPeer is the maximum number of attempts per server. Further attempts are left out, and a finding reports that.
const maxOfPeer = 8192

// An Account follows the attempts of a protocol. The methods of a nil *Account do nothing, because New returns nil if
// nobody receives the reports.
type Account struct {
	reporter *wire.Reporter
	kinds    []*wire.AttemptKind
	peers    *bounded.LRU[netip.AddrPort, peer]
	attempts *bounded.LRU[key, Attempt]
	due      *bounded.Deadlines[uint32] // deadlines of attempts, by slot
	leaveOut func()                     // counts an attempt that is left out because of maxOfPeer
	files    Files
	now      int64
}

// A key identifies an attempt by the addresses in its row, which may differ from the addresses of packets.
type key struct {
	asker, asked netip.AddrPort
	kind         uint8
}

// A peer is the server of some attempts, or a host that asks. The attempts of a server are linked in the order in which
// they began. The budget never drops a peer before its attempts: each use of an attempt also counts as a use of its
// peer, and attempts are dropped first, because peers joined the budget before them.
type peer struct {
	name        string // the address as text
	first, last uint32 // slots of attempts; 0: there are none
	count       int32
	protocol    *wire.Protocol
	heard       bool // a server: its host sent a message; a host that asks: a server answered it
}

// New makes an account for kinds of attempts. It returns nil if the reporter accepts neither values nor attempts. The
// plural noun in what names the attempts in reports about dropped ones.
func New(r *wire.Reporter, what string, kinds ...*wire.AttemptKind) *Account {
	if r.Value == nil && r.Attempt == nil {
		return nil
	}
	kind := bounded.Kind{Name: what, Silent: "their outcomes"}
	a := &Account{reporter: r, kinds: kinds}
	a.peers = bounded.NewLRU(r.Memory, kind, bounded.Values[netip.AddrPort, peer]{
		Held: func(of *peer) int { return len(of.name) }})
	a.attempts = bounded.NewLRU(r.Memory, kind, bounded.Values[key, Attempt]{Held: (*Attempt).size,
		Dropped: func(k key, x *Attempt) { a.unlink(k, x) }})
	a.leaveOut = r.Memory.Bound(bounded.Kind{Name: kind.Name, Silent: kind.Silent,
		Most: strconv.Itoa(maxOfPeer) + " of a server"})
	a.due = bounded.NewDeadlines[uint32](r.Memory, bounded.Kind{Name: what + ", by the clock", Silent: kind.Silent})
	r.Watch(a)
	return a
}

// Begin returns the current attempt of a kind between two ends. If there is none, it begins one, or returns nil if
// there is no room.
func (a *Account) Begin(k *wire.AttemptKind, p *wire.Place, asker, asked netip.AddrPort) *Attempt {
	if a == nil {
		return nil
	}
	of := a.peers.Make(asked)
	if of.name == "" {
		of.name, of.protocol = asked.String(), p.Protocol
	}
	id := key{asker, asked, a.number(k)}
	a.find(id)
	x := a.attempts.Make(id)
	switch {
	case x.slot != 0:
	case of.count == maxOfPeer:
		a.attempts.Delete(id)
		a.leaveOut()
		return nil
	default:
		*x = Attempt{account: a, slot: a.attempts.Slot(), began: a.now}
		a.link(of, x)
	}
	x.hear(p)
	return x
}

// Of returns the current attempt of a kind between two ends, or nil.
func (a *Account) Of(k *wire.AttemptKind, asker, asked netip.AddrPort) *Attempt {
	if a == nil {
		return nil
	}
	return a.find(key{asker, asked, a.number(k)})
}

// find returns a current attempt, or nil. An attempt is not current after its lease has ended.
func (a *Account) find(id key) *Attempt {
	x := a.attempts.Get(id)
	if x != nil && x.lapsed(a.now) {
		x.expire(clock.Add(x.kept.When(), int64(x.kind().Lease)))
		x = a.attempts.Get(id)
	}
	if x != nil {
		a.peers.Get(id.asked)
	}
	return x
}

// Heard reports whether the capture contains a message from the host of a server.
func (a *Account) Heard(asked netip.AddrPort) bool {
	if a == nil {
		return false
	}
	of := a.peers.Peek(asked)
	return of != nil && of.heard
}

// Each calls f for each current attempt of a server, in the order in which they began.
func (a *Account) Each(asked netip.AddrPort, f func(asker netip.AddrPort, x *Attempt)) {
	if a == nil {
		return
	}
	if of := a.peers.Get(asked); of != nil {
		for slot := of.first; slot != 0; {
			id, x := a.attempts.At(slot)
			slot = x.after
			f(id.asker, x)
		}
	}
}

func (a *Account) number(k *wire.AttemptKind) uint8 {
	for i, known := range a.kinds {
		if known == k {
			return uint8(i)
		}
	}
	panic("attempt: a kind that was not passed to New")
}

// link adds a new attempt to the list of its server.
func (a *Account) link(of *peer, x *Attempt) {
	if x.before = of.last; x.before == 0 {
		of.first = x.slot
	} else {
		_, before := a.attempts.At(x.before)
		before.after = x.slot
	}
	of.last = x.slot
	of.count++
}

// unlink removes an attempt from the list of its server.
func (a *Account) unlink(id key, x *Attempt) {
	of := a.peers.Peek(id.asked)
	if x.before == 0 {
		of.first = x.after
	} else {
		_, before := a.attempts.At(x.before)
		before.after = x.after
	}
	if x.after == 0 {
		of.last = x.before
	} else {
		_, after := a.attempts.At(x.after)
		after.before = x.before
	}
	of.count--
}

// remove deletes an attempt that is over.
func (a *Account) remove(x *Attempt) {
	id, _ := a.attempts.At(x.slot)
	a.unlink(id, x)
	a.attempts.Delete(id)
}

// between calls f for the attempts between the source and destination of a place, in both directions. f may remove the
// attempt.
func (a *Account) between(p *wire.Place, f func(x *Attempt, asker bool)) {
	for i := range a.kinds {
		if x := a.attempts.Peek(key{p.Src, p.Dst, uint8(i)}); x != nil {
			f(x, true)
		}
		if x := a.attempts.Peek(key{p.Dst, p.Src, uint8(i)}); x != nil {
			f(x, false)
		}
	}
}

// Time sets the time, see wire.Tracker. Attempts whose deadline has passed are judged only after all packets with the
// time of the deadline, because one of them may be the answer, or show that the answer was lost.
func (a *Account) Time(now int64) {
	if a == nil {
		return
	}
	if now != a.now {
		a.judgeUntil(min(a.now, now))
	}
	a.now = now
}

func (a *Account) judgeUntil(now int64) {
	for slot, when, ok := a.due.Due(now); ok; slot, when, ok = a.due.Due(now) {
		a.judge(slot, when)
	}
}

// judge decides the outcome of an attempt whose deadline has passed.
func (a *Account) judge(slot uint32, when int64) {
	x := a.attempts.Find(slot)
	if x == nil || x.due != clock.At(when) {
		return
	}
	x.due = clock.Moment{}
	switch {
	case x.waits.Known() && clock.Add(x.waits.When(), x.patience()) <= when:
		x.overdue(when)
	case x.lapsed(when):
		if x.expire(when); !x.gap {
			return
		}
	}
	x.await()
}

// Next returns the time at which Time has work to do, see wire.Tracker.
func (a *Account) Next() int64 {
	if a == nil {
		return noTime
	}
	if next := a.due.Next(); next > a.now {
		return next
	}
	return clock.Add(a.now, 1)
}

const noTime = 1<<63 - 1

// Lost records that messages from the place's source may be missing, see wire.Tracker.
func (a *Account) Lost(p *wire.Place) {
	if a != nil {
		a.between(p, func(x *Attempt, _ bool) {
			if x.travels(p) && x.closer&byReset == 0 { // the capture contains the reset, even if data before it is lost
				x.lossy = true
			}
		})
	}
}

// Ended records that the source of a place sends nothing more over a connection, see wire.Ender.
func (a *Account) Ended(p *wire.Place) {
	if a != nil {
		a.between(p, func(x *Attempt, asker bool) {
			if x.travels(p) {
				x.ended(p, asker)
			}
		})
	}
}

// Signal records a signal from the engine, see wire.Watcher.
func (a *Account) Signal(s wire.Signal, p *wire.Place) {
	a.between(p, func(x *Attempt, asker bool) {
		if x.travels(p) {
			x.signal(s, p, asker)
		}
	})
}

// Jump sets the time after a gap in the capture, see wire.Tracker. Messages in the gap may have answered a question or
// renewed a grant, so open questions have no known outcome, and a lease that ends now proves nothing.
func (a *Account) Jump(now int64) {
	if a == nil {
		return
	}
	a.due.Clear()
	a.attempts.Each(func(_ key, x *Attempt) {
		x.due = clock.Moment{}
		if x.waits.Known() {
			x.decide(x.place(now), wire.NotKnown, wire.Neither, "the capture has a hole", "")
			x.waits = clock.Moment{}
		}
		if now < a.now {
			x.kept = clock.Moment{}
		}
		x.gap = true
		x.await()
	})
	a.now = now
}

// Close decides the outcomes that are clear at the end of the capture.
func (a *Account) Close(now int64) {
	if a == nil {
		return
	}
	a.judgeUntil(now)
	a.now = now
	a.attempts.Each(func(_ key, x *Attempt) { x.close(now) })
}
