package bloodmasters

import (
	"fmt"
	"net/netip"
	"strconv"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// server is what a server said of itself last.
type server struct {
	told                bool
	locked              bool
	version             uint8
	title, level        string // at most maxText bytes
	players, maxPlayers uint8
}

func (s *server) held() int { return len(s.title) + len(s.level) }

// measureState measures what an answer tells of its server, where it is new.
func (t *tracker) measureState(m *ServerInfoReply, p *wire.Place) {
	s := t.servers.MakeAt(p.Lane, p.Src)
	t.measureText("title", &s.title, m.Title, p)
	t.measureText("map", &s.level, m.Map, p)
	if !s.told || s.players != m.NumPlayers || s.maxPlayers != m.MaxPlayers {
		s.players, s.maxPlayers = m.NumPlayers, m.MaxPlayers
		t.measureWord("players", fmt.Sprintf("%d/%d", m.NumPlayers, m.MaxPlayers), p)
	}
	if !s.told || s.locked != m.Locked.True() {
		s.locked = m.Locked.True()
		t.measureWord("locked", map[bool]string{true: "yes", false: "no"}[s.locked], p)
	}
	if !s.told || s.version != m.Version {
		s.version = m.Version
		t.measureWord("version", strconv.Itoa(int(m.Version)), p)
	}
	s.told = true
}

// count measures something that happened with a server.
func (t *tracker) count(at netip.AddrPort, what string, p *wire.Place) {
	t.Measured(wire.Value{Place: *p, Table: servers, Server: at, What: what, Number: 1})
}

// servers is the table of what is measured.
const servers = "servers"

func (t *tracker) measureText(what string, known *string, v []byte, p *wire.Place) {
	v = v[:min(len(v), maxText)]
	if string(v) == *known {
		return
	}
	*known = string(v)
	t.measureWord(what, *known, p)
}

func (t *tracker) measureWord(what, text string, p *wire.Place) {
	t.Measured(wire.Value{Place: *p, Table: servers, Server: p.Src, What: what, State: true, Text: text})
}
