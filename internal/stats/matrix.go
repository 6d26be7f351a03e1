package stats

import (
	"maps"
	"net/netip"
	"slices"
)

// Matrix is how often each player did something to each at a server.
type Matrix struct {
	Server netip.AddrPort
	Who    []NameCount // who did it, in the order of names, and how often to all
	Whom   []NameCount // to whom, and how often by everybody
	Total  int64

	table Table
	what  string
}

// NameCount is how often there was something of a name.
type NameCount struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

// Matrices makes a matrix for each server of a table, of a count that has pairs. Rows without a known server are left
// out.
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

// Count is how often one did it to another.
func (m *Matrix) Count(who, whom string) int64 {
	return m.table.Count(RowKey{Server: m.Server, Who: who, Whom: whom}, m.what)
}

// Count returns what was counted of a subject; 0 if nothing was.
func (t Table) Count(of RowKey, what string) int64 {
	if row := t[of]; row != nil {
		return row.Total(what)
	}
	return 0
}
