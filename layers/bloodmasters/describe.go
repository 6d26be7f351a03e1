package bloodmasters

import (
	"fmt"
	"net/netip"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// server is what a server said of itself last.
type server struct {
	name                string
	told                bool
	title, level        string // at most maxText bytes
	players, maxPlayers uint8
}

// server gives what is known of a server.
func (t *tracker) server(at netip.AddrPort) *server {
	s := t.servers.Make(at)
	if s.name == "" {
		s.name = at.String()
	}
	return s
}

// describe measures what an answer tells of its server, where it is new.
func (t *tracker) describe(m *ServerInfoReply, p *wire.Place) {
	s := t.server(p.Src)
	t.text(s, "title", &s.title, m.Title, p)
	t.text(s, "map", &s.level, m.Map, p)
	if !s.told || s.players != m.NumPlayers || s.maxPlayers != m.MaxPlayers {
		s.players, s.maxPlayers = m.NumPlayers, m.MaxPlayers
		t.state(s, "players", fmt.Sprintf("%d/%d", m.NumPlayers, m.MaxPlayers), p)
	}
	s.told = true
}

func (t *tracker) text(s *server, what string, known *string, v []byte, p *wire.Place) {
	v = v[:min(len(v), maxText)]
	if string(v) == *known {
		return
	}
	*known = string(v)
	t.state(s, what, *known, p)
}

func (t *tracker) state(s *server, what, text string, p *wire.Place) {
	t.Measured(wire.Value{Place: *p, Who: s.name, What: what, Text: text})
}
