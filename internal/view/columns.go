package view

import (
	"net/netip"
	"slices"

	"github.com/gamedissect/gamedissect/decode/wire"
)

// columns are the columns of a sequence diagram. A column is for one end, which is an address with a port, or for
// several ends.
type columns struct {
	clients, hosts []string // the clients of each of these servers share a column, as do the ports of each of these hosts
	hide           []string
	list           []column
	at             map[string]int16
	known          []pair              // by number in index.ends and direction
	members        map[member]struct{} // the ends in each shared column
	servers        map[netip.AddrPort]bool
}

// End is a column of a sequence diagram.
type End struct {
	End      int    `json:"end"`
	ID       string `json:"id"`
	Name     string `json:"name,omitempty"` // name of the player or server, known once the capture has been read
	Host     string `json:"host,omitempty"`
	Server   bool   `json:"server,omitempty"`
	Clients  string `json:"clients,omitempty"`
	Joined   int    `json:"joined,omitempty"`
	Messages int    `json:"messages"`
}

type column struct {
	End
	hidden bool
}

// A pair has the columns of sender and receiver, each plus notKnown, so that the zero value means "not known".
type pair struct{ from, to int16 }

type member struct {
	column int16
	end    netip.AddrPort
}

const (
	noColumn   = -1
	notKnown   = 2
	maxColumns = 200 // if there are more, the rest share one column
	maxMembers = 1 << 16
	directions = int(wire.PeerToPeer) + 1

	everyEnd  = "all"
	otherEnds = "other ends"
)

func newColumns(clients, hosts, hide []string) columns {
	return columns{
		clients: clients, hosts: hosts, hide: hide, at: map[string]int16{}, members: map[member]struct{}{},
		servers: map[netip.AddrPort]bool{},
	}
}

func (c *columns) of(x *index, r *row) (from, to int16) {
	a := &x.contexts[r.context]
	at := int(a.ends)*directions + int(a.direction)
	if more := at + 1 - len(c.known); more > 0 {
		c.known = append(c.known, make([]pair, more)...)
	}
	p := &c.known[at]
	if p.from == 0 {
		e := &x.ends[a.ends]
		from, to := a.direction == wire.FromServer, a.direction == wire.ToServer
		if a.direction == wire.Unknown { // the row is a finding without a message
			from, to = c.servers[e.src], c.servers[e.dst]
		}
		p.from = c.column(e.src, e.dst, from, to) + notKnown
		p.to = c.column(e.dst, e.src, to, from) + notKnown
	}
	return p.from - notKnown, p.to - notKnown
}

// column returns the column of an end. server and client say whether the end is a server or a client of the other end.
func (c *columns) column(end, other netip.AddrPort, server, client bool) int16 {
	if !end.IsValid() {
		return noColumn
	}
	col := End{ID: end.String(), Host: end.Addr().String()}
	joined := true
	switch of := other.String(); {
	case client && (slices.Contains(c.clients, everyEnd) || slices.Contains(c.clients, of)):
		col = End{ID: "clients of " + of, Clients: of}
	case slices.Contains(c.hosts, everyEnd) || slices.Contains(c.hosts, col.Host):
		col.ID = col.Host
	default:
		joined = false
	}
	n := c.add(col)
	if server {
		c.list[n].Server = true
		if len(c.servers) < maxMembers {
			c.servers[end] = true
		}
	}
	if m := (member{n, end}); (joined || c.list[n].ID == otherEnds) && len(c.members) < maxMembers {
		if _, ok := c.members[m]; !ok {
			c.members[m] = struct{}{}
			c.list[n].Joined++
		}
	}
	return n
}

// add returns the column with col's ID. If there is no such column, add creates it.
func (c *columns) add(col End) int16 {
	if n, ok := c.at[col.ID]; ok {
		return n
	}
	if len(c.list) >= maxColumns {
		col = End{ID: otherEnds}
		if n, ok := c.at[col.ID]; ok {
			return n
		}
	}
	col.End = len(c.list)
	c.at[col.ID] = int16(col.End)
	c.list = append(c.list, column{End: col, hidden: slices.Contains(c.hide, col.ID)})
	return int16(col.End)
}

func (c *columns) hidden(n int16) bool { return n >= 0 && c.list[n].hidden }

func (c *columns) count(from, to int16) {
	if from >= 0 {
		c.list[from].Messages++
	}
	if to >= 0 && to != from {
		c.list[to].Messages++
	}
}

// shown returns the visible columns in display order: servers, then players, then other ends.
func (c *columns) shown(names map[string]string) []End {
	all := []End{}
	for _, col := range c.list {
		if !col.hidden && col.Messages > 0 {
			col.Name = names[col.ID]
			all = append(all, col.End)
		}
	}
	rank := func(e End) int {
		switch {
		case e.Server:
			return 0
		case e.Name != "":
			return 1
		}
		return 2
	}
	slices.SortStableFunc(all, func(a, b End) int { return rank(a) - rank(b) })
	return all
}
