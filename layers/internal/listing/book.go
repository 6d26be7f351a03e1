package listing

import (
	"fmt"
	"net/netip"
	"strconv"
	"time"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

const (
	// grain is how often at most a master's servers are looked at by the clock.
	grain = int64(time.Second) / 2

	// promptly is by when an answer should have come when the capture ends.
	promptly = int64(time.Second)

	// maxServers is how many servers of a master are followed. Those beyond are left out, and said.
	maxServers = 8192
)

// Habits are those of a protocol's masters.
type Habits struct {
	Patience int64 // what has not come after so long does not come any more
	Keeps    int64 // a server that was silent for so long may not be in a list any more
	Forgets  int64 // and after so long it is in none
	Answers  bool  // a master answers each announce, also those of servers that it lists

	Announces string // what announces are called, in the plural

	// Why says in a sentence why a server that announced itself did not reach a step in time, or lost it again; "": it
	// may have. That it is gone from a list says enough.
	Why func(*Server, Step) string
}

// Because is a sentence, with the rule that says more.
func Because(rule *wire.Rule, format string, args ...any) string {
	return fmt.Sprintf(format, args...) + ": " + rule.ID
}

// Book follows the servers of all masters of a capture.
type Book struct {
	reporter *wire.Reporter
	habits   Habits
	masters  *bounded.LRU[netip.AddrPort, master]
	servers  *bounded.LRU[entry, Server]
	leaveOut func()                             // reports that a server finds no room at its master
	due      *bounded.Deadlines[netip.AddrPort] // when a master's servers have to be looked at
	now      int64
	protocol *wire.Protocol
}

// entry is a server at a master.
type entry struct{ master, server netip.AddrPort }

// master is one. Its servers are linked in the order in which they were met. It is used whenever one of them is, and
// joined the budget before them: to make room they go first.
type master struct {
	at          netip.AddrPort
	name        string // the same as text
	first, last uint32 // slots of servers, 0 if there is none
	count       int    // of servers
	due         clock.Moment
	seen        bool // a list of it was
}

func (m *master) held() int { return len(m.name) }

// NewBook makes a book.
func NewBook(r *wire.Reporter, kind bounded.Kind, habits Habits) *Book {
	b := &Book{reporter: r, habits: habits}
	b.masters = bounded.NewLRU(r.Memory, kind, bounded.Values[netip.AddrPort, master]{Held: (*master).held})
	b.servers = bounded.NewLRU(r.Memory, kind, bounded.Values[entry, Server]{Held: (*Server).held,
		Dropped: func(_ entry, s *Server) { b.unlink(s) }})
	b.leaveOut = r.Memory.Bound(bounded.Kind{Name: kind.Name, Silent: kind.Silent,
		Most: strconv.Itoa(maxServers) + " of a master"})
	b.due = bounded.NewDeadlines[netip.AddrPort](r.Memory, bounded.Kind{Name: kind.Name + ", by the clock",
		Silent: kind.Silent})
	return b
}

// Wanted reports whether the engine gathers values, which are all that a Book makes.
func (b *Book) Wanted() bool { return b.reporter.Value != nil }

func (b *Book) master(at netip.AddrPort) *master {
	m := b.masters.Make(at)
	if m.name == "" {
		m.at, m.name = at, at.String()
	}
	return m
}

// link adds a new server to those of its master.
func (b *Book) link(m *master, s *Server) {
	slot := b.servers.Slot()
	s.book, s.master, s.before = b, m, m.last
	if m.last == 0 {
		m.first = slot
	} else {
		_, before := b.servers.At(m.last)
		before.after = slot
	}
	m.last = slot
	m.count++
}

// unlink takes a server that makes room from those of its master.
func (b *Book) unlink(s *Server) {
	m := s.master
	if s.before == 0 {
		m.first = s.after
	} else {
		_, before := b.servers.At(s.before)
		before.after = s.after
	}
	if s.after == 0 {
		m.last = s.before
	} else {
		_, after := b.servers.At(s.after)
		after.before = s.before
	}
	m.count--
}

// each calls a function for all servers of a master.
func (b *Book) each(m *master, f func(*Server)) {
	for slot := m.first; slot != 0; {
		_, s := b.servers.At(slot)
		slot = s.after
		f(s)
	}
}

// Server returns a server of a master, as the message at a place shows it; nil if there is no room for it.
func (b *Book) Server(at, server netip.AddrPort, p *wire.Place) *Server {
	b.protocol = p.Protocol
	m := b.master(at)
	s := b.servers.Make(entry{at, server})
	switch {
	case s.master != nil:
	case m.count == maxServers:
		b.servers.Delete(entry{at, server})
		b.leaveOut()
		return nil
	default:
		s.Address, s.who = server, server.String()
		b.link(m, s)
	}
	return s
}

// Known returns a server of a master that was met before, nil if there is none.
func (b *Book) Known(at, server netip.AddrPort) *Server {
	if b.masters.Get(at) == nil {
		return nil
	}
	return b.servers.Get(entry{at, server})
}

// Each calls a function for all servers of a master that were met.
func (b *Book) Each(at netip.AddrPort, f func(*Server)) {
	if m := b.masters.Get(at); m != nil {
		b.each(m, f)
	}
}

// FirstList reports whether no list of a master was seen before, and reports how many servers are in it.
func (b *Book) FirstList(p *wire.Place, at netip.AddrPort, servers int) bool {
	m := b.master(at)
	if m.seen {
		return false
	}
	m.seen = true
	b.reporter.Happened(p, at, "", EventList, "%s has %s in its list", at, wire.Counted(servers, "server"))
	return true
}

// Time sets the time, see wire.Tracker.
func (b *Book) Time(now int64) {
	b.now = now
	for at, when, ok := b.due.Due(now); ok; at, when, ok = b.due.Due(now) {
		if m := b.masters.Peek(at); m != nil && m.due == clock.At(when) {
			m.due = clock.Moment{}
			b.look(m, when)
		}
	}
}

// Jump sets the time, after a hole of the capture. What was awaited before may have come.
func (b *Book) Jump(now int64) {
	b.now = now
	b.due.Clear()
	b.masters.Each(func(_ netip.AddrPort, m *master) {
		m.due = clock.Moment{}
		b.each(m, func(s *Server) { s.waits, s.heard, s.judged = clock.Moment{}, clock.Moment{}, clock.Moment{} })
	})
}

// look looks what did not come until now, and when to look again.
func (b *Book) look(m *master, now int64) {
	next, waits := int64(0), false
	b.each(m, func(s *Server) {
		s.look(now)
		if due := s.due(); due.Known() && (!waits || due.When() < next) {
			next, waits = due.When(), true
		}
	})
	if waits {
		b.await(m, max(next, clock.Add(now, grain)))
	}
}

func (b *Book) await(m *master, when int64) {
	if !m.due.Known() || when < m.due.When() {
		m.due = clock.At(when)
		b.due.Add(when, m.at)
	}
}

// Next is when Time has something to do, see wire.Tracker.
func (b *Book) Next() int64 { return b.due.Next() }

// Close reports how everything stands when the capture ends.
func (b *Book) Close(now int64) {
	b.Time(now)
	b.masters.Each(func(_ netip.AddrPort, m *master) {
		b.each(m, func(s *Server) { s.close(now) })
	})
}
