package iceball

import (
	"net/netip"
	"slices"
	"time"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
)

const (
	maxPorts = 4 // maximum number of heartbeat ports per host

	// maxMembers is the maximum number of announcers that a list is compared with.
	maxMembers = 4 * maxListed
)

// masters are the hosts with heartbeat servers.
type masters struct {
	byHost *bounded.LRU[netip.Addr, master]
}

// master is a host that runs heartbeat servers.
type master struct {
	at       netip.AddrPort   // address in findings and values
	ports    []uint16         // UDP ports of the heartbeat servers
	reported []uint16         // HTTP ports already reported
	seen     bool             // a list was seen
	listed   []netip.AddrPort // servers in the latest list, sorted
	partial  bool             // listed is not complete

	answers, late int         // number of MSOKs (acceptances of announces), and of late MSOKs
	slowest       int64       // longest time to MSOK
	firstLate     *wire.Place // place of the first late MSOK

	oldest, newest *member // the ends of the list of announcers
	members        int
}

func newMasters(b *bounded.Budget, t *captureTime) *masters {
	return &masters{bounded.NewLRU(b, bounded.Kind{Name: "Iceball heartbeat servers",
		Silent: "iceball.unlisted-too-early, iceball.http-port, news of servers that are no longer listed"},
		bounded.Values[netip.Addr, master]{Held: (*master).held, Dropped: func(_ netip.Addr, m *master) {
			for m.oldest != nil {
				m.oldest.leave()
			}
			t.forget()
		}})}
}

func (m *master) held() int {
	n := 2*(cap(m.ports)+cap(m.reported)) + cap(m.listed)*int(unsafe.Sizeof(netip.AddrPort{}))
	if m.firstLate != nil {
		n += int(unsafe.Sizeof(*m.firstLate))
	}
	return n
}

// at returns the host of a heartbeat server; lane is the lane of a client's messages to the server.
func (s *masters) at(server netip.AddrPort, lane uint32) *master {
	m := s.byHost.MakeAt(lane, server.Addr())
	if !m.at.IsValid() {
		m.at = server
	}
	return m
}

// addPort adds the port of a heartbeat server to its host, and returns the host.
func (s *masters) addPort(server netip.AddrPort, lane uint32) *master {
	m := s.at(server, lane)
	if !slices.Contains(m.ports, server.Port()) && len(m.ports) < maxPorts {
		m.ports = append(m.ports, server.Port())
	}
	return m
}

// checkPort reports an HTTP port that is not the port of the heartbeat. It reports each port once.
func (s *masters) checkPort(core *wire.Base, server netip.AddrPort, lane uint32) {
	m := s.byHost.GetAt(lane, server.Addr())
	if m == nil || len(m.ports) == 0 || slices.Contains(m.ports, server.Port()) || slices.Contains(m.reported,
		server.Port()) {
		return
	}
	if len(m.reported) == maxPorts {
		m.reported = m.reported[:0]
	}
	m.reported = append(m.reported, server.Port())
	core.Report(ruleHTTPPort, 0, 0, "HTTP on port %d, the heartbeat's is %d", server.Port(), m.ports[0])
}

const (
	lateBy   = int64(500 * time.Millisecond) // longer than an immediate answer takes
	fewLates = 3                             // up to this many late answers may be due to the network
)

// answer records the time between an announce and its MSOK.
func (m *master) answer(took int64, p *wire.Place) {
	m.answers++
	if took < lateBy {
		return
	}
	m.late++
	m.slowest = max(m.slowest, took)
	if m.firstLate == nil {
		place := *p
		m.firstLate = &place
	}
}

// reportLate reports the heartbeat servers that often answered late.
func (s *masters) reportLate(r *wire.Reporter) {
	s.byHost.Each(func(_ netip.Addr, m *master) {
		if m.late > fewLates {
			r.Report(m.firstLate, ruleLateAnswers, "%d of %d announces are answered after more than 0.5 s, at most after %.1f s",
				m.late, m.answers, seconds(m.slowest))
		}
	})
}

// lists reports whether the latest list contains a server.
func (m *master) lists(at netip.AddrPort) bool {
	_, found := slices.BinarySearchFunc(m.listed, at, netip.AddrPort.Compare)
	return found
}

// announcePort returns the address and UDP port of the heartbeat server that sent a list.
func (m *master) announcePort(src netip.AddrPort) netip.AddrPort {
	if len(m.ports) == 0 || slices.Contains(m.ports, src.Port()) {
		return src
	}
	return netip.AddrPortFrom(src.Addr(), m.ports[0])
}

// member is an announcer in a master's list of announcers. A list of servers is compared only with these announcers.
type member struct {
	master       *master // nil after leaving
	socket       netip.AddrPort
	newer, older *member // neighbours in the list; the newest member sent the latest message
}

// join makes an announcer the newest member of a master's list of announcers.
func (m *member) join(at *master, socket netip.AddrPort) {
	m.leave()
	if at.members == maxMembers {
		at.oldest.leave()
	}
	m.master, m.socket, m.older = at, socket, at.newest
	if at.newest != nil {
		at.newest.newer = m
	} else {
		at.oldest = m
	}
	at.newest = m
	at.members++
}

// stay makes the member the newest.
func (m *member) stay() {
	if m.master != nil {
		m.join(m.master, m.socket)
	}
}

// leave removes the member from its list, if it is in one.
func (m *member) leave() {
	at := m.master
	if at == nil {
		return
	}
	if m.newer != nil {
		m.newer.older = m.older
	} else {
		at.newest = m.older
	}
	if m.older != nil {
		m.older.newer = m.newer
	} else {
		at.oldest = m.newer
	}
	at.members--
	*m = member{}
}
