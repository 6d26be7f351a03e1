package stats

import (
	"maps"
	"net/netip"
	"slices"
)

// Matrix counts how often each player of a server did something to each other player.
type Matrix struct {
	Server netip.AddrPort
	Who    []NameCount // the players who did it, ordered by name, with their totals
	Whom   []NameCount // the players to whom it was done, with their totals
	Total  int64

	table Table
	what  string
}

// NameCount is a name and a count.
type NameCount struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

// Matrices makes a matrix for each server in a table, from a count whose rows have two players. Rows without a known
// server are left out.
func (t Table) Matrices(what string) []*Matrix {
	type sums struct{ who, whom map[string]int64 }
	servers := map[netip.AddrPort]sums{}
	for pair := range t {
		n := t.Count(pair, what)
		if pair == (RowKey{}) || n == 0 {
			continue
		}
		s, met := servers[pair.Server]
		if !met {
			s = sums{map[string]int64{}, map[string]int64{}}
			servers[pair.Server] = s
		}
		s.who[pair.Who] += n
		s.whom[pair.Whom] += n
	}
	var list []*Matrix
	for _, server := range slices.SortedFunc(maps.Keys(servers), netip.AddrPort.Compare) {
		s := servers[server]
		m := &Matrix{Server: server, Who: namesOf(s.who), Whom: namesOf(s.whom), table: t, what: what}
		for _, who := range m.Who {
			m.Total += who.Count
		}
		list = append(list, m)
	}
	return list
}

func namesOf(counts map[string]int64) []NameCount {
	list := make([]NameCount, 0, len(counts))
	for _, name := range slices.SortedFunc(maps.Keys(counts), CompareNames) {
		list = append(list, NameCount{name, counts[name]})
	}
	return list
}

// Count returns how often one player did it to another.
func (m *Matrix) Count(who, whom string) int64 {
	return m.table.Count(RowKey{Server: m.Server, Who: who, Whom: whom}, m.what)
}

// Count returns the count of a subject, or 0.
func (t Table) Count(of RowKey, what string) int64 {
	if row := t[of]; row != nil {
		return row.Total(what)
	}
	return 0
}
