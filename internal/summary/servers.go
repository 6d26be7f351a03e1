package summary

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"github.com/gamedissect/gamedissect/decode/wire"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// A Server is a game server or a master, which lists game servers.
type Server struct {
	Protocol string         `json:"protocol"`
	Address  netip.AddrPort `json:"address"`
	Master   bool           `json:"master"`
	Name     string         `json:"name,omitempty"`
	Map      string         `json:"map,omitempty"`
	Version  string         `json:"version,omitempty"`

	Now     *int64 `json:"players_now,omitempty"`   // current number in a live capture; nil if unknown
	Most    *int64 `json:"players_most,omitempty"`  // maximum at one time; nil if unknown
	AtLeast bool   `json:"players_more,omitempty"`  // there may have been more, since not all numbers are stored
	Limit   int64  `json:"players_limit,omitempty"` // 0 if unknown

	Match string `json:"match,omitempty"` // end of the last match, with the final scores
	Teams []Team `json:"teams,omitempty"` // current scores

	Asked      int64  `json:"asked,omitempty"` // questions to the server
	Answered   int64  `json:"answered,omitempty"`
	Unanswered int64  `json:"unanswered,omitempty"`
	Open       int64  `json:"open_at_the_end,omitempty"` // asked so late that an answer may still come
	Unsure     int64  `json:"answer_unsure,omitempty"`   // questions for which it is unknown which answer belongs to them
	Unreadable int64  `json:"unreadable,omitempty"`      // questions with an unreadable answer
	Unreached  int64  `json:"unreachable,omitempty"`     // questions not delivered, according to ICMP
	Findings   int64  `json:"findings,omitempty"`        // warnings and errors about what the server sent
	NotListed  string `json:"not_listed,omitempty"`
	Games      int    `json:"games,omitempty"` // game servers that announced themselves to this master
}

// A Team is a team on a server.
type Team struct {
	Name  string `json:"name"`
	Score string `json:"score"` // wins and losses according to the server, such as 3-1
}

// The tables and columns of trackers from which servers are made.
const (
	tableServers = "servers"
	tableQueries = "queries"
	tableListing = "listing"
	tableLists   = "lists"
	tableList    = "list"
	tablePlayers = "players"
	tableRefused = "refused"
	tableTeams   = "teams"
)

type serverKey struct {
	protocol string
	at       netip.AddrPort
}

// A roster collects the servers that any table names.
type roster map[serverKey]*Server

func (r roster) server(protocol string, at netip.AddrPort) *Server {
	key := serverKey{protocol, at}
	if r[key] == nil {
		r[key] = &Server{Protocol: protocol, Address: at}
	}
	return r[key]
}

// servers lists the servers. Masters come first, then servers with problems, then the others by number of players.
func servers(from *Source) []Server {
	all := make(roster)
	for _, p := range from.Protocols {
		if counted := from.Stats.Protocols[p.Name]; counted != nil {
			all.addProtocol(p, counted.Tables)
		}
	}
	for who, b := range from.Stats.Senders {
		protocol, _, _ := strings.Cut(who.Rule, ".")
		if s := all[serverKey{protocol, who.At}]; s != nil && b.Severity >= wire.Warning {
			s.Findings += b.Count
		}
	}
	list := []Server{}
	for _, s := range all {
		if !from.Live { // a file has no current number
			s.Now = nil
		}
		list = append(list, *s)
	}
	slices.SortFunc(list, func(a, b Server) int {
		return cmp.Or(trueFirst(a.Master, b.Master), trueFirst(a.troubled(), b.troubled()),
			cmp.Compare(b.most(), a.most()), cmp.Compare(a.Protocol, b.Protocol), a.Address.Compare(b.Address))
	})
	return list
}

