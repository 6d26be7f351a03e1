package metrics

import (
	"container/list"
	"net"
	"net/http"
	"net/netip"
	"sync"
)

// Bounds of connections to the server of metrics, of which each costs some 20 KB.
const (
	MaxGuests     = 256
	MaxGuestsHost = 128 // from one host
)

// guests are the connections of a server that strangers reach. There is always room for another one: who has asked
// for nothing the longest has to go, first of the same host if that has more than its share, then of all. So neither
// those who say nothing nor those who do not read keep anybody waiting.
type guests struct {
	net.Listener
	mu    sync.Mutex
	Order *list.List // of *guest, who asked last at the back
	Known map[net.Conn]*list.Element
	Hosts map[netip.Prefix]int
}

// A guest is a connection.
type guest struct {
	net.Conn
	host netip.Prefix
}

func NewGuests(l net.Listener) *guests {
	return &guests{
		Listener: l, Order: list.New(), Known: make(map[net.Conn]*list.Element), Hosts: make(map[netip.Prefix]int),
	}
}

// Accept implements net.Listener.
func (g *guests) Accept() (net.Conn, error) {
	c, err := g.Listener.Accept()
	if err != nil {
		return nil, err
	}
	who := hostOf(c)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.Hosts[who] >= MaxGuestsHost {
		g.dismiss(func(x *guest) bool { return x.host == who })
	} else if g.Order.Len() >= MaxGuests {
		g.dismiss(func(*guest) bool { return true })
	}
	g.Known[c] = g.Order.PushBack(&guest{c, who})
	g.Hosts[who]++
	return c, nil
}

// dismiss closes the connection that has asked for nothing the longest, of some.
func (g *guests) dismiss(of func(*guest) bool) {
	for e := g.Order.Front(); e != nil; e = e.Next() {
		if x := e.Value.(*guest); of(x) {
			_ = x.Close() // who serves it is told by its next read or write
			g.forget(x.Conn)
			return
		}
	}
}

func (g *guests) forget(c net.Conn) {
	e := g.Known[c]
	if e == nil {
		return
	}
	who := g.Order.Remove(e).(*guest).host
	delete(g.Known, c)
	if g.Hosts[who]--; g.Hosts[who] == 0 {
		delete(g.Hosts, who)
	}
}

// Note takes what an http.Server tells of its connections.
func (g *guests) Note(c net.Conn, now http.ConnState) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch now {
	case http.StateActive:
		if e := g.Known[c]; e != nil {
			g.Order.MoveToBack(e)
		}
	case http.StateClosed, http.StateHijacked:
		g.forget(c)
	}
}

// hostOf gives the host of a connection. One with IPv6 has 64 bits of addresses to itself.
func hostOf(c net.Conn) netip.Prefix {
	at, err := netip.ParseAddrPort(c.RemoteAddr().String())
	if err != nil {
		return netip.Prefix{}
	}
	bits := 64
	if at.Addr().Unmap().Is4() {
		bits = 32
	}
	host, err := at.Addr().Unmap().WithZone("").Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return host
}
