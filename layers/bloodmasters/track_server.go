package bloodmasters

import (
	"fmt"
	"net/netip"
	"strconv"
	"unsafe"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// server is the state of a server according to its last answer.
type server struct {
	asked               bool // the capture has a query to this server
	seen                bool
	locked              bool
	version             uint8
	title, level        string // at most maxText bytes
	players, maxPlayers uint8

	empty *empty // the first empty datagram since the server's last answer; nil if there is none
}

func (s *server) held() int {
	n := len(s.title) + len(s.level)
	if s.empty != nil {
		n += int(unsafe.Sizeof(empty{}))
	}
	return n
}

// measureState records the server's state in an answer, and reports changes since the previous answer.
func (t *tracker) measureState(m *ServerInfoReply, p *wire.Place) {
	s := t.servers.MakeAt(p.Lane, p.Src)
	changed := s.seen
	s.empty = nil
	report := func(what, format string, args ...any) {
		if changed {
			t.Happened(p, p.Src, "", what, p.Src.String()+" "+format, args...)
		}
	}
	if t.measureText("name", &s.title, m.Title, p) {
		report("title", "is called %s now", s.title)
	}
	if t.measureText("map", &s.level, m.Map, p) {
		report("map", "now plays %s", s.level)
	}
	if !s.seen || s.players != m.NumPlayers || s.maxPlayers != m.MaxPlayers {
		s.players, s.maxPlayers = m.NumPlayers, m.MaxPlayers
		t.measureWord("players", fmt.Sprintf("%d/%d", m.NumPlayers, m.MaxPlayers), p)
		report("players", "has %d/%d players", m.NumPlayers, m.MaxPlayers)
	}
	if !s.seen || s.locked != m.Locked.True() {
		s.locked = m.Locked.True()
		t.measureWord("locked", map[bool]string{true: "yes", false: "no"}[s.locked], p)
		report("locked", map[bool]string{true: "is locked with a password", false: "is open to all"}[s.locked])
	}
	if !s.seen || s.version != m.Version {
		s.version = m.Version
		t.measureWord("version", strconv.Itoa(int(m.Version)), p)
		if m.Version < launcherVersion {
			t.Report(p, ruleOlder, "protocol version %d: the launcher reads players only in version %d", m.Version,
				launcherVersion)
		}
	}
	if !s.seen {
		s.seen = true
		t.Happened(p, p.Src, "", "server", "%s is there: %s (%d/%d players, %s)", p.Src, s.title, s.players, s.maxPlayers,
			s.level)
	}
}

// count counts an event at a server.
func (t *tracker) count(at netip.AddrPort, what string, p *wire.Place) {
	t.Measured(wire.Value{Place: *p, Table: servers, Server: at, What: what, Number: 1})
}

// countQuery counts an outcome of a query. It counts by the asker's host, since a host uses a new port for each query.
func (t *tracker) countQuery(server, asker netip.AddrPort, what string, p *wire.Place) {
	t.Measured(wire.Value{Place: *p, Table: queried, Server: server, Who: asker.Addr().String(), What: what, Number: 1})
}

// The tables of measured values.
const (
	servers = "servers"
	queried = "queries" // who sends queries
	refused = "refused" // who tried to join
)

// measureText records a text if it changed, and reports whether it did.
func (t *tracker) measureText(what string, known *string, v []byte, p *wire.Place) bool {
	v = v[:min(len(v), maxText)]
	if string(v) == *known {
		return false
	}
	*known = string(v)
	t.measureWord(what, *known, p)
	return true
}

func (t *tracker) measureWord(what, text string, p *wire.Place) {
	t.Measured(wire.Value{Place: *p, Table: servers, Server: p.Src, What: what, State: true, Text: text})
}