func (r roster) addProtocol(p *wire.Protocol, tables map[string]stats.Table) {
	for who, row := range tables[tableServers] {
		if who != (stats.RowKey{}) {
			r.server(p.Name, who.Server).describe(row)
		}
	}
	for who, row := range tables[tableQueries] {
		if who != (stats.RowKey{}) && !who.Server.Addr().IsMulticast() &&
			(answered(row) > 0 || !isBroadcast(who.Server.Addr())) {
			s := r.server(p.Name, who.Server)
			s.Asked += row.Total("asked")
			s.Answered += row.Total("answered")
			s.Unanswered += row.Total("unanswered")
			s.Open += row.Total("open at the end")
			s.Unsure += row.Total("unsure") + row.Total("without echo")
			s.Unreadable += row.Total("unreadable")
			s.Unreached += row.Total("unreachable")
		}
	}
	for _, who := range sorted(tables[tableTeams]) {
		s := r.server(p.Name, who.Server)
		s.Teams = append(s.Teams, Team{who.Who, tables[tableTeams][who].Text("score")})
	}
	for who := range tables[tablePlayers] {
		if who.Server.IsValid() { // if its game began before the capture, a server may send nothing about itself
			r.server(p.Name, who.Server)
		}
	}
	for _, name := range []string{tableLists, tableList} {
		for who := range tables[name] {
			if who != (stats.RowKey{}) {
				r.server(p.Name, who.Server).Master = true
			}
		}
	}
	listed := granted(tables[tableListing])
	for _, who := range sorted(tables[tableListing]) {
		row := tables[tableListing][who]
		at, err := netip.ParseAddrPort(who.Who)
		if err != nil {
			continue
		}
		master, s := r.server(p.Name, who.Server), r.server(p.Name, at)
		master.Master = true
		master.Games++
		s.Name = cmp.Or(s.Name, row.Text("name"))
		if row.Text("failed") != "" && len(listed[who.Who]) == 0 {
			s.NotListed = cmp.Or(s.NotListed, row.Text("why"), "it is not "+row.Text("failed"))
		}
	}
}

// granted returns, for each asker, the servers that granted its request.
func granted(table stats.Table) map[string][]netip.AddrPort {
	by := make(map[string][]netip.AddrPort)
	for who, row := range table {
		if row.Text(wire.AttemptOutcome) == wire.Done.String() {
			by[who.Who] = append(by[who.Who], who.Server)
		}
	}
	return by
}

// describe sets what a server reports about itself.
func (s *Server) describe(row *stats.Row) {
	s.Name = row.Text("name")
	s.Map = cmp.Or(row.Text("map"), row.Text("game type"))
	s.Version = row.Text("version")
	s.Match = row.Text("match")
	x := row.Find("players")
	if x == nil {
		return
	}
	for _, state := range x.States() {
		s.Now = nil
		n, limit, ok := stats.Count(state.Text.String())
		if !ok {
			continue
		}
		s.Now = &n
		if s.Most == nil || n > *s.Most {
			s.Most = &n
		}
		if limit >= 0 {
			s.Limit = limit
		}
	}
	s.AtLeast = s.Most != nil && len(x.States()) == stats.MaxStates
}

// troubled reports whether something is wrong with the server.
func (s *Server) troubled() bool { return s.Findings > 0 || s.Without() > 0 || s.NotListed != "" }

// Without returns the number of questions that have no readable answer.
func (s *Server) Without() int64 { return s.Unanswered + s.Unreadable + s.Unreached }

// silent reports whether the tables show nothing that the server sent.
func (s *Server) silent() bool {
	return s.Answered+s.Unsure+s.Unreadable == 0 && s.Name == "" && s.Most == nil && !s.Master
}

func (s *Server) most() int64 {
	if s.Most == nil {
		return -1
	}
	return *s.Most
}

// numbers returns the measured seconds of a series, or nil if there are none.
func numbers(row *stats.Row, what string) *stats.Histogram {
	if x := row.Find(what); x != nil && x.Numbers != nil && x.Numbers.Count > 0 && x.Unit() == "s" {
		return x.Numbers
	}
	return nil
}

// isBroadcast reports whether an address reaches all hosts of a network. Most addresses that end in 255 do.
func isBroadcast(a netip.Addr) bool { return a.Is4() && a.As4()[3] == 255 }

// trueFirst compares two booleans for sorting: true comes before false.
func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// sorted returns the keys of a table in a fixed order. It leaves out the zero key, which belongs to no subject.
func sorted(t stats.Table) []stats.RowKey {
	return slices.DeleteFunc(slices.SortedFunc(maps.Keys(t), stats.RowKey.Compare),
		func(k stats.RowKey) bool { return k == (stats.RowKey{}) })
}
