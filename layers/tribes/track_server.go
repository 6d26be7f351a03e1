package tribes

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/decode/wire/bounded"
	"github.com/gamedissect/gamedissect/decode/wire/clock"
)

// servers measures what game servers report about themselves.
type servers struct {
	reporter  *reporter
	byAddress *bounded.LRU[netip.AddrPort, server]
}

// server is the last state that a game server reported.
type server struct {
	seen                    bool
	locked                  bool
	uncertain               bool // the server's latest message to a master may contradict these values
	players, most           uint8
	name, mission, gameType string // at most 255 bytes each
}

func newServers(r *reporter) *servers {
	return &servers{r, bounded.NewLRU(r.Memory, bounded.Kind{Name: "Tribes game servers"},
		bounded.Values[netip.AddrPort, server]{Held: (*server).held})}
}

func (s *server) held() int { return len(s.name) + len(s.mission) + len(s.gameType) }

// answered records the values in a game server's answer, and reports changes since the server's previous answer.
func (s *servers) answered(l wire.Layer, m *GameSpyReply, p *wire.Place) {
	if s.reporter.Value == nil || !hasServer(l.Core()) {
		return
	}
	now := s.byAddress.Make(p.Src)
	before := *now
	*now = server{seen: true, locked: m.Password.True(), players: m.Players, most: m.MaxPlayers, name: string(m.Name),
		mission: before.mission, gameType: before.gameType}
	if m.full() {
		now.mission, now.gameType = string(m.Mission), string(m.MissionType)
	}
	if *now == before { // the usual case
		return
	}
	players := fmt.Sprintf("%d/%d", now.players, now.most)
	s.reporter.measureState(p, "name", now.name)
	s.reporter.measureState(p, "players", players)
	s.reporter.measureState(p, "locked", map[bool]string{true: "yes", false: "no"}[now.locked])
	if m.full() {
		s.reporter.measureState(p, "map", now.mission)
		s.reporter.measureState(p, "game type", now.gameType)
	}
	report := func(what, format string, args ...any) {
		s.reporter.Happened(p, p.Src, "", what, p.Src.String()+" "+format, args...)
	}
	if !before.seen {
		report("server", "is there%s", now.describe())
		return
	}
	if now.name != before.name {
		report("title", "is called %s now", now.name)
	}
	if now.mission != before.mission {
		report("map", "now plays %s", now.mission)
	}
	if now.players != before.players || now.most != before.most {
		report("players", "has %s players", players)
	}
	if now.locked != before.locked {
		report("locked", map[bool]string{true: "is locked with a password", false: "is open to all"}[now.locked])
	}
}

// describe returns a description of a server for findings.
func (s *server) describe() string {
	text := fmt.Sprintf(" (%d/%d players", s.players, s.most)
	if s.name != "" {
		text = ": " + s.name + text
	}
	if s.mission != "" {
		text += ", " + s.mission
	}
	return text + ")"
}

// hasServer reports whether the fields about the server were decoded. Real servers may cut an answer within the list of
// players.
func hasServer(core *wire.Base) bool {
	fault := core.Fault()
	return !core.Truncated() && (fault == nil || strings.HasPrefix(fault.Field, playerList))
}

// describedToMaster records the values that a game server reports to a master.
func (s *servers) describedToMaster(m *GameInfoReply, p *wire.Place) {
	if s.reporter.Value == nil {
		return
	}
	if known := s.byAddress.Get(p.Src); known != nil {
		known.uncertain = true
	}
	if name := m.name(); len(name) > 0 {
		s.reporter.measureState(p, "name", string(name))
	}
	if m.HasPlayers && m.HasMaxPlayers {
		s.reporter.measureState(p, "players", strconv.Itoa(int(m.Players))+"/"+strconv.Itoa(int(m.MaxPlayers)))
	}
}

// heartbeats checks how regularly servers send heartbeats to their masters.
type heartbeats struct {
	reporter *reporter
	last     *bounded.LRU[pair, lastHeartbeat]
}

type lastHeartbeat struct {
	when clock.Moment
	gap  int64 // time since the previous heartbeat
	late bool  // the gap is too long
}

func newHeartbeats(r *reporter) *heartbeats {
	return &heartbeats{r, bounded.NewLRU(r.Memory, bounded.Kind{Name: "Tribes heartbeats",
		Silent: "heartbeat interval, tribes.heartbeat-gap"}, bounded.Values[pair, lastHeartbeat]{})}
}

func (s *heartbeats) check(l wire.Layer, p *wire.Place) {
	h := s.last.Make(s.reporter.ends.pair(p.Src, p.Dst))
	if last := h.when; last.Known() {
		interval, ok := seconds(last.When(), p.Time)
		if !ok {
			return
		}
		s.reporter.measure(p, serverTable, p.Src, "heartbeat interval", interval, "s")
		h.gap = clock.Elapsed(last.When(), p.Time)
		late := h.gap > maxSilence
		if late && h.late {
			reportHeader(l, ruleGap, "%.0f s after the last one to this master, which was late as well", interval)
		}
		h.late = late
	}
	h.when = clock.At(p.Time)
}
