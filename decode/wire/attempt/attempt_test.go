package attempt_test

import (
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/attempt"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/wiretest"
)

const second = int64(time.Second)

// The steps of a visit: a guest rings, asks to come in, looks around, enters, and sits down.
const (
	rings uint8 = iota
	asks
	looks // looks around, and may leave
	enters
	sits
)

// visits wait 5 s for an answer to a question. A guest that only rings does not ask for anything.
var visits = &wire.AttemptKind{
	Name: "visits", Noun: "visit", Wish: asks, Goal: enters, Stays: true, Refused: "turned away",
	Steps: []wire.AttemptStep{
		{Name: "rings", Turn: wire.Asked, Awaits: "greeting", Patience: 3 * time.Second},
		{Name: "asks", Turn: wire.Asked, Awaits: "answer", Patience: 5 * time.Second, Event: "asked", Says: " asks "},
		{Name: "looks"},
		{Name: "enters"},
		{Name: "sits"},
	},
}

// leases last 60 s.
var leases = &wire.AttemptKind{
	Name: "leases", Noun: "lease", Goal: 2, Lease: time.Minute, Several: true,
	Steps: []wire.AttemptStep{
		{Name: "announced", Turn: wire.Asked, Awaits: "question", Patience: 5 * time.Second},
		{Name: "questioned", Turn: wire.Asker, Awaits: "answer of the asker", Patience: 5 * time.Second},
		{Name: "granted"},
		{Name: "shown"},
		{Name: "renewed"},
	},
}

// A house is an Account with helpers: they make the places of messages between a guest and a host, let time pass, and
// record the reports.
type house struct {
	*attempt.Account

	lines     []string
	transport wire.Transport
	now       int64
	memory    *bounded.Budget
}

func newHouse() *house {
	h := &house{transport: wire.TCP, memory: bounded.NewBudget(bounded.DefaultMemory)}
	r := &wire.Reporter{Memory: h.memory, Value: h.value, Attempt: h.attempt}
	h.Account = attempt.New(r, "visits", visits, leases)
	return h
}

func (h *house) value(v *wire.Value) {
	if !v.Event {
		h.lines = append(h.lines, fmt.Sprintf("%s %s %s=%s", v.Table, v.Who, v.What, v.Text))
	}
}

func (h *house) attempt(a *wire.Attempt) {
	if a.Over {
		h.lines = append(h.lines, fmt.Sprintf("%d %s %s by %s: %s; %s; %d tries", h.now, a.Who, a.Outcome, a.By, a.Cause, a.Detail, a.Tries))
	}
}

var (
	guest = wiretest.Host(1, 1, 40000)
	host  = wiretest.Host(2, 1, 5154)
)

func (h *house) place(src, dst netip.AddrPort) *wire.Place {
	return &wire.Place{Frame: int(h.now) + 1, Time: h.now * second, Transport: h.transport, Src: src, Dst: dst}
}

func (h *house) ask() *wire.Place    { return h.place(guest, host) }
func (h *house) answer() *wire.Place { return h.place(host, guest) }

// to lets time pass until a given second.
func (h *house) to(now int64) {
	for h.now < now {
		h.now++
		h.memory.Turn()
		h.Time(h.now * second)
	}
}

// results returns the final reports of the attempts.
func (h *house) results() (list []string) {
	for _, l := range h.lines {
		if strings.HasSuffix(l, "tries") {
			list = append(list, l)
		}
	}
	return list
}

