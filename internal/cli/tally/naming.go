package tally

import (
	"cmp"
	"net/netip"

	"github.com/gamedissect/gamedissect/internal/cli/table"
	"github.com/gamedissect/gamedissect/internal/stats"
)

// Naming says how those are called whom a table is about: by their servers where names could belong to several.
type Naming struct {
	server  netip.AddrPort // of the first that was met
	met     bool
	several bool // servers
	named   bool // somebody at one has a name
}

// Meet looks at somebody whom the table is about.
func (n *Naming) Meet(who stats.Subject) {
	if who == (stats.Subject{}) {
		return
	}
	if !n.met {
		n.server, n.met = who.Server, true
	}
	n.several = n.several || who.Server != n.server
	n.named = n.named || who.Who != ""
}

// apart reports whether servers have a column of their own.
func (n *Naming) apart() bool { return n.several && n.named }

// columns makes those of the names.
func (n *Naming) columns() (list []table.Column) {
	if n.apart() || !n.named {
		list = append(list, table.Column{Name: "server", Only: table.People, Whole: true})
	}
	if n.named {
		list = append(list, table.Column{Name: "who", Only: table.People})
	}
	return append(list, table.Column{Name: "protocol", Only: table.Programs}, table.Column{Name: "server", Only: table.Programs},
		table.Column{Name: "who", Only: table.Programs})
}

// cells are the names of one.
func (n *Naming) cells(protocol string, who stats.Subject) []table.Cell {
	server, name := serverCell(who.Server), table.TextCell(who.Who)
	own := []table.Cell{table.WordCell(protocol), server, name}
	switch {
	case who == stats.Subject{}:
		server, name = table.WordCell(others), table.None
		own[1] = server
	case !n.apart() && who.Who != "":
		server = name
	}
	if n.apart() {
		return append([]table.Cell{server, name}, own...)
	}
	return append([]table.Cell{server}, own...)
}

// serverCell names a server, if there is one.
func serverCell(server netip.AddrPort) table.Cell {
	if !server.IsValid() {
		return table.None
	}
	return table.StringCell(server)
}

// Compare orders lines by servers and names.
func (n *Naming) Compare(x, y stats.Subject) int {
	rest := restLast(x == stats.Subject{}, y == stats.Subject{})
	return cmp.Or(rest, x.Server.Compare(y.Server), stats.CompareNames(x.Who, y.Who), stats.CompareNames(x.Whom, y.Whom))
}
