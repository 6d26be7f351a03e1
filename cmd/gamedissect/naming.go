package main

import (
	"cmp"
	"net/netip"

	"github.com/gamedissect/gamedissect/internal/stats"
)

// naming says how those are called whom a table is about: by their servers where names could belong to several.
type naming struct {
	server  netip.AddrPort // of the first that was met
	met     bool
	several bool // servers
	named   bool // somebody at one has a name
}

// meet looks at somebody whom the table is about.
func (n *naming) meet(who stats.Subject) {
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
func (n *naming) apart() bool { return n.several && n.named }

// columns makes those of the names.
func (n *naming) columns() (list []column) {
	if n.apart() || !n.named {
		list = append(list, column{name: "server", only: people, whole: true})
	}
	if n.named {
		list = append(list, column{name: "who", only: people})
	}
	return append(list, column{name: "protocol", only: programs}, column{name: "server", only: programs},
		column{name: "who", only: programs})
}

// cells are the names of one.
func (n *naming) cells(protocol string, who stats.Subject) []cell {
	server, name := serverCell(who.Server), textCell(who.Who)
	own := []cell{wordCell(protocol), server, name}
	switch {
	case who == stats.Subject{}:
		server, name = wordCell(others), none
		own[1] = server
	case !n.apart() && who.Who != "":
		server = name
	}
	if n.apart() {
		return append([]cell{server, name}, own...)
	}
	return append([]cell{server}, own...)
}

// serverCell names a server, if there is one.
func serverCell(server netip.AddrPort) cell {
	if !server.IsValid() {
		return none
	}
	return stringCell(server)
}

// compare orders lines by servers and names.
func (n *naming) compare(x, y stats.Subject) int {
	rest := restLast(x == stats.Subject{}, y == stats.Subject{})
	return cmp.Or(rest, x.Server.Compare(y.Server), stats.CompareNames(x.Who, y.Who), stats.CompareNames(x.Whom, y.Whom))
}