// TestOutcomes plays the events that lead to each outcome.
func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		name string
		play func(h *house)
		want string
	}{
		{"leaves before it asks", func(h *house) {
			h.Begin(visits, h.ask(), guest, host).Try(h.ask(), rings)
			h.Signal(wire.Finishing, h.ask())
			h.Ended(h.answer())
		}, "0 1.0.0.1:40000 left by asker: ; ; 1 tries"},
		{"no greeting", func(h *house) {
			h.Begin(visits, h.ask(), guest, host).Try(h.ask(), rings)
			h.to(9)
			h.Signal(wire.Finishing, h.ask())
			h.Ended(h.answer())
		}, "9 1.0.0.1:40000 unanswered by asked: no greeting; ; 1 tries"},
		{"the server resets after the ring", func(h *house) {
			h.Begin(visits, h.ask(), guest, host).Try(h.ask(), rings)
			h.Signal(wire.Resetting, h.answer())
			h.Ended(h.answer())
		}, "0 1.0.0.1:40000 closed by asked: the server closes the connection after rings; by a reset; 1 tries"},
		{"leaves after it looked", func(h *house) {
			x := h.Begin(visits, h.ask(), guest, host)
			x.Try(h.ask(), asks)
			x.Reach(h.answer(), looks)
			h.Signal(wire.Finishing, h.ask())
			h.Ended(h.answer())
		}, "0 1.0.0.1:40000 left by asker: ; ; 1 tries"},
		{"signals about UDP do not count for TCP", func(h *house) {
			x := h.Begin(visits, h.ask(), guest, host)
			x.Try(h.ask(), asks)
			h.transport = wire.UDP
			h.Lost(h.answer())
			h.Signal(wire.Undelivered, h.ask())
			h.to(9)
			h.Close(9 * second)
		}, "9 1.0.0.1:40000 unanswered by asked: no answer; ; 1 tries"},
		{"another attempt follows", func(h *house) {
			x := h.Begin(visits, h.ask(), guest, host)
			x.Try(h.ask(), asks)
			x.End(h.ask())
		}, "0 1.0.0.1:40000 not_known by : another attempt follows; ; 1 tries"},
		{"the server closes, and another attempt follows", func(h *house) {
			x := h.Begin(visits, h.ask(), guest, host)
			x.Try(h.ask(), asks)
			h.Signal(wire.Finishing, h.answer())
			x.End(h.ask())
		}, "0 1.0.0.1:40000 closed by asked: the server closes the connection after asks; ; 1 tries"},
		{"is refused, then removed", func(h *house) {
			x := h.Begin(visits, h.ask(), guest, host)
			x.Try(h.ask(), asks)
			x.Refuse(h.answer(), wire.Asked, "full", "")
			x.Remove(h.answer())
			h.Signal(wire.Finishing, h.answer())
			h.Ended(h.answer())
		}, "0 1.0.0.1:40000 refused by asked: full; ; 1 tries"},
		{"enters and leaves", func(h *house) {
			x := h.Begin(visits, h.ask(), guest, host)
			x.Call("0 ana")
			x.Try(h.ask(), asks)
			x.Reach(h.answer(), enters)
			h.to(9)
			h.Signal(wire.Finishing, h.ask())
			h.Ended(h.answer())
		}, "9 0 ana done by : ; ; 1 tries"},
		{"enters and stops reading", func(h *house) {
			x := h.Begin(visits, h.ask(), guest, host)
			x.Try(h.ask(), asks)
			x.Reach(h.answer(), enters)
			h.Signal(wire.Stalled, h.ask())
			h.Signal(wire.Resumed, h.ask())
			h.to(3)
			h.Signal(wire.Stalled, h.ask())
			h.to(9)
			h.Signal(wire.Finishing, h.answer())
			h.Ended(h.answer())
		}, "9 1.0.0.1:40000 closed by asked: the server closes the connection; the client took no bytes for 6s (TCP window 0); 1 tries"},
		{"is refused", func(h *house) {
			x := h.Begin(visits, h.ask(), guest, host)
			x.Try(h.ask(), asks)
			x.Refuse(h.answer(), wire.Asked, "full", "")
			h.Signal(wire.Finishing, h.answer())
			h.Ended(h.answer())
		}, "0 1.0.0.1:40000 refused by asked: full; ; 1 tries"},
		{"is removed", func(h *house) {
			x := h.Begin(visits, h.ask(), guest, host)
			x.Try(h.ask(), asks)
			x.Reach(h.answer(), enters)
			x.Say(h.answer(), "welcome")
			h.to(9)
			x.Say(h.answer(), "too loud")
			x.Remove(h.answer())
			h.Signal(wire.Finishing, h.answer())
			h.Ended(h.answer())
		}, "9 1.0.0.1:40000 removed by asked: too loud; ; 1 tries"},
		{"is removed, or said goodbye in lost bytes", func(h *house) {
			x := h.Begin(visits, h.ask(), guest, host)
			x.Try(h.ask(), asks)
			x.Reach(h.answer(), enters)
			h.Lost(h.ask())
			x.Remove(h.answer())
			h.Signal(wire.Finishing, h.answer())
			h.Ended(h.answer())
		}, "0 1.0.0.1:40000 not_known by : the capture lacks messages of the connection; ; 1 tries"},
		{"gets no answer", func(h *house) {
			x := h.Begin(visits, h.ask(), guest, host)
			x.Try(h.ask(), rings)
			x.Try(h.ask(), asks)
			x.Try(h.ask(), asks)
			h.to(20)
			h.Signal(wire.Finishing, h.ask())
			h.Ended(h.answer())
		}, "20 1.0.0.1:40000 unanswered by asked: no answer; ; 2 tries"},
		{"gets a late answer", func(h *house) {
			x := h.Begin(visits, h.ask(), guest, host)
			x.Reach(h.answer(), rings)
			x.Try(h.ask(), asks)
			h.to(20)
			x.Reach(h.answer(), enters)
			h.Signal(wire.Finishing, h.ask())
			h.Ended(h.answer())
		}, "20 1.0.0.1:40000 done by : ; ; 1 tries"},
		{"is slow at each step", func(h *house) {
			x := h.Begin(visits, h.ask(), guest, host)
			x.Reach(h.ask(), rings)
			h.to(2)
			x.Try(h.ask(), asks)
			h.to(6)
			if since := x.Since(h.ask(), asks); since != 4*time.Second || x.Since(h.ask(), enters) != 0 {
				t.Errorf("Since returns %v for the question", since)
			}
			x.Reach(h.answer(), enters)
			x.End(h.answer())
		}, "6 1.0.0.1:40000 done by : ; ; 1 tries"},
		{"says goodbye before it enters", func(h *house) {
			x := h.Begin(visits, h.ask(), guest, host)
			x.Try(h.ask(), asks)
			x.Leave(h.ask())
			h.Signal(wire.Finishing, h.answer())
			h.Ended(h.answer())
		}, "0 1.0.0.1:40000 left by asker: ; ; 1 tries"},
		{"the server closes after a gap in the capture", func(h *house) {
			x := h.Begin(visits, h.ask(), guest, host)
			x.Try(h.ask(), asks)
			x.Reach(h.answer(), enters)
			h.Jump(9 * second)
			h.Signal(wire.Finishing, h.answer())
			h.Ended(h.answer())
		}, "0 1.0.0.1:40000 done by : ; ; 1 tries"},
		{"the answer is lost", func(h *house) {
			x := h.Begin(visits, h.ask(), guest, host)
			x.Reach(h.answer(), rings)
			x.Try(h.ask(), asks)
			h.Lost(h.answer())
			h.to(20)
			h.Close(20 * second)
		}, "20 1.0.0.1:40000 not_known by : the capture lacks messages of the connection; ; 1 tries"},
		{"the capture has nothing from the server", func(h *house) {
			h.transport = wire.UDP
			h.Begin(visits, h.ask(), guest, host).Try(h.ask(), asks)
			h.to(20)
			h.Close(20 * second)
		}, "20 1.0.0.1:40000 not_known by : nothing of the other end is in the capture; ; 1 tries"},
		{"asks a closed port", func(h *house) {
			h.Begin(visits, h.ask(), guest, host).Try(h.ask(), asks)
			h.Signal(wire.Undelivered, h.ask())
			h.Close(second)
		}, "0 1.0.0.1:40000 unreachable by asked: ICMP: port unreachable; ; 1 tries"},
		{"the server closes after the question", func(h *house) {
			h.Begin(visits, h.ask(), guest, host).Try(h.ask(), asks)
			h.to(1)
			h.Signal(wire.Finishing, h.answer())
			h.Ended(h.answer())
		}, "1 1.0.0.1:40000 closed by asked: the server closes the connection after asks; ; 1 tries"},
		{"the server resets after the question", func(h *house) {
			h.Begin(visits, h.ask(), guest, host).Try(h.ask(), asks)
			h.Signal(wire.Resetting, h.answer())
			h.Lost(h.answer())
			h.Ended(h.answer())
		}, "0 1.0.0.1:40000 closed by asked: the server closes the connection after asks; by a reset; 1 tries"},
		{"the guest resets before the answer", func(h *house) {
			h.Begin(visits, h.ask(), guest, host).Try(h.ask(), asks)
			h.to(1)
			h.Signal(wire.Resetting, h.ask())
			h.Ended(h.answer())
		}, "1 1.0.0.1:40000 abandoned by asker: the client closes the connection before the answer; by a reset; 1 tries"},
		{"the server closes after the guest entered", func(h *house) {
			x := h.Begin(visits, h.ask(), guest, host)
			x.Try(h.ask(), asks)
			x.Reach(h.answer(), enters)
			h.to(9)
			h.Signal(wire.Finishing, h.answer())
			h.Ended(h.answer())
		}, "9 1.0.0.1:40000 closed by asked: the server closes the connection; ; 1 tries"},
		{"the server closes after a greeting", func(h *house) {
			x := h.Begin(visits, h.ask(), guest, host)
			x.Try(h.ask(), asks)
			x.Reach(h.answer(), enters)
			h.to(1)
			x.Say(h.answer(), "welcome")
			h.Signal(wire.Finishing, h.answer())
			h.Ended(h.answer())
		}, "1 1.0.0.1:40000 closed by asked: the server closes the connection; ; 1 tries"},
		{"says goodbye", func(h *house) {
			x := h.Begin(visits, h.ask(), guest, host)
			x.Try(h.ask(), asks)
			x.Reach(h.answer(), enters)
			x.Leave(h.ask())
			x.Remove(h.answer())
			h.Signal(wire.Finishing, h.answer())
			h.Ended(h.answer())
		}, "0 1.0.0.1:40000 done by : ; ; 1 tries"},
		{"does not renew", func(h *house) {
			h.transport = wire.UDP
			x := h.Begin(leases, h.ask(), guest, host)
			x.Try(h.ask(), 0)
			x.Renew(h.ask(), 0)
			x.Reach(h.answer(), 2)
			h.to(100)
		}, "61 1.0.0.1:40000 expired by asker: not renewed for 1m0s; ; 1 tries"},
		{"asks again after the patience ended", func(h *house) {
			x := h.Begin(visits, h.ask(), guest, host)
			x.Reach(h.answer(), rings)
			x.Try(h.ask(), asks)
			h.to(9)
			x.Try(h.ask(), asks)
			h.Close(9 * second)
		}, "9 1.0.0.1:40000 unanswered by asked: no answer; ; 2 tries"},
		{"does not answer the question", func(h *house) {
			h.transport = wire.UDP
			x := h.Begin(leases, h.ask(), guest, host)
			x.Try(h.ask(), 0)
			x.Reach(h.answer(), 1)
			h.to(20)
			h.Close(20 * second)
		}, "20 1.0.0.1:40000 unanswered by asker: no answer of the asker; ; 1 tries"},
		{"is missing in a list", func(h *house) {
			x := h.Begin(leases, h.ask(), guest, host)
			x.Try(h.ask(), 0)
			x.Reach(h.answer(), 2)
			x.Miss(h.answer(), "a complete list lacks it", "")
			h.Close(second)
		}, "0 1.0.0.1:40000 absent by asked: a complete list lacks it; ; 1 tries"},
		{"is missing in a list that may be older", func(h *house) {
			x := h.Begin(leases, h.ask(), guest, host)
			x.Try(h.ask(), 0)
			x.Reach(h.answer(), 2)
			x.MayMiss("a list lacks it", "")
			h.Close(second)
		}, "0 1.0.0.1:40000 absent by asked: a list lacks it; ; 1 tries"},
		{"is missing in an older list, and shown later", func(h *house) {
			x := h.Begin(leases, h.ask(), guest, host)
			x.Try(h.ask(), 0)
			x.Reach(h.answer(), 2)
			x.MayMiss("a list lacks it", "")
			x.Reach(h.answer(), 3)
			h.Close(second)
		}, "0 1.0.0.1:40000 done by : ; ; 1 tries"},
		{"is shown, though nothing was asked", func(h *house) {
			h.Begin(leases, h.answer(), guest, host).Reach(h.answer(), 3)
			h.Close(second)
		}, "0 1.0.0.1:40000 done by : ; ; 0 tries"},
		{"is shown for a while after it was refused", func(h *house) {
			x := h.Begin(leases, h.ask(), guest, host)
			x.Try(h.ask(), 0)
			x.Refuse(h.answer(), wire.Asked, "too old", "")
			x.Reach(h.answer(), 3)
			h.Close(second)
		}, "0 1.0.0.1:40000 refused by asked: too old; ; 1 tries"},
		{"begins again after Suspect", func(h *house) {
			h.transport = wire.UDP
			x := h.Begin(leases, h.ask(), guest, host)
			x.Try(h.ask(), 0)
			x.Reach(h.answer(), 1)
			x.Suspect("too short", "85 bytes")
			x.Try(h.ask(), 0)
			h.to(20)
			h.Close(20 * second)
		}, "20 1.0.0.1:40000 unanswered by asked: too short; 85 bytes; 2 tries"},
		{"is questioned, but the capture has nothing from it", func(h *house) {
			h.transport = wire.UDP
			h.Begin(leases, h.answer(), guest, host).Reach(h.answer(), 1)
			h.to(20)
			h.Close(20 * second)
		}, "20 1.0.0.1:40000 not_known by : nothing of the other end is in the capture; ; 0 tries"},
		{"renews at a closed port", func(h *house) {
			h.transport = wire.UDP
			x := h.Begin(leases, h.ask(), guest, host)
			x.Try(h.ask(), 0)
			x.Reach(h.answer(), 2)
			p := h.ask()
			p.Transport = wire.UDP
			h.Signal(wire.Undelivered, p)
			h.Close(second)
		}, "0 1.0.0.1:40000 unreachable by asked: ICMP: port unreachable; ; 1 tries"},
		{"is questioned at a closed port", func(h *house) {
			h.transport = wire.UDP
			x := h.Begin(leases, h.ask(), guest, host)
			x.Try(h.ask(), 0)
			x.Reach(h.answer(), 1)
			h.Signal(wire.Undelivered, h.answer())
			h.Close(second)
		}, "0 1.0.0.1:40000 unreachable by asker: ICMP: port unreachable; ; 1 tries"},
		{"may have renewed in a gap", func(h *house) {
			x := h.Begin(leases, h.ask(), guest, host)
			x.Try(h.ask(), 0)
			x.Renew(h.ask(), 0)
			x.Reach(h.answer(), 2)
			h.Jump(50 * second)
			h.now = 50
			h.to(70)
			h.Close(70 * second)
		}, "70 1.0.0.1:40000 not_known by : the capture has a hole; ; 1 tries"},
		{"did not renew in a gap, as a list shows", func(h *house) {
			x := h.Begin(leases, h.ask(), guest, host)
			x.Try(h.ask(), 0)
			x.Renew(h.ask(), 0)
			x.Reach(h.answer(), 2)
			h.Jump(50 * second)
			h.now = 50
			h.to(70)
			x.Lapse(h.answer(), "70 s ago")
		}, "70 1.0.0.1:40000 expired by asker: not renewed for 1m0s; 70 s ago; 1 tries"},
		{"the outcome is in doubt", func(h *house) {
			x := h.Begin(leases, h.ask(), guest, host)
			x.Try(h.ask(), 0)
			x.Doubt(h.ask(), "the same as another")
			h.to(20)
			h.Close(20 * second)
		}, "20 1.0.0.1:40000 not_known by : the same as another; ; 1 tries"},
		{"waits during a gap in the capture", func(h *house) {
			x := h.Begin(visits, h.ask(), guest, host)
			x.Reach(h.answer(), rings)
			x.Try(h.ask(), asks)
			h.Jump(1000 * second)
			h.Close(1001 * second)
		}, "0 1.0.0.1:40000 not_known by : the capture has a hole; ; 1 tries"},
		{"the capture ends at once", func(h *house) {
			h.Begin(visits, h.ask(), guest, host).Try(h.ask(), asks)
			h.Close(second / 2)
		}, "0 1.0.0.1:40000 not_known by : the capture ends before it is decided; ; 1 tries"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse()
			c.play(h)
			if got := h.results(); len(got) != 1 || got[0] != c.want {
				t.Errorf("%q\nwant %q", got, c.want)
			}
		})
	}
}

