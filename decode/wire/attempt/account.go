package attempt

import (
	"net/netip"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// maxOfPeer is how many attempts of one asked end are followed. Further ones are left out and reported.
const maxOfPeer = 8192

// An Account follows the attempts of a protocol. The methods of nil do nothing: there is no Account if nobody receives
// its reports.
type Account struct {
	reporter *wire.Reporter
	kinds    []*wire.AttemptKind
	peers    *bounded.LRU[netip.AddrPort, peer]
	attempts *bounded.LRU[key, Attempt]
	due      *bounded.Deadlines[uint32] // slots of attempts
	leaveOut func()                     // counts an attempt for which its asked end has no room
	files    Files
	now      int64
}

// A key identifies an attempt by the addresses that name its row, not by the addresses of packets.
type key struct {
	asker, asked netip.AddrPort
	kind         uint8
}

// A peer is an asked end, or a host that asks. The attempts of an asked end are linked in the order in which they
// began. A peer is used whenever one of them is. It joined the budget before them, so they are dropped first.
type peer struct {
	name        string // its address as text
	first, last uint32 // slots of attempts; 0: none
	count       int32
	protocol    *wire.Protocol
	heard       bool // a message of its host came; for a host that asks: an answer to it
}

// New makes an account for kinds of attempts; it returns nil if the reporter takes neither values nor attempts. what is
// the plural that names attempts when some are dropped.
func New(r *wire.Reporter, what string, kinds ...*wire.AttemptKind) *Account {
	if r.Value == nil && r.Attempt == nil {
		return nil
	}
	kind := bounded.Kind{Name: what, Silent: "what became of them"}
	a := &Account{reporter: r, kinds: kinds}
	a.peers = bounded.NewLRU(r.Memory, kind, bounded.Values[netip.AddrPort, peer]{
		Held: func(of *peer) int { return len(of.name) }})
	a.attempts = bounded.NewLRU(r.Memory, kind, bounded.Values[key, Attempt]{Held: (*Attempt).held,
		Dropped: func(k key, x *Attempt) { a.unlink(k, x) }})
	a.leaveOut = r.Memory.Bound(bounded.Kind{Name: kind.Name, Silent: kind.Silent,
		Most: strconv.Itoa(maxOfPeer) + " of a server"})
	a.due = bounded.NewDeadlines[uint32](r.Memory, bounded.Kind{Name: what + ", by the clock", Silent: kind.Silent})
	r.Watch(a)
	return a
}

// Begin returns the attempt of a kind in progress between two ends, or begins one. It returns nil if there is no room.
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

// Of returns the attempt of a kind in progress between two ends, or nil.
func (a *Account) Of(k *wire.AttemptKind, asker, asked netip.AddrPort) *Attempt {
	if a == nil {
		return nil
	}
	return a.find(key{asker, asked, a.number(k)})
}

// find returns an attempt in progress, or nil. An attempt whose lease has ended is not in progress.
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

// Heard reports whether the account has seen a message of an asked end.
func (a *Account) Heard(asked netip.AddrPort) bool {
	if a == nil {
		return false
	}
	of := a.peers.Peek(asked)
	return of != nil && of.heard
}

// Each calls f for each attempt of one asked end in progress, in the order in which they began.
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
	panic("attempt: a kind that the account was not made for")
}

// link adds a new attempt to the list of its asked end.
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

// unlink removes an attempt from the list of its asked end.
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

// between calls f for the attempts between the ends of a place, in both roles. f may remove the attempt.
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

// Time sets the time, see wire.Tracker. It judges a deadline after the packets of the same moment, since they may
// answer, or show that the answer was lost.
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

// judge decides about an attempt whose deadline has passed.
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
		if x.expire(when); !x.hole {
			return
		}
	}
	x.await()
}

// Next returns when Time has work to do, see wire.Tracker.
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

// Lost records that messages of the place's source may be missing, see wire.Tracker.
func (a *Account) Lost(p *wire.Place) {
	if a != nil {
		a.between(p, func(x *Attempt, _ bool) {
			if x.travels(p) && x.closer&byReset == 0 { // a reset itself is seen, whatever it cuts off
				x.lossy = true
			}
		})
	}
}

// Ended records that the place's source sends nothing more over a connection, see wire.Ender.
func (a *Account) Ended(p *wire.Place) {
	if a != nil {
		a.between(p, func(x *Attempt, asker bool) {
			if x.travels(p) {
				x.ended(p, asker)
			}
		})
	}
}

// Signal records what the engine sees, see wire.Watcher.
func (a *Account) Signal(s wire.Signal, p *wire.Place) {
	a.between(p, func(x *Attempt, asker bool) {
		if x.travels(p) {
			x.signal(s, p, asker)
		}
	})
}

// Jump sets the time after a hole of the capture, see wire.Tracker. Awaited messages may have come in the hole. A grant
// may have been renewed in it, which is judged when the other end is heard again.
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
		x.hole = true
		x.await()
	})
	a.now = now
}

// Close decides what it can when the capture ends.
func (a *Account) Close(now int64) {
	if a == nil {
		return
	}
	a.judgeUntil(now)
	a.now = now
	a.attempts.Each(func(_ key, x *Attempt) { x.close(now) })
}
