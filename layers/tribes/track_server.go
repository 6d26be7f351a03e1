package tribes

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// server is the last state that a game server told.
type server struct {
	told              bool
	locked            bool
	doubtful          bool // it told a master something since, which may differ
	players, most     uint8
	name, mission, of string // of is the type of the mission; each has at most 255 bytes
}

func (s *server) held() int { return len(s.name) + len(s.mission) + len(s.of) }

// measureServer measures a game server's answer, and emits what changed since its last answer.
func (t *tracker) measureServer(l wire.Layer, m *GameSpyReply, p *wire.Place) {
	if t.reporter.Value == nil || !hasServer(l.Core()) {
		return
	}
	s := t.servers.Make(p.Src)
	before := *s
	*s = server{told: true, locked: m.Password.True(), players: m.Players, most: m.MaxPlayers, name: string(m.Name),
		mission: before.mission, of: before.of}
	if m.full() {
		s.mission, s.of = string(m.Mission), string(m.MissionType)
	}
	if *s == before { // as nearly always
		return
	}
	players := fmt.Sprintf("%d/%d", s.players, s.most)
	t.state(p, "name", s.name)
	t.state(p, "players", players)
	t.state(p, "locked", map[bool]string{true: "yes", false: "no"}[s.locked])
	if m.full() {
		t.state(p, "map", s.mission)
		t.state(p, "game type", s.of)
	}
	if !before.told {
		t.tellServer(p, "server", "is there%s", s.about())
		return
	}
	if s.name != before.name {
		t.tellServer(p, "title", "is called %s now", s.name)
	}
	if s.mission != before.mission {
		t.tellServer(p, "map", "now plays %s", s.mission)
	}
	if s.players != before.players || s.most != before.most {
		t.tellServer(p, "players", "has %s players", players)
	}
	if s.locked != before.locked {
		t.tellServer(p, "locked", map[bool]string{true: "is locked with a password", false: "is open to all"}[s.locked])
	}
}

// about describes a server for findings.
func (s *server) about() string {
	text := fmt.Sprintf(" (%d/%d players", s.players, s.most)
	if s.name != "" {
		text = ": " + s.name + text
	}
	if s.mission != "" {
		text += ", " + s.mission
	}
	return text + ")"
}

// hasServer reports whether the part about the server was read: real answers may be cut inside a player.
func hasServer(core *wire.Base) bool {
	fault := core.Fault()
	return !core.Truncated() && (fault == nil || strings.HasPrefix(fault.Field, playerList))
}

// tellServer emits an event of the server that sent the message.
func (t *tracker) tellServer(p *wire.Place, what, format string, args ...any) {
	t.reporter.Happened(p, p.Src, "", what, p.Src.String()+" "+format, args...)
}

// measureState emits what a game server tells a master.
func (t *tracker) measureState(m *GameInfoReply, p *wire.Place) {
	if t.reporter.Value == nil {
		return
	}
	if s := t.servers.Get(p.Src); s != nil {
		s.doubtful = true
	}
	if name := wire.Trim(m.Name); len(name) > 0 {
		t.state(p, "name", string(name))
	}
	if m.HasPlayers && m.HasMaxPlayers {
		t.state(p, "players", strconv.Itoa(int(m.Players))+"/"+strconv.Itoa(int(m.MaxPlayers)))
	}
}

// state emits a state of the server that sent the message.
func (t *tracker) state(p *wire.Place, what, text string) {
	t.reporter.Measured(wire.Value{Place: *p, Table: servers, Server: p.Src, What: what, State: true, Text: text})
}