// If the goal is reached late, the report has a cause, which later steps do not change.
func TestSlow(t *testing.T) {
	slow := *visits
	slow.Slow = 3 * time.Second
	for _, c := range []struct {
		after int64
		want  string
	}{{2, "; ; 1 tries"}, {4, "enters late; 4.0 s after asks; 1 tries"}} {
		h := newHouse()
		h.Account = attempt.New(&wire.Reporter{Memory: h.memory, Attempt: h.attempt}, "visits", &slow)
		x := h.Begin(&slow, h.ask(), guest, host)
		x.Try(h.ask(), asks)
		h.to(c.after)
		x.Reach(h.answer(), enters)
		h.to(9)
		x.Reach(h.answer(), sits)
		h.Close(9 * second)
		if got := h.results(); len(got) != 1 || !strings.HasSuffix(got[0], c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A missing answer counts only if the capture would contain it. The sign of this is another host's answer to the same
// asker.
func TestSilence(t *testing.T) {
	for _, answers := range []bool{false, true} {
		h := newHouse()
		h.transport = wire.UDP
		other := netip.AddrPortFrom(host.Addr().Next(), 5154)
		x := h.Begin(leases, h.place(guest, other), guest, other)
		x.Try(h.place(guest, other), 0)
		if answers {
			x.Reach(h.place(other, guest), 2)
		}
		for range 2 {
			h.Begin(leases, h.ask(), guest, host).Try(h.ask(), 0)
		}
		h.to(20)
		h.Close(20 * second)
		want := "20 1.0.0.1:40000 not_known by : nothing of the other end is in the capture; ; 2 tries"
		if answers {
			want = "20 1.0.0.1:40000 unanswered by asked: no question; ; 2 tries"
		}
		if got := h.results(); !slices.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The budget can drop an attempt and its server, even if no other attempt was used later.
func TestDropped(t *testing.T) {
	h := newHouse()
	h.Account = attempt.New(&wire.Reporter{Memory: h.memory, Attempt: func(*wire.Attempt) {}}, "visits", visits)
	h.Begin(visits, h.ask(), guest, host).Try(h.ask(), rings)
	for i := range 3 {
		h.memory.Turn()
		h.Of(visits, guest, host).Say(h.answer(), strings.Repeat("x", 100*i))
	}
	h.memory.Resize(0)
	h.memory.Turn()
	h.memory.Turn()
	if h.memory.Used() > 0 {
		t.Errorf("%d bytes are in use", h.memory.Used())
	}
}

// Attempt.Port changes the server's port in tables. The table of refusals contains all reasons.
func TestRefusals(t *testing.T) {
	type cell struct {
		server       netip.AddrPort
		column, text string
	}
	var got []cell
	var asked netip.AddrPort
	refused := 0
	r := &wire.Reporter{Memory: bounded.NewBudget(bounded.DefaultMemory), Value: func(v *wire.Value) {
		if v.Event && v.What == wire.Refused.String() {
			refused++
		}
		if v.Table == visits.Refused {
			got = append(got, cell{v.Server, v.What, v.Text})
		}
	}, Attempt: func(a *wire.Attempt) { asked = a.Asked }}
	a, p := attempt.New(r, "visits", visits), &wire.Place{Transport: wire.TCP, Src: host, Dst: guest}
	x := a.Begin(visits, p, guest, host)
	x.Port(80)
	for _, why := range []string{"full", "too late", "too late"} {
		x.Try(p, asks)
		x.Refuse(p, wire.Asked, why, "")
		x.Refuse(p, wire.Asked, why, "")
	}
	door := netip.AddrPortFrom(host.Addr(), 80)
	want := []cell{{door, "reason", "full"}, {door, "reason", "too late"}, {door, "before", "full"}, {door, "reason", "too late"}}
	if got = slices.Compact(got); !slices.Equal(got, want) || asked != door || refused != 3 {
		t.Errorf("got %v from %v with %d refusals, want %v", got, asked, refused, want)
	}
}

// The row of an attempt begins at the step Wish, so a guest that only rings has no row.
func TestRows(t *testing.T) {
	h := newHouse()
	x := h.Begin(visits, h.ask(), guest, host)
	x.Try(h.ask(), rings)
	if len(h.lines) > 0 {
		t.Errorf("a guest that only rings has a row: %q", h.lines)
	}
	x.Call("0 ana")
	x.Name(h.ask(), "ana")
	x.Try(h.ask(), asks)
	x.Reach(h.answer(), enters)
	x.Remove(h.answer())
	want := []string{"visits 0 ana rings=yes", "visits 0 ana asks=yes", "visits 0 ana name=ana", "visits 0 ana enters=yes",
		"visits 0 ana outcome=done", "visits 0 ana outcome=removed", "visits 0 ana failed=sits", "visits 0 ana why=no reason given"}
	if diff := cmp.Diff(want, h.lines); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The final report of an attempt has the time at which the outcome was decided.
func TestDecided(t *testing.T) {
	for _, fails := range []bool{false, true} {
		h, over := newHouse(), wire.Attempt{}
		h.Account = attempt.New(&wire.Reporter{Memory: h.memory, Attempt: func(a *wire.Attempt) { over = *a }}, "visits", visits)
		x := h.Begin(visits, h.ask(), guest, host)
		x.Try(h.ask(), asks)
		h.to(1)
		if fails {
			x.Refuse(h.answer(), wire.Asked, "full", "")
		} else {
			x.Reach(h.answer(), enters)
		}
		h.to(3)
		h.Signal(wire.Finishing, h.ask())
		h.Ended(h.answer())
		if !over.Over || over.Time != second || over.Frame != 2 || over.Took != time.Second {
			t.Errorf("fails %t: decided at %d in frame %d, took %s", fails, over.Time, over.Frame, over.Took)
		}
	}
}

// The time may have its largest value.
func TestEndOfTime(t *testing.T) {
	h := newHouse()
	h.Time(math.MaxInt64)
	h.Begin(visits, h.ask(), guest, host).Try(h.ask(), asks)
	h.Time(math.MaxInt64)
	h.Close(math.MaxInt64)
	if got := h.results(); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

// If Named is set in a kind, a row begins at that step, or earlier if the attempt fails.
func TestNamed(t *testing.T) {
	named := *visits
	named.Named = enters
	for _, c := range []struct {
		fails bool
		want  string
	}{{false, "visits 0 ana rings=yes"}, {true, "visits 1.0.0.1:40000 rings=yes"}} {
		h := newHouse()
		h.Account = attempt.New(&wire.Reporter{Memory: h.memory, Value: h.value}, "visits", &named)
		x := h.Begin(&named, h.ask(), guest, host)
		x.Reach(h.ask(), rings)
		x.Try(h.ask(), asks)
		if c.fails {
			h.to(9)
		} else {
			x.Call("0 ana")
		}
		x.Reach(h.answer(), enters)
		if len(h.lines) == 0 || h.lines[0] != c.want {
			t.Errorf("%q, want %q first", h.lines, c.want)
		}
	}
}

// A hundred times as many guests and hosts have a hundred times as many outcomes.
func TestHundred(t *testing.T) {
	count := func(n int) map[string]int {
		outcomes := make(map[string]int)
		r := &wire.Reporter{Memory: bounded.NewBudget(bounded.DefaultMemory), Attempt: func(a *wire.Attempt) {
			if a.Over {
				outcomes[a.Outcome.String()+a.Cause]++
			}
		}}
		a := attempt.New(r, "visits", visits, leases)
		for i := range n {
			for j, last := range []int{0, 1, 2, 3} {
				p := &wire.Place{Src: wiretest.Host(1, 4*i+j, 4000), Dst: wiretest.Host(2, i, 5154)}
				back := &wire.Place{Src: p.Dst, Dst: p.Src}
				x := a.Begin(visits, p, p.Src, p.Dst)
				x.Try(p, asks)
				switch last {
				case 1:
					x.Reach(back, enters)
				case 2:
					x.Refuse(back, wire.Asked, "full", fmt.Sprint(i))
				case 3:
					a.Signal(wire.Finishing, back)
					a.Ended(back)
				}
			}
		}
		a.Time(10 * second)
		a.Time(20 * second)
		a.Close(20 * second)
		return outcomes
	}
	one, hundred := count(1), count(100)
	for outcome := range one {
		one[outcome] *= 100
	}
	if diff := cmp.Diff(one, hundred); diff != "" || len(one) != 4 {
		t.Errorf("(-100 of one +hundred):\n%s", diff)
	}
}

// An attempt uses at most 320 bytes, and accounts stay within their budget.
func TestMemory(t *testing.T) {
	memory := bounded.NewBudget(bounded.DefaultMemory)
	a := attempt.New(&wire.Reporter{Memory: memory, Value: func(*wire.Value) {}}, "visits", visits, leases)
	const n = 4000
	add := func(from int) {
		for i := range n {
			memory.Turn()
			p := &wire.Place{Src: wiretest.Host(1, from+i, 4000), Dst: host}
			a.Begin(visits, p, p.Src, p.Dst).Try(p, asks)
		}
	}
	before := wiretest.Heap()
	add(0)
	if each, heap := memory.Used()/n, (wiretest.Heap()-before)/n; each > 320 || heap > 400 {
		t.Errorf("an attempt takes %d bytes of the budget, %d of the heap", each, heap)
	} else {
		t.Logf("an attempt takes %d bytes of the budget, %d of the heap", each, heap)
	}
	memory.Resize(memory.Used() / 2)
	add(n)
	if memory.Turn(); memory.Used() > memory.Limit() {
		t.Errorf("%d bytes of %d are in use", memory.Used(), memory.Limit())
	}
}

// Reach does not allocate.
func TestReachDoesNotAllocate(t *testing.T) {
	a := attempt.New(&wire.Reporter{Memory: bounded.NewBudget(bounded.DefaultMemory), Attempt: func(*wire.Attempt) {}}, "visits", visits, leases)
	p := &wire.Place{Src: guest, Dst: host}
	x := a.Begin(visits, p, guest, host)
	x.Try(p, rings)
	if n := testing.AllocsPerRun(100, func() { a.Of(visits, guest, host).Reach(p, rings) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
